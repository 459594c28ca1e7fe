import{createRequire as $createRequire}from"node:module";const require=$createRequire(import.meta.url);
import{$ as D,N,O as z,P as L,T as U,Z as T,b as x,ba as M,c as v,ca as W,e as P,f as C,ga as q,i as O,j,ja as J,k as F,ka as K,m as p,o as S,s as A,t as $}from"./chunk-IRP3CL4O.js";import{a as R}from"./chunk-TBYWEAOI.js";
import{Gd as I,vd as B,xb as E}from"./chunk-OBWMT7IA.js";import{D as g,E as b,b as m,v as h}from"./chunk-CLYWEIUH.js";import"./chunk-AIN5EYJ6.js";import{fileURLToPath as Ct}from"node:url";import{existsSync as dt}from"node:fs";import{join as lt}from"node:path";function G(t,{color:e,rules:n=[]}){let o=new Map(n.map(({id:a,group:l})=>[a,l])),r=t.findings.toSorted((a,l)=>a.rule.localeCompare(l.rule,"en")),i=[...E(L(r),({rule:a,severity:l})=>`${l}  ${a}`)].sort(
([,a],[,l])=>l.length-a.length),u=String(i[0]?.[1].length??0).length,c=([,a])=>[a[0]?.severity??"",o.get(a[0]?.rule??"")??""],d=[0,1].map(a=>Math.max(0,...i.map(l=>c(l)[a]?.length??0))),f=i.map(a=>{let l=c(
a).map((it,st)=>it.padEnd(d[st]??0));return[String(a[1].length).padStart(u),...l,a[1][0]?.rule].join("  ")});return`${[...f,...f.length>0?[""]:[],U(e)(B(t),"bold")].join(`
`)}
`}import{readFileSync as at,writeFileSync as mt}from"node:fs";import{join as ct,relative as ft,resolve as H}from"node:path";function Q(t){if(t===void 0)return{};try{return{baseline:A.read({file:t,text:at(t,"utf8")})}}catch(e){let{code:n,message:o}=e,r=n==="ENOENT"?"does not exist; --write-baseline writes it":o;throw new m(
`--baseline ${t}: ${n===void 0?`the file ${r}`:r}`)}}function V({directory:t,files:e,values:n},{stdout:o}){let r=["select","ignore","severity","base"].find(c=>n[c]!==void 0);if(r!==void 0)throw new m(
`--write-baseline takes all findings: leave out --${r}`);if(e.length>0)throw new m("--write-baseline takes all findings: name no files");let s={text:"",count:0,configured:void 0};return{options:{writeBaseline:(c,d,f)=>{
s={text:c,count:d,configured:f}}},finish:()=>{let{text:c,count:d,configured:f}=s,a=n.baseline??(f===void 0?void 0:ut(t,f));if(a===void 0)throw new m("--write-baseline needs --baseline FILE, or baselin\
e: FILE in the configuration");return mt(a,c),o.write(`${I(d,"finding")} written to ${h(a)}
`),f===void 0&&o.write(`To have them accepted in every run, set baseline: FILE in .customizer-lint.yaml
`),0}}}function ut(t,e){let n=ct(t,e);if(ft(H(t),H(n)).startsWith(".."))throw new m(`baseline: "${e}" is not in the repository`);return n}async function Y(t,e){let{values:n}=t;if(!n.watch)return X(t,e);let o=["write-baseline","dry-run"].find(s=>n[s]);if(o!==void 0)throw new m(`--watch cannot be used with --${o}`);let{watch:r}=await import("./others-MVQRXU4S.js");
return r(t,e,s=>X(t,e,s))}async function X(t,e,n){let{values:o}=t,r=K(e.stderr),s=o["write-baseline"]?V(t,e):void 0,i=await z({...s?.options??Q(o.baseline),...await D(t,e,r),...b({round:n}),...o.simulate&&
{simulate:{progress:r.say,...o.live!==void 0&&{live:J(o.live)}}},...o.charts!==void 0&&{charts:{store:await pt(o.charts,e),progress:r.say}},...typeof o["dry-run"]=="string"&&{dryRun:{where:o["dry-run"],
...b({context:o.context,cluster:o.cluster}),...o["keep-cluster"]&&{keep:!0},progress:r.say}}}).finally(r.stop);if(wt(i,t))throw new m(bt(t.directory));if(s)return s.finish();let u=q(i,t);if(yt(i,u,t))
throw new m(gt(i,t));for(let d of o.format??["text"])ht(u,d,t,e);let c=o["dry-run"]===void 0?void 0:N(i.stages);if(c!==void 0)throw new m(c);return S(u,o["fail-on"]??"error",o["only-new"]===!0)}async function pt(t,e){
let{openCharts:n}=await import("./asked-NJ3RCK74.js");return n(t,e)}function ht(t,e,{values:n},o){let{format:r,file:s}=F(e),i=s?{...n,output:s}:n,u=M(i,o,t.tool),c=r==="text"&&n.statistics===!0;
W(c?G(t,u):T(r,t,u),i,o)}function wt({entrypoints:t,findings:e},{directory:n,values:o}){let r=o.path!==void 0||o.base!==void 0||dt(lt(n,o.config??p));return t.length===0&&!r&&e.every(({rule:s})=>s==="\
missing-entrypoint")}function yt({entrypoints:t,untouched:e,published:n},o,{files:r}){return r.length>0&&!e&&!n&&o.findings.length===0&&t.every(({rendered:i})=>!i)}function gt({findings:t},{directory:e,
files:n}){let[o]=t,r=o?`: ${g(o.message,200)} (${g(o.at.file,150)})`:"",s=e==="."?"without files":`"${e}"`;return`nothing was checked of "${n[0]}", as no entrypoint was rendered${r}; check ${s} to see\
 all`}function bt(t){return`${t==="."?"this directory":`"${t}"`} does not look like a customizer repository: nothing that Flux applies was found (kustomization.yaml, Flux Kustomization, clusters/); --\
path names a directory`}import{existsSync as y,statSync as tt}from"node:fs";import{dirname as k,join as Z,relative as et,resolve as w}from"node:path";function nt(t,e){let{command:n,directory:o,operands:r,values:s}=t;if(o!==void 0)return{...t,directory:o,files:[]};let[i="",...u]=n==="check"?r:[];if(i!==""&&!y(i))throw new m(kt(t,i));if(i!==""&&ot(i)){
if(u.length>0)throw new m(`one directory at a time: "${i}" or "${u[0]}"?`);return{...t,directory:i,files:[]}}let c=n==="check"?r:[],d=$t(n)?xt(c):void 0,f=d?.directory??".";return d&&f!=="."&&!s.quiet&&
e.stderr.write(`customizer-lint: the root is ${h(f)}, ${d.why}
`),{...t,directory:f,files:c.map(a=>Rt(f,a,d!==void 0))}}function $t(t){let{renders:e}=x[t];return e===!0&&t!=="audit"}function kt({isNamed:t},e){return!t&&/^[a-z]+$/.test(e)?j(e):`"${e}" does not exi\
st`}function ot(t){return tt(t).isDirectory()}function Rt(t,e,n){let o=$(et(w(t),w(e)));if(!o.startsWith("../")&&o!==$(w(e)))return o;throw new m(n?`"${e}" is not in the repository, which begins at ${t}`:
`"${e}" is in no repository; name the directory to check in its place`)}function xt(t){let e;for(let n of t){if(!y(n))throw new m(`"${n}" does not exist`);if(ot(n))throw new m(`a directory or files: "${n}\
" is a directory`);let o=_(k(w(n)));if(!o)continue;e??={file:n,root:o};let r=(s,{directory:i})=>`"${s}" is in that which begins at ${i}`;if(o.directory!==e.root.directory)throw new m(`one repository a\
t a time: ${r(e.file,e.root)}, ${r(n,o)}`)}return e?.root??_(process.cwd())}function _(t){for(let e=t;;e=k(e)){let n=vt(e);if(n!==void 0)return{directory:et(process.cwd(),e)||".",why:n};if(k(e)===e)return}}
function vt(t){let{uid:e}=tt(t);return e===(process.getuid?.()??e)&&y(Z(t,p))?`which has ${p}`:y(Z(t,".git"))?"of the git repository":void 0}var Ot=Ct(new URL(["..",".."].join("/"),import.meta.url));async function ke(t,e=jt()){let n=O(t),o=v(e.stdout,100);if(n.values.help)return rt(n.isNamed?C(n.command,o):P(o),e);if(n.values.version)return rt(
`${R(e.home).version}
`,e);let r=nt(n,e);return n.command==="check"?Y(r,e):(await import("./others-MVQRXU4S.js"))[n.command](r,e)}function jt(){let{stdout:t,stderr:e,env:n}=process;return{home:Ot,stdout:t,stderr:e,env:n}}
function rt(t,{stdout:e}){return e.write(t),0}export{ke as main};
