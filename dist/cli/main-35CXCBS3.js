import{createRequire as $createRequire}from"node:module";const require=$createRequire(import.meta.url);
import{E as M,R as W,S as y,T as H,X as J,b as j,ba as K,c as S,ca as G,e as N,ea as Q,f as E,fa as V,i as A,j as B,k as T,la as X,m as w,na as Y,o as I,oa as Z,p as C,pa as _,q as k,ta as tt,w as z,wa as et,
x as L,xa as nt}from"./chunk-6MQB26CW.js";import{a as P}from"./chunk-BKQZYVBQ.js";import{Ad as D,Md as q,O as U}from"./chunk-6TWC3JCL.js";import{E as v,F as h,c as O,e as d,w as g}from"./chunk-GEYI73IX.js";
import"./chunk-AIN5EYJ6.js";import{fileURLToPath as Wt}from"node:url";import{existsSync as kt}from"node:fs";import{join as Ft}from"node:path";async function ot(t){let{base:e,change:n,round:r,...o}=t,s=await z({...t,...h({earlier:r?.before?.tree})}),i=e===void 0?void 0:await L(t.directory,e),f=i?{base:yt(i,e??"",s),why:[]}:n,a={...o,head:s,...h(
{round:r})},u=i?.others??n?.others??[],m=i?.tip??n?.tip,c=await y({...a,...f&&{change:f}}),p={...o,head:s};delete p.writeBaseline;let l=c;for(let x of u)l=rt(l,await y({...p,change:{...f,base:x,why:[]}}),
!0);if(!m||!l.findings.some(({isNew:x})=>x===!1))return l;let R=i?{tip:i.base}:{};return rt(l,await y({...p,change:{base:m,...R,why:[]}}),!1)}function yt({base:t,tip:e},n,r){if(!e)return t;let o=new Set(
k(e,t)),s=k(r,t).filter(f=>o.has(f)).length,i=`not merged with ${n}; ${s} ${s===1?"file":"files"} changed on both sides`;return{...t,description:`${t.description}, ${i}`}}function rt(t,e,n){let r=new Map(
e.findings.map(a=>[a.fingerprint,a])),o=new Set(t.findings.map(({fingerprint:a})=>a)),s=n?e.findings.filter(a=>a.isNew!==!1&&!o.has(a.fingerprint)):[],{untouched:i,...f}=t;return{...f,findings:[...t.findings.
map(a=>bt(a,r.get(a.fingerprint))),...s.map($t)],...i&&(e.untouched||!n)&&{untouched:i},sources:{text:(a,u)=>t.sources.text(a,u)??e.sources.text(a,u),has:(a,u)=>t.sources.has(a,u)||e.sources.has(a,u),
secrets:(a,u)=>(t.sources.has(a,u)?t:e).sources.secrets(a,u)}}}function bt(t,e){if(t.isNew!==!1||e?.isNew===!1)return t;let n=O.find(r=>r===t.severity||r===e?.severity);return{...t,severity:n??t.severity,
isNew:!0}}function $t(t){return t.at.revision==="base"?{...t,precision:"file"}:t}function it(t,{color:e,rules:n=[]}){let r=new Map(n.map(({id:c,group:p})=>[c,p])),o=t.findings.toSorted((c,p)=>c.rule.localeCompare(p.rule,"en")),i=[...U(H(o),({rule:c,severity:p})=>`${p}  ${c}`)].sort(
([,c],[,p])=>p.length-c.length),f=String(i[0]?.[1].length??0).length,a=([,c])=>[c[0]?.severity??"",r.get(c[0]?.rule??"")??""],u=[0,1].map(c=>Math.max(0,...i.map(p=>a(p)[c]?.length??0))),m=i.map(c=>{let p=a(
c).map((l,R)=>l.padEnd(u[R]??0));return[String(c[1].length).padStart(f),...p,c[1][0]?.rule].join("  ")});return`${[...m,...m.length>0?[""]:[],J(e)(D(t),"bold")].join(`
`)}
`}import{readFileSync as Rt}from"node:fs";import{join as xt,relative as vt,resolve as st}from"node:path";function at(t){if(t===void 0)return{};try{return{baseline:M.read({file:t,text:Rt(t,"utf8")})}}catch(e){let{code:n,message:r}=e,o=n==="ENOENT"?"does not exist; --write-baseline writes it":r;throw new d(
`--baseline ${t}: ${n===void 0?`the file ${o}`:o}`)}}function ct({directory:t,files:e,values:n},{stdout:r}){let o=["select","ignore","severity","base"].find(a=>n[a]!==void 0);if(o!==void 0)throw new d(
`--write-baseline takes all findings: leave out --${o}`);if(e.length>0)throw new d("--write-baseline takes all findings: name no files");let s={text:"",count:0,configured:void 0};return{options:{writeBaseline:(a,u,m)=>{
s={text:a,count:u,configured:m}}},finish:()=>{let{text:a,count:u,configured:m}=s,c=n.baseline??(m===void 0?void 0:Ct(t,m));if(c===void 0)throw new d("--write-baseline needs --baseline FILE, or baselin\
e: FILE in the configuration");return V(c,a,Q(t)),r.write(`${q(u,"finding")} written to ${g(c)}
`),m===void 0&&r.write(`To have them accepted in every run, set baseline: FILE in .customizer-lint.yaml
`),0}}}function Ct(t,e){let n=xt(t,e);if(vt(st(t),st(n)).startsWith(".."))throw new d(`baseline: "${e}" is not in the repository`);return n}async function ft(t,e){let{values:n}=t;if(!n.watch)return(await ut(t,e))();let r=["write-baseline","dry-run"].find(s=>n[s]);if(r!==void 0)throw new d(`--watch cannot be used with --${r}`);let{watch:o}=await import("./others-UT5HUPY4.js");
return o(t,e,s=>ut(t,e,s))}async function ut(t,e,n){let{values:r}=t,o=nt(e.stderr),s=r["write-baseline"]?ct(t,e):void 0,i=await ot({...s?.options??at(r.baseline),...await X(t,e,o),...h({round:n}),...r.
simulate&&{simulate:{progress:o.say,...r.live!==void 0&&{live:et(r.live)}}},...r.charts!==void 0&&{charts:{store:await Ot(r.charts,e),progress:o.say}},...typeof r["dry-run"]=="string"&&{dryRun:{where:r["\
dry-run"],...h({context:r.context,cluster:r.cluster}),...r["keep-cluster"]&&{keep:!0},progress:o.say}}}).finally(o.stop);if(St(i,t)||Nt(i,t))throw new d(Bt(t.directory));if(s)return()=>s.finish();let f=tt(
i,t);if(Et(i,f,t))throw new d(At(i,t));return()=>Pt(i,f,t,e)}function Pt(t,e,n,r){let{values:o}=n;for(let i of o.format??["text"])jt(e,i,n,r);let s=o["dry-run"]===void 0?void 0:W(t.stages);if(s!==void 0)
throw new d(s);return I(e,o["fail-on"]??"error",o["only-new"]===!0)}async function Ot(t,e){let{openCharts:n}=await import("./asked-XLXCGH5H.js");return n(t,e)}function jt(t,e,{directory:n,values:r},o){
let{format:s,file:i}=T(e),f={directory:n,values:i?{...r,output:i}:r},a=Y(f.values,o,t.tool),u=s==="text"&&r.statistics===!0,m=G(t,_(s,n));Z(u?it(m,a):K(s,m,a),f,o)}function St({entrypoints:t,findings:e},{
directory:n,values:r}){let o=r.path!==void 0||r.base!==void 0||kt(Ft(n,r.config??w));return t.length===0&&!o&&e.every(({rule:s})=>s==="missing-entrypoint")}function Nt({entrypoints:t},{values:e}){return t.
length===0&&e["only-new"]===!0}function Et({entrypoints:t,untouched:e,published:n},r,{files:o}){return o.length>0&&!e&&!n&&r.findings.length===0&&t.every(({rendered:i})=>!i)}function At({findings:t},{
directory:e,files:n}){let[r]=t,o=r?`: ${v(r.message,200)} (${v(r.at.file,150)})`:"",s=e==="."?"without files":`"${e}"`;return`nothing was checked of "${n[0]}", as no entrypoint was rendered${o}; check\
 ${s} to see all`}function Bt(t){return`${t==="."?"this directory":`"${t}"`} does not look like a customizer repository: nothing that Flux applies was found (kustomization.yaml, Flux Kustomization, cl\
usters/); --path names a directory`}import{existsSync as $,statSync as pt}from"node:fs";import{dirname as F,join as mt,relative as lt,resolve as b}from"node:path";function ht(t,e){let{command:n,directory:r,operands:o,values:s}=t;if(r!==void 0)return{...t,directory:r,files:[]};let[i="",...f]=n==="check"?o:[];if(i!==""&&!$(i))throw new d(It(t,i));if(i!==""&&wt(i)){
if(f.length>0)throw new d(`one directory at a time: "${i}" or "${f[0]}"?`);return{...t,directory:i,files:[]}}let a=n==="check"?o:[],u=Tt(n)?zt(a):void 0,m=u?.directory??".";return u&&m!=="."&&!s.quiet&&
e.stderr.write(`customizer-lint: the root is ${g(m)}, ${u.why}
`),{...t,directory:m,files:a.map(c=>Ut(m,c,u!==void 0))}}function Tt(t){let{renders:e}=j[t];return e===!0&&t!=="audit"}function It({isNamed:t},e){return!t&&/^[a-z]+$/.test(e)?B(e):`"${e}" does not exi\
st`}function wt(t){return pt(t).isDirectory()}function Ut(t,e,n){let r=C(lt(b(t),b(e)));if(!r.startsWith("../")&&r!==C(b(e)))return r;throw new d(n?`"${e}" is not in the repository, which begins at ${t}`:
`"${e}" is in no repository; name the directory to check in its place`)}function zt(t){let e;for(let n of t){if(!$(n))throw new d(`"${n}" does not exist`);if(wt(n))throw new d(`a directory or files: "${n}\
" is a directory`);let r=dt(F(b(n)));if(!r)continue;e??={file:n,root:r};let o=(s,{directory:i})=>`"${s}" is in that which begins at ${i}`;if(r.directory!==e.root.directory)throw new d(`one repository \
at a time: ${o(e.file,e.root)}, ${o(n,r)}`)}return e?.root??dt(process.cwd())}function dt(t){for(let e=t;;e=F(e)){let n=Lt(e);if(n!==void 0)return{directory:lt(process.cwd(),e)||".",why:n};if(F(e)===e)
return}}function Lt(t){let{uid:e}=pt(t);return e===(process.getuid?.()??e)&&$(mt(t,w))?`which has ${w}`:$(mt(t,".git"))?"of the git repository":void 0}var Dt=Wt(new URL(["..",".."].join("/"),import.meta.url));async function He(t,e=qt()){let n=A(t),r=S(e.stdout,100);if(n.values.help)return gt(n.isNamed?E(n.command,r):N(r),e);if(n.values.version)return gt(
`${P(e.home).version}
`,e);let o=ht(n,e);return n.command==="check"?ft(o,e):(await import("./others-UT5HUPY4.js"))[n.command](o,e)}function qt(){let{stdout:t,stderr:e,env:n}=process;return{home:Dt,stdout:t,stderr:e,env:n}}
function gt(t,{stdout:e}){return e.write(t),0}export{He as main};
