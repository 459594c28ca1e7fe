import{createRequire as $createRequire}from"node:module";const require=$createRequire(import.meta.url);
import{a as bn}from"./chunk-E3L2IKVX.js";import{A as Oo,B as jo,C as ko,D as Po,E as xo,F as vo,G as Fo,H as Ro,I as So,J as Co,K as Eo,L as Ao,M as Lo,N as Jo,O as me,P as Bt,Q as Mo,T as No,U as Wo,
W as Tt,Y as Bo,Z as To,a as J,b as Y,c as Xe,d as ve,e as mo,f as Ze,g as le,h as po,i as ho,j as go,k as Fe,l as Qe,m as ue,n as yo,o as Nt,p as wo,q as et,r as tt,s as bo,u as $o,v as nt,w as ot,x as rt,
y as st,z as Wt}from"./chunk-3A4J6TRR.js";import{$ as E,A as qe,B as H,C as V,D as ro,E as Jt,F as so,G as Ke,H as ao,I as Ge,J as co,K as fo,L as D,M as Ye,O as Io,P as It,Q as Do,R as Dt,S as at,
T as ct,U as zo,V as Uo,W as _o,X as Ho,Y as zt,Z as Vo,_ as qo,a as Be,aa as dt,b as Te,ba as Ko,c as On,ca as F,d as Ct,da as ee,ea as ft,fa as lt,g as je,h as Et,ha as ut,ia as Go,ja as he,k as jn,
ka as A,l as vn,m as Fn,n as Rn,o as Sn,p as Dn,q as zn,r as _e,u as Qn,v as eo,w as to,x as Lt,y as no,z as oo}from"./chunk-IRP3CL4O.js";import{a as yn}from"./chunk-TBYWEAOI.js";import{$b as qn,
Bb as _n,D as Cn,Da as In,F as z,Fc as Xn,G as En,Gd as pe,H as An,Hd as it,J as Ln,L as Jn,N as Mn,Pb as He,Q as De,Qb as Hn,U as Q,W as Nn,X as ce,Y as Wn,Ya as Pe,Z as Bn,Za as xe,Zb as Vn,Zc as Zn,
_a as x,a as We,cc as Kn,f as $n,h as Ie,ha as ze,i as $,ia as At,j as k,ja as ke,k as L,lb as G,m as I,md as Mt,nb as Un,nd as io,o as kn,p as W,q as Pn,qb as de,qc as Gn,r as P,rc as Yn,s as v,sc as _,
sd as lo,tb as fe,tc as Ve,td as uo,u as xn,ua as Ue,va as Tn,xb as re,za as C}from"./chunk-OBWMT7IA.js";import{D as ae,E as b,b as h,s as wn,v as y,y as R}from"./chunk-CLYWEIUH.js";import{
c as Ne}from"./chunk-AIN5EYJ6.js";import{existsSync as ki}from"node:fs";import{join as yr}from"node:path";import{isDeepStrictEqual as Zo}from"node:util";function Xo(e,{from:t,data:n,release:o,known:r}){let s=e.filter(f=>z({ref:I(f)})),i=s.map(Us).find(({ref:f})=>f.name===C),c=zn({config:Rn(),cluster:{},prefix:"cluster.",objects:i?[i]:[],newest:Tn(n),isKnownRelease:f=>so(
n,f),isKnownKubernetes:f=>Dn(n,f),snapshot:{...Ke(e,""),file:t},...b({release:o})}),a=r?zs(r.facts,c):c,l=r&&r.facts.get("release").value===a.get("release").value?r.contract:Jt(n,a.all);return{from:t,
platform:i,facts:a,contract:l,packages:s.map(f=>({name:I(f).name,value:f})).sort((f,u)=>f.name<u.name?-1:1),others:[...Ts(a,l,n),...Is(a,l)]}}function Ts(e,t,n){return e.get("release").source!=="assum\
ed"?[]:Ue(n).filter(r=>r!==t.release).map(r=>{let s=mt(e,"release",r);return{because:"release",facts:s,contract:Jt(n,s.all)}})}function Is(e,t){let{value:n,source:o}=e.get("variant");return o!=="assum\
ed"?[]:t.catalog.variantsWithPackages().filter(s=>s!==n).map(s=>({because:"variant",facts:mt(e,"variant",s),contract:t}))}var Ds=["config","snapshot","manifest","evidence","contract","world","assumed"],
Yo=e=>Ds.indexOf(e);function zs(e,t){let n=new Map;for(let[o,r]of e.all){let s=t.all.get(o),c=s.source==="snapshot"||s.source==="manifest"?r.source!=="config":Yo(s.source)<Yo(r.source);n.set(o,c?s:r)}
return{all:n,get:o=>n.get(o),platformValue:o=>t.platformValue(o)??e.platformValue(o),used:()=>[...n.values()].filter(({name:o})=>o==="release"||o==="variant")}}function mt(e,t,n){let o=new Map([...e.all,
[t,{name:t,value:n,source:"config"}]]);return{...e,all:o,get:r=>o.get(r)}}function Us(e){return{ref:I(e),value:e,revision:"head",entrypoint:"",index:0,writers:()=>[],children:()=>{},removed:()=>[]}}var Qo=["helm-controller","helm"];function pt(e,t){return e==="helm"?Qo.includes(t):e==="flux"?t===_:t!==_}function er(e,t){let n=t.contract.ownership.rowsOf(e.name).filter(({field:i})=>!i.includes("*")),
o=n.filter(({owner:i})=>i==="Flux").map(i=>Ut(i,"flux",void 0));if(e.name===C){let{value:i,source:c,file:a}=t.facts.get("variant"),d=c==="config"||c==="snapshot"&&a!==t.from?i:void 0;return[...n.filter(
({owner:f})=>f==="platform administrator").map(f=>Ut(f,"administrator",d)),...o]}if(!_t(e,t))return o;let r=n.filter(({owner:i})=>i==="platform chart"||i==="Helm").filter(({field:i})=>i.join(".")!=="m\
etadata.name"),s=or(e.name,t,t).filter(({when:i,dead:c})=>!i&&!c);return[...r.map(i=>Ut(i,"helm",P(i.field)==="spec.variant"?qs(e,t):_s(t)[P(i.field)])),...s.map(i=>Hs(i,e,t)),...o]}function _t({name:e,
value:t},{contract:n,facts:o}){if(!n.catalog.isManaged(e)||e===C)return!1;if(Y(t).some(({manager:s})=>Qo.includes(s))||L(t,["metadata","annotations","meta.helm.sh/release-name"])!==void 0)return!0;let r=o.
get("variant");return r.source!=="assumed"&&n.catalog.emitted(e,String(r.value))==="always"}function ht({catalog:e}){let[t]=e.source(C)?.variants??[],{namespace:n="cozy-system",releaseName:o="cozystac\
k-platform"}=t?.components[0]?.install??{};return{namespace:n,name:o}}function _s({contract:e}){let{namespace:t,name:n}=ht(e);return{'metadata.annotations["helm.sh/resource-policy"]':"keep",'metadata.\
annotations["meta.helm.sh/release-name"]':n,'metadata.annotations["meta.helm.sh/release-namespace"]':t,'metadata.labels["app.kubernetes.io/managed-by"]':"Helm"}}function Ut({field:e,why:t},n,o){return{
field:e,owner:n,why:t,isRequired:n!=="flux",isOpen:!1,assumes:[],...b({set:o}),isEqual:r=>r===o}}function Hs(e,t,n){let{field:o,why:r,shape:s}=e,i=tr(t,n).map(u=>({because:u.because,owned:or(t.name,u,
n).find(m=>Vs(m,t.name,u)&&P(m.field)===P(o))})),c=n.others.length===0||nr(t,n,n),d=c&&i.every(({owned:u})=>Zo(u?.set,e.set))&&Ks(e,n)?e.set:void 0,l=c?i.filter(u=>!u.owned):n.others,f=new Set(l.map(({
because:u})=>u));return{field:o,owner:"helm",isOpen:s==="map",isRequired:s!=="map",assumes:[...f],...b({set:d,why:r}),isEqual:e.isEqual}}function Vs({when:e},t,{contract:n,facts:o}){let r=n.catalog.emitted(
t,String(o.get("variant").value));return!e||typeof r=="object"&&Zo(e,{switch:r.switch})}function tr(e,t){return t.others.filter(n=>nr(e,n,t))}function nr({name:e,value:t},n,o){let r=n.contract.catalog.
emitted(e,String(n.facts.get("variant").value));if(r==="never"||r==="unknown")return!1;if(!(Xe(t).get(J(["spec","variant"]))??[]).some(c=>pt("helm",c)))return!0;let i=rr(e,n,o);return i===void 0||i===
L(t,["spec","variant"])}function or(e,{facts:t,contract:n},{platform:o}){return qe(e,{facts:t,contract:n,objects:o?[o]:[]})}function qs(e,t){let n=[t,...tr(e,t)].map(o=>rr(e.name,o,t));return n.every(
o=>o===n[0])?n[0]:void 0}function rr(e,{facts:t,contract:n},{platform:o}){let r=mt(t,"variant",String(t.get("variant").value));return Kn(e,{facts:r,contract:n,objects:o?[o]:[]})}function Ks({isSure:e,
knob:t},{platform:n}){return e||t===void 0?e:!n||t.startsWith("publishing.")||L(n.value,["spec","variant"])===void 0?!1:$(n.value,Jn(t))===void 0}function ir(e,t){let{packages:n}=e,o=Gs(n);return{packages:n.length,emitted:n.filter(r=>_t(r,e)).length,...o&&{helm:o},findings:n.flatMap(r=>{let s=er(r,e).flatMap(c=>Ys(r,c)),i=new Set(s.flatMap(({now:c})=>c?
[J(c.path)]:[]));return[...s,...ei(r,i),...ti(r,t)]})}}function X({kind:e,assumes:t}){return(e==="taken"||e==="lost"||e==="doomed")&&t.length===0}function Gs(e){let t=e.flatMap(({value:n})=>Y(n)).filter(
({manager:n})=>n==="helm-controller");return t.some(({operation:n})=>n==="Update")?"Update":t.length>0?"Apply":void 0}function Ys(e,t){return(t.isOpen?Vt(e.value,t.field):[t.field]).flatMap(o=>Xs(e,o,
t)??[])}function Xs({name:e,value:t},n,o){let{owner:r,set:s,why:i,assumes:c,isRequired:a,isEqual:d}=o,l=Zs(t,n),f=Ht(t,l?.path??n),[u,m]=[!0,!1].map(j=>f.filter(({manager:w})=>pt(r,w)===j)),p={package:e,
fields:[n],owner:r,by:m,assumes:c,...b({now:l}),...b({set:s,why:i})},g=l?.path.length===n.length;return!l||l.value===null&&u.length>0?a?{...p,kind:"lost"}:void 0:!g&&k(l.value)?a?{...p,kind:"lost"}:void 0:
r==="flux"?m.length>0&&u.length===0?{...p,kind:"odd"}:void 0:u.length>0&&g?m.length>0?{...p,kind:"shared"}:void 0:m.length>0?{...p,kind:"taken"}:l.value===null?{...p,kind:"lost"}:s!==void 0&&!d(l.value)?
{...p,kind:"odd"}:void 0}function Zs(e,t){for(let n=1;n<=t.length;n++){let o=t.slice(0,n),r=$(e,o);if(r===void 0)return;if(n===t.length||!k(r))return{value:r,path:o}}}function Ht(e,t){let n=o=>t.every(
(r,s)=>o[s]===r);return Y(e).filter(({fields:o})=>o.some(n)).map(({manager:o,operation:r,time:s})=>({manager:o,operation:r,...b({time:s})}))}function Vt(e,t){let n=$(e,t);return!k(n)||Object.keys(n).length===
0?n===void 0?[]:[t]:Object.keys(n).flatMap(o=>Vt(e,[...t,o]))}var Qs=4;function ei({name:e,value:t},n){return Vt(t,["spec","components"]).filter(r=>r.length>Qs&&$(t,r)===null&&!n.has(J(r))).flatMap(r=>{
let s=Ht(t,r);return s.some(({manager:i})=>!pt("helm",i))?[]:[{package:e,kind:"odd",fields:[r],now:{value:null,path:r},by:s,assumes:[]}]})}function ti({name:e,value:t},n){let o=n?.filter(c=>z(c)&&c.ref.
name===e)??[],r=Y(t);if(r.filter(({manager:c})=>c===_).length===0&&o.length===0||qt(t,o))return[];let i=new Set(r.filter(c=>!sr(c)).flatMap(({fields:c})=>c.map(J)));return r.filter(sr).flatMap(c=>{let{
manager:a,operation:d,time:l}=c,f=[{manager:a,operation:d,...b({time:l})}],u=c.fields.filter(m=>!i.has(J(m))&&m.at(-1)!==Ve.annotations[0]&&$(t,m)!==void 0&&!o.some(p=>$(p.value,m)!==void 0));return u.
length>0?[{package:e,kind:"doomed",fields:ni(u),by:f,assumes:[]}]:[]})}function ni(e){let t=n=>n.length===2&&n[1]==="variant";return[...e.filter(t),...e.filter(n=>!t(n))]}function sr({manager:e,operation:t}){
return Ve.fieldManagers.some(({name:n,operationType:o})=>n!==_&&e.startsWith(n)&&t===o)}function qt(e,t){if(Q(e,"ssa","Ignore")||Q(e,"reconcile","disabled"))return!0;let n=s=>Q(s,"ssa","Merge")||Q(s,"\
ssa","IfNotPresent"),o=s=>!Q(s,"ssa","Ignore")&&!Q(s,"reconcile","disabled");if(t.length>0&&t.every(({value:s})=>n(s)||!o(s)))return!0;if(!Q(e,"ssa","Merge"))return!1;if(t.length===0)return!0;let r=["\
metadata","annotations",`${Object.keys(Ve.exclusions)[0]}`];return Ht(e,r).some(({manager:s})=>s!==_)}var gt="helm-controller";function dr({findings:e,helm:t},n){let o=e.filter(X);if(o.length===0)return[];let r=n.packages.filter(({name:f})=>o.some(u=>u.package===f)),s=({name:f})=>o.filter(u=>u.package===
f&&u.kind!=="doomed"),i=r.filter(f=>f.name!==C&&s(f).length>0),c=r.filter(oi),a=fi(o),l=`${a.length>0?"once Flux has fetched that commit (kubectl get gitrepositories -A), ":""}let Flux go on`;return[...c.
flatMap(f=>ar(f,c,!0,"keep Flux from taking it again meanwhile")),...r.filter(f=>ri(f,o)).map(si),...r.filter(({name:f})=>f===C).flatMap(f=>ii(f,s(f))),...i.length>0&&t!=="Update"?ai(n):[],...t==="Upd\
ate"?i.flatMap(f=>ci(f,s(f),n)):[],...a,...c.flatMap(f=>ar(f,c,!1,l))]}function oi({value:e}){return Y(e).some(({manager:t})=>t===_)}function ar(e,t,n,o){let r=t.map(cr),{namespace:s,name:i}=cr(e);if(!(r.
findIndex(d=>d.namespace===s&&d.name===i)===t.indexOf(e)))return[];let a=te(JSON.stringify({spec:{suspend:n}}));return[{why:o,command:`kubectl --namespace ${te(s)} patch kustomizations.kustomize.toolk\
it.fluxcd.io ${te(i)} --type merge --patch ${a}`}]}function cr({value:e}){let t=n=>L(e,["metadata","labels",De+n]);return{namespace:t("namespace")??"cozy-system",name:t("name")??"cozystack-customizer"}}
function ri(e,t){if(qt(e.value,[]))return!1;let n=t.filter(o=>o.package===e.name);return n.some(({kind:o})=>o==="doomed")||e.name===C&&n.length>0}function si({name:e}){return{why:"make Flux leave alon\
e what kubectl sets in it, also before the commit that says so is there",command:`kubectl annotate packages.cozystack.io ${te(e)} --overwrite ${De}ssa=Merge`}}function ii({name:e},t){if(t.length===0)return[];
let n=t.filter(Kt),o=t.some(({kind:c})=>c==="lost"),r=n.filter(({set:c})=>c!==void 0),s=n.filter(({set:c})=>c===void 0),i=`packages.cozystack.io ${te(e)}`;return[...r.length>0?[{why:"write what the pl\
atform is",command:fr(i,r)}]:[],...s.map(({fields:[c]})=>({why:`write ${P(c??[])} as it was when the platform was installed; what it was is not known here, cluster.variant in the configuration tells i\
t`})),...o?[{why:"bring back all else that Flux has removed: kubectl apply --server-side --force-conflicts -f FILE, with the file that the Package was made from"}]:[{why:"have kubectl own what is ther\
e, so that it stays when git lets go of it",command:`kubectl get ${i} --output json | kubectl apply --server-side --force-conflicts --filename -`}]]}function ai({contract:e}){let{namespace:t,name:n}=ht(
e),o=i=>`kubectl --namespace ${t} ${i} helmreleases.helm.toolkit.fluxcd.io ${n}`,r=["requestedAt","forceAt"].map(i=>`reconcile.fluxcd.io/${i}=$now`).join(" ");return[{why:"have Helm apply the platform\
 chart again, which takes its fields back",command:["now=$(date +%s)",`${o("annotate")} --overwrite ${r}`,`${o("wait")} --for=jsonpath='{.status.lastHandledForceAt}'=$now`,`${o("wait")} --for=conditio\
n=Ready --timeout=15m`].join(" && ")}]}function ci({name:e,value:t},n,o){let{namespace:r,name:s}=ht(o.contract),i=`packages.cozystack.io ${te(e)}`,c=n.filter(Kt),[a,d]=[c.filter(({set:f})=>f!==void 0),
c.filter(({set:f})=>f===void 0)],l=n.filter(f=>!Kt(f));return[...a.length>0?[{why:"write what the chart sets, in the name of Helm, which on this cluster does not by itself",command:`${fr(i,a)} --field\
-manager=${gt}`}]:[],...l.length>0?[di(e,t,l)]:[],...d.map(({fields:[f]})=>({why:`write ${P(f??[])} of ${e} in the same way, with kubectl patch --field-manager=${gt} and the value that helm --namespac\
e ${r} get manifest ${s} shows`}))]}function di(e,t,n){let r=[...Y(t).filter(({manager:i,operation:c})=>i===gt&&c==="Apply").flatMap(i=>i.fields),...n.flatMap(i=>i.fields)],s={apiVersion:Cn,kind:"Pack\
age",metadata:{name:e}};for(let i of r){let c=$(t,i);c!=null&&lr(s,i,k(c)?{}:c)}return{why:"the value is the chart\u2019s, only its owner is not: apply it in the name of Helm",command:`printf %s ${te(
JSON.stringify(s))} | kubectl apply --server-side --force-conflicts --field-manager=${gt} --filename -`}}function Kt({now:e,set:t,fields:[n]}){return!e||e.path.length!==n?.length||e.value===null?!0:t===
void 0||JSON.stringify(e.value)!==JSON.stringify(t)}function fr(e,t){let n=Object.create(null);for(let{fields:o,set:r}of t)for(let s of o)lr(n,s,r);return`kubectl patch ${e} --type merge --patch ${te(
JSON.stringify(n))}`}function lr(e,t,n){let o=e;for(let s of t.slice(0,-1)){let i=Object.hasOwn(o,s)?o[s]:void 0,c=k(i)?i:Object.create(null);o[s]=c,o=c}let r=String(t.at(-1));k(n)&&k(o[r])||(o[r]=n)}
function fi(e){let t=e.filter(({kind:r,by:s})=>r==="taken"&&s.some(({manager:i})=>i===_)),n=e.filter(r=>r.kind==="doomed"||r.package===C),o=[...new Set(n.map(r=>r.package))];return[...t.map(r=>({why:`\
in the repository, take ${P(r.fields[0]??[])} out of the manifest of ${r.package}`})),...o.map(r=>({why:`in the repository, give the manifest of ${r} the annotation ${De}ssa: Merge`})),...t.length+o.length>
0?[{why:"commit that and push it"}]:[]]}function te(e){return/^[\w@%+=:,./-]+$/.test(e)?e:`'${e.replaceAll("'","'\\''")}'`}var li={taken:["taken","red"],lost:["lost","red"],doomed:["doomed","red"],shared:["shared","cyan"],odd:["odd","cyan"]},Yt={helm:"helm-controller",administrator:"the platform\u2019s administrator",flux:"\
kustomize-controller"},ui={Apply:"Helm applies the chart by server-side apply",Update:"Helm patches what changes in the chart, as on a cluster born before Cozystack 1.5"},mi=80,ur=4;function mr({audit:e,
recovery:t,facts:n},o){let r=ct(o.color),i=[...new Set(e.findings.map(a=>a.package))].flatMap(a=>[r(`Package ${y(a)}`,"bold"),...e.findings.filter(d=>d.package===a).flatMap(d=>pi(d,o,r)),""]),c=n.filter(
({source:a})=>a==="assumed").map(it);return[...i,r(bi(e),"bold"),...e.helm?[`  ${ui[e.helm]}`]:[],...c.map(a=>`  assumed: ${y(a)}`),...t.length>0?["",r("To restore it, in this order:","bold"),...t.flatMap(
$i)]:[],""].join(`
`)}function pi(e,t,n){let{kind:o,fields:r,assumes:s}=e,[i,c]=li[o],a=r.length-ur,l=`${r.slice(0,ur).map(j=>y(P(j))).join(", ")}${a>0?` and ${a} more`:""}`,f=o==="doomed"||o==="lost"&&!e.now?"":`: ${hi(
e)}`,[u=[]]=r,m=o==="taken"||o==="shared"?t.locate(e.package,u):void 0,p=m?`  ${y(m.file)}:${m.range.start.line}`:"",g=" ".repeat(10);return[`  ${n(i.padEnd(6),c)}  ${l}${f}${p}`,...gi(e).map(j=>`${g}${j}`),
...s.length>0?[`${g}only as far as the ${s.join(" and the ")} can be assumed`]:[]]}function hi({fields:[e=[]],now:t,set:n}){if(!t)return"";let o=Gt(t.value,t.path),r=t.path.length===e.length?o:`${o} s\
tands at ${y(P(t.path))}`;return n===void 0?r:ji(t.value,n)&&t.path.length===e.length?`${r}, as the platform sets it`:`${r}, where the platform sets ${Gt(n,e)}`}function gi({kind:e,owner:t,by:n,why:o,
set:r,fields:[s=[]],now:i}){let c=t?Yt[t]:"",a=n.map(wi).join(", "),d=o===void 0?[]:[y(o)];switch(e){case"taken":return[`from ${c} by ${a}`,...d];case"lost":{let l=r===void 0||i?"":`; the platform set\
s ${Gt(r,s)}`,f=i?.value===null?["null is what is left of a map that was taken and let go; Helm reads it as an order to delete the default"]:[];return[`it belongs to ${c}, and is not there${l}`,...f,...d]}case"\
doomed":return[`set by ${a}`,"Flux removes it when it next applies the Package, unless that has ssa: Merge"];case"shared":return[`of ${c}, and also of ${a}: nothing is lost while both set the same`];case"\
odd":return yi(t,a,i?.value??null)}}function yi(e,t,n){return e==="flux"?[`a label of Flux, but set by ${t}`]:e?[`no manager is recorded for it, though it belongs to ${Yt[e]}`]:n===null?["nobody has s\
et it: null is what is left of a map that was taken and let go; Helm reads it as an order to delete the default"]:[]}function wi({manager:e,operation:t,time:n}){return y(`${e} (${[t,n].filter(Boolean).
join(", ")})`)}function bi({packages:e,emitted:t,findings:n}){let o=`${pe(e,"Package")}, ${t} of them made by the platform chart`,r=(...a)=>n.filter(d=>X(d)&&a.includes(d.kind)).length,s=[[r("taken"),
"taken"],[r("lost"),"lost"],[r("doomed"),"about to be removed"]],i=n.length-n.filter(X).length,c=[...s.flatMap(([a,d])=>a>0?[`${a} ${d}`]:[]),...i>0?[pe(i,"notice")]:[]].join(", ");return n.some(X)?`${c}\
, in ${o}`:`Nothing is taken in ${o}${c&&`; ${c}`}`}function $i({why:e,command:t},n){return[`  # ${n+1}. ${y(e)}`,...t===void 0?[]:[`  ${pr(t)}`]]}function pr(e){return y(e)===e&&!Oi(e)?e:"# (not show\
n: it holds what looks secret)"}function Oi(e){return x(e)!==e}function Gt(e,t){return y(ae(JSON.stringify(Re(e,t)),mi))}function Re(e,t){return e!==null&&t.some(n=>xe(String(n)))?Pe:Array.isArray(e)?
e.map((n,o)=>Re(n,[...t,o])):e!==null&&typeof e=="object"?Object.fromEntries(Object.entries(e).map(([n,o])=>[n,Re(o,[...t,n])])):typeof e=="string"?x(e):e}function ji(e,t){return JSON.stringify(e)===JSON.
stringify(t)}function hr({audit:e,recovery:t,facts:n},{locate:o}){let{findings:r,...s}=e;return R({...s,facts:n.map(({name:i,value:c,source:a})=>({name:i,value:c,source:a})),findings:r.map(i=>{let{package:c,
kind:a,fields:d,now:l,set:f,owner:u,by:m,why:p,assumes:g}=i,[j=[]]=d,w=o(i.package,j);return{package:c,kind:a,serious:X(i),fields:d.map(O=>P(O)),...u&&{owner:Yt[u]},...l&&{value:Re(l.value,l.path),valueAt:P(
l.path)},...f!==void 0&&{set:Re(f,j)},by:m,assumes:g,...b({why:p}),...w&&{file:w.file,line:w.range.start.line}}}),recovery:t.map(({why:i,command:c})=>({why:i,...c!==void 0&&{command:pr(c)}}))})}async function Pi(e,t){let{values:n}=e,{home:o}=t;if(n.live===void 0==(n.kubeconfig===void 0))throw new h("audit of what? either --live FILE, made with kubectl get packages -o yaml --show-managed-fiel\
ds, or --kubeconfig FILE");if(n.context!==void 0&&n.kubeconfig===void 0)throw new h("--context needs --kubeconfig");let r=n.live??"the cluster",s=n.kubeconfig===void 0?he(r):await Si(n.kubeconfig,n.context,
o);if(!s.some(Fi))throw new h(`there is no Package of Cozystack in ${r}`);let i={from:r,data:yr(o,"schemas"),...b({release:n.release})};if(!vi(e))return gr(s,i,e,t);let c=A(t.stderr),a=await E(e,t,c);
return D(a,({clusters:d,trees:l})=>{c.stop();let f={cluster:ft(d,n),locator:new V(l)};return gr(s,i,e,t,f)}).finally(c.stop)}function gr(e,t,{values:n},o,r){let s=Xo(e,{...t,...r&&{known:r.cluster}}),
i=ir(s,r?.cluster.head.objects),c=[_e(s.facts.get("release"),s.contract),s.facts.get("variant")],a={audit:i,recovery:dr(i,s),facts:c},d={color:dt(n,o),locate:(l,f)=>xi(l,f,r)};return F(n.format?.at(-1)===
"json"?hr(a,d):mr(a,d),n,o),i.findings.some(X)?1:0}function xi(e,t,n){let r=(n?.cluster.head.objects.filter(z)??[]).find(({ref:s,value:i})=>s.name===e&&$(i,t)!==void 0);return r&&n?.locator.locate({object:r,
path:t}).at}function vi({directory:e,values:t}){return e!=="."||t.config!==void 0||t.path!==void 0?!0:[Fn,".git",...oo,"clusters"].some(o=>ki(yr(e,o)))}function Fi({apiVersion:e,kind:t}){return z({ref:{
apiVersion:String(e),kind:String(t),name:""}})}var Ri=120;async function Si(e,t,n){try{let o=await No(n,e,t);return await Wo(o,AbortSignal.timeout(Ri*1e3))}catch(o){throw o instanceof Mo?new h(o.message):
o}}import{existsSync as sa,readdirSync as ia,statSync as aa}from"node:fs";import{join as ca,resolve as da}from"node:path";import{finished as Ii}from"node:stream/promises";import{setTimeout as Di}from"node:timers/promises";import Pr from"node:http";import xr from"node:https";import{connect as Ji}from"node:tls";function wr(e){let t=e.protocol==="https:";if(Ci(e))return;let n=t?process.env.https_proxy||process.env.HTTPS_PROXY:process.env.http_proxy||process.env.HTTP_PROXY;if(n)try{return new yt(n)}catch{if(!n.
startsWith("http://")&&!n.startsWith("https://"))return new yt(`http://${n}`)}else return}function Ci(e){if(!e.hostname)return!1;let t=e.hostname;if(Ei(t))return!0;let n=process.env.no_proxy||process.
env.NO_PROXY||"";if(!n)return!1;let o;e.port?o=Number(e.port):e.protocol==="http:"?o=80:e.protocol==="https:"&&(o=443);let r=[e.hostname.toUpperCase()];typeof o=="number"&&r.push(`${r[0]}:${o}`);for(let s of n.
split(",").map(i=>i.trim().toUpperCase()).filter(i=>i))if(s==="*"||r.some(i=>i===s||i.endsWith(`.${s}`)||s.startsWith(".")&&i.endsWith(`${s}`)))return!0;return!1}function Ei(e){let t=e.toLowerCase();return t===
"localhost"||t.startsWith("127.")||t.startsWith("[::1]")||t.startsWith("[0:0:0:0:0:0:0:1]")}var yt=class extends URL{constructor(t,n){super(t,n),this._decodedUsername=decodeURIComponent(super.username),
this._decodedPassword=decodeURIComponent(super.password)}get username(){return this._decodedUsername}get password(){return this._decodedPassword}};import{lookup as Ai}from"node:dns";import{BlockList as Xt,isIP as br}from"node:net";var wt=new Xt;for(let[e,t]of[["0.0.0.0",8],["10.0.0.0",8],["100.64.0.0",10],["127.0.0.0",8],["169.254.0.0",16],["172\
.16.0.0",12],["192.0.0.0",24],["192.0.2.0",24],["192.88.99.0",24],["192.168.0.0",16],["198.18.0.0",15],["198.51.100.0",24],["203.0.113.0",24],["224.0.0.0",3]])wt.addSubnet(e,t,"ipv4");for(let[e,t]of[[
"2001::",23],["2001:db8::",32],["2002::",16],["3fff::",20]])wt.addSubnet(e,t,"ipv6");var $r=new Xt;$r.addSubnet("2000::",3,"ipv6");var Or=new Xt;Or.addSubnet("64:ff9b::",96,"ipv6");function Se(e){let t=br(
e);return t===4?!wt.check(e,"ipv4"):t!==6||e.includes("%")?!1:Or.check(e,"ipv6")?Se(Li(e)):$r.check(e,"ipv6")&&!wt.check(e,"ipv6")}function Li(e){let t=new URL(`http://[${e}]`).hostname.slice(1,-1),[n="\
0",o="0"]=t.split(":").slice(-2),r=Number.parseInt(n||"0",16)<<16|Number.parseInt(o||"0",16);return[24,16,8,0].map(s=>r>>>s&255).join(".")}var ge=class extends Error{name="AddressError"};function jr(e,t){
let n=e.startsWith("[")?e.slice(1,-1):e;if(br(n)!==0&&!t(n))throw new ge(n)}function kr(e){return(t,n,o)=>{Ai(t,{...n,all:!0},(r,s)=>{if(r)return o(r,"",0);let i=s.find(({address:c})=>!e(c));if(i)return o(
new ge(i.address),"",0);if(n.all)return o(null,s);o(null,s[0]?.address??"",s[0]?.family)})}}var B=class extends Error{constructor(n,o){super(n);this.after=o}after;name="BrokenError"};async function Zt(e,t,n){let o=Mi(e,n);try{jr(e.hostname,o);let r=wr(e),s=r&&e.protocol==="https:"?await Wi(r,
e,n):void 0;return await Ni(e,t,n,{wants:o,through:s})}catch(r){throw Qt(r,e,n)}}function Mi(e,{allowPrivate:t,hosts:n}){if(!n.has(e.host))throw new h(`${e.host} is no host of this registry; --allow-h\
ost ${e.host} allows it`);let o=e.protocol==="http:";if(e.protocol!=="https:"&&!(o&&t))throw new h(`${e.origin}: only https is spoken; --allow-private allows http to private addresses`);return o?r=>!Se(
r):r=>t||Se(r)}function Ni(e,t,{silence:n,signal:o},{wants:r,through:s}){return new Promise((i,c)=>{let d=(e.protocol==="https:"?xr.request:Pr.request)(e,{headers:{"user-agent":"customizer-lint","acce\
pt-encoding":"identity",...t},lookup:kr(r),timeout:n,signal:o,...s?{defaultPort:443,createConnection:()=>Ji({socket:s,servername:e.hostname})}:{agent:!1}}),l;d.on("timeout",()=>(l??d).destroy(new B(`${e.
host} sent nothing for ${n/1e3} s`))),d.on("error",c).on("response",f=>{l=f,i(f)}),d.end()})}function Wi(e,t,{silence:n,signal:o}){return new Promise((r,s)=>{let i=e.protocol==="https:"?xr.request:Pr.
request,c=`${t.hostname}:${t.port||443}`,a=e.username?`${e.username}:${e.password}`:void 0,d=i({host:e.hostname,port:e.port||(e.protocol==="https:"?443:80),method:"CONNECT",path:c,agent:!1,headers:{host:c,
...a!==void 0&&{"proxy-authorization":`Basic ${Buffer.from(a).toString("base64")}`}},timeout:n,signal:o});d.on("timeout",()=>d.destroy(new B(`the proxy ${e.host} sent nothing`))),d.on("error",s).on("c\
onnect",({statusCode:l},f)=>{if(l===200)return r(f);f.destroy(),s(new h(`the proxy ${e.host} does not connect to ${c} (${l})`))}),d.end()})}var Bi=["ECONNRESET","ERR_STREAM_PREMATURE_CLOSE","ECONNABOR\
TED","ETIMEDOUT","EPIPE","EAI_AGAIN","ENETUNREACH","EHOSTUNREACH"];function Qt(e,t,{signal:n}){if(e instanceof B||e instanceof h)return e;if(n.aborted)return new B("the time is up");if(e instanceof ge)
return new h(`${t.host} is ${e.message}, ${Ti(t,e.message)}`);let{code:o="",message:r}=e;return Bi.includes(o)?new B(`the connection to ${t.host} broke (${o})`):new h(`${t.host} cannot be asked: ${r||
o}`)}function Ti({protocol:e},t){return e==="http:"&&Se(t)?"an address of the internet, where only https is spoken":"no address of the internet; --allow-private allows it"}var zi={"ghcr.io":["pkg-containers.githubusercontent.com"]};function Sr(e,t){return new Set([e.host,...zi[e.host]??[],...t])}var vr=4,Ui=[1,3,9],_i=30,Fr=5,Hi=1<<20,bt=class{constructor(t,n){this.reference=
t;this.options=n;this.#t=new URL(`/v2/${t.repository}/`,t.registry)}reference;options;#e;#t;bytes(t,n,o){return this.patiently(t,async()=>{let r=await this.get(t,{accept:n});if(r.response.statusCode!==
200)throw this.#n(r,t);return Rr(r,o,t,this.options.network)})}async get(t,n){let o=new URL(t,this.#t),r=await this.#r(o,n);return r.response.statusCode!==401||r.url.host!==o.host?r:(r.response.destroy(),
await this.#i(String(r.response.headers["www-authenticate"]??"")),this.#r(o,n))}async patiently(t,n){let{network:o,say:r,second:s=1e3}=this.options;for(let i=1;;i+=1)try{return await n(i)}catch(c){if(!(c instanceof
B)||o.signal.aborted)throw c;let a=c.after??Ui[i-1]??0;if(i===vr||a>_i)throw new h(`${t} could not be had in ${i} ${i===1?"try":"tries"}: ${c.message}`);r(`${c.message}; trying again (${i} of ${vr-1})`),
await Di(a*s,void 0,{signal:o.signal})}}#n(t,n){let{response:o,url:r}=t;o.destroy();let s=o.statusCode??0;return s===429||s===408||s>=500?new B(`${r.host} answered ${s}`,Vi(o.headers["retry-after"])):
s===404?new h(`${r.host} has no ${n} in ${this.reference.repository} (404)`):s===401||s===403?new h(`${r.host} does not allow it (${s}); ${this.#o()}`):new h(`${r.host} answered ${s} where ${n} was as\
ked for`)}#o(){let{basic:t,words:n}=this.options.credentials;return t===void 0?n:`the credentials are those of ${n}`}expect(t,n,o){if(!o.includes(t.response.statusCode??0))throw this.#n(t,n)}async#r(t,n){
let o=t;for(let r=0;;r+=1){let s=o.origin===this.reference.registry.origin?this.#e:void 0,i=await Zt(o,{...n,...s&&{authorization:s}},this.options.network),{location:c}=i.headers;if(![301,302,303,307,
308].includes(i.statusCode??0)||c===void 0)return{response:i,url:o};if(i.destroy(),r===Fr)throw new h(`${t.host} leads on more than ${Fr} times`);o=this.#s(c,o)}}#s(t,n){let o=URL.canParse(t,n.href)?new URL(
t,n):void 0;if(o===void 0||o.username!==""||o.password!=="")throw new h(`${n.host} leads on to what is no address`);if(n.protocol==="https:"&&o.protocol!=="https:")throw new h(`${n.host} leads on to ${o.
host} without TLS`);if(!this.options.network.hosts.has(o.host))throw new h(`${n.host} leads on to ${o.host}, which is not known to belong to it; --allow-host ${o.host} allows it`);return o}async#i(t){
let{basic:n}=this.options.credentials,o=this.reference.registry.host,r=/\brealm="([^"]*)"/i.exec(t)?.[1],s=/\bservice="([^"]*)"/i.exec(t)?.[1];if(/\bbearer /i.test(t)&&r!==void 0){this.#e=`Bearer ${await this.
patiently(`a token of ${o}`,()=>this.#a(r,s))}`;return}if(!/^basic\b/i.test(t))throw new h(`${o} asks for a kind of login that is not known`);if(n===void 0)throw new h(`${o} asks for a user and a pass\
word; ${this.#o()}`);this.#e=`Basic ${n}`}async#a(t,n){let{network:o,credentials:r}=this.options,{registry:s,repository:i}=this.reference,c=this.#s(t,s);n!==void 0&&c.searchParams.set("service",n),c.searchParams.
set("scope",`repository:${i}:pull`);let{basic:a}=r,d={accept:"application/json",...a&&{authorization:`Basic ${a}`}},l={response:await Zt(c,d,o),url:c};this.expect(l,"a token",[200]);let f=So(await Rr(
l,Hi,"the token",o),`the token of ${c.host}`),u=L(f,["token"])??L(f,["access_token"]);if(u===void 0||!/^[\x21-\x7e]+$/.test(u))throw new h(`${c.host} gives no token`);return u}};function Vi(e){return e!==
void 0&&/^\d{1,9}$/.test(e)?Number(e):void 0}async function en({response:e,url:t},{most:n,what:o,network:r},s){let i=0,c;e.on("data",a=>{i+=a.length;try{if(i>n)throw new h(`${t.host} sends more than ${n}\
 bytes for ${o}`);s(a)}catch(d){c??=d,e.destroy()}}),await Ii(e).catch(a=>{throw c??Qt(a,t,r)})}async function Rr(e,t,n,o){let r=[];return await en(e,{most:t,what:n,network:o},s=>r.push(s)),Buffer.concat(
r)}import{readFileSync as qi}from"node:fs";import{homedir as Ki}from"node:os";import{join as Cr}from"node:path";function Er(e,t){let{where:n,text:o}=Gi(t);if(o===void 0)return{words:`there is no ${n}`};let r=Yi(o,n),s=$(r,["auths"]),i=k(s)?Object.entries(s).find(([l])=>Xi(l)===e)?.[1]:void 0,c=i===void 0?void 0:
Zi(i);if(c!==void 0)return{basic:c,words:n};let d=L(r,["credHelpers",e])??L(r,["credsStore"])?", and the helper that it names is not started":"";return{words:`${n} has no user and password for ${e}${d}`}}
function Gi(e){let{DOCKER_AUTH_CONFIG:t,DOCKER_CONFIG:n,HOME:o}=e;if(t)return{where:"DOCKER_AUTH_CONFIG",text:t};let r=Cr(n||Cr(o||Ki(),".docker"),"config.json");try{return{where:r,text:qi(r,"utf8")}}catch(s){
let{code:i}=s;if(i==="ENOENT"||i==="ENOTDIR")return{where:r,text:void 0};throw s}}function Yi(e,t){try{return JSON.parse(e)}catch{throw new h(`${t} is not JSON`)}}function Xi(e){return e.replace(/^https?:\/\//,
"").split("/")[0]??""}function Zi(e){let t=L(e,["auth"]);if(t&&/^[A-Za-z0-9+/]+=*$/.test(t))return t;let[n,o]=[L(e,["username"]),L(e,["password"])];return n&&o?Buffer.from(`${n}:${o}`).toString("base6\
4"):void 0}import{createHash as Lr}from"node:crypto";import{closeSync as Qi,ftruncateSync as ea,openSync as ta,writeSync as na}from"node:fs";async function Jr(e,t,n){let o=new bt(e,n),r=`manifests/${e.digest}`,s=await o.bytes(r,`${vo}, ${Fo};q=0.5`,Ro),{config:i,layer:c}=Co(s,e.digest,n.most);Jo(t,s);for(let a of new Map([i,c].map(d=>[d.digest,
d])).values())await oa(o,a,Lo(t,a.digest),n);return c.size}async function oa(e,t,n,o){let r=ta(n,"w"),s={file:r,hash:Lr("sha256"),done:0};try{await e.patiently(`the blob ${t.digest}`,()=>ra(e,t,s,o));
let i=`sha256:${s.hash.digest("hex")}`;if(i!==t.digest)throw new h(`what the registry sent as ${t.digest} has the digest ${i}`)}finally{Qi(r)}}async function ra(e,{digest:t,size:n},o,{network:r}){let s=`\
blobs/${t}`,i=o.done;if(i===n)return;let c=await e.get(s,i>0?{range:`bytes=${i}-`}:{}),{response:a,url:d}=c;if(a.statusCode===416)throw a.destroy(),Ar(o),new B(`${d.host} has no part of ${s} from byte\
 ${i} on`);e.expect(c,s,i>0?[200,206]:[200]);let{"content-range":l="","content-length":f}=a.headers;if(a.statusCode===200)Ar(o);else if(!l.startsWith(`bytes ${i}-`))throw a.destroy(),new h(`${d.host} \
sends another part of ${s} than was asked for`);let u=n-o.done;if(f!==void 0&&Number(f)!==u)throw a.destroy(),new h(`${d.host} has ${f} bytes of ${s}, and the manifest says ${u}`);if(await en(c,{most:u,
what:s,network:r},m=>{na(o.file,m,0,m.length,o.done),o.hash.update(m),o.done+=m.length}),o.done<n)throw new B(`${d.host} sent ${o.done} of ${n} bytes of ${s}`)}function Ar(e){ea(e.file),Object.assign(
e,{hash:Lr("sha256"),done:0})}var fa="charts pull RELEASE, e.g. charts pull v1.6.2",la=300,ua=30;async function ma({operands:[e,t,...n],values:o},r){if(e!=="pull"||t===void 0)throw new h(`what of charts? ${fa}`);if(n.length>0)throw new h(
`one at a time: "${t}" or "${n[0]}"?`);let s=Wt(t)?Oo(ca(r.home,"schemas"),t):t,i=Po(s),c=o.registry===void 0?i:xo(i,o.registry),a=o.output===void 0?jo(r.env,i.digest):da(o.output),d=l=>{o.quiet||r.stderr.
write(`customizer-lint: ${y(l)}
`)};if(await pa(a,i))d("they were pulled before");else{o.output!==void 0&&ha(a);let l=await ga(c,a,{values:o,program:r,say:d});d(`pulled ${(l/2**20).toFixed(1)} MiB from ${c.registry.host}; --charts t\
akes the directory${Wt(t)&&o.output===void 0?` or "${t}"`:""}`)}return r.stdout.write(`${y(a)}
`),0}async function pa(e,{digest:t}){if(!Ao(e))return!1;try{return await Bt(e,t),!0}catch(n){if(n instanceof h)return!1;throw n}}function ha(e){if(sa(e)&&(!aa(e).isDirectory()||ia(e).length>0))throw new h(
`${e} is there already, and is not this artifact`)}async function ga(e,t,{values:n,program:o,say:r}){let s=ya(n["max-seconds"]),{registry:i,digest:c}=e,a={allowPrivate:n["allow-private"]===!0,hosts:Sr(
i,n["allow-host"]??[]),silence:ua*1e3,signal:AbortSignal.timeout(s*1e3)},d=Er(i.host,o.env);return ko(t,async l=>{try{let f=await Jr(e,l,{network:a,credentials:d,say:r,most:Eo});return await Bt(l,c,`t\
he artifact ${c}`),f}catch(f){throw a.signal.aborted?new h(`${i.host} was not done in ${s} s; --max-seconds allows more`):f}})}function ya(e){if(e===void 0)return la;if(!/^\d{1,5}$/.test(e)||Number(e)===
0)throw new h(`--max-seconds ${e}: a number of seconds from 1 is needed`);return Number(e)}var Ce={bash:ba,zsh:$a,fish:ja},oe=Object.keys(Te);async function wa({operands:[e]},{stdout:t}){if(e===void 0||!Object.hasOwn(Ce,e))throw new h(`completion of which shell? ${Object.keys(Ce).join(", ")}`);
return t.write(Ce[e]()),0}function $t({name:e,accepts:t}){let{accepts:n}=Be[e],o=H.map(({id:r})=>r);return e==="rule"?o:e==="select"||e==="ignore"?[...Object.keys(lt),...o]:t??n??[]}function ba(){let e=oe.
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
`}function ne(e){return`'${e.replaceAll("'","'\\''")}'`}function $a(){let e=oe.map(n=>`    ${ne(`${n}:${Te[n].summary.replaceAll(":",",")}`)}`),t=oe.map(n=>{let o=je(n).map(c=>ne(`--${c.name}${Oa(c)}`)),
r=n==="rules"?` '1:rule:(${H.map(({id:c})=>c).join(" ")})'`:"",s=n==="charts"?" '1:what:(pull)'":"",i=n==="completion"?` '1:shell:(${Object.keys(Ce).join(" ")})'`:"";return`    ${n}) _arguments ${o.join(
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
`}function Oa(e){let{type:t}=Be[e.name],n=$t(e),o=Et(e).replace(/[[\]:]/g," ");return t==="boolean"?`[${o}]`:`=[${o}]:value:${n.length>0?`(${n.join(" ")})`:"_files"}`}function ja(){let e=`not __fish_s\
een_subcommand_from ${oe.join(" ")}`,t=oe.flatMap(r=>{let s=r==="check"?e:`__fish_seen_subcommand_from ${r}`;return[`complete -c customizer-lint -n ${ne(e)} -a ${r} -d ${ne(Te[r].summary)}`,...je(r).map(
i=>{let{type:c}=Be[i.name],a=$t(i),d=c==="boolean"?"":a.length>0?` -x -a ${ne(a.join(" "))}`:" -r";return`complete -c customizer-lint -n ${ne(s)} -l ${i.name}${d} -d ${ne(Et(i))}`})]}),n=`complete -c \
customizer-lint -n '__fish_seen_subcommand_from rules' -f -a ${ne(H.map(({id:r})=>r).join(" "))}`;return`# fish completion of customizer-lint
${[...t,n,"complete -c customizer-lint -n '__fish_seen_subcommand_from charts' -f -a pull"].join(`
`)}
`}async function ka(e,t){let{values:n}=e,o=A(t.stderr),r=n.live===void 0?[]:he(n.live),s=n.charts===void 0?void 0:await me(n.charts,t),i=await E(e,t,o),{home:c,engine:a}=i;return D(i,async d=>{let{clusters:l,
rendered:f,trees:u,server:m,budget:p}=d,g=ee(l,n),j=Ye(d,i),w={live:r,said:j,fresh:n.fresh===!0,progress:o.say},O=new V(u),M=await Bo(g,w,m,(T,St)=>To(T,St,O)),S=We(()=>de(u,f)),q={home:c,budget:p,server:m,
trees:u,secrets:S,...b({engine:a})},N=s&&await $o(g,{store:s,progress:o.say},q);o.stop(),N?.diffs.length===0&&t.stderr.write(`nothing changes below the Packages
`);let U=fe(M,new Set([...S(),...N?.secrets??[]]));F(Pa({diffs:U,charts:N?.diffs??[]},n,t),n,t);let ie=f.head.filter(({ok:T})=>!T).map(({entrypoint:T})=>T.path);for(let T of ie)t.stderr.write(`warning\
  ${y(T)} cannot be built, so Flux applies nothing of it
`);return ie.length>0||M.some(({objects:T})=>T.length>0)?1:0}).finally(o.stop)}function Pa({diffs:e,charts:t},n,o){let r=n.format?.at(-1);if(r==="json")return R(n.charts===void 0?zt(e):{diffs:zt(e),charts:t});
if(r==="markdown")return`${[...Ho(e,Number.POSITIVE_INFINITY),...Uo(t,Number.POSITIVE_INFINITY)].join(`

`)}
`;let s=dt(n,o);return[_o(e,{color:s}),...t.length>0?[zo(t,{color:s})]:[]].join(`
`)}import{isDeepStrictEqual as xa}from"node:util";async function Ee(e,t,n){let o=await e.render(t,n.world,0,{definitions:!0});return"failed"in o?{failed:o.failed}:Mr(o.objects,t,n)}function Mr(e,{namespace:t},n){return e.map(o=>{let r=bo(o.object,t,n.
schemas);return{...o,object:r,id:W(I(r))}})}function va(e,t){let n=new Map(t.map(a=>[a.id,a])),o=new Set(e.map(({id:a})=>a)),r=Fa(e.filter(({id:a})=>!n.has(a)),t.filter(({id:a})=>!o.has(a))),s=new Set(
[...r.values()]),i=e.flatMap(a=>{let d=n.get(a.id)??r.get(a);if(!d)return[{made:a,whole:"there",fields:[]}];let l=yo(d.object,a.object);return l.length>0?[{made:a,other:d,fields:l}]:[]}),c=t.filter(a=>!o.
has(a.id)&&!s.has(a));return[...i,...c.map(a=>({made:a,whole:"absent",fields:[]}))]}function Fa(e,t){let n=({template:s,object:i})=>JSON.stringify([s,i.apiVersion,i.kind]),o=re(t,n),r=[...re(e,n)].flatMap(
([s,i])=>{let c=o.get(s)??[];return c.length===i.length?i.map((a,d)=>[a,c[d]]):[]});return new Map(r)}async function jt(e,{side:t,release:n},o,r){let s=c=>e.readsCluster(c.chart)?c:{...c,values:{...c.
values,_cluster:null}};if(!r||xa(s(r),s(n)))return[];let i=await e.render(r,t.world,0,{keeps:!1,definitions:!0});return"failed"in i?i:va(o,Mr(i.objects,r,t))}async function Nr(e,t,n,o){let{object:r,release:s,
side:i}=t,c=$(r.value,n),a=await Ee(e,s,i);if("failed"in a)return Ra(e,t,n,a.failed);let d=c===void 0?[]:await Wr(e,t,a,n);if(Array.isArray(d)&&d.length>0)return{effect:"decides",objects:d};let l=await Br(
e,t,a,n,c??o);return"failed"in d?{effect:"needed",why:ue(d.failed),objects:l.objects}:l.objects.length>0?{effect:"decides",objects:l.objects,isDefault:!0}:{effect:l.fails?"unknown":"none"}}function Wr(e,t,n,o){
let r=Fe(t.object.value,[o]);return jt(e,t,n,le(t.side,t.release,r))}async function Br(e,{side:t,object:n,release:o},r,s,i){let c=i===void 0?[]:kt(i),a=c.length===0;for(let d of c){let l=le(t,o,Qe(n.value,
s,d)),f=await jt(e,{side:t,object:n,release:o},r,l);if(Array.isArray(f)){if(f.length>0)return{objects:f,fails:!1};a=!0}}return{objects:[],fails:!a}}async function Ra(e,{side:t,object:n,release:o},r,s){
let i=ue(s),c=le(t,o,Fe(n.value,[r])),a=c&&await e.render(c,t.world,0,{keeps:!1});return{effect:"fails",why:i,isCause:!a||!("failed"in a)||ue(a.failed)!==i}}async function Tr(e,t,n,o){let{objects:r}=await Br(
e,t,n,o,$(t.object.value,o));if(r.length>0)return r;let s=await Wr(e,t,n,o);return Array.isArray(s)?s:[]}function kt(e){return typeof e=="boolean"?[!e]:typeof e=="number"?[e+1]:typeof e=="string"?e===
""?["other"]:[Sa(e),""]:Array.isArray(e)?e.length===0?[["other"]]:[Ot(e),[]]:k(e)?[Ot(e)]:[]}function Ot(e){if(Array.isArray(e))return e.map(Ot);if(!k(e))return kt(e)[0]??e;let t=Object.entries(e);return t.
length===0?{other:"other"}:Object.fromEntries(t.map(([n,o])=>[n,Ot(o)]))}function Sa(e){return/\d/.test(e)?e.replace(/\d/,t=>String(Number(t)%9+1)):`${e}x`}var Ca=.2;function ye({left:e,limits:t}){return e<
t.seconds*Ca}async function Ir(e,t,n){let o=new Map,r=new Set,s=0,i=new Map(e.map(({cluster:c,fields:a})=>[c,a]));return await nt([...i.keys()],t,n,async(c,a)=>{let d=await Ze(c,a.head,n.trees.head),{releases:l}=st(
d),f=[];for(let{object:u,paths:m}of i.get(a)??[]){let p=new Map;o.set(u,p);for(let g of m){let j=l.find(O=>O.object===u&&Ea(g,O.release))?.release;if(!j)continue;if(ye(n.budget)){s+=1;continue}let w=await La(
c,{side:d,object:u,release:j},g);w&&p.set(JSON.stringify(g),w)}for(let{release:g}of l.filter(j=>j.object===u))f.push(...await Aa(c,g,d))}for(let u of et(ot(a),f,rt(d)))r.add(u)}),{of:(c,a)=>o.get(c)?.
get(JSON.stringify(a)),secrets:r,left:s}}function Ea(e,t){let n=ke(t);return e.length>n.length&&v(e,n)}async function Aa(e,t,n){let o=await Ee(e,t,n);return"failed"in o?[]:o.map(({object:r})=>r).filter(
tt)}async function La(e,t,n){let{object:o,release:r,side:s}=t,i=$(o.value,n)??po(s,r,n)??await Ja(e,r,n);if(i===void 0||k(i)&&Object.keys(i).length>0)return;let c=await Nr(e,t,n,i),a={release:ze(r).release};
if(!("objects"in c))return{...a,...c};let d=c.effect==="needed"||c.isDefault===!0;return{...a,...c,objects:c.objects.map(l=>Ma(l,d))}}async function Ja(e,t,n){let o=await e.load(t.chart);return"failed"in
o?void 0:$(o.values,n.slice(ke(t).length))}function Ma({made:{object:e},other:t,whole:n,fields:o},r){let s=I(e),i=wo(s,[t?.object??e,e],o),c=o.map(({path:a})=>a);return{ref:s,...n?{whole:n}:b({restarts:lo(
e,c)}),fields:r?i.map(({before:a,...d})=>d):i}}var tn={owner:"nobody",customizer:"set"};function Dr(e,t,n){if(z(e))return Na(e.ref.name,t,n);if(!En(e))return;let{name:o}=e.ref;return t[0]!=="spec"||!n.contract.catalog.source(o)?tn:{owner:o===C?"pl\
atform administrator":"platform chart",customizer:"never",why:"the PackageSource comes with the release, and its variants are one list"}}function Na(e,t,n){let{contract:o,facts:r,snapshot:s,head:i}=n,
c={contract:o,facts:r,snapshot:s,objects:i.objects};if(qn(e,c)===!1)return{...tn,why:"the platform makes no such Package"};let a=qe(e,c).find(({field:p})=>v(t,p)||v(p,t));if(a){let{set:p,when:g,knob:j,
atInstall:w,why:O,dead:M}=a,S=M??O;return{owner:"platform chart",customizer:"never",field:a.field,...b({why:S,set:p}),...b({when:g}),...b({knob:j,atInstall:w})}}let d=t.findIndex(p=>typeof p=="number"),
l=o.ownership.rowFor(e,d<0?t:t.slice(0,d));if(!l)return tn;let{owner:f,customizer:u,why:m}=l;return{owner:f,customizer:u,...f!=="customizer"&&{why:m}}}var Wa=160,Pt={objects:10,fields:10};function Vr(e){let t=`HelmRelease ${e.release}`;switch(e.effect){case"none":return[`${t}: no object changes with it`];case"unknown":return[`${t}: no object changes\
 without it, and with another value the chart fails`];case"fails":return[`${t}: its chart fails ${e.isCause?"with this value":"whatever it is"}: ${zr(e)}`];case"needed":{let n=e.objects.length>0?[`  ${Ur(
e.objects)}`]:[];return[`${t}: without it the chart fails: ${zr(e)}`,...n,..._r(e.objects)]}case"decides":{let n=e.isDefault?"; the chart has the same by default":"";return[`${t}: ${Ur(e.objects)}${n}`,
..._r(e.objects)]}}}function zr({why:e}){return ae(x(e),Wa)}function Ur(e){let t=e.filter(({whole:c})=>!c),n=t.reduce((c,a)=>c+a.fields.length,0),o=e.length-t.length,r=e.filter(({restarts:c})=>c!==void 0).
length,i=`${[...o>0?[`${Ae(o,"object")} as a whole`]:[],...n>0?[`${Ae(n,"field")} of ${Ae(t.length,"object")}`]:[]].join(" and ")} ${o+n===1?"depends":"depend"} on it`;return r===0?i:`${i}; the pods o\
f ${Ae(r,"workload")} restart when it changes`}function Ae(e,t){return`${e} ${t}${e===1?"":"s"}`}function _r(e){return[...e.slice(0,Pt.objects).flatMap(({ref:n,whole:o,fields:r,restarts:s})=>{let i=`${n.
kind} ${n.namespace?`${n.namespace}/`:""}${n.name}`;if(o)return[`  ${i} is ${o==="there"?"":"not "}made because of it`];let c=s===void 0?"":`: its pods restart when it changes (${s})`,a=r.filter(({path:l})=>!uo(
l)),d=a.slice(0,Pt.fields).map(l=>`    ${Ba(l)}`);return[`  ${i}${c}`,...d,...Hr(a.length-Pt.fields,"field","    ")]}),...Hr(e.length-Pt.objects,"object","  ")]}function Hr(e,t,n){return e>0?[`${n}and\
 ${Ae(e,`more ${t}`)}`]:[]}function Ba({path:e,before:t,after:n}){let o=P(e);if(n===void 0)return`${o} is not set${t===void 0?"":`, without it ${Dt(t)}`}`;if(t===void 0)return`${o} = ${Dt(n)}`;let[r,s]=at(
t,n);return`${o} = ${s}, without it ${r}`}function qr({release:e,...t}){let{effect:n}=t;return{release:e,effect:n,..."why"in t&&{why:x(t.why)},..."isCause"in t&&{isCause:t.isCause},..."isDefault"in t&&
{isDefault:!0},..."objects"in t&&{objects:t.objects.map(({ref:o,whole:r,restarts:s,fields:i})=>({...o,...b({whole:r,restarts:s}),fields:i.map(({path:c,before:a,after:d})=>({path:c,...b({value:d,without:a})}))}))}}}function Kr(e){return e.map(({object:t,cluster:n,fate:o,fields:r})=>({id:W(t.ref),...t.ref,entrypoint:t.entrypoint,...b({cluster:n}),action:o.action,...o.why!==void 0&&{why:x(o.why)},...o.unsure!==void 0&&
{unsure:x(o.unsure)},fields:r.map(s=>Ta(s,t))}))}function Ta(e,t){let{path:n,written:o,contract:r,removal:s,fate:i}=e,c=(a,d,l=n)=>d===void 0?{}:{[a]:G(t,l,d)};return{path:n,...o&&{...c("value",o.value),
...o.removed&&{removed:!0},setBy:o.setBy,...b({alias:o.alias})},...r&&{contract:{...r,...c("set",r.set)}},...i&&Ia(e,i,c),...s&&{remove:{outcome:s.outcome,...s.why!==void 0&&{why:x(s.why)},...c("after",
s.after),...b({owners:s.owners}),others:s.others.map(a=>({path:a.path,...c("before",a.before,a.path),...c("after",a.after,a.path)}))}},...e.below&&{below:qr(e.below)}}}function Ia({sentAs:e},t,n){let{
outcome:o,path:r,from:s,ownersBefore:i,ownersAfter:c,replaced:a}=t;return{ownersBefore:i,ownersAfter:c,apply:{outcome:o,...n("before",t.before,r),...n("after",t.after,r),...s.length>0&&{from:s},...a&&
{replaced:{path:a.path,...n("value",a.value,a.path)}},...b({as:e})}}}var xt=Ne(Ie(),1);function*Le(e,t){let n=new Map(e.map(r=>[r.index,r])),o=(r,s,i)=>({entrypoint:r.entrypoint,object:r.ref,path:s,by:i[0]?.by??null,derivedFrom:(i[0]?.derivedFrom??[]).flatMap(c=>{let a=n.get(c.object);return a?
[{object:a.ref,path:c.path}]:[]}),writers:i.map(({by:c,from:a})=>({by:c,from:a.flatMap(d=>{let l=t.origin(d,r.revision);return l?[nn(l,"exact")]:[]})}))});for(let r of e){for(let s of Gr(r,[])){let{at:i,
precision:c}=t.locate({object:r,path:s,part:"value"}),a=$(r.value,s)??null;yield{...o(r,s,r.writers(s,"value")),value:a,...nn(i,c)}}for(let{path:s,by:i}of r.removed()){let{at:c,precision:a}=t.locate({
object:r,path:s,removedBy:i});yield{...o(r,s,i),removed:!0,...nn(c,a)}}}}function*Gr(e,t){let n=$(e.value,t);if(n===null||typeof n!="object"||Object.keys(n).length===0){yield t;return}let o=e.children(
t),r=Array.isArray(n)?[...n.keys()]:Object.keys(n);for(let s of o?.length===r.length?o:r)yield*Gr(e,[...t,s])}function nn({file:e,range:t},n){let{start:o,end:r}=t;return{file:e,line:o.line,column:o.column,
endLine:r.line,endColumn:r.column,precision:n}}function Yr(e,t){let n=new xt.Document(e.value);for(let{path:o,removed:r,file:s,line:i,precision:c}of Le([e],t)){let a=c==="file"?`${s}`:`${s}:${i}`,d=r?
n.contents:n.getIn(o,!0);if(!(0,xt.isNode)(d))continue;let l=c==="exact"?` by ${y(a)}`:"";r?d.comment=[d.comment,` ${P(o)} removed${l}`].filter(Boolean).join(`
`):d.comment=` ${y(a)}`}return n.toString({lineWidth:0})}import{isDeepStrictEqual as Ha}from"node:util";import{isDeepStrictEqual as Zr}from"node:util";var Je="kustomize-controller";function on(e,t){let n=W(e.ref),o=Xn(e.ref),r=t.outcomes.find(({ref:l})=>W(l)===n),s={action:"refused",why:r?.why??"",...b({unsure:r?.unsure})};if(!ce(e))return r?.action===
"refused"?s:{action:"skipped",why:"the manifest tells Flux to leave it alone"};let i=t.unknown.find(({what:l})=>l===o);if(i)return{action:"unknown",...b({why:i.why,unsure:i.unsure})};if(r?.action==="r\
efused")return s;if(r?.action==="created")return{action:"created"};if(r?.action==="deleted")return{action:"deleted",...b({why:r.why})};let d=t.reconciles.filter(({path:l})=>l===e.entrypoint).flatMap(({
first:l,second:f})=>[f,l]).flatMap(({changes:l})=>l).find(({ref:l})=>W(l)===n);return d?.action==="skipped"?{action:"skipped",why:"it is there, and is told to be left alone"}:d?{action:r?.action==="ch\
anged"?"changed":"unchanged"}:Da(e,t)}function Da({entrypoint:e},{reconciles:t,applied:n}){let o=t.filter(({path:a})=>a===e).flatMap(({first:a,second:d})=>[d,a]),r=o.flatMap(a=>a.refused.map(({ref:d})=>kn(
d))),s=o.map(({reason:a})=>za[a]).find(a=>a!==void 0),{unsure:i}=n.find(({path:a})=>a===e)??{};return{action:"stopped",why:s??`${r[0]??"something"} is refused, which stops the rest`,...b({unsure:i})}}
var za={Suspended:"its Flux Kustomization is suspended",NotThere:"its Flux Kustomization is not in the cluster",DependencyNotReady:"its Flux Kustomization waits for another that is not ready"};function rn(e,{
before:t,after:n,sent:o},r){let s=we(e),[i,c]=[vt(t,s),vt(n,s)],a=i===void 0?Ua(t,s):void 0,d=Xr(a?.path??s,i===void 0&&!a?void 0:t),l=Xr(s,c===void 0?void 0:n),f=d.filter(m=>m!==Je&&!l.includes(m));return{
outcome:r==="held"?"held":r==="set"&&vt(o,e)===void 0?"unsent":r==="set"&&c===void 0?"dropped":i===void 0?c===void 0?"absent":f.length>0?"taken":"added":c===void 0?"gone":f.length>0?"taken":Zr(i,c)?l.
length>1?"shared":"unchanged":"changed",path:s,ownersBefore:d,ownersAfter:l,from:f,...b({before:i,after:c}),...b({replaced:a})}}function vt(e,t){return e&&$(e,t)}function we(e){let t=e.findIndex(n=>typeof n==
"number");return t<0?e:e.slice(0,t)}function Ua(e,t){for(let n=t.length-1;n>0;n--){let o=vt(e,t.slice(0,n));if(o!==void 0)return k(o)?void 0:{path:t.slice(0,n),value:o}}}function Xr(e,t){let n=Xe(t),o=J(
e).slice(0,-1),r=[...n].filter(([s])=>s===`${o}]`||s.startsWith(`${o},`));if(r.length>0)return[...new Set(r.flatMap(([,s])=>s))].sort();for(let s=e.length-1;s>0;s--){let i=n.get(J(e.slice(0,s)));if(i)
return[...i]}return[]}function Qr(e,{object:t,removed:n,simulation:o}){let r=on(t,o),s=W(t.ref);if(r.action==="refused"||r.action==="stopped")return{outcome:r.action,why:Gn(r.why??"",t),others:[]};let i={
before:o.before.get(s),after:o.after.get(s)},{before:c,after:a,ownersAfter:d}=rn(e,i,"unset"),f=(o.outcomes.find(({ref:m})=>W(m)===s)?.fields??[]).filter(({path:m})=>!v(m,we(n)));return a===void 0?{outcome:"\
goes",others:f}:{outcome:Zr(c,a)?"stays":"becomes",after:a,owners:d,others:f}}function es(e,{object:t,cluster:n,simulation:o}){let{head:r}=n,s={...t,value:_a(t.value,e)},i=a=>a.map(d=>d===t?s:d),c=r.entrypoints.
map(a=>a.ok?{...a,objects:i(a.objects)}:a);return{cluster:{...n,base:r,head:{...r,entrypoints:c,objects:i(r.objects)}},live:[...o.after.values()].filter(a=>a!==void 0)}}function _a(e,t){let n=structuredClone(
e);for(let o=t.length;o>0;o--){let r=$(n,t.slice(0,o-1)),s=t[o-1];if(o<t.length&&Object.keys(r[s]??{}).length>0)break;Array.isArray(r)?r.splice(Number(s),1):delete r[s]}return n}var Va=80;function ns(e){return e.map(t=>`${qa(t).map(y).join(`
`)}
`).join(`
`)}function qa({object:e,cluster:t,fate:n,fields:o}){let{kind:r,namespace:s,name:i}=e.ref,c=t===void 0?"":`, cluster ${t}`;return[`${r} ${s?`${s}/`:""}${i} in ${e.entrypoint}${c}`,`  ${os(n)}`,...o.flatMap(
a=>Ka(a,e,n))]}function os({action:e,why:t="",unsure:n}){let o={created:"is created",changed:"is changed",unchanged:"stays as it is in the cluster",deleted:"is deleted",refused:"is refused",stopped:"i\
s not applied",skipped:"is passed over",unknown:"is not simulated"},r=t?`${o[e]}: ${x(t)}`:o[e];return n===void 0?r:`${r} (not certain: ${x(n)})`}function Ka(e,t,n){let{path:o,written:r}=e,s=P(o),i=(a,d)=>d?
[`    ${a.padEnd(6)}  ${d}`]:[],c=r?.value===void 0?"":JSON.stringify(G(t,o,r.value));return[r?`  ${s}${r.removed?" (removed)":` = ${c}`}`:`  ${s} is not set`,...r?Ga(r):[],...i("whose",Ya(e,t)),...i(
"owner",Za(e)),...i("apply",Qa(e,t,n)),...i("remove",nc(e,t)),...(e.below?Vr(e.below):[]).map((a,d)=>`    ${(d===0?"below":"").padEnd(6)}  ${a}`)]}function Ga({setBy:e,alias:t,file:n}){let o=({file:r,
line:s,column:i})=>`${r}:${s}:${i}`;return[...t?[`    by alias  ${o(t)}`]:[],...e.length===0?[`    somewhere in ${n}`]:[],...e.map((r,s)=>`    ${s===0?"set by":"before"}  ${r.by.padEnd(12)} ${o(r)}`)]}
function Ya({contract:e,isWanted:t,path:n},o){if(!e||!t&&e.customizer!=="never")return;let{owner:r,customizer:s,why:i,field:c,set:a,when:d}=e,l=i===void 0?"":`: ${i}`;if(r==="nobody")return`nobody els\
e's${l}`;if(r==="customizer")return s==="only"?"the repository's, for some values only":"the repository's";let f=r==="Helm"||r==="Flux"?`${r}'s`:`the ${r}'s`;if(!c)return`${f}${l}`;let u=a===void 0||typeof a==
"object"?"":` to ${be(a,n,o)}`,m=d?` once ${In(d)}`:"";return`${v(n,c)?`${f}, which sets it`:`in part ${f}, which sets ${P(c)}`}${u}${m}${l}${Xa(e)}`}function Xa({knob:e,atInstall:t}){return e===void 0?
"":t?`; ${e} of Package "${C}" decides it at the installation`:`; set ${e} of Package "${C}" instead`}function Za({fate:e,isWanted:t}){let{ownersBefore:n=[],ownersAfter:o=[]}=e??{},[r,s]=[n,o].map(se);
if(!(!r&&!s)&&!(!t&&[...n,...o].every(i=>i===Je)))return r===s?s:r?`${r} \u2192 ${s||"nobody"}`:s}function se(e){return e.join(" and ")}function Qa(e,t,n){let{fate:o,isWanted:r,sentAs:s}=e;if(!o)return;
let{outcome:i,before:c,after:a,from:d,replaced:l,path:f}=o,u=O=>be(O,f,t),m=c!==void 0&&!Ha(c,a),p=u(c)===u(a)?"another value":`${u(c)} \u2192 ${u(a)}`,g=o.ownersAfter.filter(O=>O!==Je),w=(()=>{if(i===
"gone")return`goes: ${u(c)}${d.length>0?` of ${se(d)}`:""}`;if(i==="taken"&&l)return`taken from ${se(d)}, in place of ${P(l.path)}: ${be(l.value,l.path,t)}`;if(i==="taken")return`taken from ${se(d)}${m?
`: ${p}`:", with the value that it has"}`;if(i==="changed")return p;if(i==="unsent")return"left out by Flux, without a word: its kind has no such field, or there is nothing in it";if(i==="dropped")return"\
dropped by the API server, without a word";if(!s&&tc(e,o))return`nothing: ${u(a)} stays`;if(r)return i==="held"?`nothing, as the object ${os({action:n.action})}`:i==="shared"?`stays; ${se(g)} has set \
it too`:{added:"new",unchanged:"stays",absent:void 0}[i]})();return w&&s?`as ${P(s)}; ${w}`:w&&ec(e.path,o)&&i!=="unsent"?`the list ${P(f)}: ${w}`:w}function ec(e,t){return t.path.length<e.length}function tc({
written:e,path:t},{path:n,outcome:o,after:r}){return(o==="shared"||o==="unchanged")&&n.length===t.length&&ts(e?.value)&&!ts(r)}function ts(e){return e===null||typeof e=="object"&&Object.keys(e).length===
0}function nc(e,t){let{removal:n,isFirst:o,path:r}=e;if(!n)return;let{outcome:s,why:i="",after:c,owners:a=[],others:d}=n,l=g=>be(g,r,t),f=a.filter(g=>g!==Je),u={goes:`goes${oc(e)}`,stays:f.length>0?`s\
tays, as ${se(f)} has set it too`:"stays",becomes:`becomes ${l(c)}`,refused:`refused: ${x(i)}`,stopped:`not applied: ${x(i)}`}[s],m=o?d.slice(0,3).map(g=>rc(g,t)):[],p=o&&d.length>3?[`${d.length-3} mo\
re fields change`]:[];return[u,...m,...p].join("; ")}function oc({contract:e,path:t,fate:n}){return e?.owner==="platform administrator"?", and nobody brings it back":e?.owner==="platform chart"&&!e.when&&
v(t,e.field??t)||e?.owner==="Helm"?", and is back only when the platform is next upgraded":n&&n.from.length>0?`, and is back only when ${se(n.from)} writes it again`:""}function rc({path:e,before:t,after:n},o){
let r=P(e);if(n===void 0)return`${r} goes: ${be(t,e,o)}`;if(n===null)return`${r} is left as null`;if(t===void 0)return`${r} is ${be(n,e,o)}`;let[s,i]=at(G(o,e,t),G(o,e,n));return s===i?`${r} is ${i}`:
`${r}: ${s} \u2192 ${i}`}function be(e,t,n){return e===void 0?"":ae(JSON.stringify(G(n,t,e)),Va)}async function Ft(e,t,n){let o=A(t.stderr),{progress:r,...s}=await E(e,t,o);return fo(s,({tree:i,engine:c},a,d)=>{if(a.length===0)throw rs();let l=sc(a,d,e.values.cluster),f=!1;return n({tree:i,async*builds(u){
for(let[m,p]of l.entries()){o.update(m,l.length,p.path);let g=await c.build(p,u);f||=!g.ok,g.ok||(g.error.message=ic(i,p,g)),!g.ok&&u!=="digest"&&ss(p.path,g.error.message,t),yield{entrypoint:p,response:g}}},
get failed(){return f}})}).finally(o.stop)}function sc(e,t,n){if(n===void 0)return e;let o=e.filter(r=>Mt(r,t)===n);if(o.length>0)return o;throw new h(io(n,e.map(r=>Mt(r,t))))}function ic(e,t,{error:n,
files:o}){return Un(e,[n.message],[...o,...ao(t)])[0]??""}function rs(){return new h("nothing that Flux applies was found; name a directory with --path")}function $e(e,t){if(e.length===0)throw rs();for(let n of e)
n.ok||ss(n.entrypoint.path,n.problem.message,t);return e.some(({ok:n})=>!n)}function ss(e,t,n){n.stderr.write(`error  ${y(e)}: ${y(x(t))}
`)}async function ac(e,t){let{operands:n,values:o}=e,[r="",...s]=n,i=s.map(xn),c=o.live===void 0?[]:he(o.live),a=A(t.stderr),d=o.charts===void 0?void 0:await me(o.charts,t),l=d&&{store:d,progress:a.say},
f=await E(e,t,a),{home:u,engine:m}=f;return D(f,async p=>{let{clusters:g,rendered:j,trees:w,budget:O}=p;l||a.stop(),$e(j.head,t);let M=new V(w),S=ee(g,o).map(K=>({cluster:K,objects:K.head.objects.filter(
Oe=>dc(Oe,r))})).filter(({objects:K})=>K.length>0);if(S.length===0)throw new h(`no entrypoint renders "${r}"`);let q=await p.server.get(),N=[],U=Ye(p,f);for(let{cluster:K,objects:Oe}of S){let Ws=await Tt(
K,q,{live:c,said:U});for(let Bs of Oe)N.push(await fc(Bs,{cluster:K,simulation:Ws,server:q,said:U,locator:M,wanted:i}))}let ie=o.format?.at(-1)==="json",T=We(()=>de(w,j)),St={home:u,budget:O,server:p.
server,trees:w,secrets:T,...b({engine:m})},Me=l&&await cc(N,S,l,St);a.stop(),Me&&Me.left>0&&t.stderr.write(`warning  what ${Me.left} fields do below was not looked for: there is no time left (--max-se\
conds)
`);let Ns=new Set([...T(),...Me?.secrets??[]]),gn=N.map(({object:K,...Oe})=>({object:K,...fe(Oe,Ns)}));return F(ie?R(Kr(gn)):ns(gn),o,t),0}).finally(a.stop)}async function cc(e,t,n,o){let r=({fields:c})=>[
...new Map(c.map(({path:a})=>we(a)).map(a=>[J(a),a])).values()],s=t.map(({cluster:c,objects:a})=>({cluster:c,fields:e.filter(({object:d})=>a.includes(d)).map(d=>({object:d.object,paths:r(d)}))})),i=await Ir(
s,n,o);for(let{object:c,fields:a}of e){let d=new Set;for(let l of a){let f=we(l.path),u=d.has(J(f))?void 0:i.of(c,f);d.add(J(f)),u&&(l.below=u)}}return i}function dc({ref:e},t){let[n="",...o]=t.split(
"/");if(n.toLowerCase()!==e.kind.toLowerCase())return!1;let r=o.join("/");return r===e.name||r===`${e.namespace??""}/${e.name}`}async function fc(e,t){let{cluster:n,simulation:o,locator:r,wanted:s}=t,
i=on(e,o),c=[...Le([e],r)],a=lc(e,t),d=new Set,l=uc(e,c,{states:a,simulation:o,wanted:s}),f=[...l.filter(({isWanted:p})=>p).map(({path:p})=>u(p,void 0)),...c.filter(({path:p})=>as(p,s)).map(p=>u(p.path,
p)),...l.filter(({isWanted:p})=>!p).map(({path:p})=>u(p,void 0))];function u(p,g){let j=mc(p,e,a),w=g!==void 0&&!g.removed,O=is(i)?w?"set":"unset":"held",M={path:p,isFirst:!1,isWanted:s.length>0,...g&&
{written:gc(g,e,r)}};if(cs(p))return M;let S=rn(j??p,a,O);if(S.path.length<p.length&&S.outcome!=="unsent"){let N=J(S.path);if(d.has(N))return M;d.add(N)}let q=Dr(e,p,n);return{...M,fate:S,...b({contract:q,
sentAs:j})}}if(is(i))for(let p of s)await hc(p,f,e,t);let{name:m}=n;return{object:e,...b({cluster:m}),fate:i,fields:f}}function is({action:e}){return e==="created"||e==="changed"||e==="unchanged"}function lc(e,{
cluster:t,simulation:n}){let o=t.head.entrypoints.find(s=>s.ok&&s.objects.includes(e)),r=W(e.ref);return{before:n.before.get(r),after:n.after.get(r),sent:o&&He(e,o.entrypoint,t.contract.schemas)}}function uc(e,t,{
states:n,simulation:o,wanted:r}){let s=t.map(({path:f})=>we(f)),i=f=>s.some(u=>v(f,u)||v(u,f)),c=W(e.ref),a=o.outcomes.find(({ref:f})=>W(f)===c)?.fields??[],d=[...new Map([...ve(n.before),...ve(n.after)]).
values()],l=r.filter(f=>$(e.value,f)===void 0);return[...l.flatMap(f=>{if(t.some(m=>m.removed&&v(m.path,f)))return[];let u=d.filter(m=>v(m,f)&&m.length>f.length);return[f,...u].map(m=>({path:m,isWanted:!0}))}),
...a.filter(({before:f})=>f!==void 0).map(({path:f})=>f).filter(f=>!Nn(f)&&!i(pc(f,e))&&as(f,r)).filter(f=>!l.some(u=>v(f,u))).map(f=>({path:f,isWanted:!1}))]}function as(e,t){return t.length===0||t.some(
n=>v(e,n))}function mc([e,...t],{ref:n},{sent:o}){let r=["data",...t];if(!(n.kind!=="Secret"||e!=="stringData"||!o))return $(o,r)===void 0?void 0:r}function pc(e,{ref:t,value:n}){let o=["stringData",...e.
slice(1)];return t.kind==="Secret"&&e[0]==="data"&&$(n,o)!==void 0?o:e}function cs(e){let[t,n]=e;return t==="metadata"?e.length===1||n==="name"||n==="namespace":t===void 0||t==="apiVersion"||t==="kind"}
async function hc(e,t,n,{cluster:o,simulation:r,server:s,said:i}){if(cs(e)||$(n.value,e)===void 0)return;let{cluster:c,live:a}=es(e,{object:n,cluster:o,simulation:r}),d=await Tt(c,s,{live:a,said:{head:i.
head,base:i.head}}),l=t.filter(({path:f,written:u,fate:m})=>v(f,e)&&u?.value!==void 0&&m&&!["unsent","dropped"].includes(m.outcome));for(let[f,u]of l.entries())u.removal=Qr(u.sentAs??u.path,{object:n,
simulation:d,removed:u.sentAs?["data",...e.slice(1)]:e}),u.isFirst=f===0}function gc(e,t,n){let o=new Map;for(let{by:s,from:i}of e.writers)for(let{file:c,line:a,column:d}of i){let l=`${c}:${a}:${d}`;o.
has(l)||o.set(l,{by:s,file:c,line:a,column:d})}let r=e.removed?void 0:n.alias(t,e.path);return{...e.removed?{removed:!0}:{value:e.value??null},setBy:[...o.values()],...r&&{alias:{file:r.file,...r.range.
start}},file:e.file}}import{isDeepStrictEqual as wc}from"node:util";var yc=new TextEncoder;function ds(e,t){if(t.size===0)return e;let n=new Map([...t].map(([s,i])=>[s,yc.encode(i)])),o=[...t.keys()].filter(s=>!e.has(s)),r=s=>o.some(i=>i.startsWith(`${s}/`));return{...e,
files:[...e.files,...o].sort(),has:s=>t.has(s)||e.has(s),isDirectory:s=>e.isDirectory(s)||r(s),bytes:s=>n.get(s)??e.bytes(s),text:s=>t.get(s)??e.text(s)}}var bc=30;async function us(e,t,n){let o=new Map,r=[],s=new sn;for(let i=1;;i++){let c=ds(e,o),a=await t(c),d=new Set(r.map(({fingerprint:u})=>u)),l=a.findings.filter(u=>!d.has(u.fingerprint)&&n(u)),f=i>
bc?ms:$c(l,u=>jc(c,u,s));if(f.made.length===0)return{fixed:r,texts:Oc(e,o),run:a};for(let[u,m]of f.texts)s.add(u,c.text(u)??""),o.set(u,m);r.push(...f.made)}}var ms={made:[],texts:new Map};function $c(e,t){
let n=s=>s.fix?.()?.safe===!0,o=It(e.filter(s=>!n(s))),r=[e.filter(n),...re(o,({rule:s})=>s).values()];for(let s of r){let i=t(s);if(i.made.length>0)return i}return ms}function Oc(e,t){return new Map(
[...t].filter(([n,o])=>o!==e.text(n)))}var sn=class{#e=new Map;add(t,n){this.#e.set(t,[...this.#e.get(t)??[],n])}isUndone(t,n,o){let r=this.#e.get(t)??[],s=r.length>0?Lt(n,o):void 0;return s!==void 0&&
r.some(i=>fs(i,s)<fs(i,n))}};function fs(e,t){let n=({at:{range:o},text:r})=>o.end.line-o.start.line+r.split(`
`).length;return to("",e,t).reduce((o,r)=>o+n(r),0)}function jc(e,t,n){let o=[],r=new Map,s=new Map;for(let i of It([...t])){let c=i.fix?.()?.edits??[],a=[...new Set(c.map(({at:l})=>l.file))].map(l=>({
file:l,own:c.filter(({at:f})=>f.file===l),before:r.get(l)??[]}));if(!a.every(({own:l,before:f})=>l.every(u=>f.some(m=>wc(u,m))))){if(a.some(({own:f,before:u})=>no(u,f)))continue;let l=a.map(({file:f,own:u,
before:m})=>kc(e,f,[...m,...u]));if(!l.every(f=>f!==void 0)||a.some(({file:f,own:u})=>n.isUndone(f,e.text(f)??"",u)))continue;for(let[f,{file:u,own:m,before:p}]of a.entries())r.set(u,[...p,...m]),s.set(
u,l[f])}o.push(i)}return{made:o,texts:s}}function kc(e,t,n){let o=e.text(t),r=Lt(o??"",n);return r!==void 0&&ls(r)>=ls(o??"")?r:void 0}function ls(e){return new Bn(e).documents.filter(t=>eo.read(t.text)).
length}import{closeSync as Pc,constants as an,existsSync as xc,fstatSync as vc,lstatSync as Fc,mkdirSync as Rc,openSync as Sc,readFileSync as Cc,realpathSync as hs,renameSync as Ec,rmSync as Ac,writeFileSync as Lc}from"node:fs";
import{dirname as dn,join as gs,sep as cn}from"node:path";function ys(e,t){let n=hs(e),o=t.map(r=>Jc(n,r));for(let[r,{file:s,after:i}]of t.entries()){let c=gs(n,s);Rc(dn(c),{recursive:!0});let a=`${c}.${process.pid}.customizer-lint`;try{Lc(a,i,{flag:"wx",mode:o[r]??
420}),Ec(a,c)}finally{Ac(a,{force:!0})}}}function Jc(e,{file:t,before:n}){let o=gs(e,t),r=dn(o);for(;!xc(r);)r=dn(r);if(hs(r)!==r||!`${r}${cn}`.startsWith(e.endsWith(cn)?e:`${e}${cn}`))throw new h(`"${t}\
" lies behind a symbolic link; nothing was written`);if(n===void 0){if(Fc(o,{throwIfNoEntry:!1}))throw ps(t);return}let{mode:s,content:i}=Mc(o)??{};if(s===void 0||!i||Buffer.compare(i,n)!==0)throw ps(
t);return s}function Mc(e){let t;try{t=Sc(e,an.O_RDONLY|(an.O_NOFOLLOW??0)|(an.O_NONBLOCK??0))}catch{return}try{let n=vc(t);return n.isFile()?{mode:n.mode&4095,content:Cc(t)}:void 0}finally{Pc(t)}}function ps(e){
return new h(`"${e}" was changed by somebody else in the meantime; nothing was written`)}async function Nc(e,t){let{directory:n,values:o}=e,r=o.rule??[];for(let w of r)ut(w);let s=({rule:w})=>r.length===0||r.includes(w),i=w=>{let O=s(w)?w.fix?.():void 0;return O!==void 0&&(O.safe||o.unsafe===
!0)},c=A(t.stderr),a=await E(e,t,c),d=await co(a),l=await us(d,w=>Io({...a,head:w}),i).finally(c.stop);o["dry-run"]||ys(n,[...l.texts].map(([w,O])=>({file:w,before:d.bytes(w),after:O})));let f=Ko(o,t,
l.run.tool),u={...l.run,findings:l.run.findings.filter(s)},m=Vo("text",u,{...f,lines:o.verbose!==!0}),p=w=>l.run.sources.secrets?.("head",w),j=[...[...l.texts].sort().map(([w,O])=>Do(w,d.text(w),O,p(w))).
map(w=>Tc(w,ct(f.color))),Ic({...l,run:u},o),m,Wc(l.run,u,r)];return t.stdout.write(j.filter(w=>w!=="").join(`
`)),Sn(u,o["fail-on"]??"error",o["only-new"]===!0)}function Wc(e,{findings:t},n){if(n.length===0)return"";let o=e.findings.length-t.length,r=o===0?"":`; ${pe(o,"finding")} of other rules not shown`;return`${n.
join(", ")}: ${pe(t.length,"finding")} left${r}
`}var Bc=[["--- ","bold"],["+++ ","bold"],["-","red"],["+","green"],["@@","cyan"]];function Tc(e,t){let n=o=>Bc.filter(([r])=>o.startsWith(r)).map(([,r])=>r);return e.map(o=>`${t(o,...n(o).slice(0,1))}\

`).join("")}function Ic({fixed:e,run:{findings:t}},n){let o=n["dry-run"]?"would fix":"fixed",r=n.unsafe?0:t.filter(c=>c.fix?.()?.safe===!1).length,s=e.map(({rule:c,at:a,fix:d})=>`${o} ${y(c)} in ${y(a.
file)}: ${y(d?.()?.title??"")}`),i=r>0?"nothing to fix without --unsafe":"nothing to fix";return[...e.length>0?s:[i],...Dc(r,e.length>0),...zc(t)].map(c=>`${c}
`).join("")}function Dc(e,t){return e===0?[]:[`${`${e}${t?" more":""} ${e===1?"finding has":"findings have"}`} a fix that can change something else: fix --unsafe --dry-run shows ${e===1?"it":"them"}`]}
function zc(e){let t=e.flatMap(n=>n.heldBack?.()??[]);return[...re(t,({why:n})=>n)].map(([n,o])=>{let r=[...new Set(o.flatMap(({by:d})=>d))].sort().map(d=>d==="."?"the root":d),s=r.length>3?[...r.slice(
0,2),`${r.length-2} more`]:r,i=r.length===1,c=new Set(o.map(({file:d})=>d)).size===1?"file":"files",a=n==="unbuilt"?"cannot be built":`${i?"has":"have"} no such finding`;return`${o.length===1?"1 fix i\
s":`${o.length} fixes are`} held back: ${y(Mn(s))} ${i?"reads":"read"} the same ${c} and ${a}`})}function bs({release:e,nodes:t,edges:n},o){return[...[`Cozystack ${e}`,...o].map(r=>`// ${r}`),"digraph {",'  rankdir="RL" nodesep="0.5" ranksep="1.0"','  node [shape="box" style="rounded,filled" fill\
color="white" fontname="sans-serif"]','  edge [fontname="sans-serif" fontsize="10"]',...t.map(r=>`  ${Rt(r.name)}${ws(Uc(r))}`),...n.map(r=>`  ${Rt(r.from)} -> ${Rt(r.to)}${ws(_c(r,t))}`),"}",""].join(
`
`)}function Uc({kind:e,missing:t,touched:n}){return{...e==="component"&&{shape:"ellipse",style:"filled"},...n&&{fillcolor:"lightblue",penwidth:"2"},...t&&{color:"red",fontcolor:"red",style:"dashed"}}}
function _c({to:e,variants:t,ignored:n},o){let r=o.some(({name:s,missing:i})=>i&&s===e);return{...t&&{label:t.join(", ")},...r&&{color:"red"},...n&&{style:"dashed"}}}function ws(e){let t=Object.entries(
e).map(([n,o])=>`${n}=${Rt(o)}`);return t.length>0?` [${t.join(" ")}]`:""}function Rt(e){return`"${y(e).replace(/\\/g,"\\\\").replace(/"/g,'\\"')}"`}async function Hc(e,t){let{values:n}=e,o=A(t.stderr),r=await E(e,t,o),s=n.format?.at(-1)??"dot";return D(r,({clusters:i,rendered:c})=>{o.stop();let a=ft(i,n),d=Zn(a,{installed:n.installed===!0,components:n.
components===!0}),l=qc(d,s,Vc(a,n.installed===!0));F(l,n,t);let f=c.head.filter(({ok:u})=>!u).map(({entrypoint:u})=>u.path);for(let u of f)t.stderr.write(`warning  ${y(u)} cannot be built, so nothing \
of it is in the graph
`);return f.length>0?1:0}).finally(o.stop)}function Vc({facts:e,contract:t},n){return e.used().filter(({name:o,source:r})=>r==="assumed"&&(n||o==="release")).map(o=>`assumed: ${y(it(_e(o,t)))}`)}function qc(e,t,n){
return t==="dot"?bs(e,n):t==="mermaid"?Qn(e,n):R({...e,notes:n})}import{join as Kc}from"node:path";function Gc(e,t){let{values:n}=e,o=Kc(t.home,"schemas"),r=ro(o,Ue(o).at(-1));return Ft(e,t,async s=>{let i=[];for await(let{entrypoint:a,response:d}of s.builds("objects")){if(!d.ok)continue;let{path:l,
why:f}=a,m=Ge(a,d).filter(ce).map(({ref:p})=>Hn(p,r)).map(p=>({id:Pn(p),v:p.apiVersion.slice(p.apiVersion.lastIndexOf("/")+1)}));i.push({path:l,why:f,entries:m.sort((p,g)=>p.id<g.id?-1:1)})}let c=n.format?.
at(-1)==="json"?R(i):i.map(Yc).join(`
`);return F(c,n,t),s.failed?1:0})}function Yc({path:e,why:t,entries:n}){return[`# ${y(e)}: ${y(t)}`,...n.map(({id:o})=>y(o)),""].join(`
`)}var $s=Ne(Ie(),1);async function Os(e,t){let{values:n}=e,o=A(t.stderr),r=await E(e,t,o);return D(r,({clusters:s,rendered:i})=>{o.stop();let c=$e(i.head,t),a=ee(s,n),d=a.flatMap(js);for(let f of d)Wn(f)&&Qc(f.ref,t);let l=d.
map(({value:f})=>f);return F(n.format?.at(-1)==="json"?R(l):Xc(a),n,t),c?1:0}).finally(o.stop)}function js({head:e,contract:t}){return e.entrypoints.filter(_n).flatMap(({entrypoint:n,objects:o})=>Yn(o.
filter(ce)).map(r=>({ref:r.ref,value:He(r,n,t.schemas)})))}function Xc(e){let t=e.map(o=>({cluster:o,text:Zc(js(o).map(({value:r})=>r))})),n=({name:o})=>e.length>1&&o!==void 0?`# cluster ${y(o)}
`:"";return t.filter(({text:o})=>o!=="").map(({cluster:o,text:r})=>n(o)+r).join(`---
`)}function Zc(e){return e.map(t=>(0,$s.stringify)(t,{lineWidth:0,aliasDuplicateObjects:!1,compat:"yaml-1.1"})).join(`---
`)}function Qc({kind:e,namespace:t,name:n},o){let r=[e,t,n].filter(Boolean).join("/");o.stderr.write(`warning  ${y(r)} is encrypted, and is printed so; what Flux makes of it is not known
`)}import{isDeepStrictEqual as Ps}from"node:util";function ks(e,t){return fe(e.map(o=>({value:td(o)})),t).map(({value:o},r)=>ed(o,e[r]??{}))}function ed(e,t){let{apiVersion:n,kind:o,namespace:r,name:s}=I(t),i=k(e.metadata)?{...e.metadata,...k(t.metadata)&&
"name"in t.metadata&&{name:s},...r&&{namespace:r}}:e.metadata;return{...e,apiVersion:n,kind:o,...i!==void 0&&{metadata:i}}}function td(e){if(e.kind==="CustomResourceDefinition")return e;let t=e.kind===
"Secret",n={ref:{kind:String(e.kind)},value:e},o=(r,s,i)=>{if(Array.isArray(r))return r.map((a,d)=>o(a,[...s,d],i));if(k(r))return Object.fromEntries(Object.entries(r).map(([a,d])=>{let l=t&&s.length===
0&&(a==="data"||a==="stringData");return[a,o(d,[...s,a],i||l||xe(a)&&!fn(d))]}));if(i)return nd(r,t&&s[0]==="data");let c=s.some(a=>typeof a=="string"&&xe(a))?[]:s;return typeof r=="string"?G(n,c,r):r};
return o(e,[],!1)}function nd(e,t){return typeof e=="string"&&e!==""?t?Buffer.from(Pe).toString("base64"):Pe:typeof e=="number"?0:e}var od=new Set(`name namespace secretName key items path mode defaul\
tMode optional audience expirationSeconds apiVersion kind apiGroup uid
  algorithm encoding size rotationPolicy`.split(/\s+/));function fn(e){return Array.isArray(e)?e.every(fn):k(e)?Object.entries(e).every(([n,o])=>od.has(n)&&(n!=="items"||fn(o)))&&Object.keys(e).length>
0:!1}async function vs(e,t,n,o=[]){let r={objects:[],failures:[],notes:[]},s=new Set;await nt(e,t,n,async(c,a)=>{let d=await Ze(c,a.head,n.trees.head),l=await rd(c,{cluster:a,side:d,packages:o,...n}),f=new Set(
[...n.secrets(),...et(ot(a),l.secrets,rt(d))]),u=ks(l.objects.map(({object:m})=>m),f);for(let{ref:m}of d.packages)s.add(m.name);r.objects.push(...l.objects.map((m,p)=>({...m,object:u[p]??{}}))),r.failures.
push(...Nt(l.failures,f)),r.notes.push(...Nt(l.notes,f))});let i=o.find(c=>!s.has(c));if(i===void 0)return r;throw new h(`no entrypoint renders Package "${i}"; ${$n(i,[...s],"render without --package \
prints all")}`)}async function rd(e,t){let{cluster:n,side:o,packages:r}=t,{releases:s,notChecked:i}=st(o),c=({ref:m})=>z({ref:m})&&r.includes(m.name),a=s.filter(({object:m})=>r.length===0||c(m)),d=[],
l=[];for(let m of a){let p={side:o,...m},g=await Ee(e,p.release,o);"failed"in g?l.push(`${At(p.release)}: its chart fails: ${ue(g.failed)}`):d.push({judged:p,made:g,origins:new ln})}let f=r.length===0?
i.map(({what:m,why:p})=>`${m} is left out: ${p}`):[];f.push(...await id(e,d,t));let u=d.flatMap(({made:m})=>m.map(({object:p})=>p).filter(tt));return{objects:d.flatMap(m=>sd(m,n)),failures:l,notes:f,secrets:u}}
function sd({judged:{release:e},made:t,origins:n},{name:o}){let r={...b({cluster:o}),...ze(e)};return t.map(({id:s,object:i,...c},a)=>({...r,...c,ref:I(i),object:i,origins:n.of(t[a])}))}async function id(e,t,n){
let{budget:o,cluster:r,trees:s}=n,i=[];for(let{judged:a,made:d,origins:l}of t){let f=ad(a),u=0;for(let m of ho(a)){if(ye(o))break;for(let p of await Tr(e,a,d,m))l.add(p,{object:a.object,path:m});u+=1}
u<f&&i.push(xs(At(a.release),f-u,o))}let c=await cd(e,t,{revision:r.head,tree:s.head,budget:o});return c>0?[...i,xs("the Package of the platform",c,o)]:i}function ad({object:e,release:t}){let n=$(e.value,
ke(t));return k(n)?ve(n).size:0}async function cd(e,t,{revision:n,tree:o,budget:r}){let s=0;for(let i of t.length>0?Vn(n.objects):[])for(let c of go(i.value,Ln))ye(r)?s+=1:await dd(e,t,{platform:i,path:c,
revision:n,tree:o});return s}async function dd(e,t,{platform:n,path:o,revision:r,tree:s}){let i=$(n.value,o),c=(i===void 0?[]:kt(i)).map(d=>Qe(n.value,o,d)),a=[...t];for(let d of[...c,Fe(n.value,[o])]){
let l=r.objects.map(m=>m===n?{...n,value:d}:m),f=await mo(e,{...r,objects:l},s);if("failed"in f)continue;let u=[];for(let m of a){let{judged:p,made:g,origins:j}=m,w=le(f,p.release,p.object.value),O=await jt(
e,p,g,w);if(!Array.isArray(O)||O.length===0)u.push(m);else for(let M of O)j.add(M,{object:n,path:o})}a=u}}function xs(e,t,n){let o=ye(n)?"there is no time left (--max-seconds)":"there are too many";return`${e}\
: what came of ${t===1?"1 value":`${t} values`} was not looked for: ${o}`}var ln=class{#e=new Map;add({made:t,whole:n,fields:o},r){n==="there"&&this.#t(t,[],r);for(let{path:s,after:i}of o)if(i!==void 0)
for(let c of fd(t.object,s,i,r))this.#t(t,c.path,c.source)}of({id:t}){return[...this.#e.get(t)?.values()??[]]}#t({id:t},n,o){let r=this.#e.get(t)??new Map;this.#e.set(t,r);let s=JSON.stringify(n),i=r.
get(s)??{path:n,from:[]};r.set(s,i),i.from.push(o)}};function fd(e,t,n,o){let r=ud(e,t,o),s=Fs(n);if(r)return s.map(a=>({path:[...t,...a],source:{...r,path:[...r.path,...a]}}));let[i,...c]=s;return[{path:i&&
c.length===0?[...t,...i]:t,source:o}]}var ld=100;function ud(e,t,n){let o=$(n.object.value,n.path);if(o===null||typeof o!="object")return;let r=Array.isArray(o)&&o.length<=ld?o:[];for(let s=t.length;s>
0;s--){let i=$(e,t.slice(0,s)),c=t.slice(s);if(Ps(i,o))return{...n,path:[...n.path,...c]};let a=r.flatMap((d,l)=>Ps(i,d)?[l]:[]);if(a.length===1)return{...n,path:[...n.path,a[0],...c]}}}function Fs(e){
let t=Array.isArray(e)?[...e.entries()]:k(e)?Object.entries(e):[];return t.length===0?[[]]:t.flatMap(([n,o])=>Fs(o).map(r=>[n,...r]))}var Z=Ne(Ie(),1);function Ss(e,t){return e.map(n=>md(n,t)).join(`---
`)}function md(e,t){let n=new Z.Document(e.object,{aliasDuplicateObjects:!1,compat:"yaml-1.1"}),o=e.origins.flatMap(({path:s,from:i})=>s.length===0?i:[]),r=[pd(e),...o.length>0?[`made because of ${Rs(
o,t)}`]:[]];e.ref.kind==="Secret"&&r.push("its values are not shown"),n.contents&&(n.contents.commentBefore=r.map(s=>` ${y(s)}`).join(`
`));for(let{path:s,from:i}of e.origins)s.length>0&&hd(n,s,` from ${y(Rs(i,t))}`);return n.toString({lineWidth:0})}function pd({cluster:e,package:t,component:n,release:o,template:r,hook:s,crd:i}){let c=e===
void 0?"":`cluster ${e}: `,a=t===void 0?"":`Package ${t}, component ${n}, `,d=s?`, a hook (${s.join(", ")})`:i?", a definition":"";return`${c}${a}HelmRelease ${o}: ${r}${d}`}function hd(e,t,n){let o=e.
getIn(t,!0);if(!(0,Z.isNode)(o))return;if(!(0,Z.isCollection)(o)||o.items.length===0){o.comment=n;return}let[r]=o.items,s=(0,Z.isPair)(r)?r.key:r;(0,Z.isNode)(s)&&(s.commentBefore=n)}var un=3;function Rs(e,t){
let n=Cs(e,t).map(({file:s,line:i,precision:c})=>c==="file"?s:`${s}:${i}`),o=[...new Set(n)],r=o.length>un?[`${o.length-un} more`]:[];return[...o.slice(0,un),...r].join(", ")}function Cs(e,t){return e.
map(({object:o,path:r})=>{let{at:s,precision:i}=t.locate({object:o,path:r,part:"value"}),{line:c,column:a}=s.range.start;return{file:s.file,line:c,column:a,precision:i,field:r}}).sort((o,r)=>o.file<r.
file?-1:o.file>r.file?1:o.line-r.line||o.column-r.column)}function Es(e,t){return e.map(({cluster:n,package:o,component:r,release:s,template:i,hook:c,crd:a,object:d,origins:l})=>({...b({cluster:n,package:o,
component:r}),release:s,template:i,...b({hook:c,crd:a}),object:d,origins:l.map(({path:f,from:u})=>({path:f,from:Cs(u,t)}))}))}async function As(e,t,n){let{values:o}=e,r=o.format?.at(-1);if(o["as-applied"])throw new h("--as-applied is about what Flux applies, not about --charts");if(r==="digest")throw new h("--charts prints y\
aml or json, as nobody hashes what charts make");let s=A(n.stderr),i=await me(t,n),c=await E(e,n,s),{home:a,engine:d}=c;return D(c,async({clusters:l,rendered:f,trees:u,server:m,budget:p})=>{let j={home:a,
budget:p,server:m,trees:u,secrets:()=>de(u,f),...b({engine:d})},w=ee(l,o),O=await vs(w,{store:i,progress:s.say},j,o.package);s.stop();let M=$e(f.head,n),S=(U,ie)=>n.stderr.write(`${U}  ${y(x(ie))}
`);for(let U of O.failures)S("error",U);for(let U of O.notes)S("warning",U);let q=new V(u),{objects:N}=O;return N.length===0&&O.failures.length===0&&n.stderr.write(`nothing is rendered: the repository\
 says nothing of a component with a chart
`),F(r==="json"?R(Es(N,q)):Ss(N,q),o,n),M||O.failures.length>0?1:0}).finally(s.stop)}function gd(e,t){let{values:n}=e;if(n.charts!==void 0)return As(e,n.charts,t);if(n.package)throw new h("--package needs --charts");if(n["as-applied"])return Os(e,t);let o=n.format?.at(-1)??"yaml";return Ft(
e,t,async r=>{let s=n.provenance?await bd(r,o):await yd(r,o);return F(s,n,t),r.failed?1:0})}async function yd(e,t){let n=[],o=[];for await(let{entrypoint:r,response:s}of e.builds(t==="json"?"objects":
t))if(t==="digest")n.push(wd(r.path,s));else if(s.ok)t==="yaml"?n.push(s.yaml??""):o.push(...(s.objects??[]).map(({value:i})=>i));else continue;return t==="json"?R(o):n.filter(Boolean).join(t==="yaml"?
`---
`:"")}function wd(e,t){return t.ok?`${t.sha256??""}  ${e}
`:`error  ${e}: ${y(x(t.error.message).split(`
`).map(n=>n.trim()).filter(Boolean).join(" "))}
`}async function bd(e,t){let n=new V({head:e.tree}),o=[],r=[];for await(let{entrypoint:s,response:i}of e.builds("objects")){if(!i.ok)continue;let c=Ge(s,i);t==="json"?o.push(...Le(c,n)):r.push(...c.map(
a=>Yr(a,n)))}return t==="json"?R(o):r.join(`---
`)}import{readFileSync as $d}from"node:fs";import{join as Od}from"node:path";async function jd({operands:[e],values:t},n){let o=t.format?.[0]??"text";return e!==void 0?n.stdout.write(vd(e,n.home)):o==="schema"?n.stdout.write(`${JSON.stringify(vn(H),null,2)}
`):o==="json"?n.stdout.write(`${JSON.stringify(H.map(r=>kd(r,n.home)),null,2)}
`):n.stdout.write(Pd(On(n.stdout))),0}function kd({id:e,group:t,severity:n,summary:o,needsBase:r,options:s={}},i){return{id:e,group:t,severity:n,summary:o,url:qo(e,yn(i)),needsBase:r??!1,options:s}}function Pd(e){
let t=Math.max(...H.map(({id:r})=>r.length)),n=({id:r,severity:s,summary:i})=>{let c=`  ${r.padEnd(t)}  ${s.padEnd(7)}  `,[a,...d]=Ct(i,e-c.length);return[`${c}${a}`,...d.map(l=>`${" ".repeat(c.length)}${l}`)]};
return`${Object.entries(lt).map(([r,s])=>[...Ct(`${r}: ${xd(s)}`,e),...H.filter(({group:i})=>i===r).flatMap(n)].join(`
`)).join(`

`)}

customizer-lint rules ID prints the page of a rule
`}var xd=e=>/^[A-Z][a-z]+[A-Z]|^Packages/.test(e)?e:e.charAt(0).toLowerCase()+e.slice(1);function vd(e,t){return $d(Od(t,"src","rules",ut(e),"README.md"),"utf8")}var Ls=Ne(Ie(),1);var Fd=`# What customizer-lint knows of the cluster: names, variants and field managers, but no values. Name it in .customizer-lint.yaml
# as cluster.snapshot, and make it anew when the cluster has changed:
#   ${mn()} | customizer-lint snapshot - > THIS FILE
`;function mn(){return"kubectl get packages,packagesources,ocirepositories,crds,clusterroles,clusterrolebindings,roles,rolebindings -A -o yaml --show-managed-fields"}async function Rd({operands:[e],values:t},n){
if(e===void 0)throw new h(`snapshot of what? e.g. ${mn()} | customizer-lint snapshot -`);let o=Go(e);if(!o.some(An))throw new h(`there is no Package in what was read; the command is: ${mn()}`);let r=`${Fd}${(0,Ls.stringify)(
Ke(o,new Date().toISOString().slice(0,10)),{lineWidth:0})}`;return F(r,t,n),0}import{watch as Sd}from"node:fs";import{dirname as Cd,join as Js,resolve as Ms}from"node:path";var Ed=20;async function Ad({directory:e,values:t},n,o){let r=[t.output,...(t.format??[]).map(a=>jn(a).file)],s=new pn(e,new Set(r.filter(a=>a!==void 0).map(a=>Ms(a))));n.stdout.once?.("error",()=>s.end());
let i,c=0;for(let a=[];;a=await s.change()){if(s.hasEnded)return c;a.length>0&&n.stdout.write(Jd(a,n.stdout.isTTY===!0));let d=performance.now();try{c=await o({...i&&{before:i},opened:f=>s.follow(f),rendered:(f,u)=>{
i={tree:f,rendered:u}}})}catch(f){let u=bn(f);if(u===void 0||a.length===0)throw f;n.stderr.write(`customizer-lint: ${y(u)}
`),c=2}let l=Math.round(performance.now()-d);n.stderr.write(`checked in ${l} ms; waiting for a change (Ctrl+C ends it)
`),Ld(n.home,t)}}function Ld(e,t){if(t["max-seconds"]!==void 0||t["max-memory"]!==void 0)return;let n=t.engine??"auto",o=["render","apply",...t.charts===void 0?[]:["helm"]];for(let r of o)wn(Js(e,"dis\
t","engine"),r,n)}function Jd(e,t){let[n="",...o]=e.map(y),r=o.length===0?"":` and ${o.length} more`;return`${t?"\x1B[H\x1B[2J":`
`}${n}${r} changed

`}var pn=class{constructor(t,n){this.root=t;this.own=n}root;own;#e=new Map;#t=new Set;#n=new Set;#o=()=>{};hasEnded=!1;end(){this.hasEnded=!0;for(let t of this.#e.values())t.close();this.#o()}follow({
files:t}){let n=new Set([".",...t.flatMap(hn)]);for(let[o,r]of this.#e)n.has(o)&&![o,...hn(o)].some(s=>this.#n.has(s))||(r.close(),this.#e.delete(o));this.#n.clear();for(let o of n)this.#e.has(o)||this.#r(
o)}#r(t){let n=o=>{o===".git"||this.own.has(Ms(this.root,t,o))||(this.#t.add(t==="."?o:`${t}/${o}`),this.#o())};try{let o=Sd(Js(this.root,t),(r,s)=>n(s??""));o.on("error",()=>o.close()),this.#e.set(t,
o)}catch(o){if(o.code!=="ENOENT")throw o}}async change(){for(;this.#t.size===0&&!this.hasEnded;)await this.#s();for(let n=-1;n!==this.#t.size;)n=this.#t.size,await new Promise(o=>setTimeout(o,Ed));let t=[
...this.#t].sort();this.#t.clear();for(let n of t)this.#n.add(n);return t}#s(){return new Promise(t=>{this.#o=t})}};function hn(e){let t=Cd(e);return t==="."?[]:[t,...hn(t)]}export{Pi as audit,ma as charts,wa as completion,ka as diff,ac as explain,Nc as fix,Hc as graph,Gc as inventory,gd as render,jd as rules,Rd as snapshot,Ad as watch};
