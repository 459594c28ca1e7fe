import{createRequire as $createRequire}from"node:module";const require=$createRequire(import.meta.url);
import{a as Ct}from"./chunk-3CQVOTFT.js";import{$ as Bo,A as st,B as it,C as Tt,D as jo,E as ko,F as Po,G as xo,H as vo,I as Fo,J as Ro,K as So,L as Co,M as Eo,N as Ao,O as Lo,P as Jo,Q as Mo,R as me,
S as Bt,T as No,W as Wo,X as To,Z as It,a as J,aa as Io,b as Y,c as Xe,d as Fe,e as Ze,f as Nt,g as Re,h as po,i as Qe,j as le,k as ho,l as go,m as yo,n as Se,o as et,p as ue,q as wo,r as Wt,s as bo,t as tt,
u as nt,v as $o,x as Oo,y as ot,z as rt}from"./chunk-23P3ONOZ.js";import{$ as qo,A as Qn,B as qe,D as ro,E as so,F as io,G as Lt,H as ao,I as q,J as co,K as Jt,L as fo,M as Ge,N as I,O as Ye,Q as Do,
R as Dt,S as zo,T as zt,U as ct,V as dt,W as Uo,X as _o,Y as Ho,Z as Vo,_ as Ut,a as Be,b as Ie,ba as Ko,c as On,ca as Go,d as Et,ea as Yo,fa as Xo,g as Pe,ga as Zo,h as At,ha as Qo,ia as er,ja as E,k as jn,
ka as ft,l as vn,la as tr,m as Fn,ma as R,n as Rn,o as Sn,oa as ee,pa as lt,qa as ut,r as Mn,s as _n,sa as mt,t as _e,ta as nr,u as He,ua as he,v as H,va as A,w as Yn,y as Xn,z as Zn}from"./chunk-73OYAZ5P.js";
import{a as wn}from"./chunk-4B25O634.js";import{Aa as zn,Bd as pe,Cd as at,E as Cn,G as U,H as En,I as An,K as Ln,M as Jn,Ma as xe,Mb as Ve,N as re,Na as ve,Nb as Gn,Nc as eo,Oa as x,Oc as to,P as Nn,
Pc as V,Qc as Ke,V as ze,W as Wn,Wa as Un,_ as C,a as Te,ad as no,bb as Hn,ca as Tn,db as Vn,f as $n,ga as Ue,gb as qn,gd as oo,h as De,hd as Mt,i as $,id as lo,j as k,k as L,ka as Q,m as B,ma as Bn,nd as uo,
o as kn,od as mo,pb as Kn,q as W,r as Pn,ra as ce,rc as G,s as P,sa as In,t as F,tc as de,v as xn,wa as Dn,wc as fe}from"./chunk-KPZ6X2EP.js";import{E as ae,F as b,e as g,r as bn,w as y,z as S}from"./chunk-47X7ZQBE.js";
import{c as We}from"./chunk-AIN5EYJ6.js";import{existsSync as Ei}from"node:fs";import{join as Pr}from"node:path";import{isDeepStrictEqual as sr}from"node:util";function rr(e,{from:t,data:n,release:o,known:r}){let s=e.filter(f=>U({ref:B(f)})),i=s.map(Xs).find(({ref:f})=>f.name===C),a=Qn({config:Rn(),cluster:{},prefix:"cluster.",objects:i?[i]:[],newest:Wn(n),isKnownRelease:f=>fo(
n,f),isKnownKubernetes:f=>Zn(n,f),snapshot:{...Ge(e,""),file:t},...b({release:o})}),c=r?Ys(r.facts,a):a,l=r&&r.facts.get("release").value===c.get("release").value?r.contract:Jt(n,c.all);return{from:t,
platform:i,facts:c,contract:l,packages:s.map(f=>({name:B(f).name,value:f})).sort((f,u)=>f.name<u.name?-1:1),others:[...qs(c,l,n),...Ks(c,l)]}}function qs(e,t,n){return e.get("release").source!=="assum\
ed"?[]:ze(n).filter(r=>r!==t.release).map(r=>{let s=pt(e,"release",r);return{because:"release",facts:s,contract:Jt(n,s.all)}})}function Ks(e,t){let{value:n,source:o}=e.get("variant");return o!=="assum\
ed"?[]:t.catalog.variantsWithPackages().filter(s=>s!==n).map(s=>({because:"variant",facts:pt(e,"variant",s),contract:t}))}var Gs=["config","snapshot","manifest","evidence","contract","world","assumed"],
or=e=>Gs.indexOf(e);function Ys(e,t){let n=new Map;for(let[o,r]of e.all){let s=t.all.get(o),a=s.source==="snapshot"||s.source==="manifest"?r.source!=="config":or(s.source)<or(r.source);n.set(o,a?s:r)}
return{all:n,get:o=>n.get(o),platformValue:o=>t.platformValue(o)??e.platformValue(o),used:()=>[...n.values()].filter(({name:o})=>o==="release"||o==="variant")}}function pt(e,t,n){let o=new Map([...e.all,
[t,{name:t,value:n,source:"config"}]]);return{...e,all:o,get:r=>o.get(r)}}function Xs(e){return{ref:B(e),value:e,revision:"head",entrypoint:"",index:0,writers:()=>[],children:()=>{},removed:()=>[]}}var ir=["helm-controller","helm"];function ht(e,t){return e==="helm"?ir.includes(t):e==="flux"?t===V:t!==V}function ar(e,t){let n=t.contract.ownership.rowsOf(e.name).filter(({field:i})=>!i.includes("*")),
o=n.filter(({owner:i})=>i==="Flux").map(i=>_t(i,"flux",void 0));if(e.name===C){let{value:i,source:a,file:c}=t.facts.get("variant"),d=a==="config"||a==="snapshot"&&c!==t.from?i:void 0;return[...n.filter(
({owner:f})=>f==="platform administrator").map(f=>_t(f,"administrator",d)),...o]}if(!Ht(e,t))return o;let r=n.filter(({owner:i})=>i==="platform chart"||i==="Helm").filter(({field:i})=>i.join(".")!=="m\
etadata.name"),s=fr(e.name,t,t).filter(({when:i,dead:a})=>!i&&!a);return[...r.map(i=>_t(i,"helm",P(i.field)==="spec.variant"?ti(e,t):Zs(t)[P(i.field)])),...s.map(i=>Qs(i,e,t)),...o]}function Ht({name:e,
value:t},{contract:n,facts:o}){if(!n.catalog.isManaged(e)||e===C)return!1;if(Y(t).some(({manager:s})=>ir.includes(s))||L(t,["metadata","annotations","meta.helm.sh/release-name"])!==void 0)return!0;let r=o.
get("variant");return r.source!=="assumed"&&n.catalog.emitted(e,String(r.value))==="always"}function gt({catalog:e}){let[t]=e.source(C)?.variants??[],{namespace:n="cozy-system",releaseName:o="cozystac\
k-platform"}=t?.components[0]?.install??{};return{namespace:n,name:o}}function Zs({contract:e}){let{namespace:t,name:n}=gt(e);return{'metadata.annotations["helm.sh/resource-policy"]':"keep",'metadata.\
annotations["meta.helm.sh/release-name"]':n,'metadata.annotations["meta.helm.sh/release-namespace"]':t,'metadata.labels["app.kubernetes.io/managed-by"]':"Helm"}}function _t({field:e,why:t},n,o){return{
field:e,owner:n,why:t,isRequired:n!=="flux",isOpen:!1,assumes:[],...b({set:o}),isEqual:r=>r===o}}function Qs(e,t,n){let{field:o,why:r,shape:s}=e,i=cr(t,n).map(u=>({because:u.because,owned:fr(t.name,u,
n).find(m=>ei(m,t.name,u)&&P(m.field)===P(o))})),a=n.others.length===0||dr(t,n,n),d=a&&i.every(({owned:u})=>sr(u?.set,e.set))&&ni(e,n)?e.set:void 0,l=a?i.filter(u=>!u.owned):n.others,f=new Set(l.map(({
because:u})=>u));return{field:o,owner:"helm",isOpen:s==="map",isRequired:s!=="map",assumes:[...f],...b({set:d,why:r}),isEqual:e.isEqual}}function ei({when:e},t,{contract:n,facts:o}){let r=n.catalog.emitted(
t,String(o.get("variant").value));return!e||typeof r=="object"&&sr(e,{switch:r.switch})}function cr(e,t){return t.others.filter(n=>dr(e,n,t))}function dr({name:e,value:t},n,o){let r=n.contract.catalog.
emitted(e,String(n.facts.get("variant").value));if(r==="never"||r==="unknown")return!1;if(!(Xe(t).get(J(["spec","variant"]))??[]).some(a=>ht("helm",a)))return!0;let i=lr(e,n,o);return i===void 0||i===
L(t,["spec","variant"])}function fr(e,{facts:t,contract:n},{platform:o}){return He(e,{facts:t,contract:n,objects:o?[o]:[]})}function ti(e,t){let n=[t,...cr(e,t)].map(o=>lr(e.name,o,t));return n.every(
o=>o===n[0])?n[0]:void 0}function lr(e,{facts:t,contract:n},{platform:o}){let r=pt(t,"variant",String(t.get("variant").value));return qn(e,{facts:r,contract:n,objects:o?[o]:[]})}function ni({isSure:e,
knob:t},{platform:n}){return e||t===void 0?e:!n||t.startsWith("publishing.")||L(n.value,["spec","variant"])===void 0?!1:$(n.value,Jn(t))===void 0}function mr(e,t){let{packages:n}=e,o=oi(n);return{packages:n.length,emitted:n.filter(r=>Ht(r,e)).length,...o&&{helm:o},findings:n.flatMap(r=>{let s=ar(r,e).flatMap(a=>ri(r,a)),i=new Set(s.flatMap(({now:a})=>a?
[J(a.path)]:[]));return[...s,...ci(r,i),...di(r,t)]})}}function X({kind:e,assumes:t}){return(e==="taken"||e==="lost"||e==="doomed")&&t.length===0}function oi(e){let t=e.flatMap(({value:n})=>Y(n)).filter(
({manager:n})=>n==="helm-controller");return t.some(({operation:n})=>n==="Update")?"Update":t.length>0?"Apply":void 0}function ri(e,t){return(t.isOpen?qt(e.value,t.field):[t.field]).flatMap(o=>si(e,o,
t)??[])}function si({name:e,value:t},n,o){let{owner:r,set:s,why:i,assumes:a,isRequired:c,isEqual:d}=o,l=ii(t,n),f=Vt(t,l?.path??n),[u,m]=[!0,!1].map(O=>f.filter(({manager:w})=>ht(r,w)===O)),p={package:e,
fields:[n],owner:r,by:m,assumes:a,...b({now:l}),...b({set:s,why:i})},h=l?.path.length===n.length;return!l||l.value===null&&u.length>0?c?{...p,kind:"lost"}:void 0:!h&&k(l.value)?c?{...p,kind:"lost"}:void 0:
r==="flux"?m.length>0&&u.length===0?{...p,kind:"odd"}:void 0:u.length>0&&h?m.length>0?{...p,kind:"shared"}:void 0:m.length>0?{...p,kind:"taken"}:l.value===null?{...p,kind:"lost"}:s!==void 0&&!d(l.value)?
{...p,kind:"odd"}:void 0}function ii(e,t){for(let n=1;n<=t.length;n++){let o=t.slice(0,n),r=$(e,o);if(r===void 0)return;if(n===t.length||!k(r))return{value:r,path:o}}}function Vt(e,t){let n=o=>t.every(
(r,s)=>o[s]===r);return Y(e).filter(({fields:o})=>o.some(n)).map(({manager:o,operation:r,time:s})=>({manager:o,operation:r,...b({time:s})}))}function qt(e,t){let n=$(e,t);return!k(n)||Object.keys(n).length===
0?n===void 0?[]:[t]:Object.keys(n).flatMap(o=>qt(e,[...t,o]))}var ai=4;function ci({name:e,value:t},n){return qt(t,["spec","components"]).filter(r=>r.length>ai&&$(t,r)===null&&!n.has(J(r))).flatMap(r=>{
let s=Vt(t,r);return s.some(({manager:i})=>!ht("helm",i))?[]:[{package:e,kind:"odd",fields:[r],now:{value:null,path:r},by:s,assumes:[]}]})}function di({name:e,value:t},n){let o=n?.filter(a=>U(a)&&a.ref.
name===e)??[],r=Y(t);if(r.filter(({manager:a})=>a===V).length===0&&o.length===0||Kt(t,o))return[];let i=new Set(r.filter(a=>!ur(a)).flatMap(({fields:a})=>a.map(J)));return r.filter(ur).flatMap(a=>{let{
manager:c,operation:d,time:l}=a,f=[{manager:c,operation:d,...b({time:l})}],u=a.fields.filter(m=>!i.has(J(m))&&m.at(-1)!==Ke.annotations[0]&&$(t,m)!==void 0&&!o.some(p=>$(p.value,m)!==void 0));return u.
length>0?[{package:e,kind:"doomed",fields:fi(u),by:f,assumes:[]}]:[]})}function fi(e){let t=n=>n.length===2&&n[1]==="variant";return[...e.filter(t),...e.filter(n=>!t(n))]}function ur({manager:e,operation:t}){
return Ke.fieldManagers.some(({name:n,operationType:o})=>n!==V&&e.startsWith(n)&&t===o)}function Kt(e,t){if(Q(e,"ssa","Ignore")||Q(e,"reconcile","disabled"))return!0;let n=s=>Q(s,"ssa","Merge")||Q(s,"\
ssa","IfNotPresent"),o=s=>!Q(s,"ssa","Ignore")&&!Q(s,"reconcile","disabled");if(t.length>0&&t.every(({value:s})=>n(s)||!o(s)))return!0;if(!Q(e,"ssa","Merge"))return!1;if(t.length===0)return!0;let r=["\
metadata","annotations",`${Object.keys(Ke.exclusions)[0]}`];return Vt(e,r).some(({manager:s})=>s!==V)}var yt="helm-controller";function gr({findings:e,helm:t},n){let o=e.filter(X);if(o.length===0)return[];let r=n.packages.filter(({name:f})=>o.some(u=>u.package===f)),s=({name:f})=>o.filter(u=>u.package===
f&&u.kind!=="doomed"),i=r.filter(f=>f.name!==C&&s(f).length>0),a=r.filter(li),c=wi(o),l=`${c.length>0?"once Flux has fetched that commit (kubectl get gitrepositories -A), ":""}let Flux go on`;return[...a.
flatMap(f=>pr(f,a,!0,"keep Flux from taking it again meanwhile")),...r.filter(f=>ui(f,o)).map(mi),...r.filter(({name:f})=>f===C).flatMap(f=>pi(f,s(f))),...i.length>0&&t!=="Update"?hi(n):[],...t==="Upd\
ate"?i.flatMap(f=>gi(f,s(f),n)):[],...c,...a.flatMap(f=>pr(f,a,!1,l))]}function li({value:e}){return Y(e).some(({manager:t})=>t===V)}function pr(e,t,n,o){let r=t.map(hr),{namespace:s,name:i}=hr(e);if(!(r.
findIndex(d=>d.namespace===s&&d.name===i)===t.indexOf(e)))return[];let c=te(JSON.stringify({spec:{suspend:n}}));return[{why:o,command:`kubectl --namespace ${te(s)} patch kustomizations.kustomize.toolk\
it.fluxcd.io ${te(i)} --type merge --patch ${c}`}]}function hr({value:e}){let t=n=>L(e,["metadata","labels",Ue+n]);return{namespace:t("namespace")??"cozy-system",name:t("name")??"cozystack-customizer"}}
function ui(e,t){if(Kt(e.value,[]))return!1;let n=t.filter(o=>o.package===e.name);return n.some(({kind:o})=>o==="doomed")||e.name===C&&n.length>0}function mi({name:e}){return{why:"make Flux leave alon\
e what kubectl sets in it, also before the commit that says so is there",command:`kubectl annotate packages.cozystack.io ${te(e)} --overwrite ${Ue}ssa=Merge`}}function pi({name:e},t){if(t.length===0)return[];
let n=t.filter(Gt),o=t.some(({kind:a})=>a==="lost"),r=n.filter(({set:a})=>a!==void 0),s=n.filter(({set:a})=>a===void 0),i=`packages.cozystack.io ${te(e)}`;return[...r.length>0?[{why:"write what the pl\
atform is",command:yr(i,r)}]:[],...s.map(({fields:[a]})=>({why:`write ${P(a??[])} as it was when the platform was installed; what it was is not known here, cluster.variant in the configuration tells i\
t`})),...o?[{why:"bring back all else that Flux has removed: kubectl apply --server-side --force-conflicts -f FILE, with the file that the Package was made from"}]:[{why:"have kubectl own what is ther\
e, so that it stays when git lets go of it",command:`kubectl get ${i} --output json | kubectl apply --server-side --force-conflicts --filename -`}]]}function hi({contract:e}){let{namespace:t,name:n}=gt(
e),o=i=>`kubectl --namespace ${t} ${i} helmreleases.helm.toolkit.fluxcd.io ${n}`,r=["requestedAt","forceAt"].map(i=>`reconcile.fluxcd.io/${i}=$now`).join(" ");return[{why:"have Helm apply the platform\
 chart again, which takes its fields back",command:["now=$(date +%s)",`${o("annotate")} --overwrite ${r}`,`${o("wait")} --for=jsonpath='{.status.lastHandledForceAt}'=$now`,`${o("wait")} --for=conditio\
n=Ready --timeout=15m`].join(" && ")}]}function gi({name:e,value:t},n,o){let{namespace:r,name:s}=gt(o.contract),i=`packages.cozystack.io ${te(e)}`,a=n.filter(Gt),[c,d]=[a.filter(({set:f})=>f!==void 0),
a.filter(({set:f})=>f===void 0)],l=n.filter(f=>!Gt(f));return[...c.length>0?[{why:"write what the chart sets, in the name of Helm, which on this cluster does not by itself",command:`${yr(i,c)} --field\
-manager=${yt}`}]:[],...l.length>0?[yi(e,t,l)]:[],...d.map(({fields:[f]})=>({why:`write ${P(f??[])} of ${e} in the same way, with kubectl patch --field-manager=${yt} and the value that helm --namespac\
e ${r} get manifest ${s} shows`}))]}function yi(e,t,n){let r=[...Y(t).filter(({manager:i,operation:a})=>i===yt&&a==="Apply").flatMap(i=>i.fields),...n.flatMap(i=>i.fields)],s={apiVersion:Cn,kind:"Pack\
age",metadata:{name:e}};for(let i of r){let a=$(t,i);a!=null&&wr(s,i,k(a)?{}:a)}return{why:"the value is the chart\u2019s, only its owner is not: apply it in the name of Helm",command:`printf %s ${te(
JSON.stringify(s))} | kubectl apply --server-side --force-conflicts --field-manager=${yt} --filename -`}}function Gt({now:e,set:t,fields:[n]}){return!e||e.path.length!==n?.length||e.value===null?!0:t===
void 0||JSON.stringify(e.value)!==JSON.stringify(t)}function yr(e,t){let n=Object.create(null);for(let{fields:o,set:r}of t)for(let s of o)wr(n,s,r);return`kubectl patch ${e} --type merge --patch ${te(
JSON.stringify(n))}`}function wr(e,t,n){let o=e;for(let s of t.slice(0,-1)){let i=Object.hasOwn(o,s)?o[s]:void 0,a=k(i)?i:Object.create(null);o[s]=a,o=a}let r=String(t.at(-1));k(n)&&k(o[r])||(o[r]=n)}
function wi(e){let t=e.filter(({kind:r,by:s})=>r==="taken"&&s.some(({manager:i})=>i===V)),n=e.filter(r=>r.kind==="doomed"||r.package===C),o=[...new Set(n.map(r=>r.package))];return[...t.map(r=>({why:`\
in the repository, take ${P(r.fields[0]??[])} out of the manifest of ${r.package}`})),...o.map(r=>({why:`in the repository, give the manifest of ${r} the annotation ${Ue}ssa: Merge`})),...t.length+o.length>
0?[{why:"commit that and push it"}]:[]]}function te(e){return/^[\w@%+=:,./-]+$/.test(e)?e:`'${e.replaceAll("'","'\\''")}'`}var bi={taken:["taken","red"],lost:["lost","red"],doomed:["doomed","red"],shared:["shared","cyan"],odd:["odd","cyan"]},Xt={helm:"helm-controller",administrator:"the platform\u2019s administrator",flux:"\
kustomize-controller"},$i={Apply:"Helm applies the chart by server-side apply",Update:"Helm patches what changes in the chart, as on a cluster born before Cozystack 1.5"},Oi=80,br=4;function $r({audit:e,
recovery:t,facts:n},o){let r=dt(o.color),i=[...new Set(e.findings.map(c=>c.package))].flatMap(c=>[r(`Package ${y(c)}`,"bold"),...e.findings.filter(d=>d.package===c).flatMap(d=>ji(d,o,r)),""]),a=n.filter(
({source:c})=>c==="assumed").map(at);return[...i,r(Fi(e),"bold"),...e.helm?[`  ${$i[e.helm]}`]:[],...a.map(c=>`  assumed: ${y(c)}`),...t.length>0?["",r("To restore it, in this order:","bold"),...t.flatMap(
Ri)]:[],""].join(`
`)}function ji(e,t,n){let{kind:o,fields:r,assumes:s}=e,[i,a]=bi[o],c=r.length-br,l=`${r.slice(0,br).map(O=>y(P(O))).join(", ")}${c>0?` and ${c} more`:""}`,f=o==="doomed"||o==="lost"&&!e.now?"":`: ${ki(
e)}`,[u=[]]=r,m=o==="taken"||o==="shared"?t.locate(e.package,u):void 0,p=m?`  ${y(m.file)}:${m.range.start.line}`:"",h=" ".repeat(10);return[`  ${n(i.padEnd(6),a)}  ${l}${f}${p}`,...Pi(e).map(O=>`${h}${O}`),
...s.length>0?[`${h}only as far as the ${s.join(" and the ")} can be assumed`]:[]]}function ki({fields:[e=[]],now:t,set:n}){if(!t)return"";let o=Yt(t.value,t.path),r=t.path.length===e.length?o:`${o} s\
tands at ${y(P(t.path))}`;return n===void 0?r:Ci(t.value,n)&&t.path.length===e.length?`${r}, as the platform sets it`:`${r}, where the platform sets ${Yt(n,e)}`}function Pi({kind:e,owner:t,by:n,why:o,
set:r,fields:[s=[]],now:i}){let a=t?Xt[t]:"",c=n.map(vi).join(", "),d=o===void 0?[]:[y(o)];switch(e){case"taken":return[`from ${a} by ${c}`,...d];case"lost":{let l=r===void 0||i?"":`; the platform set\
s ${Yt(r,s)}`,f=i?.value===null?["null is what is left of a map that was taken and let go; Helm reads it as an order to delete the default"]:[];return[`it belongs to ${a}, and is not there${l}`,...f,...d]}case"\
doomed":return[`set by ${c}`,"Flux removes it when it next applies the Package, unless that has ssa: Merge"];case"shared":return[`of ${a}, and also of ${c}: nothing is lost while both set the same`];case"\
odd":return xi(t,c,i?.value??null)}}function xi(e,t,n){return e==="flux"?[`a label of Flux, but set by ${t}`]:e?[`no manager is recorded for it, though it belongs to ${Xt[e]}`]:n===null?["nobody has s\
et it: null is what is left of a map that was taken and let go; Helm reads it as an order to delete the default"]:[]}function vi({manager:e,operation:t,time:n}){return y(`${e} (${[t,n].filter(Boolean).
join(", ")})`)}function Fi({packages:e,emitted:t,findings:n}){let o=`${pe(e,"Package")}, ${t} of them made by the platform chart`,r=(...c)=>n.filter(d=>X(d)&&c.includes(d.kind)).length,s=[[r("taken"),
"taken"],[r("lost"),"lost"],[r("doomed"),"about to be removed"]],i=n.length-n.filter(X).length,a=[...s.flatMap(([c,d])=>c>0?[`${c} ${d}`]:[]),...i>0?[pe(i,"notice")]:[]].join(", ");return n.some(X)?`${a}\
, in ${o}`:`Nothing is taken in ${o}${a&&`; ${a}`}`}function Ri({why:e,command:t},n){return[`  # ${n+1}. ${y(e)}`,...t===void 0?[]:[`  ${Or(t)}`]]}function Or(e){return y(e)===e&&!Si(e)?e:"# (not show\
n: it holds what looks secret)"}function Si(e){return x(e)!==e}function Yt(e,t){return y(ae(JSON.stringify(Ce(e,t)),Oi))}function Ce(e,t){return e!==null&&t.some(n=>xe(String(n)))?ve:Array.isArray(e)?
e.map((n,o)=>Ce(n,[...t,o])):e!==null&&typeof e=="object"?Object.fromEntries(Object.entries(e).map(([n,o])=>[n,Ce(o,[...t,n])])):typeof e=="string"?x(e):e}function Ci(e,t){return JSON.stringify(e)===JSON.
stringify(t)}function jr({audit:e,recovery:t,facts:n},{locate:o}){let{findings:r,...s}=e;return S({...s,facts:n.map(({name:i,value:a,source:c})=>({name:i,value:a,source:c})),findings:r.map(i=>{let{package:a,
kind:c,fields:d,now:l,set:f,owner:u,by:m,why:p,assumes:h}=i,[O=[]]=d,w=o(i.package,O);return{package:a,kind:c,serious:X(i),fields:d.map(j=>P(j)),...u&&{owner:Xt[u]},...l&&{value:Ce(l.value,l.path),valueAt:P(
l.path)},...f!==void 0&&{set:Ce(f,O)},by:m,assumes:h,...b({why:p}),...w&&{file:w.file,line:w.range.start.line}}}),recovery:t.map(({why:i,command:a})=>({why:i,...a!==void 0&&{command:Or(a)}}))})}async function Ai(e,t){let{values:n}=e,{home:o}=t;if(n.live===void 0==(n.kubeconfig===void 0))throw new g("audit of what? either --live FILE, made with kubectl get packages -o yaml --show-managed-fiel\
ds, or --kubeconfig FILE");if(n.context!==void 0&&n.kubeconfig===void 0)throw new g("--context needs --kubeconfig");let r=n.live??"the cluster",s=n.kubeconfig===void 0?he(r):await Wi(n.kubeconfig,n.context,
o);if(!s.some(Mi))throw new g(`there is no Package of Cozystack in ${r}`);let i={from:r,data:Pr(o,"schemas"),...b({release:n.release})};if(!Ji(e))return kr(s,i,e,t);let a=A(t.stderr),c=await E(e,t,a);
return I(c,({clusters:d,trees:l})=>{a.stop();let f={cluster:lt(d,n),locator:new q(l)};return kr(s,i,e,t,f)}).finally(a.stop)}function kr(e,t,n,o,r){let{values:s}=n,i=rr(e,{...t,...r&&{known:r.cluster}}),
a=mr(i,r?.cluster.head.objects),c=[qe(i.facts.get("release"),i.contract),i.facts.get("variant")],d={audit:a,recovery:gr(a,i),facts:c},l={color:ft(s,o),locate:(f,u)=>Li(f,u,r)};return R(s.format?.at(-1)===
"json"?jr(d,l):$r(d,l),n,o),a.findings.some(X)?1:0}function Li(e,t,n){let r=(n?.cluster.head.objects.filter(U)??[]).find(({ref:s,value:i})=>s.name===e&&$(i,t)!==void 0);return r&&n?.locator.locate({object:r,
path:t}).at}function Ji({directory:e,values:t}){return e!=="."||t.config!==void 0||t.path!==void 0?!0:[Fn,".git",...Mn,"clusters"].some(o=>Ei(Pr(e,o)))}function Mi({apiVersion:e,kind:t}){return U({ref:{
apiVersion:String(e),kind:String(t),name:""}})}var Ni=120;async function Wi(e,t,n){try{let o=await Wo(n,e,t);return await To(o,AbortSignal.timeout(Ni*1e3))}catch(o){throw o instanceof No?new g(o.message):
o}}import{existsSync as ma,readdirSync as pa,statSync as ha}from"node:fs";import{join as ga,resolve as ya}from"node:path";import{finished as Ki}from"node:stream/promises";import{setTimeout as Gi}from"node:timers/promises";import Er from"node:http";import Ar from"node:https";import{connect as zi}from"node:tls";function xr(e){let t=e.protocol==="https:";if(Ti(e))return;let n=t?process.env.https_proxy||process.env.HTTPS_PROXY:process.env.http_proxy||process.env.HTTP_PROXY;if(n)try{return new wt(n)}catch{if(!n.
startsWith("http://")&&!n.startsWith("https://"))return new wt(`http://${n}`)}else return}function Ti(e){if(!e.hostname)return!1;let t=e.hostname;if(Bi(t))return!0;let n=process.env.no_proxy||process.
env.NO_PROXY||"";if(!n)return!1;let o;e.port?o=Number(e.port):e.protocol==="http:"?o=80:e.protocol==="https:"&&(o=443);let r=[e.hostname.toUpperCase()];typeof o=="number"&&r.push(`${r[0]}:${o}`);for(let s of n.
split(",").map(i=>i.trim().toUpperCase()).filter(i=>i))if(s==="*"||r.some(i=>i===s||i.endsWith(`.${s}`)||s.startsWith(".")&&i.endsWith(`${s}`)))return!0;return!1}function Bi(e){let t=e.toLowerCase();return t===
"localhost"||t.startsWith("127.")||t.startsWith("[::1]")||t.startsWith("[0:0:0:0:0:0:0:1]")}var wt=class extends URL{constructor(t,n){super(t,n),this._decodedUsername=decodeURIComponent(super.username),
this._decodedPassword=decodeURIComponent(super.password)}get username(){return this._decodedUsername}get password(){return this._decodedPassword}};import{lookup as Ii}from"node:dns";import{BlockList as Zt,isIP as vr}from"node:net";var bt=new Zt;for(let[e,t]of[["0.0.0.0",8],["10.0.0.0",8],["100.64.0.0",10],["127.0.0.0",8],["169.254.0.0",16],["172\
.16.0.0",12],["192.0.0.0",24],["192.0.2.0",24],["192.88.99.0",24],["192.168.0.0",16],["198.18.0.0",15],["198.51.100.0",24],["203.0.113.0",24],["224.0.0.0",3]])bt.addSubnet(e,t,"ipv4");for(let[e,t]of[[
"2001::",23],["2001:db8::",32],["2002::",16],["3fff::",20]])bt.addSubnet(e,t,"ipv6");var Fr=new Zt;Fr.addSubnet("2000::",3,"ipv6");var Rr=new Zt;Rr.addSubnet("64:ff9b::",96,"ipv6");function Ee(e){let t=vr(
e);return t===4?!bt.check(e,"ipv4"):t!==6||e.includes("%")?!1:Rr.check(e,"ipv6")?Ee(Di(e)):Fr.check(e,"ipv6")&&!bt.check(e,"ipv6")}function Di(e){let t=new URL(`http://[${e}]`).hostname.slice(1,-1),[n="\
0",o="0"]=t.split(":").slice(-2),r=Number.parseInt(n||"0",16)<<16|Number.parseInt(o||"0",16);return[24,16,8,0].map(s=>r>>>s&255).join(".")}var ge=class extends Error{name="AddressError"};function Sr(e,t){
let n=e.startsWith("[")?e.slice(1,-1):e;if(vr(n)!==0&&!t(n))throw new ge(n)}function Cr(e){return(t,n,o)=>{Ii(t,{...n,all:!0},(r,s)=>{if(r)return o(r,"",0);let i=s.find(({address:a})=>!e(a));if(i)return o(
new ge(i.address),"",0);if(n.all)return o(null,s);o(null,s[0]?.address??"",s[0]?.family)})}}var T=class extends Error{constructor(n,o){super(n);this.after=o}after;name="BrokenError"};async function Qt(e,t,n){let o=Ui(e,n);try{Sr(e.hostname,o);let r=xr(e),s=r&&e.protocol==="https:"?await Hi(r,
e,n):void 0;return await _i(e,t,n,{wants:o,through:s})}catch(r){throw en(r,e,n)}}function Ui(e,{allowPrivate:t,hosts:n}){if(!n.has(e.host))throw new g(`${e.host} is no host of this registry; --allow-h\
ost ${e.host} allows it`);let o=e.protocol==="http:";if(e.protocol!=="https:"&&!(o&&t))throw new g(`${e.origin}: only https is spoken; --allow-private allows http to private addresses`);return o?r=>!Ee(
r):r=>t||Ee(r)}function _i(e,t,{silence:n,signal:o},{wants:r,through:s}){return new Promise((i,a)=>{let d=(e.protocol==="https:"?Ar.request:Er.request)(e,{headers:{"user-agent":"customizer-lint","acce\
pt-encoding":"identity",...t},lookup:Cr(r),timeout:n,signal:o,...s?{defaultPort:443,createConnection:()=>zi({socket:s,servername:e.hostname})}:{agent:!1}}),l;d.on("timeout",()=>(l??d).destroy(new T(`${e.
host} sent nothing for ${n/1e3} s`))),d.on("error",a).on("response",f=>{l=f,i(f)}),d.end()})}function Hi(e,t,{silence:n,signal:o}){return new Promise((r,s)=>{let i=e.protocol==="https:"?Ar.request:Er.
request,a=`${t.hostname}:${t.port||443}`,c=e.username?`${e.username}:${e.password}`:void 0,d=i({host:e.hostname,port:e.port||(e.protocol==="https:"?443:80),method:"CONNECT",path:a,agent:!1,headers:{host:a,
...c!==void 0&&{"proxy-authorization":`Basic ${Buffer.from(c).toString("base64")}`}},timeout:n,signal:o});d.on("timeout",()=>d.destroy(new T(`the proxy ${e.host} sent nothing`))),d.on("error",s).on("c\
onnect",({statusCode:l},f)=>{if(l===200)return r(f);f.destroy(),s(new g(`the proxy ${e.host} does not connect to ${a} (${l})`))}),d.end()})}var Vi=["ECONNRESET","ERR_STREAM_PREMATURE_CLOSE","ECONNABOR\
TED","ETIMEDOUT","EPIPE","EAI_AGAIN","ENETUNREACH","EHOSTUNREACH"];function en(e,t,{signal:n}){if(e instanceof T||e instanceof g)return e;if(n.aborted)return new T("the time is up");if(e instanceof ge)
return new g(`${t.host} is ${e.message}, ${qi(t,e.message)}`);let{code:o="",message:r}=e;return Vi.includes(o)?new T(`the connection to ${t.host} broke (${o})`):new g(`${t.host} cannot be asked: ${r||
o}`)}function qi({protocol:e},t){return e==="http:"&&Ee(t)?"an address of the internet, where only https is spoken":"no address of the internet; --allow-private allows it"}var Yi={"ghcr.io":["pkg-containers.githubusercontent.com"]};function Nr(e,t){return new Set([e.host,...Yi[e.host]??[],...t])}var Lr=4,Xi=[1,3,9],Zi=30,Jr=5,Qi=1<<20,$t=class{constructor(t,n){this.reference=
t;this.options=n;this.#t=new URL(`/v2/${t.repository}/`,t.registry)}reference;options;#e;#t;bytes(t,n,o){return this.patiently(t,async()=>{let r=await this.get(t,{accept:n});if(r.response.statusCode!==
200)throw this.#n(r,t);return Mr(r,o,t,this.options.network)})}async get(t,n){let o=new URL(t,this.#t),r=await this.#o(o,n);return r.response.statusCode!==401||r.url.host!==o.host?r:(r.response.destroy(),
await this.#a(String(r.response.headers["www-authenticate"]??"")),this.#o(o,n))}async patiently(t,n){let{network:o,say:r,second:s=1e3}=this.options;for(let i=1;;i+=1)try{return await n(i)}catch(a){if(!(a instanceof
T)||o.signal.aborted)throw a;let c=a.after??Xi[i-1]??0;if(i===Lr||c>Zi)throw new g(`${t} could not be had in ${i} ${i===1?"try":"tries"}: ${a.message}`);r(`${a.message}; trying again (${i} of ${Lr-1})`),
await Gi(c*s,void 0,{signal:o.signal})}}#n(t,n){let{response:o,url:r}=t;o.destroy();let s=o.statusCode??0;return s===429||s===408||s>=500?new T(`${r.host} answered ${s}`,ea(o.headers["retry-after"])):
s===404?new g(`${r.host} has no ${n} in ${this.reference.repository} (404)`):s===401||s===403?new g(`${r.host} does not allow it (${s}); ${this.#s()}`):new g(`${r.host} answered ${s} where ${n} was as\
ked for`)}#s(){let{basic:t,words:n}=this.options.credentials;return t===void 0?n:`the credentials are those of ${n}`}expect(t,n,o){if(!o.includes(t.response.statusCode??0))throw this.#n(t,n)}async#o(t,n){
let o=t;for(let r=0;;r+=1){let s=o.origin===this.reference.registry.origin?this.#e:void 0,i=await Qt(o,{...n,...s&&{authorization:s}},this.options.network),{location:a}=i.headers;if(![301,302,303,307,
308].includes(i.statusCode??0)||a===void 0)return{response:i,url:o};if(i.destroy(),r===Jr)throw new g(`${t.host} leads on more than ${Jr} times`);o=this.#r(a,o)}}#r(t,n){let o=URL.canParse(t,n.href)?new URL(
t,n):void 0;if(o===void 0||o.username!==""||o.password!=="")throw new g(`${n.host} leads on to what is no address`);if(n.protocol==="https:"&&o.protocol!=="https:")throw new g(`${n.host} leads on to ${o.
host} without TLS`);if(!this.options.network.hosts.has(o.host))throw new g(`${n.host} leads on to ${o.host}, which is not known to belong to it; --allow-host ${o.host} allows it`);return o}async#a(t){
let{basic:n}=this.options.credentials,o=this.reference.registry.host,r=/\brealm="([^"]*)"/i.exec(t)?.[1],s=/\bservice="([^"]*)"/i.exec(t)?.[1];if(/\bbearer /i.test(t)&&r!==void 0){this.#e=`Bearer ${await this.
patiently(`a token of ${o}`,()=>this.#i(r,s))}`;return}if(!/^basic\b/i.test(t))throw new g(`${o} asks for a kind of login that is not known`);if(n===void 0)throw new g(`${o} asks for a user and a pass\
word; ${this.#s()}`);this.#e=`Basic ${n}`}async#i(t,n){let{network:o,credentials:r}=this.options,{registry:s,repository:i}=this.reference,a=this.#r(t,s);n!==void 0&&a.searchParams.set("service",n),a.searchParams.
set("scope",`repository:${i}:pull`);let{basic:c}=r,d={accept:"application/json",...c&&{authorization:`Basic ${c}`}},l={response:await Qt(a,d,o),url:a};this.expect(l,"a token",[200]);let f=Co(await Mr(
l,Qi,"the token",o),`the token of ${a.host}`),u=L(f,["token"])??L(f,["access_token"]);if(u===void 0||!/^[\x21-\x7e]+$/.test(u))throw new g(`${a.host} gives no token`);return u}};function ea(e){return e!==
void 0&&/^\d{1,9}$/.test(e)?Number(e):void 0}async function tn({response:e,url:t},{most:n,what:o,network:r},s){let i=0,a;e.on("data",c=>{i+=c.length;try{if(i>n)throw new g(`${t.host} sends more than ${n}\
 bytes for ${o}`);s(c)}catch(d){a??=d,e.destroy()}}),await Ki(e).catch(c=>{throw a??en(c,t,r)})}async function Mr(e,t,n,o){let r=[];return await tn(e,{most:t,what:n,network:o},s=>r.push(s)),Buffer.concat(
r)}import{readFileSync as ta}from"node:fs";import{homedir as na}from"node:os";import{join as Wr}from"node:path";function Tr(e,t){let{where:n,text:o}=oa(t);if(o===void 0)return{words:`there is no ${n}`};let r=ra(o,n),s=$(r,["auths"]),i=k(s)?Object.entries(s).find(([l])=>sa(l)===e)?.[1]:void 0,a=i===void 0?void 0:
ia(i);if(a!==void 0)return{basic:a,words:n};let d=L(r,["credHelpers",e])??L(r,["credsStore"])?", and the helper that it names is not started":"";return{words:`${n} has no user and password for ${e}${d}`}}
function oa(e){let{DOCKER_AUTH_CONFIG:t,DOCKER_CONFIG:n,HOME:o}=e;if(t)return{where:"DOCKER_AUTH_CONFIG",text:t};let r=Wr(n||Wr(o||na(),".docker"),"config.json");try{return{where:r,text:ta(r,"utf8")}}catch(s){
let{code:i}=s;if(i==="ENOENT"||i==="ENOTDIR")return{where:r,text:void 0};throw s}}function ra(e,t){try{return JSON.parse(e)}catch{throw new g(`${t} is not JSON`)}}function sa(e){return e.replace(/^https?:\/\//,
"").split("/")[0]??""}function ia(e){let t=L(e,["auth"]);if(t&&/^[A-Za-z0-9+/]+=*$/.test(t))return t;let[n,o]=[L(e,["username"]),L(e,["password"])];return n&&o?Buffer.from(`${n}:${o}`).toString("base6\
4"):void 0}import{createHash as Ir}from"node:crypto";import{closeSync as aa,ftruncateSync as ca,openSync as da,writeSync as fa}from"node:fs";async function Dr(e,t,n){let o=new $t(e,n),r=`manifests/${e.digest}`,s=await o.bytes(r,`${Fo}, ${Ro};q=0.5`,So),{config:i,layer:a}=Eo(s,e.digest,n.most);Mo(t,s);for(let c of new Map([i,a].map(d=>[d.digest,
d])).values())await la(o,c,Jo(t,c.digest),n);return a.size}async function la(e,t,n,o){let r=da(n,"w"),s={file:r,hash:Ir("sha256"),done:0};try{await e.patiently(`the blob ${t.digest}`,()=>ua(e,t,s,o));
let i=`sha256:${s.hash.digest("hex")}`;if(i!==t.digest)throw new g(`what the registry sent as ${t.digest} has the digest ${i}`)}finally{aa(r)}}async function ua(e,{digest:t,size:n},o,{network:r}){let s=`\
blobs/${t}`,i=o.done;if(i===n)return;let a=await e.get(s,i>0?{range:`bytes=${i}-`}:{}),{response:c,url:d}=a;if(c.statusCode===416)throw c.destroy(),Br(o),new T(`${d.host} has no part of ${s} from byte\
 ${i} on`);e.expect(a,s,i>0?[200,206]:[200]);let{"content-range":l="","content-length":f}=c.headers;if(c.statusCode===200)Br(o);else if(!l.startsWith(`bytes ${i}-`))throw c.destroy(),new g(`${d.host} \
sends another part of ${s} than was asked for`);let u=n-o.done;if(f!==void 0&&Number(f)!==u)throw c.destroy(),new g(`${d.host} has ${f} bytes of ${s}, and the manifest says ${u}`);if(await tn(a,{most:u,
what:s,network:r},m=>{fa(o.file,m,0,m.length,o.done),o.hash.update(m),o.done+=m.length}),o.done<n)throw new T(`${d.host} sent ${o.done} of ${n} bytes of ${s}`)}function Br(e){ca(e.file),Object.assign(
e,{hash:Ir("sha256"),done:0})}var wa="charts pull RELEASE, e.g. charts pull v1.6.2",ba=300,$a=30;async function Oa({operands:[e,t,...n],values:o},r){if(e!=="pull"||t===void 0)throw new g(`what of charts? ${wa}`);if(n.length>0)throw new g(
`one at a time: "${t}" or "${n[0]}"?`);let s=Tt(t)?jo(ga(r.home,"schemas"),t):t,i=xo(s),a=o.registry===void 0?i:vo(i,o.registry),c=o.output===void 0?ko(r.env,i.digest):ya(o.output),d=l=>{o.quiet||r.stderr.
write(`customizer-lint: ${y(l)}
`)};if(await ja(c,i))d("they were pulled before");else{o.output!==void 0&&ka(c);let l=await Pa(a,c,{values:o,program:r,say:d});d(`pulled ${(l/2**20).toFixed(1)} MiB from ${a.registry.host}; --charts t\
akes the directory${Tt(t)&&o.output===void 0?` or "${t}"`:""}`)}return r.stdout.write(`${y(c)}
`),0}async function ja(e,{digest:t}){if(!Lo(e))return!1;try{return await Bt(e,t),!0}catch(n){if(n instanceof g)return!1;throw n}}function ka(e){if(Yo(e,Go(".")),ma(e)&&(!ha(e).isDirectory()||pa(e).length>
0))throw new g(`${e} is there already, and is not this artifact`)}async function Pa(e,t,{values:n,program:o,say:r}){let s=xa(n["max-seconds"]),{registry:i,digest:a}=e,c={allowPrivate:n["allow-private"]===
!0,hosts:Nr(i,n["allow-host"]??[]),silence:$a*1e3,signal:AbortSignal.timeout(s*1e3)},d=Tr(i.host,o.env);return Po(t,async l=>{try{let f=await Dr(e,l,{network:c,credentials:d,say:r,most:Ao});return await Bt(
l,a,`the artifact ${a}`),f}catch(f){throw c.signal.aborted?new g(`${i.host} was not done in ${s} s; --max-seconds allows more`):f}})}function xa(e){if(e===void 0)return ba;if(!/^\d{1,5}$/.test(e)||Number(
e)===0)throw new g(`--max-seconds ${e}: a number of seconds from 1 is needed`);return Number(e)}var Ae={bash:Fa,zsh:Ra,fish:Ca},oe=Object.keys(Ie);async function va({operands:[e]},{stdout:t}){if(e===void 0||!Object.hasOwn(Ae,e))throw new g(`completion of which shell? ${Object.keys(Ae).join(", ")}`);
return t.write(Ae[e]()),0}function Ot({name:e,accepts:t}){let{accepts:n}=Be[e],o=H.map(({id:r})=>r);return e==="rule"?o:e==="select"||e==="ignore"?[...Object.keys(ut),...o]:t??n??[]}function Fa(){let e=oe.
map(n=>{let o=Pe(n).map(r=>`--${r.name}`);return`    ${n}) words='${o.join(" ")}' ;;`}),t=oe.flatMap(n=>Pe(n).filter(o=>Ot(o).length>0).map(o=>`    '${n} --${o.name}') COMPREPLY=($(compgen -W '${Ot(o).
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
    'completion completion') COMPREPLY=($(compgen -W '${Object.keys(Ae).join(" ")}' -- "$word")); return ;;
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
`}function ne(e){return`'${e.replaceAll("'","'\\''")}'`}function Ra(){let e=oe.map(n=>`    ${ne(`${n}:${Ie[n].summary.replaceAll(":",",")}`)}`),t=oe.map(n=>{let o=Pe(n).map(a=>ne(`--${a.name}${Sa(a)}`)),
r=n==="rules"?` '1:rule:(${H.map(({id:a})=>a).join(" ")})'`:"",s=n==="charts"?" '1:what:(pull)'":"",i=n==="completion"?` '1:shell:(${Object.keys(Ae).join(" ")})'`:"";return`    ${n}) _arguments ${o.join(
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
`}function Sa(e){let{type:t}=Be[e.name],n=Ot(e),o=At(e).replace(/[[\]:]/g," ");return t==="boolean"?`[${o}]`:`=[${o}]:value:${n.length>0?`(${n.join(" ")})`:"_files"}`}function Ca(){let e=`not __fish_s\
een_subcommand_from ${oe.join(" ")}`,t=oe.flatMap(r=>{let s=r==="check"?e:`__fish_seen_subcommand_from ${r}`;return[`complete -c customizer-lint -n ${ne(e)} -a ${r} -d ${ne(Ie[r].summary)}`,...Pe(r).map(
i=>{let{type:a}=Be[i.name],c=Ot(i),d=a==="boolean"?"":c.length>0?` -x -a ${ne(c.join(" "))}`:" -r";return`complete -c customizer-lint -n ${ne(s)} -l ${i.name}${d} -d ${ne(At(i))}`})]}),n=`complete -c \
customizer-lint -n '__fish_seen_subcommand_from rules' -f -a ${ne(H.map(({id:r})=>r).join(" "))}`;return`# fish completion of customizer-lint
${[...t,n,"complete -c customizer-lint -n '__fish_seen_subcommand_from charts' -f -a pull"].join(`
`)}
`}async function Ea(e,t){let{values:n}=e,o=A(t.stderr),r=n.live===void 0?[]:he(n.live),s=n.charts===void 0?void 0:await me(n.charts,t),i=await E(e,t,o),{home:a,engine:c}=i;return I({...i,server:"simulat\
es",lints:!0},async d=>{let{clusters:l,rendered:f,trees:u,server:m,budget:p}=d,h=ee(l,n),O=Ye(d,i),w={live:r,said:O,fresh:n.fresh===!0,progress:o.say},j=new q(u),M=await Bo(h,w,m,(z,ie)=>Io(z,ie,j)),v=Te(
()=>de(u,f)),D={home:a,budget:p,server:m,trees:u,secrets:v,...b({engine:c})},N=s&&await Oo(h,{store:s,progress:o.say},D);o.stop(),N?.diffs.length===0&&t.stderr.write(`nothing changes below the Package\
s
`);let _=(n.format?.at(-1)??"text")==="text"?"":Qo(e.directory),Oe=Ko(fe(M,new Set([...v(),...N?.secrets??[]])),_);R(Aa({diffs:Oe,charts:N?.diffs??[]},n,t),e,t);let je=f.head.filter(({ok:z})=>!z).map(
({entrypoint:z})=>z.path);for(let z of je)t.stderr.write(`warning  ${y(z)} cannot be built, so Flux applies nothing of it
`);return je.length>0||M.some(({objects:z})=>z.length>0)?1:0}).finally(o.stop)}function Aa({diffs:e,charts:t},n,o){let r=n.format?.at(-1);if(r==="json")return S(n.charts===void 0?Ut(e):{diffs:Ut(e),charts:t});
if(r==="markdown")return`${[...Vo(e,Number.POSITIVE_INFINITY),..._o(t,Number.POSITIVE_INFINITY)].join(`

`)}
`;let s=ft(n,o);return[Ho(e,{color:s}),...t.length>0?[Uo(t,{color:s})]:[]].join(`
`)}import{isDeepStrictEqual as La}from"node:util";async function Le(e,t,n){let o=await e.render(t,n.world,0,{definitions:!0});return"failed"in o?{failed:o.failed}:zr(o.objects,t,n)}function zr(e,{namespace:t},n){return e.map(o=>{let r=$o(o.object,t,n.
schemas);return{...o,object:r,id:W(B(r))}})}function Ja(e,t){let n=new Map(t.map(c=>[c.id,c])),o=new Set(e.map(({id:c})=>c)),r=Ma(e.filter(({id:c})=>!n.has(c)),t.filter(({id:c})=>!o.has(c))),s=new Set(
[...r.values()]),i=e.flatMap(c=>{let d=n.get(c.id)??r.get(c);if(!d)return[{made:c,whole:"there",fields:[]}];let l=wo(d.object,c.object);return l.length>0?[{made:c,other:d,fields:l}]:[]}),a=t.filter(c=>!o.
has(c.id)&&!s.has(c));return[...i,...a.map(c=>({made:c,whole:"absent",fields:[]}))]}function Ma(e,t){let n=({template:s,object:i})=>JSON.stringify([s,i.apiVersion,i.kind]),o=re(t,n),r=[...re(e,n)].flatMap(
([s,i])=>{let a=o.get(s)??[];return a.length===i.length?i.map((c,d)=>[c,a[d]]):[]});return new Map(r)}async function kt(e,{side:t,release:n},o,r){let s=a=>e.readsCluster(a.chart)?a:{...a,values:{...a.
values,_cluster:null}};if(!r||La(s(r),s(n)))return[];let i=await e.render(r,t.world,0,{keeps:!1,definitions:!0});return"failed"in i?i:Ja(o,zr(i.objects,r,t))}async function Ur(e,t,n,o){let{object:r,release:s,
side:i}=t,a=$(r.value,n),c=await Le(e,s,i);if("failed"in c)return Na(e,t,n,c.failed);let d=a===void 0?[]:await _r(e,t,c,n);if(Array.isArray(d)&&d.length>0)return{effect:"decides",objects:d};let l=await Hr(
e,t,c,n,a??o);return"failed"in d?{effect:"needed",why:ue(d.failed),objects:l.objects}:l.objects.length>0?{effect:"decides",objects:l.objects,isDefault:!0}:{effect:l.fails?"unknown":"none"}}function _r(e,t,n,o){
let r=Se(t.object.value,[o]);return kt(e,t,n,le(t.side,t.release,r))}async function Hr(e,{side:t,object:n,release:o},r,s,i){let a=i===void 0?[]:Pt(i),c=a.length===0;for(let d of a){let l=le(t,o,et(n.value,
s,d)),f=await kt(e,{side:t,object:n,release:o},r,l);if(Array.isArray(f)){if(f.length>0)return{objects:f,fails:!1};c=!0}}return{objects:[],fails:!c}}async function Na(e,{side:t,object:n,release:o},r,s){
let i=ue(s),a=le(t,o,Se(n.value,[r])),c=a&&await e.render(a,t.world,0,{keeps:!1});return{effect:"fails",why:i,isCause:!c||!("failed"in c)||ue(c.failed)!==i}}async function Vr(e,t,n,o){let{objects:r}=await Hr(
e,t,n,o,$(t.object.value,o));if(r.length>0)return r;let s=await _r(e,t,n,o);return Array.isArray(s)?s:[]}function Pt(e){return typeof e=="boolean"?[!e]:typeof e=="number"?[e+1]:typeof e=="string"?e===
""?["other"]:[Wa(e),""]:Array.isArray(e)?e.length===0?[["other"]]:[jt(e),[]]:k(e)?[jt(e)]:[]}function jt(e){if(Array.isArray(e))return e.map(jt);if(!k(e))return Pt(e)[0]??e;let t=Object.entries(e);return t.
length===0?{other:"other"}:Object.fromEntries(t.map(([n,o])=>[n,jt(o)]))}function Wa(e){return/\d/.test(e)?e.replace(/\d/,t=>String(Number(t)%9+1)):`${e}x`}var Ta=.2;function ye({left:e,limits:t}){return e<
t.seconds*Ta}async function qr(e,t,n){let o=new Map,r=new Set,s=0,i=new Map(e.map(({cluster:a,fields:c})=>[a,c]));return await ot([...i.keys()],t,n,async(a,c)=>{let d=await Qe(a,c.head,n.trees.head),{releases:l}=it(
d),f=[];for(let{object:u,paths:m}of i.get(c)??[]){let p=new Map;o.set(u,p);for(let h of m){let O=l.find(j=>j.object===u&&Ba(h,j.release))?.release;if(!O)continue;if(ye(n.budget)){s+=1;continue}let w=await Da(
a,{side:d,object:u,release:O},h);w&&p.set(JSON.stringify(h),w)}for(let{release:h}of l.filter(O=>O.object===u))f.push(...await Ia(a,h,d))}for(let u of tt(rt(c),f,st(d)))r.add(u)}),{of:(a,c)=>o.get(a)?.
get(JSON.stringify(c)),secrets:r,left:s}}function Ba(e,t){let n=Re(t);return e.length>n.length&&F(e,n)}async function Ia(e,t,n){let o=await Le(e,t,n);return"failed"in o?[]:o.map(({object:r})=>r).filter(
nt)}async function Da(e,t,n){let{object:o,release:r,side:s}=t,i=$(o.value,n)??ho(s,r,n)??await za(e,r,n);if(i===void 0||k(i)&&Object.keys(i).length>0)return;let a=await Ur(e,t,n,i),c={release:Ze(r).release};
if(!("objects"in a))return{...c,...a};let d=a.effect==="needed"||a.isDefault===!0;return{...c,...a,objects:a.objects.map(l=>Ua(l,d))}}async function za(e,t,n){let o=await e.load(t.chart);return"failed"in
o?void 0:$(o.values,n.slice(Re(t).length))}function Ua({made:{object:e},other:t,whole:n,fields:o},r){let s=B(e),i=bo(s,[t?.object??e,e],o),a=o.map(({path:c})=>c);return{ref:s,...n?{whole:n}:b({restarts:uo(
e,a)}),fields:r?i.map(({before:c,...d})=>d):i}}var nn={owner:"nobody",customizer:"set"};function Kr(e,t,n){if(U(e))return _a(e.ref.name,t,n);if(!En(e))return;let{name:o}=e.ref;return t[0]!=="spec"||!n.contract.catalog.source(o)?nn:{owner:o===C?"pl\
atform administrator":"platform chart",customizer:"never",why:"the PackageSource comes with the release, and its variants are one list"}}function _a(e,t,n){let{contract:o,facts:r,snapshot:s,head:i}=n,
a={contract:o,facts:r,snapshot:s,objects:i.applied};if(Vn(e,a)===!1)return{...nn,why:"the platform makes no such Package"};let c=He(e,a).find(({field:p})=>F(t,p)||F(p,t));if(c){let{set:p,when:h,knob:O,
atInstall:w,why:j,dead:M}=c,v=M??j;return{owner:"platform chart",customizer:"never",field:c.field,...b({why:v,set:p}),...b({when:h}),...b({knob:O,atInstall:w})}}let d=t.findIndex(p=>typeof p=="number"),
l=o.ownership.rowFor(e,d<0?t:t.slice(0,d));if(!l)return nn;let{owner:f,customizer:u,why:m}=l;return{owner:f,customizer:u,...f!=="customizer"&&{why:m}}}var Ha=160,xt={objects:10,fields:10};function Qr(e){let t=`HelmRelease ${e.release}`;switch(e.effect){case"none":return[`${t}: no object changes with it`];case"unknown":return[`${t}: no object changes\
 without it, and with another value the chart fails`];case"fails":return[`${t}: its chart fails ${e.isCause?"with this value":"whatever it is"}: ${Gr(e)}`];case"needed":{let n=e.objects.length>0?[`  ${Yr(
e.objects)}`]:[];return[`${t}: without it the chart fails: ${Gr(e)}`,...n,...Xr(e.objects)]}case"decides":{let n=e.isDefault?"; the chart has the same by default":"";return[`${t}: ${Yr(e.objects)}${n}`,
...Xr(e.objects)]}}}function Gr({why:e}){return ae(x(e),Ha)}function Yr(e){let t=e.filter(({whole:a})=>!a),n=t.reduce((a,c)=>a+c.fields.length,0),o=e.length-t.length,r=e.filter(({restarts:a})=>a!==void 0).
length,i=`${[...o>0?[`${Je(o,"object")} as a whole`]:[],...n>0?[`${Je(n,"field")} of ${Je(t.length,"object")}`]:[]].join(" and ")} ${o+n===1?"depends":"depend"} on it`;return r===0?i:`${i}; the pods o\
f ${Je(r,"workload")} restart when it changes`}function Je(e,t){return`${e} ${t}${e===1?"":"s"}`}function Xr(e){return[...e.slice(0,xt.objects).flatMap(({ref:n,whole:o,fields:r,restarts:s})=>{let i=`${n.
kind} ${n.namespace?`${n.namespace}/`:""}${n.name}`;if(o)return[`  ${i} is ${o==="there"?"":"not "}made because of it`];let a=s===void 0?"":`: its pods restart when it changes (${s})`,c=r.filter(({path:l})=>!mo(
l)),d=c.slice(0,xt.fields).map(l=>`    ${Va(l)}`);return[`  ${i}${a}`,...d,...Zr(c.length-xt.fields,"field","    ")]}),...Zr(e.length-xt.objects,"object","  ")]}function Zr(e,t,n){return e>0?[`${n}and\
 ${Je(e,`more ${t}`)}`]:[]}function Va({path:e,before:t,after:n}){let o=P(e);if(n===void 0)return`${o} is not set${t===void 0?"":`, without it ${zt(t)}`}`;if(t===void 0)return`${o} = ${zt(n)}`;let[r,s]=ct(
t,n);return`${o} = ${s}, without it ${r}`}function es({release:e,...t}){let{effect:n}=t;return{release:e,effect:n,..."why"in t&&{why:x(t.why)},..."isCause"in t&&{isCause:t.isCause},..."isDefault"in t&&
{isDefault:!0},..."objects"in t&&{objects:t.objects.map(({ref:o,whole:r,restarts:s,fields:i})=>({...o,...b({whole:r,restarts:s}),fields:i.map(({path:a,before:c,after:d})=>({path:a,...b({value:d,without:c})}))}))}}}function ts(e){return e.map(({object:t,cluster:n,fate:o,fields:r})=>({id:W(t.ref),...t.ref,entrypoint:t.entrypoint,...b({cluster:n}),action:o.action,...o.why!==void 0&&{why:x(o.why)},...o.unsure!==void 0&&
{unsure:x(o.unsure)},fields:r.map(s=>qa(s,t))}))}function qa(e,t){let{path:n,written:o,contract:r,removal:s,fate:i}=e,a=(c,d,l=n)=>d===void 0?{}:{[c]:G(t,l,d)};return{path:n,...o&&{...a("value",o.value),
...o.removed&&{removed:!0},setBy:o.setBy,...b({alias:o.alias})},...r&&{contract:{...r,...a("set",r.set)}},...i&&Ka(e,i,a),...s&&{remove:{outcome:s.outcome,...s.why!==void 0&&{why:x(s.why)},...a("after",
s.after),...b({owners:s.owners}),others:s.others.map(c=>({path:c.path,...a("before",c.before,c.path),...a("after",c.after,c.path)}))}},...e.below&&{below:es(e.below)}}}function Ka({sentAs:e},t,n){let{
outcome:o,path:r,from:s,ownersBefore:i,ownersAfter:a,replaced:c}=t;return{ownersBefore:i,ownersAfter:a,apply:{outcome:o,...n("before",t.before,r),...n("after",t.after,r),...s.length>0&&{from:s},...c&&
{replaced:{path:c.path,...n("value",c.value,c.path)}},...b({as:e})}}}var vt=We(De(),1);function*Me(e,t){let n=new Map(e.map(r=>[r.index,r])),o=(r,s,i)=>({entrypoint:r.entrypoint,object:r.ref,path:s,by:i[0]?.by??null,derivedFrom:(i[0]?.derivedFrom??[]).flatMap(a=>{let c=n.get(a.object);return c?
[{object:c.ref,path:a.path}]:[]}),writers:i.map(({by:a,from:c})=>({by:a,from:c.flatMap(d=>{let l=t.origin(d,r.revision);return l?[on(l,"exact")]:[]})}))});for(let r of e){for(let s of ns(r,[])){let{at:i,
precision:a}=t.locate({object:r,path:s,part:"value"}),c=$(r.value,s)??null;yield{...o(r,s,r.writers(s,"value")),value:c,...on(i,a)}}for(let{path:s,by:i}of r.removed()){let{at:a,precision:c}=t.locate({
object:r,path:s,removedBy:i});yield{...o(r,s,i),removed:!0,...on(a,c)}}}}function*ns(e,t){let n=$(e.value,t);if(n===null||typeof n!="object"||Object.keys(n).length===0){yield t;return}let o=e.children(
t),r=Array.isArray(n)?[...n.keys()]:Object.keys(n);for(let s of o?.length===r.length?o:r)yield*ns(e,[...t,s])}function on({file:e,range:t},n){let{start:o,end:r}=t;return{file:e,line:o.line,column:o.column,
endLine:r.line,endColumn:r.column,precision:n}}function os(e,t){let n=new vt.Document(e.value);for(let{path:o,removed:r,file:s,line:i,precision:a}of Me([e],t)){let c=a==="file"?`${s}`:`${s}:${i}`,d=r?
n.contents:n.getIn(o,!0);if(!(0,vt.isNode)(d))continue;let l=a==="exact"?` by ${y(c)}`:"";r?d.comment=[d.comment,` ${P(o)} removed${l}`].filter(Boolean).join(`
`):d.comment=` ${y(c)}`}return n.toString({lineWidth:0})}import{isDeepStrictEqual as Qa}from"node:util";import{isDeepStrictEqual as ss}from"node:util";var Ne="kustomize-controller";function rn(e,t){let n=W(e.ref),o=no(e.ref),r=t.outcomes.find(({ref:l})=>W(l)===n),s={action:"refused",why:r?.why??"",...b({unsure:r?.unsure})};if(!ce(e))return r?.action===
"refused"?s:{action:"skipped",why:"the manifest tells Flux to leave it alone"};let i=t.unknown.find(({what:l})=>l===o);if(i)return{action:"unknown",...b({why:i.why,unsure:i.unsure})};if(r?.action==="r\
efused")return s;if(r?.action==="created")return{action:"created"};if(r?.action==="deleted")return{action:"deleted",...b({why:r.why})};let d=t.reconciles.filter(({path:l})=>l===e.entrypoint).flatMap(({
first:l,second:f})=>[f,l]).flatMap(({changes:l})=>l).find(({ref:l})=>W(l)===n);return d?.action==="skipped"?{action:"skipped",why:"it is there, and is told to be left alone"}:d?{action:r?.action==="ch\
anged"?"changed":"unchanged"}:Ga(e,t)}function Ga({entrypoint:e},{reconciles:t,applied:n}){let o=t.filter(({path:c})=>c===e).flatMap(({first:c,second:d})=>[d,c]),r=o.flatMap(c=>c.refused.map(({ref:d})=>kn(
d))),s=o.map(({reason:c})=>Ya[c]).find(c=>c!==void 0),{unsure:i}=n.find(({path:c})=>c===e)??{};return{action:"stopped",why:s??`${r[0]??"something"} is refused, which stops the rest`,...b({unsure:i})}}
var Ya={Suspended:"its Flux Kustomization is suspended",NotThere:"its Flux Kustomization is not in the cluster",DependencyNotReady:"its Flux Kustomization waits for another that is not ready"};function sn(e,{
before:t,after:n,sent:o},r){let s=we(e),[i,a]=[Ft(t,s),Ft(n,s)],c=i===void 0?Xa(t,s):void 0,d=rs(c?.path??s,i===void 0&&!c?void 0:t),l=rs(s,a===void 0?void 0:n),f=d.filter(m=>m!==Ne&&!l.includes(m));return{
outcome:r==="held"?"held":r==="set"&&Ft(o,e)===void 0?"unsent":r==="set"&&a===void 0?"dropped":i===void 0?a===void 0?"absent":f.length>0?"taken":"added":a===void 0?"gone":f.length>0?"taken":ss(i,a)?l.
length>1?"shared":"unchanged":"changed",path:s,ownersBefore:d,ownersAfter:l,from:f,...b({before:i,after:a}),...b({replaced:c})}}function Ft(e,t){return e&&$(e,t)}function we(e){let t=e.findIndex(n=>typeof n==
"number");return t<0?e:e.slice(0,t)}function Xa(e,t){for(let n=t.length-1;n>0;n--){let o=Ft(e,t.slice(0,n));if(o!==void 0)return k(o)?void 0:{path:t.slice(0,n),value:o}}}function rs(e,t){let n=Xe(t),o=J(
e).slice(0,-1),r=[...n].filter(([s])=>s===`${o}]`||s.startsWith(`${o},`));if(r.length>0)return[...new Set(r.flatMap(([,s])=>s))].sort();for(let s=e.length-1;s>0;s--){let i=n.get(J(e.slice(0,s)));if(i)
return[...i]}return[]}function is(e,{object:t,removed:n,simulation:o}){let r=rn(t,o),s=W(t.ref);if(r.action==="refused"||r.action==="stopped")return{outcome:r.action,why:eo(r.why??"",t),others:[]};let i={
before:o.before.get(s),after:o.after.get(s)},{before:a,after:c,ownersAfter:d}=sn(e,i,"unset"),f=(o.outcomes.find(({ref:m})=>W(m)===s)?.fields??[]).filter(({path:m})=>!F(m,we(n)));return c===void 0?{outcome:"\
goes",others:f}:{outcome:ss(a,c)?"stays":"becomes",after:c,owners:d,others:f}}function as(e,{object:t,cluster:n,simulation:o}){let{head:r}=n,s={...t,value:Za(t.value,e)},i=c=>c.map(d=>d===t?{...d,value:s.
value}:d),a=r.entrypoints.map(c=>c.ok?{...c,objects:i(c.objects)}:c);return{cluster:{...n,base:r,head:{...r,entrypoints:a,objects:i(r.objects),applied:i(r.applied)}},live:[...o.after.values()].filter(
c=>c!==void 0)}}function Za(e,t){let n=structuredClone(e);for(let o=t.length;o>0;o--){let r=$(n,t.slice(0,o-1)),s=t[o-1];if(o<t.length&&Object.keys(r[s]??{}).length>0)break;Array.isArray(r)?r.splice(Number(
s),1):delete r[s]}return n}var ec=80;function ds(e){return e.map(t=>`${tc(t).map(y).join(`
`)}
`).join(`
`)}function tc({object:e,cluster:t,fate:n,fields:o}){let{kind:r,namespace:s,name:i}=e.ref,a=t===void 0?"":`, cluster ${t}`;return[`${r} ${s?`${s}/`:""}${i} in ${e.entrypoint}${a}`,`  ${fs(n)}`,...o.flatMap(
c=>nc(c,e,n))]}function fs({action:e,why:t="",unsure:n}){let o={created:"is created",changed:"is changed",unchanged:"stays as it is in the cluster",deleted:"is deleted",refused:"is refused",stopped:"i\
s not applied",skipped:"is passed over",unknown:"is not simulated"},r=t?`${o[e]}: ${x(t)}`:o[e];return n===void 0?r:`${r} (not certain: ${x(n)})`}function nc(e,t,n){let{path:o,written:r}=e,s=P(o),i=(c,d)=>d?
[`    ${c.padEnd(6)}  ${d}`]:[],a=r?.value===void 0?"":JSON.stringify(G(t,o,r.value));return[r?`  ${s}${r.removed?" (removed)":` = ${a}`}`:`  ${s} is not set`,...r?oc(r):[],...i("whose",rc(e,t)),...i(
"owner",ic(e)),...i("apply",ac(e,t,n)),...i("remove",fc(e,t)),...(e.below?Qr(e.below):[]).map((c,d)=>`    ${(d===0?"below":"").padEnd(6)}  ${c}`)]}function oc({setBy:e,alias:t,file:n}){let o=({file:r,
line:s,column:i})=>`${r}:${s}:${i}`;return[...t?[`    by alias  ${o(t)}`]:[],...e.length===0?[`    somewhere in ${n}`]:[],...e.map((r,s)=>`    ${s===0?"set by":"before"}  ${r.by.padEnd(12)} ${o(r)}`)]}
function rc({contract:e,isWanted:t,path:n},o){if(!e||!t&&e.customizer!=="never")return;let{owner:r,customizer:s,why:i,field:a,set:c,when:d}=e,l=i===void 0?"":`: ${i}`;if(r==="nobody")return`nobody els\
e's${l}`;if(r==="customizer")return s==="only"?"the repository's, for some values only":"the repository's";let f=r==="Helm"||r==="Flux"?`${r}'s`:`the ${r}'s`;if(!a)return`${f}${l}`;let u=c===void 0||typeof c==
"object"?"":` to ${be(c,n,o)}`,m=d?` once ${Tn(d)}`:"";return`${F(n,a)?`${f}, which sets it`:`in part ${f}, which sets ${P(a)}`}${u}${m}${l}${sc(e)}`}function sc({knob:e,atInstall:t}){return e===void 0?
"":t?`; ${e} of Package "${C}" decides it at the installation`:`; set ${e} of Package "${C}" instead`}function ic({fate:e,isWanted:t}){let{ownersBefore:n=[],ownersAfter:o=[]}=e??{},[r,s]=[n,o].map(se);
if(!(!r&&!s)&&!(!t&&[...n,...o].every(i=>i===Ne)))return r===s?s:r?`${r} \u2192 ${s||"nobody"}`:s}function se(e){return e.join(" and ")}function ac(e,t,n){let{fate:o,isWanted:r,sentAs:s}=e;if(!o)return;
let{outcome:i,before:a,after:c,from:d,replaced:l,path:f}=o,u=j=>be(j,f,t),m=a!==void 0&&!Qa(a,c),p=u(a)===u(c)?"another value":`${u(a)} \u2192 ${u(c)}`,h=o.ownersAfter.filter(j=>j!==Ne),w=(()=>{if(i===
"gone")return`goes: ${u(a)}${d.length>0?` of ${se(d)}`:""}`;if(i==="taken"&&l)return`taken from ${se(d)}, in place of ${P(l.path)}: ${be(l.value,l.path,t)}`;if(i==="taken")return`taken from ${se(d)}${m?
`: ${p}`:", with the value that it has"}`;if(i==="changed")return p;if(i==="unsent")return"left out by Flux, without a word: its kind has no such field, or there is nothing in it";if(i==="dropped")return"\
dropped by the API server, without a word";if(!s&&dc(e,o))return`nothing: ${u(c)} stays`;if(r)return i==="held"?`nothing, as the object ${fs({action:n.action})}`:i==="shared"?`stays; ${se(h)} has set \
it too`:{added:"new",unchanged:"stays",absent:void 0}[i]})();return w&&s?`as ${P(s)}; ${w}`:w&&cc(e.path,o)&&i!=="unsent"?`the list ${P(f)}: ${w}`:w}function cc(e,t){return t.path.length<e.length}function dc({
written:e,path:t},{path:n,outcome:o,after:r}){return(o==="shared"||o==="unchanged")&&n.length===t.length&&cs(e?.value)&&!cs(r)}function cs(e){return e===null||typeof e=="object"&&Object.keys(e).length===
0}function fc(e,t){let{removal:n,isFirst:o,path:r}=e;if(!n)return;let{outcome:s,why:i="",after:a,owners:c=[],others:d}=n,l=h=>be(h,r,t),f=c.filter(h=>h!==Ne),u={goes:`goes${lc(e)}`,stays:f.length>0?`s\
tays, as ${se(f)} has set it too`:"stays",becomes:`becomes ${l(a)}`,refused:`refused: ${x(i)}`,stopped:`not applied: ${x(i)}`}[s],m=o?d.slice(0,3).map(h=>uc(h,t)):[],p=o&&d.length>3?[`${d.length-3} mo\
re fields change`]:[];return[u,...m,...p].join("; ")}function lc({contract:e,path:t,fate:n}){return e?.owner==="platform administrator"?", and nobody brings it back":e?.owner==="platform chart"&&!e.when&&
F(t,e.field??t)||e?.owner==="Helm"?", and is back only when the platform is next upgraded":n&&n.from.length>0?`, and is back only when ${se(n.from)} writes it again`:""}function uc({path:e,before:t,after:n},o){
let r=P(e);if(n===void 0)return`${r} goes: ${be(t,e,o)}`;if(n===null)return`${r} is left as null`;if(t===void 0)return`${r} is ${be(n,e,o)}`;let[s,i]=ct(G(o,e,t),G(o,e,n));return s===i?`${r} is ${i}`:
`${r}: ${s} \u2192 ${i}`}function be(e,t,n){return e===void 0?"":ae(JSON.stringify(G(n,t,e)),ec)}async function Rt(e,t,n){let o=A(t.stderr),{progress:r,...s}=await E(e,t,o);return Xn(s,({tree:i,engine:a},c,d)=>{if(c.length===0)throw ls();let l=mc(c,d,e.values.cluster),f=!1;return n({tree:i,async*builds(u){
for(let[m,p]of l.entries()){o.update(m,l.length,p.path);let h=await a.build(p,u);f||=!h.ok,h.ok||(h.error.message=pc(i,p,h)),!h.ok&&u!=="digest"&&us(p.path,h.error.message,t),yield{entrypoint:p,response:h}}},
get failed(){return f}})}).finally(o.stop)}function mc(e,t,n){if(n===void 0)return e;let o=e.filter(r=>Mt(r,t)===n);if(o.length>0)return o;throw new g(lo(n,e.map(r=>Mt(r,t))))}function pc(e,t,{error:n,
files:o}){return Un(e,[n.message],[...o,..._n(t)])[0]??""}function ls(){return new g("nothing that Flux applies was found; name a directory with --path")}function $e(e,t){if(e.length===0)throw ls();for(let n of e)
n.ok||us(n.entrypoint.path,n.problem.message,t);return e.some(({ok:n})=>!n)}function us(e,t,n){n.stderr.write(`error  ${y(e)}: ${y(x(t))}
`)}async function hc(e,t){let{operands:n,values:o}=e,[r="",...s]=n,i=s.map(xn),a=o.live===void 0?[]:he(o.live),c=A(t.stderr),d=o.charts===void 0?void 0:await me(o.charts,t),l=d&&{store:d,progress:c.say},
f=await E(e,t,c),{home:u,engine:m}=f;return I(f,async p=>{let{clusters:h,rendered:O,trees:w,budget:j}=p;l||c.stop(),$e(O.head,t);let M=new q(w),v=ee(h,o).map(K=>({cluster:K,objects:K.head.objects.filter(
ke=>yc(ke,r))})).filter(({objects:K})=>K.length>0);if(v.length===0)throw new g(`no entrypoint renders "${r}"`);let D=await p.server.get(),N=[],_=Ye(p,f);for(let{cluster:K,objects:ke}of v){let _s=await It(
K,D,{live:a,said:_});for(let Hs of ke)N.push(await wc(Hs,{cluster:K,simulation:_s,server:D,said:_,locator:M,wanted:i}))}let Oe=o.format?.at(-1)==="json",je=Te(()=>de(w,O)),z={home:u,budget:j,server:p.
server,trees:w,secrets:je,...b({engine:m})},ie=l&&await gc(N,v,l,z);c.stop(),ie&&ie.left>0&&t.stderr.write(`warning  what ${ie.left} fields do below was not looked for: there is no time left (--max-se\
conds)
`);let Us=new Set([...je(),...ie?.secrets??[]]),yn=N.map(({object:K,...ke})=>({object:K,...fe(ke,Us)}));return R(Oe?S(ts(yn)):ds(yn),e,t),0}).finally(c.stop)}async function gc(e,t,n,o){let r=({fields:a})=>[
...new Map(a.map(({path:c})=>we(c)).map(c=>[J(c),c])).values()],s=t.map(({cluster:a,objects:c})=>({cluster:a,fields:e.filter(({object:d})=>c.includes(d)).map(d=>({object:d.object,paths:r(d)}))})),i=await qr(
s,n,o);for(let{object:a,fields:c}of e){let d=new Set;for(let l of c){let f=we(l.path),u=d.has(J(f))?void 0:i.of(a,f);d.add(J(f)),u&&(l.below=u)}}return i}function yc({ref:e},t){let[n="",...o]=t.split(
"/");if(n.toLowerCase()!==e.kind.toLowerCase())return!1;let r=o.join("/");return r===e.name||r===`${e.namespace??""}/${e.name}`}async function wc(e,t){let{cluster:n,simulation:o,locator:r,wanted:s}=t,
i=rn(e,o),a=[...Me([e],r)],c=bc(e,t),d=new Set,l=$c(e,a,{states:c,simulation:o,wanted:s}),f=[...l.filter(({isWanted:p})=>p).map(({path:p})=>u(p,void 0)),...a.filter(({path:p})=>ps(p,s)).map(p=>u(p.path,
p)),...l.filter(({isWanted:p})=>!p).map(({path:p})=>u(p,void 0))];function u(p,h){let O=Oc(p,e,c),w=h!==void 0&&!h.removed,j=ms(i)?w?"set":"unset":"held",M={path:p,isFirst:!1,isWanted:s.length>0,...h&&
{written:Pc(h,e,r)}};if(hs(p))return M;let v=sn(O??p,c,j);if(v.path.length<p.length&&v.outcome!=="unsent"){let N=J(v.path);if(d.has(N))return M;d.add(N)}let D=Kr(e,p,n);return{...M,fate:v,...b({contract:D,
sentAs:O})}}if(ms(i))for(let p of s)await kc(p,f,e,t);let{name:m}=n;return{object:e,...b({cluster:m}),fate:i,fields:f}}function ms({action:e}){return e==="created"||e==="changed"||e==="unchanged"}function bc(e,{
cluster:t,simulation:n}){let o=t.head.entrypoints.find(s=>s.ok&&s.objects.includes(e)),r=W(e.ref);return{before:n.before.get(r),after:n.after.get(r),sent:o&&Ve(e,o.entrypoint,t.contract.schemas)}}function $c(e,t,{
states:n,simulation:o,wanted:r}){let s=t.map(({path:f})=>we(f)),i=f=>s.some(u=>F(f,u)||F(u,f)),a=W(e.ref),c=o.outcomes.find(({ref:f})=>W(f)===a)?.fields??[],d=[...new Map([...Fe(n.before),...Fe(n.after)]).
values()],l=r.filter(f=>$(e.value,f)===void 0);return[...l.flatMap(f=>{if(t.some(m=>m.removed&&F(m.path,f)))return[];let u=d.filter(m=>F(m,f)&&m.length>f.length);return[f,...u].map(m=>({path:m,isWanted:!0}))}),
...c.filter(({before:f})=>f!==void 0).map(({path:f})=>f).filter(f=>!Bn(f)&&!i(jc(f,e))&&ps(f,r)).filter(f=>!l.some(u=>F(f,u))).map(f=>({path:f,isWanted:!1}))]}function ps(e,t){return t.length===0||t.some(
n=>F(e,n))}function Oc([e,...t],{ref:n},{sent:o}){let r=["data",...t];if(!(n.kind!=="Secret"||e!=="stringData"||!o))return $(o,r)===void 0?void 0:r}function jc(e,{ref:t,value:n}){let o=["stringData",...e.
slice(1)];return t.kind==="Secret"&&e[0]==="data"&&$(n,o)!==void 0?o:e}function hs(e){let[t,n]=e;return t==="metadata"?e.length===1||n==="name"||n==="namespace":t===void 0||t==="apiVersion"||t==="kind"}
async function kc(e,t,n,{cluster:o,simulation:r,server:s,said:i}){if(hs(e)||$(n.value,e)===void 0)return;let{cluster:a,live:c}=as(e,{object:n,cluster:o,simulation:r}),d=await It(a,s,{live:c,said:{head:i.
head,base:i.head}}),l=t.filter(({path:f,written:u,fate:m})=>F(f,e)&&u?.value!==void 0&&m&&!["unsent","dropped"].includes(m.outcome));for(let[f,u]of l.entries())u.removal=is(u.sentAs??u.path,{object:n,
simulation:d,removed:u.sentAs?["data",...e.slice(1)]:e}),u.isFirst=f===0}function Pc(e,t,n){let o=new Map;for(let{by:s,from:i}of e.writers)for(let{file:a,line:c,column:d}of i){let l=`${a}:${c}:${d}`;o.
has(l)||o.set(l,{by:s,file:a,line:c,column:d})}let r=e.removed?void 0:n.alias(t,e.path);return{...e.removed?{removed:!0}:{value:e.value??null},setBy:[...o.values()],...r&&{alias:{file:r.file,...r.range.
start}},file:e.file}}import{isDeepStrictEqual as vc}from"node:util";var xc=new TextEncoder;function gs(e,t){if(t.size===0)return e;let n=new Map([...t].map(([s,i])=>[s,xc.encode(i)])),o=[...t.keys()].filter(s=>!e.has(s)),r=s=>o.some(i=>i.startsWith(`${s}/`));return{...e,
files:[...e.files,...o].sort(),has:s=>t.has(s)||e.has(s),isDirectory:s=>e.isDirectory(s)||r(s),bytes:s=>n.get(s)??e.bytes(s),text:s=>t.get(s)??e.text(s)}}var Fc=30;async function bs(e,t,n){let o=new Map,r=[],s=new an;for(let i=1;;i++){let a=gs(e,o),c=await t(a),d=new Set(r.map(({fingerprint:u})=>u)),l=c.findings.filter(u=>!d.has(u.fingerprint)&&n(u)),f=i>
Fc?$s:Rc(l,u=>Cc(a,u,s));if(f.made.length===0)return{fixed:r,texts:Sc(e,o),run:c};for(let[u,m]of f.texts)s.add(u,a.text(u)??""),o.set(u,m);r.push(...f.made)}}var $s={made:[],texts:new Map};function Rc(e,t){
let n=s=>s.fix?.()?.safe===!0,o=Dt(e.filter(s=>!n(s))),r=[e.filter(n),...re(o,({rule:s})=>s).values()];for(let s of r){let i=t(s);if(i.made.length>0)return i}return $s}function Sc(e,t){return new Map(
[...t].filter(([n,o])=>o!==e.text(n)))}var an=class{#e=new Map;add(t,n){this.#e.set(t,[...this.#e.get(t)??[],n])}isUndone(t,n,o){let r=this.#e.get(t)??[],s=r.length>0?Lt(n,o):void 0;return s!==void 0&&
r.some(i=>ys(i,s)<ys(i,n))}};function ys(e,t){let n=({at:{range:o},text:r})=>o.end.line-o.start.line+r.split(`
`).length;return io("",e,t).reduce((o,r)=>o+n(r),0)}function Cc(e,t,n){let o=[],r=new Map,s=new Map;for(let i of Dt([...t])){let a=i.fix?.()?.edits??[],c=[...new Set(a.map(({at:l})=>l.file))].map(l=>({
file:l,own:a.filter(({at:f})=>f.file===l),before:r.get(l)??[]}));if(!c.every(({own:l,before:f})=>l.every(u=>f.some(m=>vc(u,m))))){if(c.some(({own:f,before:u})=>ao(u,f)))continue;let l=c.map(({file:f,own:u,
before:m})=>Ec(e,f,[...m,...u]));if(!l.every(f=>f!==void 0)||c.some(({file:f,own:u})=>n.isUndone(f,e.text(f)??"",u)))continue;for(let[f,{file:u,own:m,before:p}]of c.entries())r.set(u,[...p,...m]),s.set(
u,l[f])}o.push(i)}return{made:o,texts:s}}function Ec(e,t,n){let o=e.text(t),r=Lt(o??"",n);return r!==void 0&&ws(r)>=ws(o??"")?r:void 0}function ws(e){return new zn(e).documents.filter(t=>so.read(t.text)).
length}import{closeSync as Ac,constants as cn,existsSync as Lc,fstatSync as Jc,lstatSync as Mc,mkdirSync as Nc,openSync as Wc,readFileSync as Tc,realpathSync as js}from"node:fs";import{dirname as fn,join as ks,
sep as dn}from"node:path";function Ps(e,t){let n=js(e),o=t.map(r=>Bc(n,r));for(let[r,{file:s,after:i}]of t.entries()){let a=ks(n,s);Nc(fn(a),{recursive:!0}),Zo(a,i,o[r])}}function Bc(e,{file:t,before:n}){let o=ks(e,t),r=fn(o);
for(;!Lc(r);)r=fn(r);if(js(r)!==r||!`${r}${dn}`.startsWith(e.endsWith(dn)?e:`${e}${dn}`))throw new g(`"${t}" lies behind a symbolic link; nothing was written`);if(n===void 0){if(Mc(o,{throwIfNoEntry:!1}))
throw Os(t);return}let{mode:s,content:i}=Ic(o)??{};if(s===void 0||!i||Buffer.compare(i,n)!==0)throw Os(t);return s}function Ic(e){let t;try{t=Wc(e,cn.O_RDONLY|(cn.O_NOFOLLOW??0)|(cn.O_NONBLOCK??0))}catch{
return}try{let n=Jc(t);return n.isFile()?{mode:n.mode&4095,content:Tc(t)}:void 0}finally{Ac(t)}}function Os(e){return new g(`"${e}" was changed by somebody else in the meantime; nothing was written`)}async function Dc(e,t){let{directory:n,values:o}=e,r=o.rule??[];for(let w of r)mt(w);let s=({rule:w})=>r.length===0||r.includes(w),i=w=>{let j=s(w)?w.fix?.():void 0;return j!==void 0&&(j.safe||o.unsafe===
!0)},a=A(t.stderr),c=await E(e,t,a),d=await Yn(c),l=await bs(d,w=>Do({...c,head:w}),i).finally(a.stop);o["dry-run"]||Ps(n,[...l.texts].map(([w,j])=>({file:w,before:d.bytes(w),after:j})));let f=tr(o,t,
l.run.tool),u={...l.run,findings:l.run.findings.filter(s)},m=qo("text",u,{...f,lines:o.verbose!==!0}),p=w=>l.run.sources.secrets?.("head",w),O=[...[...l.texts].sort().map(([w,j])=>zo(w,d.text(w),j,p(w))).
map(w=>_c(w,dt(f.color))),Hc({...l,run:u},o),m,zc(l.run,u,r)];return t.stdout.write(O.filter(w=>w!=="").join(`
`)),Sn(u,o["fail-on"]??"error",o["only-new"]===!0)}function zc(e,{findings:t},n){if(n.length===0)return"";let o=e.findings.length-t.length,r=o===0?"":`; ${pe(o,"finding")} of other rules not shown`;return`${n.
join(", ")}: ${pe(t.length,"finding")} left${r}
`}var Uc=[["--- ","bold"],["+++ ","bold"],["-","red"],["+","green"],["@@","cyan"]];function _c(e,t){let n=o=>Uc.filter(([r])=>o.startsWith(r)).map(([,r])=>r);return e.map(o=>`${t(o,...n(o).slice(0,1))}\

`).join("")}function Hc({fixed:e,run:{findings:t}},n){let o=n["dry-run"]?"would fix":"fixed",r=n.unsafe?0:t.filter(a=>a.fix?.()?.safe===!1).length,s=e.map(({rule:a,at:c,fix:d})=>`${o} ${y(a)} in ${y(c.
file)}: ${y(d?.()?.title??"")}`),i=r>0?"nothing to fix without --unsafe":"nothing to fix";return[...e.length>0?s:[i],...Vc(r,e.length>0),...qc(t)].map(a=>`${a}
`).join("")}function Vc(e,t){return e===0?[]:[`${`${e}${t?" more":""} ${e===1?"finding has":"findings have"}`} a fix that can change something else: fix --unsafe --dry-run shows ${e===1?"it":"them"}`]}
function qc(e){let t=e.flatMap(n=>n.heldBack?.()??[]);return[...re(t,({why:n})=>n)].map(([n,o])=>{let r=[...new Set(o.flatMap(({by:d})=>d))].sort().map(d=>d==="."?"the root":d),s=r.length>3?[...r.slice(
0,2),`${r.length-2} more`]:r,i=r.length===1,a=new Set(o.map(({file:d})=>d)).size===1?"file":"files",c=n==="unbuilt"?"cannot be built":`${i?"has":"have"} no such finding`;return`${o.length===1?"1 fix i\
s":`${o.length} fixes are`} held back: ${y(Nn(s))} ${i?"reads":"read"} the same ${a} and ${c}`})}function vs({release:e,nodes:t,edges:n},o){return[...[`Cozystack ${e}`,...o].map(r=>`// ${r}`),"digraph {",'  rankdir="RL" nodesep="0.5" ranksep="1.0"','  node [shape="box" style="rounded,filled" fill\
color="white" fontname="sans-serif"]','  edge [fontname="sans-serif" fontsize="10"]',...t.map(r=>`  ${St(r.name)}${xs(Kc(r))}`),...n.map(r=>`  ${St(r.from)} -> ${St(r.to)}${xs(Gc(r,t))}`),"}",""].join(
`
`)}function Kc({kind:e,missing:t,touched:n}){return{...e==="component"&&{shape:"ellipse",style:"filled"},...n&&{fillcolor:"lightblue",penwidth:"2"},...t&&{color:"red",fontcolor:"red",style:"dashed"}}}
function Gc({to:e,variants:t,ignored:n},o){let r=o.some(({name:s,missing:i})=>i&&s===e);return{...t&&{label:t.join(", ")},...r&&{color:"red"},...n&&{style:"dashed"}}}function xs(e){let t=Object.entries(
e).map(([n,o])=>`${n}=${St(o)}`);return t.length>0?` [${t.join(" ")}]`:""}function St(e){return`"${y(e).replace(/\\/g,"\\\\").replace(/"/g,'\\"')}"`}async function Yc(e,t){let{values:n}=e,o=A(t.stderr),r=await E(e,t,o),s=n.format?.at(-1)??"dot";return I(r,({clusters:i,rendered:a})=>{o.stop();let c=lt(i,n),d=oo(c,{installed:n.installed===!0,components:n.
components===!0}),l=Zc(d,s,Xc(c,n.installed===!0));R(l,e,t);let f=a.head.filter(({ok:u})=>!u).map(({entrypoint:u})=>u.path);for(let u of f)t.stderr.write(`warning  ${y(u)} cannot be built, so nothing \
of it is in the graph
`);return f.length>0?1:0}).finally(o.stop)}function Xc({facts:e,contract:t},n){return e.used().filter(({name:o,source:r})=>r==="assumed"&&(n||o==="release")).map(o=>`assumed: ${y(at(qe(o,t)))}`)}function Zc(e,t,n){
return t==="dot"?vs(e,n):t==="mermaid"?ro(e,n):S({...e,notes:n})}import{join as Qc}from"node:path";function ed(e,t){let{values:n}=e,o=Qc(t.home,"schemas"),r=co(o,ze(o).at(-1));return Rt(e,t,async s=>{let i=[];for await(let{entrypoint:c,response:d}of s.builds("objects")){if(!d.ok)continue;let{path:l,
why:f}=c,m=_e(c,d).filter(ce).map(({ref:p})=>Gn(p,r)).map(p=>({id:Pn(p),v:p.apiVersion.slice(p.apiVersion.lastIndexOf("/")+1)}));i.push({path:l,why:f,entries:m.sort((p,h)=>p.id<h.id?-1:1)})}let a=n.format?.
at(-1)==="json"?S(i):i.map(td).join(`
`);return R(a,e,t),s.failed?1:0})}function td({path:e,why:t,entries:n}){return[`# ${y(e)}: ${y(t)}`,...n.map(({id:o})=>y(o)),""].join(`
`)}var Fs=We(De(),1);async function Rs(e,t){let{values:n}=e,o=A(t.stderr),r=await E(e,t,o);return I(r,({clusters:s,rendered:i})=>{o.stop();let a=$e(i.head,t),c=ee(s,n),d=c.flatMap(Ss);for(let f of d)In(f)&&rd(f.ref,t);let l=d.
map(({value:f})=>f);return R(n.format?.at(-1)==="json"?S(l):nd(c),e,t),a?1:0}).finally(o.stop)}function Ss({head:e,contract:t}){return e.entrypoints.filter(Kn).flatMap(({entrypoint:n,objects:o})=>to(o.
filter(ce)).map(r=>({ref:r.ref,value:Ve(r,n,t.schemas)})))}function nd(e){let t=e.map(o=>({cluster:o,text:od(Ss(o).map(({value:r})=>r))})),n=({name:o})=>e.length>1&&o!==void 0?`# cluster ${y(o)}
`:"";return t.filter(({text:o})=>o!=="").map(({cluster:o,text:r})=>n(o)+r).join(`---
`)}function od(e){return e.map(t=>(0,Fs.stringify)(t,{lineWidth:0,aliasDuplicateObjects:!1,compat:"yaml-1.1"})).join(`---
`)}function rd({kind:e,namespace:t,name:n},o){let r=[e,t,n].filter(Boolean).join("/");o.stderr.write(`warning  ${y(r)} is encrypted, and is printed so; what Flux makes of it is not known
`)}import{isDeepStrictEqual as Es}from"node:util";function Cs(e,t){return fe(e.map(o=>({value:id(o)})),t).map(({value:o},r)=>sd(o,e[r]??{}))}function sd(e,t){let{apiVersion:n,kind:o,namespace:r,name:s}=B(t),i=k(e.metadata)?{...e.metadata,...k(t.metadata)&&
"name"in t.metadata&&{name:s},...r&&{namespace:r}}:e.metadata;return{...e,apiVersion:n,kind:o,...i!==void 0&&{metadata:i}}}function id(e){if(e.kind==="CustomResourceDefinition")return e;let t=e.kind===
"Secret",n={ref:{kind:String(e.kind)},value:e},o=(r,s,i)=>{if(Array.isArray(r))return r.map((c,d)=>o(c,[...s,d],i));if(k(r))return Object.fromEntries(Object.entries(r).map(([c,d])=>{let l=t&&s.length===
0&&(c==="data"||c==="stringData");return[c,o(d,[...s,c],i||l||xe(c)&&!ln(d))]}));if(i)return ad(r,t&&s[0]==="data");let a=s.some(c=>typeof c=="string"&&xe(c))?[]:s;return typeof r=="string"?G(n,a,r):r};
return o(e,[],!1)}function ad(e,t){return typeof e=="string"&&e!==""?t?Buffer.from(ve).toString("base64"):ve:typeof e=="number"?0:e}var cd=new Set(`name namespace secretName key items path mode defaul\
tMode optional audience expirationSeconds apiVersion kind apiGroup uid
  algorithm encoding size rotationPolicy`.split(/\s+/));function ln(e){return Array.isArray(e)?e.every(ln):k(e)?Object.entries(e).every(([n,o])=>cd.has(n)&&(n!=="items"||ln(o)))&&Object.keys(e).length>
0:!1}async function Ls(e,t,n,o=[]){let r={objects:[],failures:[],notes:[]},s=new Set;await ot(e,t,n,async(a,c)=>{let d=await Qe(a,c.head,n.trees.head),l=await dd(a,{cluster:c,side:d,packages:o,...n}),f=new Set(
[...n.secrets(),...tt(rt(c),l.secrets,st(d))]),u=Cs(l.objects.map(({object:m})=>m),f);for(let{ref:m}of d.packages)s.add(m.name);r.objects.push(...l.objects.map((m,p)=>({...m,object:u[p]??{}}))),r.failures.
push(...Wt(l.failures,f)),r.notes.push(...Wt(l.notes,f))});let i=o.find(a=>!s.has(a));if(i===void 0)return r;throw new g(`no entrypoint renders Package "${i}"; ${$n(i,[...s],"render without --package \
prints all")}`)}async function dd(e,t){let{cluster:n,side:o,packages:r}=t,{releases:s,notChecked:i}=it(o),a=({ref:m})=>U({ref:m})&&r.includes(m.name),c=s.filter(({object:m})=>r.length===0||a(m)),d=[],
l=[];for(let m of c){let p={side:o,...m},h=await Le(e,p.release,o);"failed"in h?l.push(`${Nt(p.release)}: its chart fails: ${ue(h.failed)}`):d.push({judged:p,made:h,origins:new un})}let f=r.length===0?
i.map(({what:m,why:p})=>`${m} is left out: ${p}`):[];f.push(...await ld(e,d,t));let u=d.flatMap(({made:m})=>m.map(({object:p})=>p).filter(nt));return{objects:d.flatMap(m=>fd(m,n)),failures:l,notes:f,secrets:u}}
function fd({judged:{release:e},made:t,origins:n},{name:o}){let r={...b({cluster:o}),...Ze(e)};return t.map(({id:s,object:i,...a},c)=>({...r,...a,ref:B(i),object:i,origins:n.of(t[c])}))}async function ld(e,t,n){
let{budget:o,cluster:r,trees:s}=n,i=[];for(let{judged:c,made:d,origins:l}of t){let f=ud(c),u=0;for(let m of go(c)){if(ye(o))break;for(let p of await Vr(e,c,d,m))l.add(p,{object:c.object,path:m});u+=1}
u<f&&i.push(As(Nt(c.release),f-u,o))}let a=await md(e,t,{revision:r.head,tree:s.head,budget:o});return a>0?[...i,As("the Package of the platform",a,o)]:i}function ud({object:e,release:t}){let n=$(e.value,
Re(t));return k(n)?Fe(n).size:0}async function md(e,t,{revision:n,tree:o,budget:r}){let s=0;for(let i of t.length>0?Hn(n.applied):[])for(let a of yo(i.value,Ln))ye(r)?s+=1:await pd(e,t,{platform:i,path:a,
revision:n,tree:o});return s}async function pd(e,t,{platform:n,path:o,revision:r,tree:s}){let i=$(n.value,o),a=(i===void 0?[]:Pt(i)).map(d=>et(n.value,o,d)),c=[...t];for(let d of[...a,Se(n.value,[o])]){
let l=h=>h===n?{...h,value:d}:h,[f,u]=[r.objects.map(l),r.applied.map(l)],m=await po(e,{...r,objects:f,applied:u},s);if("failed"in m)continue;let p=[];for(let h of c){let{judged:O,made:w,origins:j}=h,
M=le(m,O.release,O.object.value),v=await kt(e,O,w,M);if(!Array.isArray(v)||v.length===0)p.push(h);else for(let D of v)j.add(D,{object:n,path:o})}c=p}}function As(e,t,n){let o=ye(n)?"there is no time l\
eft (--max-seconds)":"there are too many";return`${e}: what came of ${t===1?"1 value":`${t} values`} was not looked for: ${o}`}var un=class{#e=new Map;add({made:t,whole:n,fields:o},r){n==="there"&&this.#t(
t,[],r);for(let{path:s,after:i}of o)if(i!==void 0)for(let a of hd(t.object,s,i,r))this.#t(t,a.path,a.source)}of({id:t}){return[...this.#e.get(t)?.values()??[]]}#t({id:t},n,o){let r=this.#e.get(t)??new Map;
this.#e.set(t,r);let s=JSON.stringify(n),i=r.get(s)??{path:n,from:[]};r.set(s,i),i.from.push(o)}};function hd(e,t,n,o){let r=yd(e,t,o),s=Js(n);if(r)return s.map(c=>({path:[...t,...c],source:{...r,path:[
...r.path,...c]}}));let[i,...a]=s;return[{path:i&&a.length===0?[...t,...i]:t,source:o}]}var gd=100;function yd(e,t,n){let o=$(n.object.value,n.path);if(o===null||typeof o!="object")return;let r=Array.
isArray(o)&&o.length<=gd?o:[];for(let s=t.length;s>0;s--){let i=$(e,t.slice(0,s)),a=t.slice(s);if(Es(i,o))return{...n,path:[...n.path,...a]};let c=r.flatMap((d,l)=>Es(i,d)?[l]:[]);if(c.length===1)return{
...n,path:[...n.path,c[0],...a]}}}function Js(e){let t=Array.isArray(e)?[...e.entries()]:k(e)?Object.entries(e):[];return t.length===0?[[]]:t.flatMap(([n,o])=>Js(o).map(r=>[n,...r]))}var Z=We(De(),1);function Ns(e,t){return e.map(n=>wd(n,t)).join(`---
`)}function wd(e,t){let n=new Z.Document(e.object,{aliasDuplicateObjects:!1,compat:"yaml-1.1"}),o=e.origins.flatMap(({path:s,from:i})=>s.length===0?i:[]),r=[bd(e),...o.length>0?[`made because of ${Ms(
o,t)}`]:[]];e.ref.kind==="Secret"&&r.push("its values are not shown"),n.contents&&(n.contents.commentBefore=r.map(s=>` ${y(s)}`).join(`
`));for(let{path:s,from:i}of e.origins)s.length>0&&$d(n,s,` from ${y(Ms(i,t))}`);return n.toString({lineWidth:0})}function bd({cluster:e,package:t,component:n,release:o,template:r,hook:s,crd:i}){let a=e===
void 0?"":`cluster ${e}: `,c=t===void 0?"":`Package ${t}, component ${n}, `,d=s?`, a hook (${s.join(", ")})`:i?", a definition":"";return`${a}${c}HelmRelease ${o}: ${r}${d}`}function $d(e,t,n){let o=e.
getIn(t,!0);if(!(0,Z.isNode)(o))return;if(!(0,Z.isCollection)(o)||o.items.length===0){o.comment=n;return}let[r]=o.items,s=(0,Z.isPair)(r)?r.key:r;(0,Z.isNode)(s)&&(s.commentBefore=n)}var mn=3;function Ms(e,t){
let n=Ws(e,t).map(({file:s,line:i,precision:a})=>a==="file"?s:`${s}:${i}`),o=[...new Set(n)],r=o.length>mn?[`${o.length-mn} more`]:[];return[...o.slice(0,mn),...r].join(", ")}function Ws(e,t){return e.
map(({object:o,path:r})=>{let{at:s,precision:i}=t.locate({object:o,path:r,part:"value"}),{line:a,column:c}=s.range.start;return{file:s.file,line:a,column:c,precision:i,field:r}}).sort((o,r)=>o.file<r.
file?-1:o.file>r.file?1:o.line-r.line||o.column-r.column)}function Ts(e,t){return e.map(({cluster:n,package:o,component:r,release:s,template:i,hook:a,crd:c,object:d,origins:l})=>({...b({cluster:n,package:o,
component:r}),release:s,template:i,...b({hook:a,crd:c}),object:d,origins:l.map(({path:f,from:u})=>({path:f,from:Ws(u,t)}))}))}async function Bs(e,t,n){let{values:o}=e,r=o.format?.at(-1);if(o["as-applied"])throw new g("--as-applied is about what Flux applies, not about --charts");if(r==="digest")throw new g("--charts prints y\
aml or json, as nobody hashes what charts make");let s=A(n.stderr),i=await me(t,n),a=await E(e,n,s),{home:c,engine:d}=a;return I(a,async({clusters:l,rendered:f,trees:u,server:m,budget:p})=>{let O={home:c,
budget:p,server:m,trees:u,secrets:()=>de(u,f),...b({engine:d})},w=ee(l,o),j=await Ls(w,{store:i,progress:s.say},O,o.package);s.stop();let M=$e(f.head,n),v=(_,Oe)=>n.stderr.write(`${_}  ${y(x(Oe))}
`);for(let _ of j.failures)v("error",_);for(let _ of j.notes)v("warning",_);let D=new q(u),{objects:N}=j;return N.length===0&&j.failures.length===0&&n.stderr.write(`nothing is rendered: the repository\
 says nothing of a component with a chart
`),R(r==="json"?S(Ts(N,D)):Ns(N,D),e,n),M||j.failures.length>0?1:0}).finally(s.stop)}function Od(e,t){let{values:n}=e;if(n.charts!==void 0)return Bs(e,n.charts,t);if(n.package)throw new g("--package needs --charts");if(n["as-applied"])return Rs(e,t);let o=n.format?.at(-1)??"yaml";return Rt(
e,t,async r=>{let s=n.provenance?await Pd(r,o):await jd(r,o);return R(s,e,t),r.failed?1:0})}async function jd(e,t){let n=[],o=[];for await(let{entrypoint:r,response:s}of e.builds(t==="json"?"objects":
t))if(t==="digest")n.push(kd(r.path,s));else if(s.ok)t==="yaml"?n.push(s.yaml??""):o.push(...(s.objects??[]).map(({value:i})=>i));else continue;return t==="json"?S(o):n.filter(Boolean).join(t==="yaml"?
`---
`:"")}function kd(e,t){return t.ok?`${t.sha256??""}  ${e}
`:`error  ${e}: ${y(x(t.error.message).split(`
`).map(n=>n.trim()).filter(Boolean).join(" "))}
`}async function Pd(e,t){let n=new q({head:e.tree}),o=[],r=[];for await(let{entrypoint:s,response:i}of e.builds("objects")){if(!i.ok)continue;let a=_e(s,i);t==="json"?o.push(...Me(a,n)):r.push(...a.map(
c=>os(c,n)))}return t==="json"?S(o):r.join(`---
`)}import{readFileSync as xd}from"node:fs";import{join as vd}from"node:path";async function Fd({operands:[e],values:t},n){let o=t.format?.[0]??"text";return e!==void 0?n.stdout.write(Ed(e,n.home)):o==="schema"?n.stdout.write(`${JSON.stringify(vn(H),null,2)}
`):o==="json"?n.stdout.write(`${JSON.stringify(H.map(r=>Rd(r,n.home)),null,2)}
`):n.stdout.write(Sd(On(n.stdout))),0}function Rd({id:e,group:t,severity:n,summary:o,needsBase:r,options:s={}},i){return{id:e,group:t,severity:n,summary:o,url:er(e,wn(i)),needsBase:r??!1,options:s}}function Sd(e){
let t=Math.max(...H.map(({id:r})=>r.length)),n=({id:r,severity:s,summary:i})=>{let a=`  ${r.padEnd(t)}  ${s.padEnd(7)}  `,[c,...d]=Et(i,e-a.length);return[`${a}${c}`,...d.map(l=>`${" ".repeat(a.length)}${l}`)]};
return`${Object.entries(ut).map(([r,s])=>[...Et(`${r}: ${Cd(s)}`,e),...H.filter(({group:i})=>i===r).flatMap(n)].join(`
`)).join(`

`)}

customizer-lint rules ID prints the page of a rule
`}var Cd=e=>/^[A-Z][a-z]+[A-Z]|^Packages/.test(e)?e:e.charAt(0).toLowerCase()+e.slice(1);function Ed(e,t){return xd(vd(t,"src","rules",mt(e),"README.md"),"utf8")}var Is=We(De(),1);var Ad=`# What customizer-lint knows of the cluster: names, variants and field managers, but no values. Name it in .customizer-lint.yaml
# as cluster.snapshot, and make it anew when the cluster has changed:
#   ${pn()} | customizer-lint snapshot - > THIS FILE
`;function pn(){return"kubectl get packages,packagesources,ocirepositories,crds,clusterroles,clusterrolebindings,roles,rolebindings -A -o yaml --show-managed-fields"}async function Ld(e,t){let[n]=e.operands;
if(n===void 0)throw new g(`snapshot of what? e.g. ${pn()} | customizer-lint snapshot -`);let o=nr(n);if(!o.some(An))throw new g(`there is no Package in what was read; the command is: ${pn()}`);let r=`${Ad}${(0,Is.stringify)(
Ge(o,new Date().toISOString().slice(0,10)),{lineWidth:0})}`;return R(r,e,t),0}import{watch as Jd}from"node:fs";import{dirname as Md,join as Ds,resolve as zs}from"node:path";var Nd=20,Wd=3,Td=3;async function Bd({directory:e,values:t},n,o){let r=[t.output,...(t.format??[]).map(d=>jn(d).file)],s=new hn(e,new Set(r.filter(d=>d!==void 0).map(d=>zs(d))));n.stdout.once?.("erro\
r",()=>s.end());let i,a=0,c=0;for(let d=!0;;d=!1){if(d||await s.begin(),s.hasEnded)return a;let l=performance.now();Dn();let f=await Id(o,d,{...i&&{before:i},opened:p=>s.follow(p),rendered:(p,h)=>{i={
tree:p,rendered:h}}});if(!d&&await s.hasMoved()&&c<Td){c+=1;continue}if(s.hasEnded)return a;c=0;let u=s.told();d||n.stdout.write(Ud(u,n.stdout.isTTY===!0)),a=Dd(f,d,n);let m=Math.round(performance.now()-
l);n.stderr.write(`checked in ${m} ms; waiting for a change (Ctrl+C ends it)
`),zd(n.home,t)}}async function Id(e,t,n){try{return await e(n)}catch(o){if(t||Ct(o)===void 0)throw o;return()=>{throw o}}}function Dd(e,t,{stderr:n}){try{return e()}catch(o){let r=Ct(o);if(t||r===void 0)
throw o;return n.write(`customizer-lint: ${y(r)}
`),2}}function zd(e,t){if(t["max-seconds"]!==void 0||t["max-memory"]!==void 0)return;let n=t.engine??"auto",o=["render","apply",...t.charts===void 0?[]:["helm"]];for(let r of o)bn(Ds(e,"dist","engine"),
r,n)}function Ud(e,t){let[n="",...o]=e.map(y),r=o.length===0?"":` and ${o.length} more`;return`${t?"\x1B[H\x1B[2J":`
`}${n}${r} changed

`}var hn=class{constructor(t,n){this.root=t;this.own=n}root;own;#e=new Map;#t=new Set;#n=new Set;#s=0;#o=new Set;#r=()=>{};hasEnded=!1;end(){this.hasEnded=!0;for(let t of this.#e.values())t.close();this.#r()}follow({
files:t}){let n=new Set([".",...t.flatMap(gn)]);for(let[o,r]of this.#e)n.has(o)&&![o,...gn(o)].some(s=>this.#o.has(s))||(r.close(),this.#e.delete(o));this.#o.clear();for(let o of n)this.#e.has(o)||this.#a(
o)}#a(t){let n=o=>{o===".git"||this.own.has(Xo(zs(this.root,t,o)))||(this.#t.add(t==="."?o:`${t}/${o}`),this.#s=performance.now(),this.#r())};try{let o=Jd(Ds(this.root,t),(r,s)=>n(s??""));o.on("error",
()=>o.close()),this.#e.set(t,o)}catch(o){if(o.code!=="ENOENT")throw o}}async begin(){for(;this.#t.size===0&&!this.hasEnded;)await this.#c();await this.#i(Wd);for(let t of this.#t)this.#o.add(t),this.#n.
add(t);this.#t.clear()}async hasMoved(){for(let t=0;t<2;t+=1)await new Promise(n=>setImmediate(n));return await this.#i(Nd),this.#t.size>0}async#i(t){let n=()=>this.#s+t-performance.now();for(;n()>0&&
!this.hasEnded;)await new Promise(o=>setTimeout(o,Math.ceil(n())))}told(){let t=[...this.#n].sort();return this.#n.clear(),t}#c(){return new Promise(t=>{this.#r=t})}};function gn(e){let t=Md(e);return t===
"."?[]:[t,...gn(t)]}export{Ai as audit,Oa as charts,va as completion,Ea as diff,hc as explain,Dc as fix,Yc as graph,ed as inventory,Od as render,Fd as rules,Ld as snapshot,Bd as watch};
