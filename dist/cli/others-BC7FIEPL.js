import{createRequire as $createRequire}from"node:module";const require=$createRequire(import.meta.url);
import{a as Ct}from"./chunk-RAFXQVMT.js";import{A as jo,B as ko,C as Po,D as xo,E as vo,F as Fo,G as Ro,H as So,I as Co,J as Eo,K as Ao,L as Lo,M as Jo,N as Mo,O as me,P as Bt,Q as No,T as Wo,U as To,
W as It,Y as Bo,Z as Io,a as J,b as Y,c as Xe,d as ve,e as po,f as Ze,g as le,h as ho,i as go,j as yo,k as Fe,l as Qe,m as ue,n as wo,o as Wt,p as bo,q as et,r as tt,s as $o,u as Oo,v as nt,w as ot,x as rt,
y as st,z as Tt}from"./chunk-IXGE34ES.js";import{$ as E,A as qe,B as H,C as V,D as so,E as Mt,F as io,G as Ke,H as co,I as Ge,J as fo,K as lo,L as D,M as Ye,O as Do,P as Dt,Q as zo,R as zt,S as at,
T as ct,U as Uo,V as _o,W as Ho,X as Vo,Y as Ut,Z as qo,_ as Ko,a as Te,aa as dt,b as Be,ba as Go,c as On,ca as F,d as Et,da as ee,ea as ft,fa as lt,g as je,h as At,ha as ut,ia as Yo,ja as he,k as jn,
ka as A,l as vn,m as Fn,n as Rn,o as Sn,p as zn,q as Un,r as _e,u as eo,v as to,w as no,x as Jt,y as oo,z as ro}from"./chunk-SFNRJT5C.js";import{a as wn}from"./chunk-RRAAUPGC.js";import{Ab as fe,
Ba as Ue,Ca as In,D as Cn,F as z,G as En,Ga as C,H as An,Hb as Hn,J as Ln,Ka as Dn,L as Jn,Lc as Zn,Md as pe,N as Mn,Nd as it,Q as De,U as Q,Vb as He,W as Nn,Wb as Vn,X as ce,Y as Wn,Z as Tn,a as We,ba as Bn,
db as Pe,dc as qn,dd as Qn,eb as xe,f as $n,fb as x,fc as Kn,h as Ie,i as $,ic as Gn,j as k,k as L,m as I,na as ze,o as kn,oa as Lt,p as W,pa as ke,q as Pn,r as P,s as v,sb as G,sd as Nt,td as ao,u as xn,
ub as _n,wc as Yn,xa as re,xb as de,xc as Xn,yc as _,yd as uo,zc as Ve,zd as mo}from"./chunk-2CHVENLA.js";import{D as ae,E as b,d as h,q as bn,v as y,y as R}from"./chunk-EP3XLQYM.js";import{
c as Ne}from"./chunk-AIN5EYJ6.js";import{existsSync as Pi}from"node:fs";import{join as wr}from"node:path";import{isDeepStrictEqual as Qo}from"node:util";function Zo(e,{from:t,data:n,release:o,known:r}){let s=e.filter(f=>z({ref:I(f)})),i=s.map(_s).find(({ref:f})=>f.name===C),a=Un({config:Rn(),cluster:{},prefix:"cluster.",objects:i?[i]:[],newest:In(n),isKnownRelease:f=>io(
n,f),isKnownKubernetes:f=>zn(n,f),snapshot:{...Ke(e,""),file:t},...b({release:o})}),c=r?Us(r.facts,a):a,l=r&&r.facts.get("release").value===c.get("release").value?r.contract:Mt(n,c.all);return{from:t,
platform:i,facts:c,contract:l,packages:s.map(f=>({name:I(f).name,value:f})).sort((f,u)=>f.name<u.name?-1:1),others:[...Is(c,l,n),...Ds(c,l)]}}function Is(e,t,n){return e.get("release").source!=="assum\
ed"?[]:Ue(n).filter(r=>r!==t.release).map(r=>{let s=mt(e,"release",r);return{because:"release",facts:s,contract:Mt(n,s.all)}})}function Ds(e,t){let{value:n,source:o}=e.get("variant");return o!=="assum\
ed"?[]:t.catalog.variantsWithPackages().filter(s=>s!==n).map(s=>({because:"variant",facts:mt(e,"variant",s),contract:t}))}var zs=["config","snapshot","manifest","evidence","contract","world","assumed"],
Xo=e=>zs.indexOf(e);function Us(e,t){let n=new Map;for(let[o,r]of e.all){let s=t.all.get(o),a=s.source==="snapshot"||s.source==="manifest"?r.source!=="config":Xo(s.source)<Xo(r.source);n.set(o,a?s:r)}
return{all:n,get:o=>n.get(o),platformValue:o=>t.platformValue(o)??e.platformValue(o),used:()=>[...n.values()].filter(({name:o})=>o==="release"||o==="variant")}}function mt(e,t,n){let o=new Map([...e.all,
[t,{name:t,value:n,source:"config"}]]);return{...e,all:o,get:r=>o.get(r)}}function _s(e){return{ref:I(e),value:e,revision:"head",entrypoint:"",index:0,writers:()=>[],children:()=>{},removed:()=>[]}}var er=["helm-controller","helm"];function pt(e,t){return e==="helm"?er.includes(t):e==="flux"?t===_:t!==_}function tr(e,t){let n=t.contract.ownership.rowsOf(e.name).filter(({field:i})=>!i.includes("*")),
o=n.filter(({owner:i})=>i==="Flux").map(i=>_t(i,"flux",void 0));if(e.name===C){let{value:i,source:a,file:c}=t.facts.get("variant"),d=a==="config"||a==="snapshot"&&c!==t.from?i:void 0;return[...n.filter(
({owner:f})=>f==="platform administrator").map(f=>_t(f,"administrator",d)),...o]}if(!Ht(e,t))return o;let r=n.filter(({owner:i})=>i==="platform chart"||i==="Helm").filter(({field:i})=>i.join(".")!=="m\
etadata.name"),s=rr(e.name,t,t).filter(({when:i,dead:a})=>!i&&!a);return[...r.map(i=>_t(i,"helm",P(i.field)==="spec.variant"?Ks(e,t):Hs(t)[P(i.field)])),...s.map(i=>Vs(i,e,t)),...o]}function Ht({name:e,
value:t},{contract:n,facts:o}){if(!n.catalog.isManaged(e)||e===C)return!1;if(Y(t).some(({manager:s})=>er.includes(s))||L(t,["metadata","annotations","meta.helm.sh/release-name"])!==void 0)return!0;let r=o.
get("variant");return r.source!=="assumed"&&n.catalog.emitted(e,String(r.value))==="always"}function ht({catalog:e}){let[t]=e.source(C)?.variants??[],{namespace:n="cozy-system",releaseName:o="cozystac\
k-platform"}=t?.components[0]?.install??{};return{namespace:n,name:o}}function Hs({contract:e}){let{namespace:t,name:n}=ht(e);return{'metadata.annotations["helm.sh/resource-policy"]':"keep",'metadata.\
annotations["meta.helm.sh/release-name"]':n,'metadata.annotations["meta.helm.sh/release-namespace"]':t,'metadata.labels["app.kubernetes.io/managed-by"]':"Helm"}}function _t({field:e,why:t},n,o){return{
field:e,owner:n,why:t,isRequired:n!=="flux",isOpen:!1,assumes:[],...b({set:o}),isEqual:r=>r===o}}function Vs(e,t,n){let{field:o,why:r,shape:s}=e,i=nr(t,n).map(u=>({because:u.because,owned:rr(t.name,u,
n).find(m=>qs(m,t.name,u)&&P(m.field)===P(o))})),a=n.others.length===0||or(t,n,n),d=a&&i.every(({owned:u})=>Qo(u?.set,e.set))&&Gs(e,n)?e.set:void 0,l=a?i.filter(u=>!u.owned):n.others,f=new Set(l.map(({
because:u})=>u));return{field:o,owner:"helm",isOpen:s==="map",isRequired:s!=="map",assumes:[...f],...b({set:d,why:r}),isEqual:e.isEqual}}function qs({when:e},t,{contract:n,facts:o}){let r=n.catalog.emitted(
t,String(o.get("variant").value));return!e||typeof r=="object"&&Qo(e,{switch:r.switch})}function nr(e,t){return t.others.filter(n=>or(e,n,t))}function or({name:e,value:t},n,o){let r=n.contract.catalog.
emitted(e,String(n.facts.get("variant").value));if(r==="never"||r==="unknown")return!1;if(!(Xe(t).get(J(["spec","variant"]))??[]).some(a=>pt("helm",a)))return!0;let i=sr(e,n,o);return i===void 0||i===
L(t,["spec","variant"])}function rr(e,{facts:t,contract:n},{platform:o}){return qe(e,{facts:t,contract:n,objects:o?[o]:[]})}function Ks(e,t){let n=[t,...nr(e,t)].map(o=>sr(e.name,o,t));return n.every(
o=>o===n[0])?n[0]:void 0}function sr(e,{facts:t,contract:n},{platform:o}){let r=mt(t,"variant",String(t.get("variant").value));return Gn(e,{facts:r,contract:n,objects:o?[o]:[]})}function Gs({isSure:e,
knob:t},{platform:n}){return e||t===void 0?e:!n||t.startsWith("publishing.")||L(n.value,["spec","variant"])===void 0?!1:$(n.value,Jn(t))===void 0}function ar(e,t){let{packages:n}=e,o=Ys(n);return{packages:n.length,emitted:n.filter(r=>Ht(r,e)).length,...o&&{helm:o},findings:n.flatMap(r=>{let s=tr(r,e).flatMap(a=>Xs(r,a)),i=new Set(s.flatMap(({now:a})=>a?
[J(a.path)]:[]));return[...s,...ti(r,i),...ni(r,t)]})}}function X({kind:e,assumes:t}){return(e==="taken"||e==="lost"||e==="doomed")&&t.length===0}function Ys(e){let t=e.flatMap(({value:n})=>Y(n)).filter(
({manager:n})=>n==="helm-controller");return t.some(({operation:n})=>n==="Update")?"Update":t.length>0?"Apply":void 0}function Xs(e,t){return(t.isOpen?qt(e.value,t.field):[t.field]).flatMap(o=>Zs(e,o,
t)??[])}function Zs({name:e,value:t},n,o){let{owner:r,set:s,why:i,assumes:a,isRequired:c,isEqual:d}=o,l=Qs(t,n),f=Vt(t,l?.path??n),[u,m]=[!0,!1].map(j=>f.filter(({manager:w})=>pt(r,w)===j)),p={package:e,
fields:[n],owner:r,by:m,assumes:a,...b({now:l}),...b({set:s,why:i})},g=l?.path.length===n.length;return!l||l.value===null&&u.length>0?c?{...p,kind:"lost"}:void 0:!g&&k(l.value)?c?{...p,kind:"lost"}:void 0:
r==="flux"?m.length>0&&u.length===0?{...p,kind:"odd"}:void 0:u.length>0&&g?m.length>0?{...p,kind:"shared"}:void 0:m.length>0?{...p,kind:"taken"}:l.value===null?{...p,kind:"lost"}:s!==void 0&&!d(l.value)?
{...p,kind:"odd"}:void 0}function Qs(e,t){for(let n=1;n<=t.length;n++){let o=t.slice(0,n),r=$(e,o);if(r===void 0)return;if(n===t.length||!k(r))return{value:r,path:o}}}function Vt(e,t){let n=o=>t.every(
(r,s)=>o[s]===r);return Y(e).filter(({fields:o})=>o.some(n)).map(({manager:o,operation:r,time:s})=>({manager:o,operation:r,...b({time:s})}))}function qt(e,t){let n=$(e,t);return!k(n)||Object.keys(n).length===
0?n===void 0?[]:[t]:Object.keys(n).flatMap(o=>qt(e,[...t,o]))}var ei=4;function ti({name:e,value:t},n){return qt(t,["spec","components"]).filter(r=>r.length>ei&&$(t,r)===null&&!n.has(J(r))).flatMap(r=>{
let s=Vt(t,r);return s.some(({manager:i})=>!pt("helm",i))?[]:[{package:e,kind:"odd",fields:[r],now:{value:null,path:r},by:s,assumes:[]}]})}function ni({name:e,value:t},n){let o=n?.filter(a=>z(a)&&a.ref.
name===e)??[],r=Y(t);if(r.filter(({manager:a})=>a===_).length===0&&o.length===0||Kt(t,o))return[];let i=new Set(r.filter(a=>!ir(a)).flatMap(({fields:a})=>a.map(J)));return r.filter(ir).flatMap(a=>{let{
manager:c,operation:d,time:l}=a,f=[{manager:c,operation:d,...b({time:l})}],u=a.fields.filter(m=>!i.has(J(m))&&m.at(-1)!==Ve.annotations[0]&&$(t,m)!==void 0&&!o.some(p=>$(p.value,m)!==void 0));return u.
length>0?[{package:e,kind:"doomed",fields:oi(u),by:f,assumes:[]}]:[]})}function oi(e){let t=n=>n.length===2&&n[1]==="variant";return[...e.filter(t),...e.filter(n=>!t(n))]}function ir({manager:e,operation:t}){
return Ve.fieldManagers.some(({name:n,operationType:o})=>n!==_&&e.startsWith(n)&&t===o)}function Kt(e,t){if(Q(e,"ssa","Ignore")||Q(e,"reconcile","disabled"))return!0;let n=s=>Q(s,"ssa","Merge")||Q(s,"\
ssa","IfNotPresent"),o=s=>!Q(s,"ssa","Ignore")&&!Q(s,"reconcile","disabled");if(t.length>0&&t.every(({value:s})=>n(s)||!o(s)))return!0;if(!Q(e,"ssa","Merge"))return!1;if(t.length===0)return!0;let r=["\
metadata","annotations",`${Object.keys(Ve.exclusions)[0]}`];return Vt(e,r).some(({manager:s})=>s!==_)}var gt="helm-controller";function fr({findings:e,helm:t},n){let o=e.filter(X);if(o.length===0)return[];let r=n.packages.filter(({name:f})=>o.some(u=>u.package===f)),s=({name:f})=>o.filter(u=>u.package===
f&&u.kind!=="doomed"),i=r.filter(f=>f.name!==C&&s(f).length>0),a=r.filter(ri),c=li(o),l=`${c.length>0?"once Flux has fetched that commit (kubectl get gitrepositories -A), ":""}let Flux go on`;return[...a.
flatMap(f=>cr(f,a,!0,"keep Flux from taking it again meanwhile")),...r.filter(f=>si(f,o)).map(ii),...r.filter(({name:f})=>f===C).flatMap(f=>ai(f,s(f))),...i.length>0&&t!=="Update"?ci(n):[],...t==="Upd\
ate"?i.flatMap(f=>di(f,s(f),n)):[],...c,...a.flatMap(f=>cr(f,a,!1,l))]}function ri({value:e}){return Y(e).some(({manager:t})=>t===_)}function cr(e,t,n,o){let r=t.map(dr),{namespace:s,name:i}=dr(e);if(!(r.
findIndex(d=>d.namespace===s&&d.name===i)===t.indexOf(e)))return[];let c=te(JSON.stringify({spec:{suspend:n}}));return[{why:o,command:`kubectl --namespace ${te(s)} patch kustomizations.kustomize.toolk\
it.fluxcd.io ${te(i)} --type merge --patch ${c}`}]}function dr({value:e}){let t=n=>L(e,["metadata","labels",De+n]);return{namespace:t("namespace")??"cozy-system",name:t("name")??"cozystack-customizer"}}
function si(e,t){if(Kt(e.value,[]))return!1;let n=t.filter(o=>o.package===e.name);return n.some(({kind:o})=>o==="doomed")||e.name===C&&n.length>0}function ii({name:e}){return{why:"make Flux leave alon\
e what kubectl sets in it, also before the commit that says so is there",command:`kubectl annotate packages.cozystack.io ${te(e)} --overwrite ${De}ssa=Merge`}}function ai({name:e},t){if(t.length===0)return[];
let n=t.filter(Gt),o=t.some(({kind:a})=>a==="lost"),r=n.filter(({set:a})=>a!==void 0),s=n.filter(({set:a})=>a===void 0),i=`packages.cozystack.io ${te(e)}`;return[...r.length>0?[{why:"write what the pl\
atform is",command:lr(i,r)}]:[],...s.map(({fields:[a]})=>({why:`write ${P(a??[])} as it was when the platform was installed; what it was is not known here, cluster.variant in the configuration tells i\
t`})),...o?[{why:"bring back all else that Flux has removed: kubectl apply --server-side --force-conflicts -f FILE, with the file that the Package was made from"}]:[{why:"have kubectl own what is ther\
e, so that it stays when git lets go of it",command:`kubectl get ${i} --output json | kubectl apply --server-side --force-conflicts --filename -`}]]}function ci({contract:e}){let{namespace:t,name:n}=ht(
e),o=i=>`kubectl --namespace ${t} ${i} helmreleases.helm.toolkit.fluxcd.io ${n}`,r=["requestedAt","forceAt"].map(i=>`reconcile.fluxcd.io/${i}=$now`).join(" ");return[{why:"have Helm apply the platform\
 chart again, which takes its fields back",command:["now=$(date +%s)",`${o("annotate")} --overwrite ${r}`,`${o("wait")} --for=jsonpath='{.status.lastHandledForceAt}'=$now`,`${o("wait")} --for=conditio\
n=Ready --timeout=15m`].join(" && ")}]}function di({name:e,value:t},n,o){let{namespace:r,name:s}=ht(o.contract),i=`packages.cozystack.io ${te(e)}`,a=n.filter(Gt),[c,d]=[a.filter(({set:f})=>f!==void 0),
a.filter(({set:f})=>f===void 0)],l=n.filter(f=>!Gt(f));return[...c.length>0?[{why:"write what the chart sets, in the name of Helm, which on this cluster does not by itself",command:`${lr(i,c)} --field\
-manager=${gt}`}]:[],...l.length>0?[fi(e,t,l)]:[],...d.map(({fields:[f]})=>({why:`write ${P(f??[])} of ${e} in the same way, with kubectl patch --field-manager=${gt} and the value that helm --namespac\
e ${r} get manifest ${s} shows`}))]}function fi(e,t,n){let r=[...Y(t).filter(({manager:i,operation:a})=>i===gt&&a==="Apply").flatMap(i=>i.fields),...n.flatMap(i=>i.fields)],s={apiVersion:Cn,kind:"Pack\
age",metadata:{name:e}};for(let i of r){let a=$(t,i);a!=null&&ur(s,i,k(a)?{}:a)}return{why:"the value is the chart\u2019s, only its owner is not: apply it in the name of Helm",command:`printf %s ${te(
JSON.stringify(s))} | kubectl apply --server-side --force-conflicts --field-manager=${gt} --filename -`}}function Gt({now:e,set:t,fields:[n]}){return!e||e.path.length!==n?.length||e.value===null?!0:t===
void 0||JSON.stringify(e.value)!==JSON.stringify(t)}function lr(e,t){let n=Object.create(null);for(let{fields:o,set:r}of t)for(let s of o)ur(n,s,r);return`kubectl patch ${e} --type merge --patch ${te(
JSON.stringify(n))}`}function ur(e,t,n){let o=e;for(let s of t.slice(0,-1)){let i=Object.hasOwn(o,s)?o[s]:void 0,a=k(i)?i:Object.create(null);o[s]=a,o=a}let r=String(t.at(-1));k(n)&&k(o[r])||(o[r]=n)}
function li(e){let t=e.filter(({kind:r,by:s})=>r==="taken"&&s.some(({manager:i})=>i===_)),n=e.filter(r=>r.kind==="doomed"||r.package===C),o=[...new Set(n.map(r=>r.package))];return[...t.map(r=>({why:`\
in the repository, take ${P(r.fields[0]??[])} out of the manifest of ${r.package}`})),...o.map(r=>({why:`in the repository, give the manifest of ${r} the annotation ${De}ssa: Merge`})),...t.length+o.length>
0?[{why:"commit that and push it"}]:[]]}function te(e){return/^[\w@%+=:,./-]+$/.test(e)?e:`'${e.replaceAll("'","'\\''")}'`}var ui={taken:["taken","red"],lost:["lost","red"],doomed:["doomed","red"],shared:["shared","cyan"],odd:["odd","cyan"]},Xt={helm:"helm-controller",administrator:"the platform\u2019s administrator",flux:"\
kustomize-controller"},mi={Apply:"Helm applies the chart by server-side apply",Update:"Helm patches what changes in the chart, as on a cluster born before Cozystack 1.5"},pi=80,mr=4;function pr({audit:e,
recovery:t,facts:n},o){let r=ct(o.color),i=[...new Set(e.findings.map(c=>c.package))].flatMap(c=>[r(`Package ${y(c)}`,"bold"),...e.findings.filter(d=>d.package===c).flatMap(d=>hi(d,o,r)),""]),a=n.filter(
({source:c})=>c==="assumed").map(it);return[...i,r($i(e),"bold"),...e.helm?[`  ${mi[e.helm]}`]:[],...a.map(c=>`  assumed: ${y(c)}`),...t.length>0?["",r("To restore it, in this order:","bold"),...t.flatMap(
Oi)]:[],""].join(`
`)}function hi(e,t,n){let{kind:o,fields:r,assumes:s}=e,[i,a]=ui[o],c=r.length-mr,l=`${r.slice(0,mr).map(j=>y(P(j))).join(", ")}${c>0?` and ${c} more`:""}`,f=o==="doomed"||o==="lost"&&!e.now?"":`: ${gi(
e)}`,[u=[]]=r,m=o==="taken"||o==="shared"?t.locate(e.package,u):void 0,p=m?`  ${y(m.file)}:${m.range.start.line}`:"",g=" ".repeat(10);return[`  ${n(i.padEnd(6),a)}  ${l}${f}${p}`,...yi(e).map(j=>`${g}${j}`),
...s.length>0?[`${g}only as far as the ${s.join(" and the ")} can be assumed`]:[]]}function gi({fields:[e=[]],now:t,set:n}){if(!t)return"";let o=Yt(t.value,t.path),r=t.path.length===e.length?o:`${o} s\
tands at ${y(P(t.path))}`;return n===void 0?r:ki(t.value,n)&&t.path.length===e.length?`${r}, as the platform sets it`:`${r}, where the platform sets ${Yt(n,e)}`}function yi({kind:e,owner:t,by:n,why:o,
set:r,fields:[s=[]],now:i}){let a=t?Xt[t]:"",c=n.map(bi).join(", "),d=o===void 0?[]:[y(o)];switch(e){case"taken":return[`from ${a} by ${c}`,...d];case"lost":{let l=r===void 0||i?"":`; the platform set\
s ${Yt(r,s)}`,f=i?.value===null?["null is what is left of a map that was taken and let go; Helm reads it as an order to delete the default"]:[];return[`it belongs to ${a}, and is not there${l}`,...f,...d]}case"\
doomed":return[`set by ${c}`,"Flux removes it when it next applies the Package, unless that has ssa: Merge"];case"shared":return[`of ${a}, and also of ${c}: nothing is lost while both set the same`];case"\
odd":return wi(t,c,i?.value??null)}}function wi(e,t,n){return e==="flux"?[`a label of Flux, but set by ${t}`]:e?[`no manager is recorded for it, though it belongs to ${Xt[e]}`]:n===null?["nobody has s\
et it: null is what is left of a map that was taken and let go; Helm reads it as an order to delete the default"]:[]}function bi({manager:e,operation:t,time:n}){return y(`${e} (${[t,n].filter(Boolean).
join(", ")})`)}function $i({packages:e,emitted:t,findings:n}){let o=`${pe(e,"Package")}, ${t} of them made by the platform chart`,r=(...c)=>n.filter(d=>X(d)&&c.includes(d.kind)).length,s=[[r("taken"),
"taken"],[r("lost"),"lost"],[r("doomed"),"about to be removed"]],i=n.length-n.filter(X).length,a=[...s.flatMap(([c,d])=>c>0?[`${c} ${d}`]:[]),...i>0?[pe(i,"notice")]:[]].join(", ");return n.some(X)?`${a}\
, in ${o}`:`Nothing is taken in ${o}${a&&`; ${a}`}`}function Oi({why:e,command:t},n){return[`  # ${n+1}. ${y(e)}`,...t===void 0?[]:[`  ${hr(t)}`]]}function hr(e){return y(e)===e&&!ji(e)?e:"# (not show\
n: it holds what looks secret)"}function ji(e){return x(e)!==e}function Yt(e,t){return y(ae(JSON.stringify(Re(e,t)),pi))}function Re(e,t){return e!==null&&t.some(n=>xe(String(n)))?Pe:Array.isArray(e)?
e.map((n,o)=>Re(n,[...t,o])):e!==null&&typeof e=="object"?Object.fromEntries(Object.entries(e).map(([n,o])=>[n,Re(o,[...t,n])])):typeof e=="string"?x(e):e}function ki(e,t){return JSON.stringify(e)===JSON.
stringify(t)}function gr({audit:e,recovery:t,facts:n},{locate:o}){let{findings:r,...s}=e;return R({...s,facts:n.map(({name:i,value:a,source:c})=>({name:i,value:a,source:c})),findings:r.map(i=>{let{package:a,
kind:c,fields:d,now:l,set:f,owner:u,by:m,why:p,assumes:g}=i,[j=[]]=d,w=o(i.package,j);return{package:a,kind:c,serious:X(i),fields:d.map(O=>P(O)),...u&&{owner:Xt[u]},...l&&{value:Re(l.value,l.path),valueAt:P(
l.path)},...f!==void 0&&{set:Re(f,j)},by:m,assumes:g,...b({why:p}),...w&&{file:w.file,line:w.range.start.line}}}),recovery:t.map(({why:i,command:a})=>({why:i,...a!==void 0&&{command:hr(a)}}))})}async function xi(e,t){let{values:n}=e,{home:o}=t;if(n.live===void 0==(n.kubeconfig===void 0))throw new h("audit of what? either --live FILE, made with kubectl get packages -o yaml --show-managed-fiel\
ds, or --kubeconfig FILE");if(n.context!==void 0&&n.kubeconfig===void 0)throw new h("--context needs --kubeconfig");let r=n.live??"the cluster",s=n.kubeconfig===void 0?he(r):await Ci(n.kubeconfig,n.context,
o);if(!s.some(Ri))throw new h(`there is no Package of Cozystack in ${r}`);let i={from:r,data:wr(o,"schemas"),...b({release:n.release})};if(!Fi(e))return yr(s,i,e,t);let a=A(t.stderr),c=await E(e,t,a);
return D(c,({clusters:d,trees:l})=>{a.stop();let f={cluster:ft(d,n),locator:new V(l)};return yr(s,i,e,t,f)}).finally(a.stop)}function yr(e,t,{values:n},o,r){let s=Zo(e,{...t,...r&&{known:r.cluster}}),
i=ar(s,r?.cluster.head.objects),a=[_e(s.facts.get("release"),s.contract),s.facts.get("variant")],c={audit:i,recovery:fr(i,s),facts:a},d={color:dt(n,o),locate:(l,f)=>vi(l,f,r)};return F(n.format?.at(-1)===
"json"?gr(c,d):pr(c,d),n,o),i.findings.some(X)?1:0}function vi(e,t,n){let r=(n?.cluster.head.objects.filter(z)??[]).find(({ref:s,value:i})=>s.name===e&&$(i,t)!==void 0);return r&&n?.locator.locate({object:r,
path:t}).at}function Fi({directory:e,values:t}){return e!=="."||t.config!==void 0||t.path!==void 0?!0:[Fn,".git",...ro,"clusters"].some(o=>Pi(wr(e,o)))}function Ri({apiVersion:e,kind:t}){return z({ref:{
apiVersion:String(e),kind:String(t),name:""}})}var Si=120;async function Ci(e,t,n){try{let o=await Wo(n,e,t);return await To(o,AbortSignal.timeout(Si*1e3))}catch(o){throw o instanceof No?new h(o.message):
o}}import{existsSync as ia,readdirSync as aa,statSync as ca}from"node:fs";import{join as da,resolve as fa}from"node:path";import{finished as Di}from"node:stream/promises";import{setTimeout as zi}from"node:timers/promises";import xr from"node:http";import vr from"node:https";import{connect as Mi}from"node:tls";function br(e){let t=e.protocol==="https:";if(Ei(e))return;let n=t?process.env.https_proxy||process.env.HTTPS_PROXY:process.env.http_proxy||process.env.HTTP_PROXY;if(n)try{return new yt(n)}catch{if(!n.
startsWith("http://")&&!n.startsWith("https://"))return new yt(`http://${n}`)}else return}function Ei(e){if(!e.hostname)return!1;let t=e.hostname;if(Ai(t))return!0;let n=process.env.no_proxy||process.
env.NO_PROXY||"";if(!n)return!1;let o;e.port?o=Number(e.port):e.protocol==="http:"?o=80:e.protocol==="https:"&&(o=443);let r=[e.hostname.toUpperCase()];typeof o=="number"&&r.push(`${r[0]}:${o}`);for(let s of n.
split(",").map(i=>i.trim().toUpperCase()).filter(i=>i))if(s==="*"||r.some(i=>i===s||i.endsWith(`.${s}`)||s.startsWith(".")&&i.endsWith(`${s}`)))return!0;return!1}function Ai(e){let t=e.toLowerCase();return t===
"localhost"||t.startsWith("127.")||t.startsWith("[::1]")||t.startsWith("[0:0:0:0:0:0:0:1]")}var yt=class extends URL{constructor(t,n){super(t,n),this._decodedUsername=decodeURIComponent(super.username),
this._decodedPassword=decodeURIComponent(super.password)}get username(){return this._decodedUsername}get password(){return this._decodedPassword}};import{lookup as Li}from"node:dns";import{BlockList as Zt,isIP as $r}from"node:net";var wt=new Zt;for(let[e,t]of[["0.0.0.0",8],["10.0.0.0",8],["100.64.0.0",10],["127.0.0.0",8],["169.254.0.0",16],["172\
.16.0.0",12],["192.0.0.0",24],["192.0.2.0",24],["192.88.99.0",24],["192.168.0.0",16],["198.18.0.0",15],["198.51.100.0",24],["203.0.113.0",24],["224.0.0.0",3]])wt.addSubnet(e,t,"ipv4");for(let[e,t]of[[
"2001::",23],["2001:db8::",32],["2002::",16],["3fff::",20]])wt.addSubnet(e,t,"ipv6");var Or=new Zt;Or.addSubnet("2000::",3,"ipv6");var jr=new Zt;jr.addSubnet("64:ff9b::",96,"ipv6");function Se(e){let t=$r(
e);return t===4?!wt.check(e,"ipv4"):t!==6||e.includes("%")?!1:jr.check(e,"ipv6")?Se(Ji(e)):Or.check(e,"ipv6")&&!wt.check(e,"ipv6")}function Ji(e){let t=new URL(`http://[${e}]`).hostname.slice(1,-1),[n="\
0",o="0"]=t.split(":").slice(-2),r=Number.parseInt(n||"0",16)<<16|Number.parseInt(o||"0",16);return[24,16,8,0].map(s=>r>>>s&255).join(".")}var ge=class extends Error{name="AddressError"};function kr(e,t){
let n=e.startsWith("[")?e.slice(1,-1):e;if($r(n)!==0&&!t(n))throw new ge(n)}function Pr(e){return(t,n,o)=>{Li(t,{...n,all:!0},(r,s)=>{if(r)return o(r,"",0);let i=s.find(({address:a})=>!e(a));if(i)return o(
new ge(i.address),"",0);if(n.all)return o(null,s);o(null,s[0]?.address??"",s[0]?.family)})}}var T=class extends Error{constructor(n,o){super(n);this.after=o}after;name="BrokenError"};async function Qt(e,t,n){let o=Ni(e,n);try{kr(e.hostname,o);let r=br(e),s=r&&e.protocol==="https:"?await Ti(r,
e,n):void 0;return await Wi(e,t,n,{wants:o,through:s})}catch(r){throw en(r,e,n)}}function Ni(e,{allowPrivate:t,hosts:n}){if(!n.has(e.host))throw new h(`${e.host} is no host of this registry; --allow-h\
ost ${e.host} allows it`);let o=e.protocol==="http:";if(e.protocol!=="https:"&&!(o&&t))throw new h(`${e.origin}: only https is spoken; --allow-private allows http to private addresses`);return o?r=>!Se(
r):r=>t||Se(r)}function Wi(e,t,{silence:n,signal:o},{wants:r,through:s}){return new Promise((i,a)=>{let d=(e.protocol==="https:"?vr.request:xr.request)(e,{headers:{"user-agent":"customizer-lint","acce\
pt-encoding":"identity",...t},lookup:Pr(r),timeout:n,signal:o,...s?{defaultPort:443,createConnection:()=>Mi({socket:s,servername:e.hostname})}:{agent:!1}}),l;d.on("timeout",()=>(l??d).destroy(new T(`${e.
host} sent nothing for ${n/1e3} s`))),d.on("error",a).on("response",f=>{l=f,i(f)}),d.end()})}function Ti(e,t,{silence:n,signal:o}){return new Promise((r,s)=>{let i=e.protocol==="https:"?vr.request:xr.
request,a=`${t.hostname}:${t.port||443}`,c=e.username?`${e.username}:${e.password}`:void 0,d=i({host:e.hostname,port:e.port||(e.protocol==="https:"?443:80),method:"CONNECT",path:a,agent:!1,headers:{host:a,
...c!==void 0&&{"proxy-authorization":`Basic ${Buffer.from(c).toString("base64")}`}},timeout:n,signal:o});d.on("timeout",()=>d.destroy(new T(`the proxy ${e.host} sent nothing`))),d.on("error",s).on("c\
onnect",({statusCode:l},f)=>{if(l===200)return r(f);f.destroy(),s(new h(`the proxy ${e.host} does not connect to ${a} (${l})`))}),d.end()})}var Bi=["ECONNRESET","ERR_STREAM_PREMATURE_CLOSE","ECONNABOR\
TED","ETIMEDOUT","EPIPE","EAI_AGAIN","ENETUNREACH","EHOSTUNREACH"];function en(e,t,{signal:n}){if(e instanceof T||e instanceof h)return e;if(n.aborted)return new T("the time is up");if(e instanceof ge)
return new h(`${t.host} is ${e.message}, ${Ii(t,e.message)}`);let{code:o="",message:r}=e;return Bi.includes(o)?new T(`the connection to ${t.host} broke (${o})`):new h(`${t.host} cannot be asked: ${r||
o}`)}function Ii({protocol:e},t){return e==="http:"&&Se(t)?"an address of the internet, where only https is spoken":"no address of the internet; --allow-private allows it"}var Ui={"ghcr.io":["pkg-containers.githubusercontent.com"]};function Cr(e,t){return new Set([e.host,...Ui[e.host]??[],...t])}var Fr=4,_i=[1,3,9],Hi=30,Rr=5,Vi=1<<20,bt=class{constructor(t,n){this.reference=
t;this.options=n;this.#t=new URL(`/v2/${t.repository}/`,t.registry)}reference;options;#e;#t;bytes(t,n,o){return this.patiently(t,async()=>{let r=await this.get(t,{accept:n});if(r.response.statusCode!==
200)throw this.#n(r,t);return Sr(r,o,t,this.options.network)})}async get(t,n){let o=new URL(t,this.#t),r=await this.#o(o,n);return r.response.statusCode!==401||r.url.host!==o.host?r:(r.response.destroy(),
await this.#a(String(r.response.headers["www-authenticate"]??"")),this.#o(o,n))}async patiently(t,n){let{network:o,say:r,second:s=1e3}=this.options;for(let i=1;;i+=1)try{return await n(i)}catch(a){if(!(a instanceof
T)||o.signal.aborted)throw a;let c=a.after??_i[i-1]??0;if(i===Fr||c>Hi)throw new h(`${t} could not be had in ${i} ${i===1?"try":"tries"}: ${a.message}`);r(`${a.message}; trying again (${i} of ${Fr-1})`),
await zi(c*s,void 0,{signal:o.signal})}}#n(t,n){let{response:o,url:r}=t;o.destroy();let s=o.statusCode??0;return s===429||s===408||s>=500?new T(`${r.host} answered ${s}`,qi(o.headers["retry-after"])):
s===404?new h(`${r.host} has no ${n} in ${this.reference.repository} (404)`):s===401||s===403?new h(`${r.host} does not allow it (${s}); ${this.#s()}`):new h(`${r.host} answered ${s} where ${n} was as\
ked for`)}#s(){let{basic:t,words:n}=this.options.credentials;return t===void 0?n:`the credentials are those of ${n}`}expect(t,n,o){if(!o.includes(t.response.statusCode??0))throw this.#n(t,n)}async#o(t,n){
let o=t;for(let r=0;;r+=1){let s=o.origin===this.reference.registry.origin?this.#e:void 0,i=await Qt(o,{...n,...s&&{authorization:s}},this.options.network),{location:a}=i.headers;if(![301,302,303,307,
308].includes(i.statusCode??0)||a===void 0)return{response:i,url:o};if(i.destroy(),r===Rr)throw new h(`${t.host} leads on more than ${Rr} times`);o=this.#r(a,o)}}#r(t,n){let o=URL.canParse(t,n.href)?new URL(
t,n):void 0;if(o===void 0||o.username!==""||o.password!=="")throw new h(`${n.host} leads on to what is no address`);if(n.protocol==="https:"&&o.protocol!=="https:")throw new h(`${n.host} leads on to ${o.
host} without TLS`);if(!this.options.network.hosts.has(o.host))throw new h(`${n.host} leads on to ${o.host}, which is not known to belong to it; --allow-host ${o.host} allows it`);return o}async#a(t){
let{basic:n}=this.options.credentials,o=this.reference.registry.host,r=/\brealm="([^"]*)"/i.exec(t)?.[1],s=/\bservice="([^"]*)"/i.exec(t)?.[1];if(/\bbearer /i.test(t)&&r!==void 0){this.#e=`Bearer ${await this.
patiently(`a token of ${o}`,()=>this.#i(r,s))}`;return}if(!/^basic\b/i.test(t))throw new h(`${o} asks for a kind of login that is not known`);if(n===void 0)throw new h(`${o} asks for a user and a pass\
word; ${this.#s()}`);this.#e=`Basic ${n}`}async#i(t,n){let{network:o,credentials:r}=this.options,{registry:s,repository:i}=this.reference,a=this.#r(t,s);n!==void 0&&a.searchParams.set("service",n),a.searchParams.
set("scope",`repository:${i}:pull`);let{basic:c}=r,d={accept:"application/json",...c&&{authorization:`Basic ${c}`}},l={response:await Qt(a,d,o),url:a};this.expect(l,"a token",[200]);let f=Co(await Sr(
l,Vi,"the token",o),`the token of ${a.host}`),u=L(f,["token"])??L(f,["access_token"]);if(u===void 0||!/^[\x21-\x7e]+$/.test(u))throw new h(`${a.host} gives no token`);return u}};function qi(e){return e!==
void 0&&/^\d{1,9}$/.test(e)?Number(e):void 0}async function tn({response:e,url:t},{most:n,what:o,network:r},s){let i=0,a;e.on("data",c=>{i+=c.length;try{if(i>n)throw new h(`${t.host} sends more than ${n}\
 bytes for ${o}`);s(c)}catch(d){a??=d,e.destroy()}}),await Di(e).catch(c=>{throw a??en(c,t,r)})}async function Sr(e,t,n,o){let r=[];return await tn(e,{most:t,what:n,network:o},s=>r.push(s)),Buffer.concat(
r)}import{readFileSync as Ki}from"node:fs";import{homedir as Gi}from"node:os";import{join as Er}from"node:path";function Ar(e,t){let{where:n,text:o}=Yi(t);if(o===void 0)return{words:`there is no ${n}`};let r=Xi(o,n),s=$(r,["auths"]),i=k(s)?Object.entries(s).find(([l])=>Zi(l)===e)?.[1]:void 0,a=i===void 0?void 0:
Qi(i);if(a!==void 0)return{basic:a,words:n};let d=L(r,["credHelpers",e])??L(r,["credsStore"])?", and the helper that it names is not started":"";return{words:`${n} has no user and password for ${e}${d}`}}
function Yi(e){let{DOCKER_AUTH_CONFIG:t,DOCKER_CONFIG:n,HOME:o}=e;if(t)return{where:"DOCKER_AUTH_CONFIG",text:t};let r=Er(n||Er(o||Gi(),".docker"),"config.json");try{return{where:r,text:Ki(r,"utf8")}}catch(s){
let{code:i}=s;if(i==="ENOENT"||i==="ENOTDIR")return{where:r,text:void 0};throw s}}function Xi(e,t){try{return JSON.parse(e)}catch{throw new h(`${t} is not JSON`)}}function Zi(e){return e.replace(/^https?:\/\//,
"").split("/")[0]??""}function Qi(e){let t=L(e,["auth"]);if(t&&/^[A-Za-z0-9+/]+=*$/.test(t))return t;let[n,o]=[L(e,["username"]),L(e,["password"])];return n&&o?Buffer.from(`${n}:${o}`).toString("base6\
4"):void 0}import{createHash as Jr}from"node:crypto";import{closeSync as ea,ftruncateSync as ta,openSync as na,writeSync as oa}from"node:fs";async function Mr(e,t,n){let o=new bt(e,n),r=`manifests/${e.digest}`,s=await o.bytes(r,`${Fo}, ${Ro};q=0.5`,So),{config:i,layer:a}=Eo(s,e.digest,n.most);Mo(t,s);for(let c of new Map([i,a].map(d=>[d.digest,
d])).values())await ra(o,c,Jo(t,c.digest),n);return a.size}async function ra(e,t,n,o){let r=na(n,"w"),s={file:r,hash:Jr("sha256"),done:0};try{await e.patiently(`the blob ${t.digest}`,()=>sa(e,t,s,o));
let i=`sha256:${s.hash.digest("hex")}`;if(i!==t.digest)throw new h(`what the registry sent as ${t.digest} has the digest ${i}`)}finally{ea(r)}}async function sa(e,{digest:t,size:n},o,{network:r}){let s=`\
blobs/${t}`,i=o.done;if(i===n)return;let a=await e.get(s,i>0?{range:`bytes=${i}-`}:{}),{response:c,url:d}=a;if(c.statusCode===416)throw c.destroy(),Lr(o),new T(`${d.host} has no part of ${s} from byte\
 ${i} on`);e.expect(a,s,i>0?[200,206]:[200]);let{"content-range":l="","content-length":f}=c.headers;if(c.statusCode===200)Lr(o);else if(!l.startsWith(`bytes ${i}-`))throw c.destroy(),new h(`${d.host} \
sends another part of ${s} than was asked for`);let u=n-o.done;if(f!==void 0&&Number(f)!==u)throw c.destroy(),new h(`${d.host} has ${f} bytes of ${s}, and the manifest says ${u}`);if(await tn(a,{most:u,
what:s,network:r},m=>{oa(o.file,m,0,m.length,o.done),o.hash.update(m),o.done+=m.length}),o.done<n)throw new T(`${d.host} sent ${o.done} of ${n} bytes of ${s}`)}function Lr(e){ta(e.file),Object.assign(
e,{hash:Jr("sha256"),done:0})}var la="charts pull RELEASE, e.g. charts pull v1.6.2",ua=300,ma=30;async function pa({operands:[e,t,...n],values:o},r){if(e!=="pull"||t===void 0)throw new h(`what of charts? ${la}`);if(n.length>0)throw new h(
`one at a time: "${t}" or "${n[0]}"?`);let s=Tt(t)?jo(da(r.home,"schemas"),t):t,i=xo(s),a=o.registry===void 0?i:vo(i,o.registry),c=o.output===void 0?ko(r.env,i.digest):fa(o.output),d=l=>{o.quiet||r.stderr.
write(`customizer-lint: ${y(l)}
`)};if(await ha(c,i))d("they were pulled before");else{o.output!==void 0&&ga(c);let l=await ya(a,c,{values:o,program:r,say:d});d(`pulled ${(l/2**20).toFixed(1)} MiB from ${a.registry.host}; --charts t\
akes the directory${Tt(t)&&o.output===void 0?` or "${t}"`:""}`)}return r.stdout.write(`${y(c)}
`),0}async function ha(e,{digest:t}){if(!Lo(e))return!1;try{return await Bt(e,t),!0}catch(n){if(n instanceof h)return!1;throw n}}function ga(e){if(ia(e)&&(!ca(e).isDirectory()||aa(e).length>0))throw new h(
`${e} is there already, and is not this artifact`)}async function ya(e,t,{values:n,program:o,say:r}){let s=wa(n["max-seconds"]),{registry:i,digest:a}=e,c={allowPrivate:n["allow-private"]===!0,hosts:Cr(
i,n["allow-host"]??[]),silence:ma*1e3,signal:AbortSignal.timeout(s*1e3)},d=Ar(i.host,o.env);return Po(t,async l=>{try{let f=await Mr(e,l,{network:c,credentials:d,say:r,most:Ao});return await Bt(l,a,`t\
he artifact ${a}`),f}catch(f){throw c.signal.aborted?new h(`${i.host} was not done in ${s} s; --max-seconds allows more`):f}})}function wa(e){if(e===void 0)return ua;if(!/^\d{1,5}$/.test(e)||Number(e)===
0)throw new h(`--max-seconds ${e}: a number of seconds from 1 is needed`);return Number(e)}var Ce={bash:$a,zsh:Oa,fish:ka},oe=Object.keys(Be);async function ba({operands:[e]},{stdout:t}){if(e===void 0||!Object.hasOwn(Ce,e))throw new h(`completion of which shell? ${Object.keys(Ce).join(", ")}`);
return t.write(Ce[e]()),0}function $t({name:e,accepts:t}){let{accepts:n}=Te[e],o=H.map(({id:r})=>r);return e==="rule"?o:e==="select"||e==="ignore"?[...Object.keys(lt),...o]:t??n??[]}function $a(){let e=oe.
map(n=>{let o=je(n).map(r=>`--${r.name}`);return`    ${n}) words='${o.join(" ")}' ;;`}),t=oe.flatMap(n=>je(n).filter(o=>$t(o).length>0).map(o=>`    '${n} --${o.name}') COMPREPLY=($(compgen -W '${$t(o).
join(" ")}' -- "$word")); return ;;`));return`# bash completion of customizer-lint
_customizer_lint() {
  local word=\${COMP_WORDS[COMP_CWORD]} before=\${COMP_WORDS[COMP_CWORD-1]} command=check words=''
  for one in "\${COMP_WORDS[@]:1:COMP_CWORD-1}"; do
    case $one in
    ${oe.join("|")}) command=$one; break ;;
    esac
  done
  case "$command $before" in
${t.join(`
`)}
    'rules rules') COMPREPLY=($(compgen -W '${H.map(({id:n})=>n).join(" ")}' -- "$word")); return ;;
    'charts charts') COMPREPLY=($(compgen -W 'pull' -- "$word")); return ;;
    'completion completion') COMPREPLY=($(compgen -W '${Object.keys(Ce).join(" ")}' -- "$word")); return ;;
  esac
  case $command in
${e.join(`
`)}
  esac
  if [[ $word == -* ]]; then COMPREPLY=($(compgen -W "$words" -- "$word"))
  elif ((COMP_CWORD == 1)); then COMPREPLY=($(compgen -W '${oe.join(" ")} help' -- "$word") $(compgen -f -- "$word"))
  else COMPREPLY=($(compgen -f -- "$word")); fi
}
complete -o filenames -F _customizer_lint customizer-lint
`}function ne(e){return`'${e.replaceAll("'","'\\''")}'`}function Oa(){let e=oe.map(n=>`    ${ne(`${n}:${Be[n].summary.replaceAll(":",",")}`)}`),t=oe.map(n=>{let o=je(n).map(a=>ne(`--${a.name}${ja(a)}`)),
r=n==="rules"?` '1:rule:(${H.map(({id:a})=>a).join(" ")})'`:"",s=n==="charts"?" '1:what:(pull)'":"",i=n==="completion"?` '1:shell:(${Object.keys(Ce).join(" ")})'`:"";return`    ${n}) _arguments ${o.join(
" ")}${r}${s}${i} '*:file:_files' ;;`});return`#compdef customizer-lint
_customizer_lint() {
  local -a commands
  commands=(
${e.join(`
`)}
  )
  if ((CURRENT == 2)) && [[ $words[2] != -* ]]; then _describe command commands; _files; return; fi
  local command=\${words[2]}
  ((\${+commands[(r)$command:*]})) && { shift words; ((CURRENT--)) } || command=check
  case $command in
${t.join(`
`)}
  esac
}
compdef _customizer_lint customizer-lint
`}function ja(e){let{type:t}=Te[e.name],n=$t(e),o=At(e).replace(/[[\]:]/g," ");return t==="boolean"?`[${o}]`:`=[${o}]:value:${n.length>0?`(${n.join(" ")})`:"_files"}`}function ka(){let e=`not __fish_s\
een_subcommand_from ${oe.join(" ")}`,t=oe.flatMap(r=>{let s=r==="check"?e:`__fish_seen_subcommand_from ${r}`;return[`complete -c customizer-lint -n ${ne(e)} -a ${r} -d ${ne(Be[r].summary)}`,...je(r).map(
i=>{let{type:a}=Te[i.name],c=$t(i),d=a==="boolean"?"":c.length>0?` -x -a ${ne(c.join(" "))}`:" -r";return`complete -c customizer-lint -n ${ne(s)} -l ${i.name}${d} -d ${ne(At(i))}`})]}),n=`complete -c \
customizer-lint -n '__fish_seen_subcommand_from rules' -f -a ${ne(H.map(({id:r})=>r).join(" "))}`;return`# fish completion of customizer-lint
${[...t,n,"complete -c customizer-lint -n '__fish_seen_subcommand_from charts' -f -a pull"].join(`
`)}
`}async function Pa(e,t){let{values:n}=e,o=A(t.stderr),r=n.live===void 0?[]:he(n.live),s=n.charts===void 0?void 0:await me(n.charts,t),i=await E(e,t,o),{home:a,engine:c}=i;return D({...i,server:"simulat\
es",lints:!0},async d=>{let{clusters:l,rendered:f,trees:u,server:m,budget:p}=d,g=ee(l,n),j=Ye(d,i),w={live:r,said:j,fresh:n.fresh===!0,progress:o.say},O=new V(u),M=await Bo(g,w,m,(B,St)=>Io(B,St,O)),S=We(
()=>de(u,f)),q={home:a,budget:p,server:m,trees:u,secrets:S,...b({engine:c})},N=s&&await Oo(g,{store:s,progress:o.say},q);o.stop(),N?.diffs.length===0&&t.stderr.write(`nothing changes below the Package\
s
`);let U=fe(M,new Set([...S(),...N?.secrets??[]]));F(xa({diffs:U,charts:N?.diffs??[]},n,t),n,t);let ie=f.head.filter(({ok:B})=>!B).map(({entrypoint:B})=>B.path);for(let B of ie)t.stderr.write(`warning\
  ${y(B)} cannot be built, so Flux applies nothing of it
`);return ie.length>0||M.some(({objects:B})=>B.length>0)?1:0}).finally(o.stop)}function xa({diffs:e,charts:t},n,o){let r=n.format?.at(-1);if(r==="json")return R(n.charts===void 0?Ut(e):{diffs:Ut(e),charts:t});
if(r==="markdown")return`${[...Vo(e,Number.POSITIVE_INFINITY),..._o(t,Number.POSITIVE_INFINITY)].join(`

`)}
`;let s=dt(n,o);return[Ho(e,{color:s}),...t.length>0?[Uo(t,{color:s})]:[]].join(`
`)}import{isDeepStrictEqual as va}from"node:util";async function Ee(e,t,n){let o=await e.render(t,n.world,0,{definitions:!0});return"failed"in o?{failed:o.failed}:Nr(o.objects,t,n)}function Nr(e,{namespace:t},n){return e.map(o=>{let r=$o(o.object,t,n.
schemas);return{...o,object:r,id:W(I(r))}})}function Fa(e,t){let n=new Map(t.map(c=>[c.id,c])),o=new Set(e.map(({id:c})=>c)),r=Ra(e.filter(({id:c})=>!n.has(c)),t.filter(({id:c})=>!o.has(c))),s=new Set(
[...r.values()]),i=e.flatMap(c=>{let d=n.get(c.id)??r.get(c);if(!d)return[{made:c,whole:"there",fields:[]}];let l=wo(d.object,c.object);return l.length>0?[{made:c,other:d,fields:l}]:[]}),a=t.filter(c=>!o.
has(c.id)&&!s.has(c));return[...i,...a.map(c=>({made:c,whole:"absent",fields:[]}))]}function Ra(e,t){let n=({template:s,object:i})=>JSON.stringify([s,i.apiVersion,i.kind]),o=re(t,n),r=[...re(e,n)].flatMap(
([s,i])=>{let a=o.get(s)??[];return a.length===i.length?i.map((c,d)=>[c,a[d]]):[]});return new Map(r)}async function jt(e,{side:t,release:n},o,r){let s=a=>e.readsCluster(a.chart)?a:{...a,values:{...a.
values,_cluster:null}};if(!r||va(s(r),s(n)))return[];let i=await e.render(r,t.world,0,{keeps:!1,definitions:!0});return"failed"in i?i:Fa(o,Nr(i.objects,r,t))}async function Wr(e,t,n,o){let{object:r,release:s,
side:i}=t,a=$(r.value,n),c=await Ee(e,s,i);if("failed"in c)return Sa(e,t,n,c.failed);let d=a===void 0?[]:await Tr(e,t,c,n);if(Array.isArray(d)&&d.length>0)return{effect:"decides",objects:d};let l=await Br(
e,t,c,n,a??o);return"failed"in d?{effect:"needed",why:ue(d.failed),objects:l.objects}:l.objects.length>0?{effect:"decides",objects:l.objects,isDefault:!0}:{effect:l.fails?"unknown":"none"}}function Tr(e,t,n,o){
let r=Fe(t.object.value,[o]);return jt(e,t,n,le(t.side,t.release,r))}async function Br(e,{side:t,object:n,release:o},r,s,i){let a=i===void 0?[]:kt(i),c=a.length===0;for(let d of a){let l=le(t,o,Qe(n.value,
s,d)),f=await jt(e,{side:t,object:n,release:o},r,l);if(Array.isArray(f)){if(f.length>0)return{objects:f,fails:!1};c=!0}}return{objects:[],fails:!c}}async function Sa(e,{side:t,object:n,release:o},r,s){
let i=ue(s),a=le(t,o,Fe(n.value,[r])),c=a&&await e.render(a,t.world,0,{keeps:!1});return{effect:"fails",why:i,isCause:!c||!("failed"in c)||ue(c.failed)!==i}}async function Ir(e,t,n,o){let{objects:r}=await Br(
e,t,n,o,$(t.object.value,o));if(r.length>0)return r;let s=await Tr(e,t,n,o);return Array.isArray(s)?s:[]}function kt(e){return typeof e=="boolean"?[!e]:typeof e=="number"?[e+1]:typeof e=="string"?e===
""?["other"]:[Ca(e),""]:Array.isArray(e)?e.length===0?[["other"]]:[Ot(e),[]]:k(e)?[Ot(e)]:[]}function Ot(e){if(Array.isArray(e))return e.map(Ot);if(!k(e))return kt(e)[0]??e;let t=Object.entries(e);return t.
length===0?{other:"other"}:Object.fromEntries(t.map(([n,o])=>[n,Ot(o)]))}function Ca(e){return/\d/.test(e)?e.replace(/\d/,t=>String(Number(t)%9+1)):`${e}x`}var Ea=.2;function ye({left:e,limits:t}){return e<
t.seconds*Ea}async function Dr(e,t,n){let o=new Map,r=new Set,s=0,i=new Map(e.map(({cluster:a,fields:c})=>[a,c]));return await nt([...i.keys()],t,n,async(a,c)=>{let d=await Ze(a,c.head,n.trees.head),{releases:l}=st(
d),f=[];for(let{object:u,paths:m}of i.get(c)??[]){let p=new Map;o.set(u,p);for(let g of m){let j=l.find(O=>O.object===u&&Aa(g,O.release))?.release;if(!j)continue;if(ye(n.budget)){s+=1;continue}let w=await Ja(
a,{side:d,object:u,release:j},g);w&&p.set(JSON.stringify(g),w)}for(let{release:g}of l.filter(j=>j.object===u))f.push(...await La(a,g,d))}for(let u of et(ot(c),f,rt(d)))r.add(u)}),{of:(a,c)=>o.get(a)?.
get(JSON.stringify(c)),secrets:r,left:s}}function Aa(e,t){let n=ke(t);return e.length>n.length&&v(e,n)}async function La(e,t,n){let o=await Ee(e,t,n);return"failed"in o?[]:o.map(({object:r})=>r).filter(
tt)}async function Ja(e,t,n){let{object:o,release:r,side:s}=t,i=$(o.value,n)??ho(s,r,n)??await Ma(e,r,n);if(i===void 0||k(i)&&Object.keys(i).length>0)return;let a=await Wr(e,t,n,i),c={release:ze(r).release};
if(!("objects"in a))return{...c,...a};let d=a.effect==="needed"||a.isDefault===!0;return{...c,...a,objects:a.objects.map(l=>Na(l,d))}}async function Ma(e,t,n){let o=await e.load(t.chart);return"failed"in
o?void 0:$(o.values,n.slice(ke(t).length))}function Na({made:{object:e},other:t,whole:n,fields:o},r){let s=I(e),i=bo(s,[t?.object??e,e],o),a=o.map(({path:c})=>c);return{ref:s,...n?{whole:n}:b({restarts:uo(
e,a)}),fields:r?i.map(({before:c,...d})=>d):i}}var nn={owner:"nobody",customizer:"set"};function zr(e,t,n){if(z(e))return Wa(e.ref.name,t,n);if(!En(e))return;let{name:o}=e.ref;return t[0]!=="spec"||!n.contract.catalog.source(o)?nn:{owner:o===C?"pl\
atform administrator":"platform chart",customizer:"never",why:"the PackageSource comes with the release, and its variants are one list"}}function Wa(e,t,n){let{contract:o,facts:r,snapshot:s,head:i}=n,
a={contract:o,facts:r,snapshot:s,objects:i.objects};if(Kn(e,a)===!1)return{...nn,why:"the platform makes no such Package"};let c=qe(e,a).find(({field:p})=>v(t,p)||v(p,t));if(c){let{set:p,when:g,knob:j,
atInstall:w,why:O,dead:M}=c,S=M??O;return{owner:"platform chart",customizer:"never",field:c.field,...b({why:S,set:p}),...b({when:g}),...b({knob:j,atInstall:w})}}let d=t.findIndex(p=>typeof p=="number"),
l=o.ownership.rowFor(e,d<0?t:t.slice(0,d));if(!l)return nn;let{owner:f,customizer:u,why:m}=l;return{owner:f,customizer:u,...f!=="customizer"&&{why:m}}}var Ta=160,Pt={objects:10,fields:10};function qr(e){let t=`HelmRelease ${e.release}`;switch(e.effect){case"none":return[`${t}: no object changes with it`];case"unknown":return[`${t}: no object changes\
 without it, and with another value the chart fails`];case"fails":return[`${t}: its chart fails ${e.isCause?"with this value":"whatever it is"}: ${Ur(e)}`];case"needed":{let n=e.objects.length>0?[`  ${_r(
e.objects)}`]:[];return[`${t}: without it the chart fails: ${Ur(e)}`,...n,...Hr(e.objects)]}case"decides":{let n=e.isDefault?"; the chart has the same by default":"";return[`${t}: ${_r(e.objects)}${n}`,
...Hr(e.objects)]}}}function Ur({why:e}){return ae(x(e),Ta)}function _r(e){let t=e.filter(({whole:a})=>!a),n=t.reduce((a,c)=>a+c.fields.length,0),o=e.length-t.length,r=e.filter(({restarts:a})=>a!==void 0).
length,i=`${[...o>0?[`${Ae(o,"object")} as a whole`]:[],...n>0?[`${Ae(n,"field")} of ${Ae(t.length,"object")}`]:[]].join(" and ")} ${o+n===1?"depends":"depend"} on it`;return r===0?i:`${i}; the pods o\
f ${Ae(r,"workload")} restart when it changes`}function Ae(e,t){return`${e} ${t}${e===1?"":"s"}`}function Hr(e){return[...e.slice(0,Pt.objects).flatMap(({ref:n,whole:o,fields:r,restarts:s})=>{let i=`${n.
kind} ${n.namespace?`${n.namespace}/`:""}${n.name}`;if(o)return[`  ${i} is ${o==="there"?"":"not "}made because of it`];let a=s===void 0?"":`: its pods restart when it changes (${s})`,c=r.filter(({path:l})=>!mo(
l)),d=c.slice(0,Pt.fields).map(l=>`    ${Ba(l)}`);return[`  ${i}${a}`,...d,...Vr(c.length-Pt.fields,"field","    ")]}),...Vr(e.length-Pt.objects,"object","  ")]}function Vr(e,t,n){return e>0?[`${n}and\
 ${Ae(e,`more ${t}`)}`]:[]}function Ba({path:e,before:t,after:n}){let o=P(e);if(n===void 0)return`${o} is not set${t===void 0?"":`, without it ${zt(t)}`}`;if(t===void 0)return`${o} = ${zt(n)}`;let[r,s]=at(
t,n);return`${o} = ${s}, without it ${r}`}function Kr({release:e,...t}){let{effect:n}=t;return{release:e,effect:n,..."why"in t&&{why:x(t.why)},..."isCause"in t&&{isCause:t.isCause},..."isDefault"in t&&
{isDefault:!0},..."objects"in t&&{objects:t.objects.map(({ref:o,whole:r,restarts:s,fields:i})=>({...o,...b({whole:r,restarts:s}),fields:i.map(({path:a,before:c,after:d})=>({path:a,...b({value:d,without:c})}))}))}}}function Gr(e){return e.map(({object:t,cluster:n,fate:o,fields:r})=>({id:W(t.ref),...t.ref,entrypoint:t.entrypoint,...b({cluster:n}),action:o.action,...o.why!==void 0&&{why:x(o.why)},...o.unsure!==void 0&&
{unsure:x(o.unsure)},fields:r.map(s=>Ia(s,t))}))}function Ia(e,t){let{path:n,written:o,contract:r,removal:s,fate:i}=e,a=(c,d,l=n)=>d===void 0?{}:{[c]:G(t,l,d)};return{path:n,...o&&{...a("value",o.value),
...o.removed&&{removed:!0},setBy:o.setBy,...b({alias:o.alias})},...r&&{contract:{...r,...a("set",r.set)}},...i&&Da(e,i,a),...s&&{remove:{outcome:s.outcome,...s.why!==void 0&&{why:x(s.why)},...a("after",
s.after),...b({owners:s.owners}),others:s.others.map(c=>({path:c.path,...a("before",c.before,c.path),...a("after",c.after,c.path)}))}},...e.below&&{below:Kr(e.below)}}}function Da({sentAs:e},t,n){let{
outcome:o,path:r,from:s,ownersBefore:i,ownersAfter:a,replaced:c}=t;return{ownersBefore:i,ownersAfter:a,apply:{outcome:o,...n("before",t.before,r),...n("after",t.after,r),...s.length>0&&{from:s},...c&&
{replaced:{path:c.path,...n("value",c.value,c.path)}},...b({as:e})}}}var xt=Ne(Ie(),1);function*Le(e,t){let n=new Map(e.map(r=>[r.index,r])),o=(r,s,i)=>({entrypoint:r.entrypoint,object:r.ref,path:s,by:i[0]?.by??null,derivedFrom:(i[0]?.derivedFrom??[]).flatMap(a=>{let c=n.get(a.object);return c?
[{object:c.ref,path:a.path}]:[]}),writers:i.map(({by:a,from:c})=>({by:a,from:c.flatMap(d=>{let l=t.origin(d,r.revision);return l?[on(l,"exact")]:[]})}))});for(let r of e){for(let s of Yr(r,[])){let{at:i,
precision:a}=t.locate({object:r,path:s,part:"value"}),c=$(r.value,s)??null;yield{...o(r,s,r.writers(s,"value")),value:c,...on(i,a)}}for(let{path:s,by:i}of r.removed()){let{at:a,precision:c}=t.locate({
object:r,path:s,removedBy:i});yield{...o(r,s,i),removed:!0,...on(a,c)}}}}function*Yr(e,t){let n=$(e.value,t);if(n===null||typeof n!="object"||Object.keys(n).length===0){yield t;return}let o=e.children(
t),r=Array.isArray(n)?[...n.keys()]:Object.keys(n);for(let s of o?.length===r.length?o:r)yield*Yr(e,[...t,s])}function on({file:e,range:t},n){let{start:o,end:r}=t;return{file:e,line:o.line,column:o.column,
endLine:r.line,endColumn:r.column,precision:n}}function Xr(e,t){let n=new xt.Document(e.value);for(let{path:o,removed:r,file:s,line:i,precision:a}of Le([e],t)){let c=a==="file"?`${s}`:`${s}:${i}`,d=r?
n.contents:n.getIn(o,!0);if(!(0,xt.isNode)(d))continue;let l=a==="exact"?` by ${y(c)}`:"";r?d.comment=[d.comment,` ${P(o)} removed${l}`].filter(Boolean).join(`
`):d.comment=` ${y(c)}`}return n.toString({lineWidth:0})}import{isDeepStrictEqual as Va}from"node:util";import{isDeepStrictEqual as Qr}from"node:util";var Je="kustomize-controller";function rn(e,t){let n=W(e.ref),o=Zn(e.ref),r=t.outcomes.find(({ref:l})=>W(l)===n),s={action:"refused",why:r?.why??"",...b({unsure:r?.unsure})};if(!ce(e))return r?.action===
"refused"?s:{action:"skipped",why:"the manifest tells Flux to leave it alone"};let i=t.unknown.find(({what:l})=>l===o);if(i)return{action:"unknown",...b({why:i.why,unsure:i.unsure})};if(r?.action==="r\
efused")return s;if(r?.action==="created")return{action:"created"};if(r?.action==="deleted")return{action:"deleted",...b({why:r.why})};let d=t.reconciles.filter(({path:l})=>l===e.entrypoint).flatMap(({
first:l,second:f})=>[f,l]).flatMap(({changes:l})=>l).find(({ref:l})=>W(l)===n);return d?.action==="skipped"?{action:"skipped",why:"it is there, and is told to be left alone"}:d?{action:r?.action==="ch\
anged"?"changed":"unchanged"}:za(e,t)}function za({entrypoint:e},{reconciles:t,applied:n}){let o=t.filter(({path:c})=>c===e).flatMap(({first:c,second:d})=>[d,c]),r=o.flatMap(c=>c.refused.map(({ref:d})=>kn(
d))),s=o.map(({reason:c})=>Ua[c]).find(c=>c!==void 0),{unsure:i}=n.find(({path:c})=>c===e)??{};return{action:"stopped",why:s??`${r[0]??"something"} is refused, which stops the rest`,...b({unsure:i})}}
var Ua={Suspended:"its Flux Kustomization is suspended",NotThere:"its Flux Kustomization is not in the cluster",DependencyNotReady:"its Flux Kustomization waits for another that is not ready"};function sn(e,{
before:t,after:n,sent:o},r){let s=we(e),[i,a]=[vt(t,s),vt(n,s)],c=i===void 0?_a(t,s):void 0,d=Zr(c?.path??s,i===void 0&&!c?void 0:t),l=Zr(s,a===void 0?void 0:n),f=d.filter(m=>m!==Je&&!l.includes(m));return{
outcome:r==="held"?"held":r==="set"&&vt(o,e)===void 0?"unsent":r==="set"&&a===void 0?"dropped":i===void 0?a===void 0?"absent":f.length>0?"taken":"added":a===void 0?"gone":f.length>0?"taken":Qr(i,a)?l.
length>1?"shared":"unchanged":"changed",path:s,ownersBefore:d,ownersAfter:l,from:f,...b({before:i,after:a}),...b({replaced:c})}}function vt(e,t){return e&&$(e,t)}function we(e){let t=e.findIndex(n=>typeof n==
"number");return t<0?e:e.slice(0,t)}function _a(e,t){for(let n=t.length-1;n>0;n--){let o=vt(e,t.slice(0,n));if(o!==void 0)return k(o)?void 0:{path:t.slice(0,n),value:o}}}function Zr(e,t){let n=Xe(t),o=J(
e).slice(0,-1),r=[...n].filter(([s])=>s===`${o}]`||s.startsWith(`${o},`));if(r.length>0)return[...new Set(r.flatMap(([,s])=>s))].sort();for(let s=e.length-1;s>0;s--){let i=n.get(J(e.slice(0,s)));if(i)
return[...i]}return[]}function es(e,{object:t,removed:n,simulation:o}){let r=rn(t,o),s=W(t.ref);if(r.action==="refused"||r.action==="stopped")return{outcome:r.action,why:Yn(r.why??"",t),others:[]};let i={
before:o.before.get(s),after:o.after.get(s)},{before:a,after:c,ownersAfter:d}=sn(e,i,"unset"),f=(o.outcomes.find(({ref:m})=>W(m)===s)?.fields??[]).filter(({path:m})=>!v(m,we(n)));return c===void 0?{outcome:"\
goes",others:f}:{outcome:Qr(a,c)?"stays":"becomes",after:c,owners:d,others:f}}function ts(e,{object:t,cluster:n,simulation:o}){let{head:r}=n,s={...t,value:Ha(t.value,e)},i=c=>c.map(d=>d===t?s:d),a=r.entrypoints.
map(c=>c.ok?{...c,objects:i(c.objects)}:c);return{cluster:{...n,base:r,head:{...r,entrypoints:a,objects:i(r.objects)}},live:[...o.after.values()].filter(c=>c!==void 0)}}function Ha(e,t){let n=structuredClone(
e);for(let o=t.length;o>0;o--){let r=$(n,t.slice(0,o-1)),s=t[o-1];if(o<t.length&&Object.keys(r[s]??{}).length>0)break;Array.isArray(r)?r.splice(Number(s),1):delete r[s]}return n}var qa=80;function os(e){return e.map(t=>`${Ka(t).map(y).join(`
`)}
`).join(`
`)}function Ka({object:e,cluster:t,fate:n,fields:o}){let{kind:r,namespace:s,name:i}=e.ref,a=t===void 0?"":`, cluster ${t}`;return[`${r} ${s?`${s}/`:""}${i} in ${e.entrypoint}${a}`,`  ${rs(n)}`,...o.flatMap(
c=>Ga(c,e,n))]}function rs({action:e,why:t="",unsure:n}){let o={created:"is created",changed:"is changed",unchanged:"stays as it is in the cluster",deleted:"is deleted",refused:"is refused",stopped:"i\
s not applied",skipped:"is passed over",unknown:"is not simulated"},r=t?`${o[e]}: ${x(t)}`:o[e];return n===void 0?r:`${r} (not certain: ${x(n)})`}function Ga(e,t,n){let{path:o,written:r}=e,s=P(o),i=(c,d)=>d?
[`    ${c.padEnd(6)}  ${d}`]:[],a=r?.value===void 0?"":JSON.stringify(G(t,o,r.value));return[r?`  ${s}${r.removed?" (removed)":` = ${a}`}`:`  ${s} is not set`,...r?Ya(r):[],...i("whose",Xa(e,t)),...i(
"owner",Qa(e)),...i("apply",ec(e,t,n)),...i("remove",oc(e,t)),...(e.below?qr(e.below):[]).map((c,d)=>`    ${(d===0?"below":"").padEnd(6)}  ${c}`)]}function Ya({setBy:e,alias:t,file:n}){let o=({file:r,
line:s,column:i})=>`${r}:${s}:${i}`;return[...t?[`    by alias  ${o(t)}`]:[],...e.length===0?[`    somewhere in ${n}`]:[],...e.map((r,s)=>`    ${s===0?"set by":"before"}  ${r.by.padEnd(12)} ${o(r)}`)]}
function Xa({contract:e,isWanted:t,path:n},o){if(!e||!t&&e.customizer!=="never")return;let{owner:r,customizer:s,why:i,field:a,set:c,when:d}=e,l=i===void 0?"":`: ${i}`;if(r==="nobody")return`nobody els\
e's${l}`;if(r==="customizer")return s==="only"?"the repository's, for some values only":"the repository's";let f=r==="Helm"||r==="Flux"?`${r}'s`:`the ${r}'s`;if(!a)return`${f}${l}`;let u=c===void 0||typeof c==
"object"?"":` to ${be(c,n,o)}`,m=d?` once ${Dn(d)}`:"";return`${v(n,a)?`${f}, which sets it`:`in part ${f}, which sets ${P(a)}`}${u}${m}${l}${Za(e)}`}function Za({knob:e,atInstall:t}){return e===void 0?
"":t?`; ${e} of Package "${C}" decides it at the installation`:`; set ${e} of Package "${C}" instead`}function Qa({fate:e,isWanted:t}){let{ownersBefore:n=[],ownersAfter:o=[]}=e??{},[r,s]=[n,o].map(se);
if(!(!r&&!s)&&!(!t&&[...n,...o].every(i=>i===Je)))return r===s?s:r?`${r} \u2192 ${s||"nobody"}`:s}function se(e){return e.join(" and ")}function ec(e,t,n){let{fate:o,isWanted:r,sentAs:s}=e;if(!o)return;
let{outcome:i,before:a,after:c,from:d,replaced:l,path:f}=o,u=O=>be(O,f,t),m=a!==void 0&&!Va(a,c),p=u(a)===u(c)?"another value":`${u(a)} \u2192 ${u(c)}`,g=o.ownersAfter.filter(O=>O!==Je),w=(()=>{if(i===
"gone")return`goes: ${u(a)}${d.length>0?` of ${se(d)}`:""}`;if(i==="taken"&&l)return`taken from ${se(d)}, in place of ${P(l.path)}: ${be(l.value,l.path,t)}`;if(i==="taken")return`taken from ${se(d)}${m?
`: ${p}`:", with the value that it has"}`;if(i==="changed")return p;if(i==="unsent")return"left out by Flux, without a word: its kind has no such field, or there is nothing in it";if(i==="dropped")return"\
dropped by the API server, without a word";if(!s&&nc(e,o))return`nothing: ${u(c)} stays`;if(r)return i==="held"?`nothing, as the object ${rs({action:n.action})}`:i==="shared"?`stays; ${se(g)} has set \
it too`:{added:"new",unchanged:"stays",absent:void 0}[i]})();return w&&s?`as ${P(s)}; ${w}`:w&&tc(e.path,o)&&i!=="unsent"?`the list ${P(f)}: ${w}`:w}function tc(e,t){return t.path.length<e.length}function nc({
written:e,path:t},{path:n,outcome:o,after:r}){return(o==="shared"||o==="unchanged")&&n.length===t.length&&ns(e?.value)&&!ns(r)}function ns(e){return e===null||typeof e=="object"&&Object.keys(e).length===
0}function oc(e,t){let{removal:n,isFirst:o,path:r}=e;if(!n)return;let{outcome:s,why:i="",after:a,owners:c=[],others:d}=n,l=g=>be(g,r,t),f=c.filter(g=>g!==Je),u={goes:`goes${rc(e)}`,stays:f.length>0?`s\
tays, as ${se(f)} has set it too`:"stays",becomes:`becomes ${l(a)}`,refused:`refused: ${x(i)}`,stopped:`not applied: ${x(i)}`}[s],m=o?d.slice(0,3).map(g=>sc(g,t)):[],p=o&&d.length>3?[`${d.length-3} mo\
re fields change`]:[];return[u,...m,...p].join("; ")}function rc({contract:e,path:t,fate:n}){return e?.owner==="platform administrator"?", and nobody brings it back":e?.owner==="platform chart"&&!e.when&&
v(t,e.field??t)||e?.owner==="Helm"?", and is back only when the platform is next upgraded":n&&n.from.length>0?`, and is back only when ${se(n.from)} writes it again`:""}function sc({path:e,before:t,after:n},o){
let r=P(e);if(n===void 0)return`${r} goes: ${be(t,e,o)}`;if(n===null)return`${r} is left as null`;if(t===void 0)return`${r} is ${be(n,e,o)}`;let[s,i]=at(G(o,e,t),G(o,e,n));return s===i?`${r} is ${i}`:
`${r}: ${s} \u2192 ${i}`}function be(e,t,n){return e===void 0?"":ae(JSON.stringify(G(n,t,e)),qa)}async function Ft(e,t,n){let o=A(t.stderr),{progress:r,...s}=await E(e,t,o);return lo(s,({tree:i,engine:a},c,d)=>{if(c.length===0)throw ss();let l=ic(c,d,e.values.cluster),f=!1;return n({tree:i,async*builds(u){
for(let[m,p]of l.entries()){o.update(m,l.length,p.path);let g=await a.build(p,u);f||=!g.ok,g.ok||(g.error.message=ac(i,p,g)),!g.ok&&u!=="digest"&&is(p.path,g.error.message,t),yield{entrypoint:p,response:g}}},
get failed(){return f}})}).finally(o.stop)}function ic(e,t,n){if(n===void 0)return e;let o=e.filter(r=>Nt(r,t)===n);if(o.length>0)return o;throw new h(ao(n,e.map(r=>Nt(r,t))))}function ac(e,t,{error:n,
files:o}){return _n(e,[n.message],[...o,...co(t)])[0]??""}function ss(){return new h("nothing that Flux applies was found; name a directory with --path")}function $e(e,t){if(e.length===0)throw ss();for(let n of e)
n.ok||is(n.entrypoint.path,n.problem.message,t);return e.some(({ok:n})=>!n)}function is(e,t,n){n.stderr.write(`error  ${y(e)}: ${y(x(t))}
`)}async function cc(e,t){let{operands:n,values:o}=e,[r="",...s]=n,i=s.map(xn),a=o.live===void 0?[]:he(o.live),c=A(t.stderr),d=o.charts===void 0?void 0:await me(o.charts,t),l=d&&{store:d,progress:c.say},
f=await E(e,t,c),{home:u,engine:m}=f;return D(f,async p=>{let{clusters:g,rendered:j,trees:w,budget:O}=p;l||c.stop(),$e(j.head,t);let M=new V(w),S=ee(g,o).map(K=>({cluster:K,objects:K.head.objects.filter(
Oe=>fc(Oe,r))})).filter(({objects:K})=>K.length>0);if(S.length===0)throw new h(`no entrypoint renders "${r}"`);let q=await p.server.get(),N=[],U=Ye(p,f);for(let{cluster:K,objects:Oe}of S){let Ts=await It(
K,q,{live:a,said:U});for(let Bs of Oe)N.push(await lc(Bs,{cluster:K,simulation:Ts,server:q,said:U,locator:M,wanted:i}))}let ie=o.format?.at(-1)==="json",B=We(()=>de(w,j)),St={home:u,budget:O,server:p.
server,trees:w,secrets:B,...b({engine:m})},Me=l&&await dc(N,S,l,St);c.stop(),Me&&Me.left>0&&t.stderr.write(`warning  what ${Me.left} fields do below was not looked for: there is no time left (--max-se\
conds)
`);let Ws=new Set([...B(),...Me?.secrets??[]]),yn=N.map(({object:K,...Oe})=>({object:K,...fe(Oe,Ws)}));return F(ie?R(Gr(yn)):os(yn),o,t),0}).finally(c.stop)}async function dc(e,t,n,o){let r=({fields:a})=>[
...new Map(a.map(({path:c})=>we(c)).map(c=>[J(c),c])).values()],s=t.map(({cluster:a,objects:c})=>({cluster:a,fields:e.filter(({object:d})=>c.includes(d)).map(d=>({object:d.object,paths:r(d)}))})),i=await Dr(
s,n,o);for(let{object:a,fields:c}of e){let d=new Set;for(let l of c){let f=we(l.path),u=d.has(J(f))?void 0:i.of(a,f);d.add(J(f)),u&&(l.below=u)}}return i}function fc({ref:e},t){let[n="",...o]=t.split(
"/");if(n.toLowerCase()!==e.kind.toLowerCase())return!1;let r=o.join("/");return r===e.name||r===`${e.namespace??""}/${e.name}`}async function lc(e,t){let{cluster:n,simulation:o,locator:r,wanted:s}=t,
i=rn(e,o),a=[...Le([e],r)],c=uc(e,t),d=new Set,l=mc(e,a,{states:c,simulation:o,wanted:s}),f=[...l.filter(({isWanted:p})=>p).map(({path:p})=>u(p,void 0)),...a.filter(({path:p})=>cs(p,s)).map(p=>u(p.path,
p)),...l.filter(({isWanted:p})=>!p).map(({path:p})=>u(p,void 0))];function u(p,g){let j=pc(p,e,c),w=g!==void 0&&!g.removed,O=as(i)?w?"set":"unset":"held",M={path:p,isFirst:!1,isWanted:s.length>0,...g&&
{written:yc(g,e,r)}};if(ds(p))return M;let S=sn(j??p,c,O);if(S.path.length<p.length&&S.outcome!=="unsent"){let N=J(S.path);if(d.has(N))return M;d.add(N)}let q=zr(e,p,n);return{...M,fate:S,...b({contract:q,
sentAs:j})}}if(as(i))for(let p of s)await gc(p,f,e,t);let{name:m}=n;return{object:e,...b({cluster:m}),fate:i,fields:f}}function as({action:e}){return e==="created"||e==="changed"||e==="unchanged"}function uc(e,{
cluster:t,simulation:n}){let o=t.head.entrypoints.find(s=>s.ok&&s.objects.includes(e)),r=W(e.ref);return{before:n.before.get(r),after:n.after.get(r),sent:o&&He(e,o.entrypoint,t.contract.schemas)}}function mc(e,t,{
states:n,simulation:o,wanted:r}){let s=t.map(({path:f})=>we(f)),i=f=>s.some(u=>v(f,u)||v(u,f)),a=W(e.ref),c=o.outcomes.find(({ref:f})=>W(f)===a)?.fields??[],d=[...new Map([...ve(n.before),...ve(n.after)]).
values()],l=r.filter(f=>$(e.value,f)===void 0);return[...l.flatMap(f=>{if(t.some(m=>m.removed&&v(m.path,f)))return[];let u=d.filter(m=>v(m,f)&&m.length>f.length);return[f,...u].map(m=>({path:m,isWanted:!0}))}),
...c.filter(({before:f})=>f!==void 0).map(({path:f})=>f).filter(f=>!Nn(f)&&!i(hc(f,e))&&cs(f,r)).filter(f=>!l.some(u=>v(f,u))).map(f=>({path:f,isWanted:!1}))]}function cs(e,t){return t.length===0||t.some(
n=>v(e,n))}function pc([e,...t],{ref:n},{sent:o}){let r=["data",...t];if(!(n.kind!=="Secret"||e!=="stringData"||!o))return $(o,r)===void 0?void 0:r}function hc(e,{ref:t,value:n}){let o=["stringData",...e.
slice(1)];return t.kind==="Secret"&&e[0]==="data"&&$(n,o)!==void 0?o:e}function ds(e){let[t,n]=e;return t==="metadata"?e.length===1||n==="name"||n==="namespace":t===void 0||t==="apiVersion"||t==="kind"}
async function gc(e,t,n,{cluster:o,simulation:r,server:s,said:i}){if(ds(e)||$(n.value,e)===void 0)return;let{cluster:a,live:c}=ts(e,{object:n,cluster:o,simulation:r}),d=await It(a,s,{live:c,said:{head:i.
head,base:i.head}}),l=t.filter(({path:f,written:u,fate:m})=>v(f,e)&&u?.value!==void 0&&m&&!["unsent","dropped"].includes(m.outcome));for(let[f,u]of l.entries())u.removal=es(u.sentAs??u.path,{object:n,
simulation:d,removed:u.sentAs?["data",...e.slice(1)]:e}),u.isFirst=f===0}function yc(e,t,n){let o=new Map;for(let{by:s,from:i}of e.writers)for(let{file:a,line:c,column:d}of i){let l=`${a}:${c}:${d}`;o.
has(l)||o.set(l,{by:s,file:a,line:c,column:d})}let r=e.removed?void 0:n.alias(t,e.path);return{...e.removed?{removed:!0}:{value:e.value??null},setBy:[...o.values()],...r&&{alias:{file:r.file,...r.range.
start}},file:e.file}}import{isDeepStrictEqual as bc}from"node:util";var wc=new TextEncoder;function fs(e,t){if(t.size===0)return e;let n=new Map([...t].map(([s,i])=>[s,wc.encode(i)])),o=[...t.keys()].filter(s=>!e.has(s)),r=s=>o.some(i=>i.startsWith(`${s}/`));return{...e,
files:[...e.files,...o].sort(),has:s=>t.has(s)||e.has(s),isDirectory:s=>e.isDirectory(s)||r(s),bytes:s=>n.get(s)??e.bytes(s),text:s=>t.get(s)??e.text(s)}}var $c=30;async function ms(e,t,n){let o=new Map,r=[],s=new an;for(let i=1;;i++){let a=fs(e,o),c=await t(a),d=new Set(r.map(({fingerprint:u})=>u)),l=c.findings.filter(u=>!d.has(u.fingerprint)&&n(u)),f=i>
$c?ps:Oc(l,u=>kc(a,u,s));if(f.made.length===0)return{fixed:r,texts:jc(e,o),run:c};for(let[u,m]of f.texts)s.add(u,a.text(u)??""),o.set(u,m);r.push(...f.made)}}var ps={made:[],texts:new Map};function Oc(e,t){
let n=s=>s.fix?.()?.safe===!0,o=Dt(e.filter(s=>!n(s))),r=[e.filter(n),...re(o,({rule:s})=>s).values()];for(let s of r){let i=t(s);if(i.made.length>0)return i}return ps}function jc(e,t){return new Map(
[...t].filter(([n,o])=>o!==e.text(n)))}var an=class{#e=new Map;add(t,n){this.#e.set(t,[...this.#e.get(t)??[],n])}isUndone(t,n,o){let r=this.#e.get(t)??[],s=r.length>0?Jt(n,o):void 0;return s!==void 0&&
r.some(i=>ls(i,s)<ls(i,n))}};function ls(e,t){let n=({at:{range:o},text:r})=>o.end.line-o.start.line+r.split(`
`).length;return no("",e,t).reduce((o,r)=>o+n(r),0)}function kc(e,t,n){let o=[],r=new Map,s=new Map;for(let i of Dt([...t])){let a=i.fix?.()?.edits??[],c=[...new Set(a.map(({at:l})=>l.file))].map(l=>({
file:l,own:a.filter(({at:f})=>f.file===l),before:r.get(l)??[]}));if(!c.every(({own:l,before:f})=>l.every(u=>f.some(m=>bc(u,m))))){if(c.some(({own:f,before:u})=>oo(u,f)))continue;let l=c.map(({file:f,own:u,
before:m})=>Pc(e,f,[...m,...u]));if(!l.every(f=>f!==void 0)||c.some(({file:f,own:u})=>n.isUndone(f,e.text(f)??"",u)))continue;for(let[f,{file:u,own:m,before:p}]of c.entries())r.set(u,[...p,...m]),s.set(
u,l[f])}o.push(i)}return{made:o,texts:s}}function Pc(e,t,n){let o=e.text(t),r=Jt(o??"",n);return r!==void 0&&us(r)>=us(o??"")?r:void 0}function us(e){return new Bn(e).documents.filter(t=>to.read(t.text)).
length}import{closeSync as xc,constants as cn,existsSync as vc,fstatSync as Fc,lstatSync as Rc,mkdirSync as Sc,openSync as Cc,readFileSync as Ec,realpathSync as gs,renameSync as Ac,rmSync as Lc,writeFileSync as Jc}from"node:fs";
import{dirname as fn,join as ys,sep as dn}from"node:path";function ws(e,t){let n=gs(e),o=t.map(r=>Mc(n,r));for(let[r,{file:s,after:i}]of t.entries()){let a=ys(n,s);Sc(fn(a),{recursive:!0});let c=`${a}.${process.pid}.customizer-lint`;try{Jc(c,i,{flag:"wx",mode:o[r]??
420}),Ac(c,a)}finally{Lc(c,{force:!0})}}}function Mc(e,{file:t,before:n}){let o=ys(e,t),r=fn(o);for(;!vc(r);)r=fn(r);if(gs(r)!==r||!`${r}${dn}`.startsWith(e.endsWith(dn)?e:`${e}${dn}`))throw new h(`"${t}\
" lies behind a symbolic link; nothing was written`);if(n===void 0){if(Rc(o,{throwIfNoEntry:!1}))throw hs(t);return}let{mode:s,content:i}=Nc(o)??{};if(s===void 0||!i||Buffer.compare(i,n)!==0)throw hs(
t);return s}function Nc(e){let t;try{t=Cc(e,cn.O_RDONLY|(cn.O_NOFOLLOW??0)|(cn.O_NONBLOCK??0))}catch{return}try{let n=Fc(t);return n.isFile()?{mode:n.mode&4095,content:Ec(t)}:void 0}finally{xc(t)}}function hs(e){
return new h(`"${e}" was changed by somebody else in the meantime; nothing was written`)}async function Wc(e,t){let{directory:n,values:o}=e,r=o.rule??[];for(let w of r)ut(w);let s=({rule:w})=>r.length===0||r.includes(w),i=w=>{let O=s(w)?w.fix?.():void 0;return O!==void 0&&(O.safe||o.unsafe===
!0)},a=A(t.stderr),c=await E(e,t,a),d=await fo(c),l=await ms(d,w=>Do({...c,head:w}),i).finally(a.stop);o["dry-run"]||ws(n,[...l.texts].map(([w,O])=>({file:w,before:d.bytes(w),after:O})));let f=Go(o,t,
l.run.tool),u={...l.run,findings:l.run.findings.filter(s)},m=qo("text",u,{...f,lines:o.verbose!==!0}),p=w=>l.run.sources.secrets?.("head",w),j=[...[...l.texts].sort().map(([w,O])=>zo(w,d.text(w),O,p(w))).
map(w=>Ic(w,ct(f.color))),Dc({...l,run:u},o),m,Tc(l.run,u,r)];return t.stdout.write(j.filter(w=>w!=="").join(`
`)),Sn(u,o["fail-on"]??"error",o["only-new"]===!0)}function Tc(e,{findings:t},n){if(n.length===0)return"";let o=e.findings.length-t.length,r=o===0?"":`; ${pe(o,"finding")} of other rules not shown`;return`${n.
join(", ")}: ${pe(t.length,"finding")} left${r}
`}var Bc=[["--- ","bold"],["+++ ","bold"],["-","red"],["+","green"],["@@","cyan"]];function Ic(e,t){let n=o=>Bc.filter(([r])=>o.startsWith(r)).map(([,r])=>r);return e.map(o=>`${t(o,...n(o).slice(0,1))}\

`).join("")}function Dc({fixed:e,run:{findings:t}},n){let o=n["dry-run"]?"would fix":"fixed",r=n.unsafe?0:t.filter(a=>a.fix?.()?.safe===!1).length,s=e.map(({rule:a,at:c,fix:d})=>`${o} ${y(a)} in ${y(c.
file)}: ${y(d?.()?.title??"")}`),i=r>0?"nothing to fix without --unsafe":"nothing to fix";return[...e.length>0?s:[i],...zc(r,e.length>0),...Uc(t)].map(a=>`${a}
`).join("")}function zc(e,t){return e===0?[]:[`${`${e}${t?" more":""} ${e===1?"finding has":"findings have"}`} a fix that can change something else: fix --unsafe --dry-run shows ${e===1?"it":"them"}`]}
function Uc(e){let t=e.flatMap(n=>n.heldBack?.()??[]);return[...re(t,({why:n})=>n)].map(([n,o])=>{let r=[...new Set(o.flatMap(({by:d})=>d))].sort().map(d=>d==="."?"the root":d),s=r.length>3?[...r.slice(
0,2),`${r.length-2} more`]:r,i=r.length===1,a=new Set(o.map(({file:d})=>d)).size===1?"file":"files",c=n==="unbuilt"?"cannot be built":`${i?"has":"have"} no such finding`;return`${o.length===1?"1 fix i\
s":`${o.length} fixes are`} held back: ${y(Mn(s))} ${i?"reads":"read"} the same ${a} and ${c}`})}function $s({release:e,nodes:t,edges:n},o){return[...[`Cozystack ${e}`,...o].map(r=>`// ${r}`),"digraph {",'  rankdir="RL" nodesep="0.5" ranksep="1.0"','  node [shape="box" style="rounded,filled" fill\
color="white" fontname="sans-serif"]','  edge [fontname="sans-serif" fontsize="10"]',...t.map(r=>`  ${Rt(r.name)}${bs(_c(r))}`),...n.map(r=>`  ${Rt(r.from)} -> ${Rt(r.to)}${bs(Hc(r,t))}`),"}",""].join(
`
`)}function _c({kind:e,missing:t,touched:n}){return{...e==="component"&&{shape:"ellipse",style:"filled"},...n&&{fillcolor:"lightblue",penwidth:"2"},...t&&{color:"red",fontcolor:"red",style:"dashed"}}}
function Hc({to:e,variants:t,ignored:n},o){let r=o.some(({name:s,missing:i})=>i&&s===e);return{...t&&{label:t.join(", ")},...r&&{color:"red"},...n&&{style:"dashed"}}}function bs(e){let t=Object.entries(
e).map(([n,o])=>`${n}=${Rt(o)}`);return t.length>0?` [${t.join(" ")}]`:""}function Rt(e){return`"${y(e).replace(/\\/g,"\\\\").replace(/"/g,'\\"')}"`}async function Vc(e,t){let{values:n}=e,o=A(t.stderr),r=await E(e,t,o),s=n.format?.at(-1)??"dot";return D(r,({clusters:i,rendered:a})=>{o.stop();let c=ft(i,n),d=Qn(c,{installed:n.installed===!0,components:n.
components===!0}),l=Kc(d,s,qc(c,n.installed===!0));F(l,n,t);let f=a.head.filter(({ok:u})=>!u).map(({entrypoint:u})=>u.path);for(let u of f)t.stderr.write(`warning  ${y(u)} cannot be built, so nothing \
of it is in the graph
`);return f.length>0?1:0}).finally(o.stop)}function qc({facts:e,contract:t},n){return e.used().filter(({name:o,source:r})=>r==="assumed"&&(n||o==="release")).map(o=>`assumed: ${y(it(_e(o,t)))}`)}function Kc(e,t,n){
return t==="dot"?$s(e,n):t==="mermaid"?eo(e,n):R({...e,notes:n})}import{join as Gc}from"node:path";function Yc(e,t){let{values:n}=e,o=Gc(t.home,"schemas"),r=so(o,Ue(o).at(-1));return Ft(e,t,async s=>{let i=[];for await(let{entrypoint:c,response:d}of s.builds("objects")){if(!d.ok)continue;let{path:l,
why:f}=c,m=Ge(c,d).filter(ce).map(({ref:p})=>Vn(p,r)).map(p=>({id:Pn(p),v:p.apiVersion.slice(p.apiVersion.lastIndexOf("/")+1)}));i.push({path:l,why:f,entries:m.sort((p,g)=>p.id<g.id?-1:1)})}let a=n.format?.
at(-1)==="json"?R(i):i.map(Xc).join(`
`);return F(a,n,t),s.failed?1:0})}function Xc({path:e,why:t,entries:n}){return[`# ${y(e)}: ${y(t)}`,...n.map(({id:o})=>y(o)),""].join(`
`)}var Os=Ne(Ie(),1);async function js(e,t){let{values:n}=e,o=A(t.stderr),r=await E(e,t,o);return D(r,({clusters:s,rendered:i})=>{o.stop();let a=$e(i.head,t),c=ee(s,n),d=c.flatMap(ks);for(let f of d)Wn(f)&&ed(f.ref,t);let l=d.
map(({value:f})=>f);return F(n.format?.at(-1)==="json"?R(l):Zc(c),n,t),a?1:0}).finally(o.stop)}function ks({head:e,contract:t}){return e.entrypoints.filter(Hn).flatMap(({entrypoint:n,objects:o})=>Xn(o.
filter(ce)).map(r=>({ref:r.ref,value:He(r,n,t.schemas)})))}function Zc(e){let t=e.map(o=>({cluster:o,text:Qc(ks(o).map(({value:r})=>r))})),n=({name:o})=>e.length>1&&o!==void 0?`# cluster ${y(o)}
`:"";return t.filter(({text:o})=>o!=="").map(({cluster:o,text:r})=>n(o)+r).join(`---
`)}function Qc(e){return e.map(t=>(0,Os.stringify)(t,{lineWidth:0,aliasDuplicateObjects:!1,compat:"yaml-1.1"})).join(`---
`)}function ed({kind:e,namespace:t,name:n},o){let r=[e,t,n].filter(Boolean).join("/");o.stderr.write(`warning  ${y(r)} is encrypted, and is printed so; what Flux makes of it is not known
`)}import{isDeepStrictEqual as xs}from"node:util";function Ps(e,t){return fe(e.map(o=>({value:nd(o)})),t).map(({value:o},r)=>td(o,e[r]??{}))}function td(e,t){let{apiVersion:n,kind:o,namespace:r,name:s}=I(t),i=k(e.metadata)?{...e.metadata,...k(t.metadata)&&
"name"in t.metadata&&{name:s},...r&&{namespace:r}}:e.metadata;return{...e,apiVersion:n,kind:o,...i!==void 0&&{metadata:i}}}function nd(e){if(e.kind==="CustomResourceDefinition")return e;let t=e.kind===
"Secret",n={ref:{kind:String(e.kind)},value:e},o=(r,s,i)=>{if(Array.isArray(r))return r.map((c,d)=>o(c,[...s,d],i));if(k(r))return Object.fromEntries(Object.entries(r).map(([c,d])=>{let l=t&&s.length===
0&&(c==="data"||c==="stringData");return[c,o(d,[...s,c],i||l||xe(c)&&!ln(d))]}));if(i)return od(r,t&&s[0]==="data");let a=s.some(c=>typeof c=="string"&&xe(c))?[]:s;return typeof r=="string"?G(n,a,r):r};
return o(e,[],!1)}function od(e,t){return typeof e=="string"&&e!==""?t?Buffer.from(Pe).toString("base64"):Pe:typeof e=="number"?0:e}var rd=new Set(`name namespace secretName key items path mode defaul\
tMode optional audience expirationSeconds apiVersion kind apiGroup uid
  algorithm encoding size rotationPolicy`.split(/\s+/));function ln(e){return Array.isArray(e)?e.every(ln):k(e)?Object.entries(e).every(([n,o])=>rd.has(n)&&(n!=="items"||ln(o)))&&Object.keys(e).length>
0:!1}async function Fs(e,t,n,o=[]){let r={objects:[],failures:[],notes:[]},s=new Set;await nt(e,t,n,async(a,c)=>{let d=await Ze(a,c.head,n.trees.head),l=await sd(a,{cluster:c,side:d,packages:o,...n}),f=new Set(
[...n.secrets(),...et(ot(c),l.secrets,rt(d))]),u=Ps(l.objects.map(({object:m})=>m),f);for(let{ref:m}of d.packages)s.add(m.name);r.objects.push(...l.objects.map((m,p)=>({...m,object:u[p]??{}}))),r.failures.
push(...Wt(l.failures,f)),r.notes.push(...Wt(l.notes,f))});let i=o.find(a=>!s.has(a));if(i===void 0)return r;throw new h(`no entrypoint renders Package "${i}"; ${$n(i,[...s],"render without --package \
prints all")}`)}async function sd(e,t){let{cluster:n,side:o,packages:r}=t,{releases:s,notChecked:i}=st(o),a=({ref:m})=>z({ref:m})&&r.includes(m.name),c=s.filter(({object:m})=>r.length===0||a(m)),d=[],
l=[];for(let m of c){let p={side:o,...m},g=await Ee(e,p.release,o);"failed"in g?l.push(`${Lt(p.release)}: its chart fails: ${ue(g.failed)}`):d.push({judged:p,made:g,origins:new un})}let f=r.length===0?
i.map(({what:m,why:p})=>`${m} is left out: ${p}`):[];f.push(...await ad(e,d,t));let u=d.flatMap(({made:m})=>m.map(({object:p})=>p).filter(tt));return{objects:d.flatMap(m=>id(m,n)),failures:l,notes:f,secrets:u}}
function id({judged:{release:e},made:t,origins:n},{name:o}){let r={...b({cluster:o}),...ze(e)};return t.map(({id:s,object:i,...a},c)=>({...r,...a,ref:I(i),object:i,origins:n.of(t[c])}))}async function ad(e,t,n){
let{budget:o,cluster:r,trees:s}=n,i=[];for(let{judged:c,made:d,origins:l}of t){let f=cd(c),u=0;for(let m of go(c)){if(ye(o))break;for(let p of await Ir(e,c,d,m))l.add(p,{object:c.object,path:m});u+=1}
u<f&&i.push(vs(Lt(c.release),f-u,o))}let a=await dd(e,t,{revision:r.head,tree:s.head,budget:o});return a>0?[...i,vs("the Package of the platform",a,o)]:i}function cd({object:e,release:t}){let n=$(e.value,
ke(t));return k(n)?ve(n).size:0}async function dd(e,t,{revision:n,tree:o,budget:r}){let s=0;for(let i of t.length>0?qn(n.objects):[])for(let a of yo(i.value,Ln))ye(r)?s+=1:await fd(e,t,{platform:i,path:a,
revision:n,tree:o});return s}async function fd(e,t,{platform:n,path:o,revision:r,tree:s}){let i=$(n.value,o),a=(i===void 0?[]:kt(i)).map(d=>Qe(n.value,o,d)),c=[...t];for(let d of[...a,Fe(n.value,[o])]){
let l=r.objects.map(m=>m===n?{...n,value:d}:m),f=await po(e,{...r,objects:l},s);if("failed"in f)continue;let u=[];for(let m of c){let{judged:p,made:g,origins:j}=m,w=le(f,p.release,p.object.value),O=await jt(
e,p,g,w);if(!Array.isArray(O)||O.length===0)u.push(m);else for(let M of O)j.add(M,{object:n,path:o})}c=u}}function vs(e,t,n){let o=ye(n)?"there is no time left (--max-seconds)":"there are too many";return`${e}\
: what came of ${t===1?"1 value":`${t} values`} was not looked for: ${o}`}var un=class{#e=new Map;add({made:t,whole:n,fields:o},r){n==="there"&&this.#t(t,[],r);for(let{path:s,after:i}of o)if(i!==void 0)
for(let a of ld(t.object,s,i,r))this.#t(t,a.path,a.source)}of({id:t}){return[...this.#e.get(t)?.values()??[]]}#t({id:t},n,o){let r=this.#e.get(t)??new Map;this.#e.set(t,r);let s=JSON.stringify(n),i=r.
get(s)??{path:n,from:[]};r.set(s,i),i.from.push(o)}};function ld(e,t,n,o){let r=md(e,t,o),s=Rs(n);if(r)return s.map(c=>({path:[...t,...c],source:{...r,path:[...r.path,...c]}}));let[i,...a]=s;return[{path:i&&
a.length===0?[...t,...i]:t,source:o}]}var ud=100;function md(e,t,n){let o=$(n.object.value,n.path);if(o===null||typeof o!="object")return;let r=Array.isArray(o)&&o.length<=ud?o:[];for(let s=t.length;s>
0;s--){let i=$(e,t.slice(0,s)),a=t.slice(s);if(xs(i,o))return{...n,path:[...n.path,...a]};let c=r.flatMap((d,l)=>xs(i,d)?[l]:[]);if(c.length===1)return{...n,path:[...n.path,c[0],...a]}}}function Rs(e){
let t=Array.isArray(e)?[...e.entries()]:k(e)?Object.entries(e):[];return t.length===0?[[]]:t.flatMap(([n,o])=>Rs(o).map(r=>[n,...r]))}var Z=Ne(Ie(),1);function Cs(e,t){return e.map(n=>pd(n,t)).join(`---
`)}function pd(e,t){let n=new Z.Document(e.object,{aliasDuplicateObjects:!1,compat:"yaml-1.1"}),o=e.origins.flatMap(({path:s,from:i})=>s.length===0?i:[]),r=[hd(e),...o.length>0?[`made because of ${Ss(
o,t)}`]:[]];e.ref.kind==="Secret"&&r.push("its values are not shown"),n.contents&&(n.contents.commentBefore=r.map(s=>` ${y(s)}`).join(`
`));for(let{path:s,from:i}of e.origins)s.length>0&&gd(n,s,` from ${y(Ss(i,t))}`);return n.toString({lineWidth:0})}function hd({cluster:e,package:t,component:n,release:o,template:r,hook:s,crd:i}){let a=e===
void 0?"":`cluster ${e}: `,c=t===void 0?"":`Package ${t}, component ${n}, `,d=s?`, a hook (${s.join(", ")})`:i?", a definition":"";return`${a}${c}HelmRelease ${o}: ${r}${d}`}function gd(e,t,n){let o=e.
getIn(t,!0);if(!(0,Z.isNode)(o))return;if(!(0,Z.isCollection)(o)||o.items.length===0){o.comment=n;return}let[r]=o.items,s=(0,Z.isPair)(r)?r.key:r;(0,Z.isNode)(s)&&(s.commentBefore=n)}var mn=3;function Ss(e,t){
let n=Es(e,t).map(({file:s,line:i,precision:a})=>a==="file"?s:`${s}:${i}`),o=[...new Set(n)],r=o.length>mn?[`${o.length-mn} more`]:[];return[...o.slice(0,mn),...r].join(", ")}function Es(e,t){return e.
map(({object:o,path:r})=>{let{at:s,precision:i}=t.locate({object:o,path:r,part:"value"}),{line:a,column:c}=s.range.start;return{file:s.file,line:a,column:c,precision:i,field:r}}).sort((o,r)=>o.file<r.
file?-1:o.file>r.file?1:o.line-r.line||o.column-r.column)}function As(e,t){return e.map(({cluster:n,package:o,component:r,release:s,template:i,hook:a,crd:c,object:d,origins:l})=>({...b({cluster:n,package:o,
component:r}),release:s,template:i,...b({hook:a,crd:c}),object:d,origins:l.map(({path:f,from:u})=>({path:f,from:Es(u,t)}))}))}async function Ls(e,t,n){let{values:o}=e,r=o.format?.at(-1);if(o["as-applied"])throw new h("--as-applied is about what Flux applies, not about --charts");if(r==="digest")throw new h("--charts prints y\
aml or json, as nobody hashes what charts make");let s=A(n.stderr),i=await me(t,n),a=await E(e,n,s),{home:c,engine:d}=a;return D(a,async({clusters:l,rendered:f,trees:u,server:m,budget:p})=>{let j={home:c,
budget:p,server:m,trees:u,secrets:()=>de(u,f),...b({engine:d})},w=ee(l,o),O=await Fs(w,{store:i,progress:s.say},j,o.package);s.stop();let M=$e(f.head,n),S=(U,ie)=>n.stderr.write(`${U}  ${y(x(ie))}
`);for(let U of O.failures)S("error",U);for(let U of O.notes)S("warning",U);let q=new V(u),{objects:N}=O;return N.length===0&&O.failures.length===0&&n.stderr.write(`nothing is rendered: the repository\
 says nothing of a component with a chart
`),F(r==="json"?R(As(N,q)):Cs(N,q),o,n),M||O.failures.length>0?1:0}).finally(s.stop)}function yd(e,t){let{values:n}=e;if(n.charts!==void 0)return Ls(e,n.charts,t);if(n.package)throw new h("--package needs --charts");if(n["as-applied"])return js(e,t);let o=n.format?.at(-1)??"yaml";return Ft(
e,t,async r=>{let s=n.provenance?await $d(r,o):await wd(r,o);return F(s,n,t),r.failed?1:0})}async function wd(e,t){let n=[],o=[];for await(let{entrypoint:r,response:s}of e.builds(t==="json"?"objects":
t))if(t==="digest")n.push(bd(r.path,s));else if(s.ok)t==="yaml"?n.push(s.yaml??""):o.push(...(s.objects??[]).map(({value:i})=>i));else continue;return t==="json"?R(o):n.filter(Boolean).join(t==="yaml"?
`---
`:"")}function bd(e,t){return t.ok?`${t.sha256??""}  ${e}
`:`error  ${e}: ${y(x(t.error.message).split(`
`).map(n=>n.trim()).filter(Boolean).join(" "))}
`}async function $d(e,t){let n=new V({head:e.tree}),o=[],r=[];for await(let{entrypoint:s,response:i}of e.builds("objects")){if(!i.ok)continue;let a=Ge(s,i);t==="json"?o.push(...Le(a,n)):r.push(...a.map(
c=>Xr(c,n)))}return t==="json"?R(o):r.join(`---
`)}import{readFileSync as Od}from"node:fs";import{join as jd}from"node:path";async function kd({operands:[e],values:t},n){let o=t.format?.[0]??"text";return e!==void 0?n.stdout.write(Fd(e,n.home)):o==="schema"?n.stdout.write(`${JSON.stringify(vn(H),null,2)}
`):o==="json"?n.stdout.write(`${JSON.stringify(H.map(r=>Pd(r,n.home)),null,2)}
`):n.stdout.write(xd(On(n.stdout))),0}function Pd({id:e,group:t,severity:n,summary:o,needsBase:r,options:s={}},i){return{id:e,group:t,severity:n,summary:o,url:Ko(e,wn(i)),needsBase:r??!1,options:s}}function xd(e){
let t=Math.max(...H.map(({id:r})=>r.length)),n=({id:r,severity:s,summary:i})=>{let a=`  ${r.padEnd(t)}  ${s.padEnd(7)}  `,[c,...d]=Et(i,e-a.length);return[`${a}${c}`,...d.map(l=>`${" ".repeat(a.length)}${l}`)]};
return`${Object.entries(lt).map(([r,s])=>[...Et(`${r}: ${vd(s)}`,e),...H.filter(({group:i})=>i===r).flatMap(n)].join(`
`)).join(`

`)}

customizer-lint rules ID prints the page of a rule
`}var vd=e=>/^[A-Z][a-z]+[A-Z]|^Packages/.test(e)?e:e.charAt(0).toLowerCase()+e.slice(1);function Fd(e,t){return Od(jd(t,"src","rules",ut(e),"README.md"),"utf8")}var Js=Ne(Ie(),1);var Rd=`# What customizer-lint knows of the cluster: names, variants and field managers, but no values. Name it in .customizer-lint.yaml
# as cluster.snapshot, and make it anew when the cluster has changed:
#   ${pn()} | customizer-lint snapshot - > THIS FILE
`;function pn(){return"kubectl get packages,packagesources,ocirepositories,crds,clusterroles,clusterrolebindings,roles,rolebindings -A -o yaml --show-managed-fields"}async function Sd({operands:[e],values:t},n){
if(e===void 0)throw new h(`snapshot of what? e.g. ${pn()} | customizer-lint snapshot -`);let o=Yo(e);if(!o.some(An))throw new h(`there is no Package in what was read; the command is: ${pn()}`);let r=`${Rd}${(0,Js.stringify)(
Ke(o,new Date().toISOString().slice(0,10)),{lineWidth:0})}`;return F(r,t,n),0}import{watch as Cd}from"node:fs";import{dirname as Ed,join as Ms,resolve as Ns}from"node:path";var Ad=20,Ld=3,Jd=3;async function Md({directory:e,values:t},n,o){let r=[t.output,...(t.format??[]).map(d=>jn(d).file)],s=new hn(e,new Set(r.filter(d=>d!==void 0).map(d=>Ns(d))));n.stdout.once?.("erro\
r",()=>s.end());let i,a=0,c=0;for(let d=!0;;d=!1){if(d||await s.begin(),s.hasEnded)return a;let l=performance.now();Tn();let f=await Nd(o,d,{...i&&{before:i},opened:p=>s.follow(p),rendered:(p,g)=>{i={
tree:p,rendered:g}}});if(!d&&await s.hasMoved()&&c<Jd){c+=1;continue}if(s.hasEnded)return a;c=0;let u=s.told();d||n.stdout.write(Bd(u,n.stdout.isTTY===!0)),a=Wd(f,d,n);let m=Math.round(performance.now()-
l);n.stderr.write(`checked in ${m} ms; waiting for a change (Ctrl+C ends it)
`),Td(n.home,t)}}async function Nd(e,t,n){try{return await e(n)}catch(o){if(t||Ct(o)===void 0)throw o;return()=>{throw o}}}function Wd(e,t,{stderr:n}){try{return e()}catch(o){let r=Ct(o);if(t||r===void 0)
throw o;return n.write(`customizer-lint: ${y(r)}
`),2}}function Td(e,t){if(t["max-seconds"]!==void 0||t["max-memory"]!==void 0)return;let n=t.engine??"auto",o=["render","apply",...t.charts===void 0?[]:["helm"]];for(let r of o)bn(Ms(e,"dist","engine"),
r,n)}function Bd(e,t){let[n="",...o]=e.map(y),r=o.length===0?"":` and ${o.length} more`;return`${t?"\x1B[H\x1B[2J":`
`}${n}${r} changed

`}var hn=class{constructor(t,n){this.root=t;this.own=n}root;own;#e=new Map;#t=new Set;#n=new Set;#s=0;#o=new Set;#r=()=>{};hasEnded=!1;end(){this.hasEnded=!0;for(let t of this.#e.values())t.close();this.#r()}follow({
files:t}){let n=new Set([".",...t.flatMap(gn)]);for(let[o,r]of this.#e)n.has(o)&&![o,...gn(o)].some(s=>this.#o.has(s))||(r.close(),this.#e.delete(o));this.#o.clear();for(let o of n)this.#e.has(o)||this.#a(
o)}#a(t){let n=o=>{o===".git"||this.own.has(Ns(this.root,t,o))||(this.#t.add(t==="."?o:`${t}/${o}`),this.#s=performance.now(),this.#r())};try{let o=Cd(Ms(this.root,t),(r,s)=>n(s??""));o.on("error",()=>o.
close()),this.#e.set(t,o)}catch(o){if(o.code!=="ENOENT")throw o}}async begin(){for(;this.#t.size===0&&!this.hasEnded;)await this.#c();await this.#i(Ld);for(let t of this.#t)this.#o.add(t),this.#n.add(
t);this.#t.clear()}async hasMoved(){for(let t=0;t<2;t+=1)await new Promise(n=>setImmediate(n));return await this.#i(Ad),this.#t.size>0}async#i(t){let n=()=>this.#s+t-performance.now();for(;n()>0&&!this.
hasEnded;)await new Promise(o=>setTimeout(o,Math.ceil(n())))}told(){let t=[...this.#n].sort();return this.#n.clear(),t}#c(){return new Promise(t=>{this.#r=t})}};function gn(e){let t=Ed(e);return t==="\
."?[]:[t,...gn(t)]}export{xi as audit,pa as charts,ba as completion,Pa as diff,cc as explain,Wc as fix,Vc as graph,Yc as inventory,yd as render,kd as rules,Sd as snapshot,Md as watch};
