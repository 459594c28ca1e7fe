import{createRequire as $createRequire}from"node:module";const require=$createRequire(import.meta.url);
import{a as Jt}from"./chunk-5TS4U5QU.js";import{$ as Uo,A as ct,B as dt,C as zt,D as vo,E as Fo,F as Ro,G as So,H as Co,I as Eo,J as Ao,K as Lo,L as Jo,M as Mo,N as No,O as Wo,P as Io,Q as To,R as he,
S as Ut,T as Bo,W as Do,X as zo,Z as _t,a as M,aa as _o,b as X,c as et,d as Re,e as tt,f as Bt,g as Se,h as wo,i as nt,j as me,k as bo,l as $o,m as Oo,n as Ce,o as ot,p as pe,q as jo,r as Dt,s as ko,t as rt,
u as st,v as Po,x as xo,y as it,z as at}from"./chunk-JTPWSL6T.js";import{$ as Yo,A as oo,B as Ye,C as ne,D as Y,F as co,G as fo,H as lo,I as Wt,J as uo,K,L as mo,M as It,N as po,O as Ze,P as B,Q as Qe,
S as Ho,T as Ht,U as Vo,V as Vt,W as lt,X as ut,Y as qo,Z as Ko,_ as Go,a as ze,aa as qt,b as Ue,ba as Xo,c as xn,d as Mt,da as Zo,ea as Qo,g as xe,ga as er,h as Nt,ha as tr,ia as nr,ja as or,k as vn,
ka as rr,l as Cn,la as E,m as En,ma as mt,n as An,na as sr,o as Ln,oa as R,qa as oe,r as Tn,ra as pt,s as Kn,sa as ht,t as qe,u as Ke,ua as gt,v as V,va as ir,w as eo,wa as ye,xa as A,y as to,z as no}from"./chunk-6MQB26CW.js";
import{a as jn}from"./chunk-BKQZYVBQ.js";import{$ as C,Ba as Vn,Bc as G,Dc as le,F as Jn,Gc as ue,H as U,I as Mn,J as Nn,L as Wn,Md as ge,N as In,Na as ve,Nd as ft,O as ae,Oa as Fe,Pa as x,Q as Bn,
W as He,Wb as Ge,X as Dn,Xb as Qn,Xc as ro,Yc as so,Zc as q,_c as Xe,a as De,da as zn,db as qn,g as Pn,ha as Ve,i as _e,j as $,k,kd as io,l as J,la as te,lb as Gn,n as T,na as Un,nb as Yn,p as Fn,qb as Xn,
qd as ao,r as W,rd as Tt,s as Rn,sa as fe,sd as ho,t as P,ta as _n,u as F,w as Sn,xa as Hn,xd as go,yd as yo,zb as Zn}from"./chunk-6TWC3JCL.js";import{E as de,F as b,e as g,r as kn,w,z as S}from"./chunk-GEYI73IX.js";
import{c as Be}from"./chunk-AIN5EYJ6.js";import{existsSync as Ji}from"node:fs";import{join as Rr}from"node:path";import{isDeepStrictEqual as dr}from"node:util";function cr(e,{from:t,data:n,release:o,known:r}){let s=e.filter(f=>U({ref:T(f)})),i=s.map(ei).find(({ref:f})=>f.name===C),a=oo({config:An(),cluster:{},prefix:"cluster.",objects:i?[i]:[],newest:Dn(n),isKnownRelease:f=>po(
n,f),isKnownKubernetes:f=>no(n,f),snapshot:{...Ze(e,""),file:t},...b({release:o})}),c=r?Qs(r.facts,a):a,l=r&&r.facts.get("release").value===c.get("release").value?r.contract:It(n,c.all);return{from:t,
platform:i,facts:c,contract:l,packages:s.map(f=>({name:T(f).name,value:f})).sort((f,u)=>f.name<u.name?-1:1),others:[...Ys(c,l,n),...Xs(c,l)]}}function Ys(e,t,n){return e.get("release").source!=="assum\
ed"?[]:He(n).filter(r=>r!==t.release).map(r=>{let s=yt(e,"release",r);return{because:"release",facts:s,contract:It(n,s.all)}})}function Xs(e,t){let{value:n,source:o}=e.get("variant");return o!=="assum\
ed"?[]:t.catalog.variantsWithPackages().filter(s=>s!==n).map(s=>({because:"variant",facts:yt(e,"variant",s),contract:t}))}var Zs=["config","snapshot","manifest","evidence","contract","world","assumed"],
ar=e=>Zs.indexOf(e);function Qs(e,t){let n=new Map;for(let[o,r]of e.all){let s=t.all.get(o),a=s.source==="snapshot"||s.source==="manifest"?r.source!=="config":ar(s.source)<ar(r.source);n.set(o,a?s:r)}
return{all:n,get:o=>n.get(o),platformValue:o=>t.platformValue(o)??e.platformValue(o),used:()=>[...n.values()].filter(({name:o})=>o==="release"||o==="variant")}}function yt(e,t,n){let o=new Map([...e.all,
[t,{name:t,value:n,source:"config"}]]);return{...e,all:o,get:r=>o.get(r)}}function ei(e){return{ref:T(e),value:e,revision:"head",entrypoint:"",index:0,writers:()=>[],children:()=>{},removed:()=>[]}}var fr=["helm-controller","helm"];function wt(e,t){return e==="helm"?fr.includes(t):e==="flux"?t===q:t!==q}function lr(e,t){let n=t.contract.ownership.rowsOf(e.name).filter(({field:i})=>!i.includes("*")),
o=n.filter(({owner:i})=>i==="Flux").map(i=>Kt(i,"flux",void 0));if(e.name===C){let{value:i,source:a,file:c}=t.facts.get("variant"),d=a==="config"||a==="snapshot"&&c!==t.from?i:void 0;return[...n.filter(
({owner:f})=>f==="platform administrator").map(f=>Kt(f,"administrator",d)),...o]}if(!Gt(e,t))return o;let r=n.filter(({owner:i})=>i==="platform chart"||i==="Helm").filter(({field:i})=>i.join(".")!=="m\
etadata.name"),s=pr(e.name,t,t).filter(({when:i,dead:a})=>!i&&!a);return[...r.map(i=>Kt(i,"helm",P(i.field)==="spec.variant"?ri(e,t):ti(t)[P(i.field)])),...s.map(i=>ni(i,e,t)),...o]}function Gt({name:e,
value:t},{contract:n,facts:o}){if(!n.catalog.isManaged(e)||e===C)return!1;if(X(t).some(({manager:s})=>fr.includes(s))||J(t,["metadata","annotations","meta.helm.sh/release-name"])!==void 0)return!0;let r=o.
get("variant");return r.source!=="assumed"&&n.catalog.emitted(e,String(r.value))==="always"}function bt({catalog:e}){let[t]=e.source(C)?.variants??[],{namespace:n="cozy-system",releaseName:o="cozystac\
k-platform"}=t?.components[0]?.install??{};return{namespace:n,name:o}}function ti({contract:e}){let{namespace:t,name:n}=bt(e);return{'metadata.annotations["helm.sh/resource-policy"]':"keep",'metadata.\
annotations["meta.helm.sh/release-name"]':n,'metadata.annotations["meta.helm.sh/release-namespace"]':t,'metadata.labels["app.kubernetes.io/managed-by"]':"Helm"}}function Kt({field:e,why:t},n,o){return{
field:e,owner:n,why:t,isRequired:n!=="flux",isOpen:!1,assumes:[],...b({set:o}),isEqual:r=>r===o}}function ni(e,t,n){let{field:o,why:r,shape:s}=e,i=ur(t,n).map(u=>({because:u.because,owned:pr(t.name,u,
n).find(m=>oi(m,t.name,u)&&P(m.field)===P(o))})),a=n.others.length===0||mr(t,n,n),d=a&&i.every(({owned:u})=>dr(u?.set,e.set))&&si(e,n)?e.set:void 0,l=a?i.filter(u=>!u.owned):n.others,f=new Set(l.map(({
because:u})=>u));return{field:o,owner:"helm",isOpen:s==="map",isRequired:s!=="map",assumes:[...f],...b({set:d,why:r}),isEqual:e.isEqual}}function oi({when:e},t,{contract:n,facts:o}){let r=n.catalog.emitted(
t,String(o.get("variant").value));return!e||typeof r=="object"&&dr(e,{switch:r.switch})}function ur(e,t){return t.others.filter(n=>mr(e,n,t))}function mr({name:e,value:t},n,o){let r=n.contract.catalog.
emitted(e,String(n.facts.get("variant").value));if(r==="never"||r==="unknown")return!1;if(!(et(t).get(M(["spec","variant"]))??[]).some(a=>wt("helm",a)))return!0;let i=hr(e,n,o);return i===void 0||i===
J(t,["spec","variant"])}function pr(e,{facts:t,contract:n},{platform:o}){return Ke(e,{facts:t,contract:n,objects:o?[o]:[]})}function ri(e,t){let n=[t,...ur(e,t)].map(o=>hr(e.name,o,t));return n.every(
o=>o===n[0])?n[0]:void 0}function hr(e,{facts:t,contract:n},{platform:o}){let r=yt(t,"variant",String(t.get("variant").value));return Xn(e,{facts:r,contract:n,objects:o?[o]:[]})}function si({isSure:e,
knob:t},{platform:n}){return e||t===void 0?e:!n||t.startsWith("publishing.")||J(n.value,["spec","variant"])===void 0?!1:$(n.value,In(t))===void 0}function yr(e,t){let{packages:n}=e,o=ii(n);return{packages:n.length,emitted:n.filter(r=>Gt(r,e)).length,...o&&{helm:o},findings:n.flatMap(r=>{let s=lr(r,e).flatMap(a=>ai(r,a)),i=new Set(s.flatMap(({now:a})=>a?
[M(a.path)]:[]));return[...s,...li(r,i),...ui(r,t)]})}}function Z({kind:e,assumes:t}){return(e==="taken"||e==="lost"||e==="doomed")&&t.length===0}function ii(e){let t=e.flatMap(({value:n})=>X(n)).filter(
({manager:n})=>n==="helm-controller");return t.some(({operation:n})=>n==="Update")?"Update":t.length>0?"Apply":void 0}function ai(e,t){return(t.isOpen?Xt(e.value,t.field):[t.field]).flatMap(o=>ci(e,o,
t)??[])}function ci({name:e,value:t},n,o){let{owner:r,set:s,why:i,assumes:a,isRequired:c,isEqual:d}=o,l=di(t,n),f=Yt(t,l?.path??n),[u,m]=[!0,!1].map(O=>f.filter(({manager:h})=>wt(r,h)===O)),p={package:e,
fields:[n],owner:r,by:m,assumes:a,...b({now:l}),...b({set:s,why:i})},y=l?.path.length===n.length;return!l||l.value===null&&u.length>0?c?{...p,kind:"lost"}:void 0:!y&&k(l.value)?c?{...p,kind:"lost"}:void 0:
r==="flux"?m.length>0&&u.length===0?{...p,kind:"odd"}:void 0:u.length>0&&y?m.length>0?{...p,kind:"shared"}:void 0:m.length>0?{...p,kind:"taken"}:l.value===null?{...p,kind:"lost"}:s!==void 0&&!d(l.value)?
{...p,kind:"odd"}:void 0}function di(e,t){for(let n=1;n<=t.length;n++){let o=t.slice(0,n),r=$(e,o);if(r===void 0)return;if(n===t.length||!k(r))return{value:r,path:o}}}function Yt(e,t){let n=o=>t.every(
(r,s)=>o[s]===r);return X(e).filter(({fields:o})=>o.some(n)).map(({manager:o,operation:r,time:s})=>({manager:o,operation:r,...b({time:s})}))}function Xt(e,t){let n=$(e,t);return!k(n)||Object.keys(n).length===
0?n===void 0?[]:[t]:Object.keys(n).flatMap(o=>Xt(e,[...t,o]))}var fi=4;function li({name:e,value:t},n){return Xt(t,["spec","components"]).filter(r=>r.length>fi&&$(t,r)===null&&!n.has(M(r))).flatMap(r=>{
let s=Yt(t,r);return s.some(({manager:i})=>!wt("helm",i))?[]:[{package:e,kind:"odd",fields:[r],now:{value:null,path:r},by:s,assumes:[]}]})}function ui({name:e,value:t},n){let o=n?.filter(a=>U(a)&&a.ref.
name===e)??[],r=X(t);if(r.filter(({manager:a})=>a===q).length===0&&o.length===0||Zt(t,o))return[];let i=new Set(r.filter(a=>!gr(a)).flatMap(({fields:a})=>a.map(M)));return r.filter(gr).flatMap(a=>{let{
manager:c,operation:d,time:l}=a,f=[{manager:c,operation:d,...b({time:l})}],u=a.fields.filter(m=>!i.has(M(m))&&m.at(-1)!==Xe.annotations[0]&&$(t,m)!==void 0&&!o.some(p=>$(p.value,m)!==void 0));return u.
length>0?[{package:e,kind:"doomed",fields:mi(u),by:f,assumes:[]}]:[]})}function mi(e){let t=n=>n.length===2&&n[1]==="variant";return[...e.filter(t),...e.filter(n=>!t(n))]}function gr({manager:e,operation:t}){
return Xe.fieldManagers.some(({name:n,operationType:o})=>n!==q&&e.startsWith(n)&&t===o)}function Zt(e,t){if(te(e,"ssa","Ignore")||te(e,"reconcile","disabled"))return!0;let n=s=>te(s,"ssa","Merge")||te(
s,"ssa","IfNotPresent"),o=s=>!te(s,"ssa","Ignore")&&!te(s,"reconcile","disabled");if(t.length>0&&t.every(({value:s})=>n(s)||!o(s)))return!0;if(!te(e,"ssa","Merge"))return!1;if(t.length===0)return!0;let r=[
"metadata","annotations",`${Object.keys(Xe.exclusions)[0]}`];return Yt(e,r).some(({manager:s})=>s!==q)}var $t="helm-controller";function $r({findings:e,helm:t},n){let o=e.filter(Z);if(o.length===0)return[];let r=n.packages.filter(({name:f})=>o.some(u=>u.package===f)),s=({name:f})=>o.filter(u=>u.package===
f&&u.kind!=="doomed"),i=r.filter(f=>f.name!==C&&s(f).length>0),a=r.filter(pi),c=Oi(o),l=`${c.length>0?"once Flux has fetched that commit (kubectl get gitrepositories -A), ":""}let Flux go on`;return[...a.
flatMap(f=>wr(f,a,!0,"keep Flux from taking it again meanwhile")),...r.filter(f=>hi(f,o)).map(gi),...r.filter(({name:f})=>f===C).flatMap(f=>yi(f,s(f))),...i.length>0&&t!=="Update"?wi(n):[],...t==="Upd\
ate"?i.flatMap(f=>bi(f,s(f),n)):[],...c,...a.flatMap(f=>wr(f,a,!1,l))]}function pi({value:e}){return X(e).some(({manager:t})=>t===q)}function wr(e,t,n,o){let r=t.map(br),{namespace:s,name:i}=br(e);if(!(r.
findIndex(d=>d.namespace===s&&d.name===i)===t.indexOf(e)))return[];let c=re(JSON.stringify({spec:{suspend:n}}));return[{why:o,command:`kubectl --namespace ${re(s)} patch kustomizations.kustomize.toolk\
it.fluxcd.io ${re(i)} --type merge --patch ${c}`}]}function br({value:e}){let t=n=>J(e,["metadata","labels",Ve+n]);return{namespace:t("namespace")??"cozy-system",name:t("name")??"cozystack-customizer"}}
function hi(e,t){if(Zt(e.value,[]))return!1;let n=t.filter(o=>o.package===e.name);return n.some(({kind:o})=>o==="doomed")||e.name===C&&n.length>0}function gi({name:e}){return{why:"make Flux leave alon\
e what kubectl sets in it, also before the commit that says so is there",command:`kubectl annotate packages.cozystack.io ${re(e)} --overwrite ${Ve}ssa=Merge`}}function yi({name:e},t){if(t.length===0)return[];
let n=t.filter(Qt),o=t.some(({kind:a})=>a==="lost"),r=n.filter(({set:a})=>a!==void 0),s=n.filter(({set:a})=>a===void 0),i=`packages.cozystack.io ${re(e)}`;return[...r.length>0?[{why:"write what the pl\
atform is",command:Or(i,r)}]:[],...s.map(({fields:[a]})=>({why:`write ${P(a??[])} as it was when the platform was installed; what it was is not known here, cluster.variant in the configuration tells i\
t`})),...o?[{why:"bring back all else that Flux has removed: kubectl apply --server-side --force-conflicts -f FILE, with the file that the Package was made from"}]:[{why:"have kubectl own what is ther\
e, so that it stays when git lets go of it",command:`kubectl get ${i} --output json | kubectl apply --server-side --force-conflicts --filename -`}]]}function wi({contract:e}){let{namespace:t,name:n}=bt(
e),o=i=>`kubectl --namespace ${t} ${i} helmreleases.helm.toolkit.fluxcd.io ${n}`,r=["requestedAt","forceAt"].map(i=>`reconcile.fluxcd.io/${i}=$now`).join(" ");return[{why:"have Helm apply the platform\
 chart again, which takes its fields back",command:["now=$(date +%s)",`${o("annotate")} --overwrite ${r}`,`${o("wait")} --for=jsonpath='{.status.lastHandledForceAt}'=$now`,`${o("wait")} --for=conditio\
n=Ready --timeout=15m`].join(" && ")}]}function bi({name:e,value:t},n,o){let{namespace:r,name:s}=bt(o.contract),i=`packages.cozystack.io ${re(e)}`,a=n.filter(Qt),[c,d]=[a.filter(({set:f})=>f!==void 0),
a.filter(({set:f})=>f===void 0)],l=n.filter(f=>!Qt(f));return[...c.length>0?[{why:"write what the chart sets, in the name of Helm, which on this cluster does not by itself",command:`${Or(i,c)} --field\
-manager=${$t}`}]:[],...l.length>0?[$i(e,t,l)]:[],...d.map(({fields:[f]})=>({why:`write ${P(f??[])} of ${e} in the same way, with kubectl patch --field-manager=${$t} and the value that helm --namespac\
e ${r} get manifest ${s} shows`}))]}function $i(e,t,n){let r=[...X(t).filter(({manager:i,operation:a})=>i===$t&&a==="Apply").flatMap(i=>i.fields),...n.flatMap(i=>i.fields)],s={apiVersion:Jn,kind:"Pack\
age",metadata:{name:e}};for(let i of r){let a=$(t,i);a!=null&&jr(s,i,k(a)?{}:a)}return{why:"the value is the chart\u2019s, only its owner is not: apply it in the name of Helm",command:`printf %s ${re(
JSON.stringify(s))} | kubectl apply --server-side --force-conflicts --field-manager=${$t} --filename -`}}function Qt({now:e,set:t,fields:[n]}){return!e||e.path.length!==n?.length||e.value===null?!0:t===
void 0||JSON.stringify(e.value)!==JSON.stringify(t)}function Or(e,t){let n=Object.create(null);for(let{fields:o,set:r}of t)for(let s of o)jr(n,s,r);return`kubectl patch ${e} --type merge --patch ${re(
JSON.stringify(n))}`}function jr(e,t,n){let o=e;for(let s of t.slice(0,-1)){let i=Object.hasOwn(o,s)?o[s]:void 0,a=k(i)?i:Object.create(null);o[s]=a,o=a}let r=String(t.at(-1));k(n)&&k(o[r])||(o[r]=n)}
function Oi(e){let t=e.filter(({kind:r,by:s})=>r==="taken"&&s.some(({manager:i})=>i===q)),n=e.filter(r=>r.kind==="doomed"||r.package===C),o=[...new Set(n.map(r=>r.package))];return[...t.map(r=>({why:`\
in the repository, take ${P(r.fields[0]??[])} out of the manifest of ${r.package}`})),...o.map(r=>({why:`in the repository, give the manifest of ${r} the annotation ${Ve}ssa: Merge`})),...t.length+o.length>
0?[{why:"commit that and push it"}]:[]]}function re(e){return/^[\w@%+=:,./-]+$/.test(e)?e:`'${e.replaceAll("'","'\\''")}'`}var ji={taken:["taken","red"],lost:["lost","red"],doomed:["doomed","red"],shared:["shared","cyan"],odd:["odd","cyan"]},tn={helm:"helm-controller",administrator:"the platform\u2019s administrator",flux:"\
kustomize-controller"},ki={Apply:"Helm applies the chart by server-side apply",Update:"Helm patches what changes in the chart, as on a cluster born before Cozystack 1.5"},Pi=80,kr=4;function Pr({audit:e,
recovery:t,facts:n},o){let r=ut(o.color),i=[...new Set(e.findings.map(c=>c.package))].flatMap(c=>[r(`Package ${w(c)}`,"bold"),...e.findings.filter(d=>d.package===c).flatMap(d=>xi(d,o,r)),""]),a=n.filter(
({source:c})=>c==="assumed").map(ft);return[...i,r(Ci(e),"bold"),...e.helm?[`  ${ki[e.helm]}`]:[],...a.map(c=>`  assumed: ${w(c)}`),...t.length>0?["",r("To restore it, in this order:","bold"),...t.flatMap(
Ei)]:[],""].join(`
`)}function xi(e,t,n){let{kind:o,fields:r,assumes:s}=e,[i,a]=ji[o],c=r.length-kr,l=`${r.slice(0,kr).map(O=>w(P(O))).join(", ")}${c>0?` and ${c} more`:""}`,f=o==="doomed"||o==="lost"&&!e.now?"":`: ${vi(
e)}`,[u=[]]=r,m=o==="taken"||o==="shared"?t.locate(e.package,u):void 0,p=m?`  ${w(m.file)}:${m.range.start.line}`:"",y=" ".repeat(10);return[`  ${n(i.padEnd(6),a)}  ${l}${f}${p}`,...Fi(e).map(O=>`${y}${O}`),
...s.length>0?[`${y}only as far as the ${s.join(" and the ")} can be assumed`]:[]]}function vi({fields:[e=[]],now:t,set:n}){if(!t)return"";let o=en(t.value,t.path),r=t.path.length===e.length?o:`${o} s\
tands at ${w(P(t.path))}`;return n===void 0?r:Li(t.value,n)&&t.path.length===e.length?`${r}, as the platform sets it`:`${r}, where the platform sets ${en(n,e)}`}function Fi({kind:e,owner:t,by:n,why:o,
set:r,fields:[s=[]],now:i}){let a=t?tn[t]:"",c=n.map(Si).join(", "),d=o===void 0?[]:[w(o)];switch(e){case"taken":return[`from ${a} by ${c}`,...d];case"lost":{let l=r===void 0||i?"":`; the platform set\
s ${en(r,s)}`,f=i?.value===null?["null is what is left of a map that was taken and let go; Helm reads it as an order to delete the default"]:[];return[`it belongs to ${a}, and is not there${l}`,...f,...d]}case"\
doomed":return[`set by ${c}`,"Flux removes it when it next applies the Package, unless that has ssa: Merge"];case"shared":return[`of ${a}, and also of ${c}: nothing is lost while both set the same`];case"\
odd":return Ri(t,c,i?.value??null)}}function Ri(e,t,n){return e==="flux"?[`a label of Flux, but set by ${t}`]:e?[`no manager is recorded for it, though it belongs to ${tn[e]}`]:n===null?["nobody has s\
et it: null is what is left of a map that was taken and let go; Helm reads it as an order to delete the default"]:[]}function Si({manager:e,operation:t,time:n}){return w(`${e} (${[t,n].filter(Boolean).
join(", ")})`)}function Ci({packages:e,emitted:t,findings:n}){let o=`${ge(e,"Package")}, ${t} of them made by the platform chart`,r=(...c)=>n.filter(d=>Z(d)&&c.includes(d.kind)).length,s=[[r("taken"),
"taken"],[r("lost"),"lost"],[r("doomed"),"about to be removed"]],i=n.length-n.filter(Z).length,a=[...s.flatMap(([c,d])=>c>0?[`${c} ${d}`]:[]),...i>0?[ge(i,"notice")]:[]].join(", ");return n.some(Z)?`${a}\
, in ${o}`:`Nothing is taken in ${o}${a&&`; ${a}`}`}function Ei({why:e,command:t},n){return[`  # ${n+1}. ${w(e)}`,...t===void 0?[]:[`  ${xr(t)}`]]}function xr(e){return w(e)===e&&!Ai(e)?e:"# (not show\
n: it holds what looks secret)"}function Ai(e){return x(e)!==e}function en(e,t){return w(de(JSON.stringify(Ee(e,t)),Pi))}function Ee(e,t){return e!==null&&t.some(n=>ve(String(n)))?Fe:Array.isArray(e)?
e.map((n,o)=>Ee(n,[...t,o])):e!==null&&typeof e=="object"?Object.fromEntries(Object.entries(e).map(([n,o])=>[n,Ee(o,[...t,n])])):typeof e=="string"?x(e):e}function Li(e,t){return JSON.stringify(e)===JSON.
stringify(t)}function vr({audit:e,recovery:t,facts:n},{locate:o}){let{findings:r,...s}=e;return S({...s,facts:n.map(({name:i,value:a,source:c})=>({name:i,value:a,source:c})),findings:r.map(i=>{let{package:a,
kind:c,fields:d,now:l,set:f,owner:u,by:m,why:p,assumes:y}=i,[O=[]]=d,h=o(i.package,O);return{package:a,kind:c,serious:Z(i),fields:d.map(j=>P(j)),...u&&{owner:tn[u]},...l&&{value:Ee(l.value,l.path),valueAt:P(
l.path)},...f!==void 0&&{set:Ee(f,O)},by:m,assumes:y,...b({why:p}),...h&&{file:h.file,line:h.range.start.line}}}),recovery:t.map(({why:i,command:a})=>({why:i,...a!==void 0&&{command:xr(a)}}))})}async function Mi(e,t){let{values:n}=e,{home:o}=t;if(n.live===void 0==(n.kubeconfig===void 0))throw new g("audit of what? either --live FILE, made with kubectl get packages -o yaml --show-managed-fiel\
ds, or --kubeconfig FILE");if(n.context!==void 0&&n.kubeconfig===void 0)throw new g("--context needs --kubeconfig");let r=n.live??"the cluster",s=n.kubeconfig===void 0?ye(r):await Bi(n.kubeconfig,n.context,
o);if(!s.some(Ii))throw new g(`there is no Package of Cozystack in ${r}`);let i={from:r,data:Rr(o,"schemas"),...b({release:n.release})};if(!Wi(e))return Fr(s,i,e,t);let a=A(t.stderr),c=await E(e,t,a);
return B(c,({clusters:d,trees:l})=>{a.stop();let f={cluster:pt(d,n),locator:new K(l)};return Fr(s,i,e,t,f)}).finally(a.stop)}function Fr(e,t,n,o,r){let{values:s}=n,i=cr(e,{...t,...r&&{known:r.cluster}}),
a=yr(i,r?.cluster.head.objects),c=[Ye(i.facts.get("release"),i.contract),i.facts.get("variant")],d={audit:a,recovery:$r(a,i),facts:c},l={color:mt(s,o),locate:(f,u)=>Ni(f,u,r)};return R(s.format?.at(-1)===
"json"?vr(d,l):Pr(d,l),n,o),a.findings.some(Z)?1:0}function Ni(e,t,n){let r=(n?.cluster.head.objects.filter(U)??[]).find(({ref:s,value:i})=>s.name===e&&$(i,t)!==void 0);return r&&n?.locator.locate({object:r,
path:t}).at}function Wi({directory:e,values:t}){return e!=="."||t.config!==void 0||t.path!==void 0?!0:[En,".git",...Tn,"clusters"].some(o=>Ji(Rr(e,o)))}function Ii({apiVersion:e,kind:t}){return U({ref:{
apiVersion:String(e),kind:String(t),name:""}})}var Ti=120;async function Bi(e,t,n){try{let o=await Do(n,e,t);return await zo(o,AbortSignal.timeout(Ti*1e3))}catch(o){throw o instanceof Bo?new g(o.message):
o}}import{existsSync as ga,readdirSync as ya,statSync as wa}from"node:fs";import{join as ba,resolve as $a}from"node:path";import{finished as Xi}from"node:stream/promises";import{setTimeout as Zi}from"node:timers/promises";import Mr from"node:http";import Nr from"node:https";import{connect as Hi}from"node:tls";function Sr(e){let t=e.protocol==="https:";if(Di(e))return;let n=t?process.env.https_proxy||process.env.HTTPS_PROXY:process.env.http_proxy||process.env.HTTP_PROXY;if(n)try{return new Ot(n)}catch{if(!n.
startsWith("http://")&&!n.startsWith("https://"))return new Ot(`http://${n}`)}else return}function Di(e){if(!e.hostname)return!1;let t=e.hostname;if(zi(t))return!0;let n=process.env.no_proxy||process.
env.NO_PROXY||"";if(!n)return!1;let o;e.port?o=Number(e.port):e.protocol==="http:"?o=80:e.protocol==="https:"&&(o=443);let r=[e.hostname.toUpperCase()];typeof o=="number"&&r.push(`${r[0]}:${o}`);for(let s of n.
split(",").map(i=>i.trim().toUpperCase()).filter(i=>i))if(s==="*"||r.some(i=>i===s||i.endsWith(`.${s}`)||s.startsWith(".")&&i.endsWith(`${s}`)))return!0;return!1}function zi(e){let t=e.toLowerCase();return t===
"localhost"||t.startsWith("127.")||t.startsWith("[::1]")||t.startsWith("[0:0:0:0:0:0:0:1]")}var Ot=class extends URL{constructor(t,n){super(t,n),this._decodedUsername=decodeURIComponent(super.username),
this._decodedPassword=decodeURIComponent(super.password)}get username(){return this._decodedUsername}get password(){return this._decodedPassword}};import{lookup as Ui}from"node:dns";import{BlockList as nn,isIP as Cr}from"node:net";var jt=new nn;for(let[e,t]of[["0.0.0.0",8],["10.0.0.0",8],["100.64.0.0",10],["127.0.0.0",8],["169.254.0.0",16],["172\
.16.0.0",12],["192.0.0.0",24],["192.0.2.0",24],["192.88.99.0",24],["192.168.0.0",16],["198.18.0.0",15],["198.51.100.0",24],["203.0.113.0",24],["224.0.0.0",3]])jt.addSubnet(e,t,"ipv4");for(let[e,t]of[[
"2001::",23],["2001:db8::",32],["2002::",16],["3fff::",20]])jt.addSubnet(e,t,"ipv6");var Er=new nn;Er.addSubnet("2000::",3,"ipv6");var Ar=new nn;Ar.addSubnet("64:ff9b::",96,"ipv6");function Ae(e){let t=Cr(
e);return t===4?!jt.check(e,"ipv4"):t!==6||e.includes("%")?!1:Ar.check(e,"ipv6")?Ae(_i(e)):Er.check(e,"ipv6")&&!jt.check(e,"ipv6")}function _i(e){let t=new URL(`http://[${e}]`).hostname.slice(1,-1),[n="\
0",o="0"]=t.split(":").slice(-2),r=Number.parseInt(n||"0",16)<<16|Number.parseInt(o||"0",16);return[24,16,8,0].map(s=>r>>>s&255).join(".")}var we=class extends Error{name="AddressError"};function Lr(e,t){
let n=e.startsWith("[")?e.slice(1,-1):e;if(Cr(n)!==0&&!t(n))throw new we(n)}function Jr(e){return(t,n,o)=>{Ui(t,{...n,all:!0},(r,s)=>{if(r)return o(r,"",0);let i=s.find(({address:a})=>!e(a));if(i)return o(
new we(i.address),"",0);if(n.all)return o(null,s);o(null,s[0]?.address??"",s[0]?.family)})}}var I=class extends Error{constructor(n,o){super(n);this.after=o}after;name="BrokenError"};async function on(e,t,n){let o=Vi(e,n);try{Lr(e.hostname,o);let r=Sr(e),s=r&&e.protocol==="https:"?await Ki(r,
e,n):void 0;return await qi(e,t,n,{wants:o,through:s})}catch(r){throw rn(r,e,n)}}function Vi(e,{allowPrivate:t,hosts:n}){if(!n.has(e.host))throw new g(`${e.host} is no host of this registry; --allow-h\
ost ${e.host} allows it`);let o=e.protocol==="http:";if(e.protocol!=="https:"&&!(o&&t))throw new g(`${e.origin}: only https is spoken; --allow-private allows http to private addresses`);return o?r=>!Ae(
r):r=>t||Ae(r)}function qi(e,t,{silence:n,signal:o},{wants:r,through:s}){return new Promise((i,a)=>{let d=(e.protocol==="https:"?Nr.request:Mr.request)(e,{headers:{"user-agent":"customizer-lint","acce\
pt-encoding":"identity",...t},lookup:Jr(r),timeout:n,signal:o,...s?{defaultPort:443,createConnection:()=>Hi({socket:s,servername:e.hostname})}:{agent:!1}}),l;d.on("timeout",()=>(l??d).destroy(new I(`${e.
host} sent nothing for ${n/1e3} s`))),d.on("error",a).on("response",f=>{l=f,i(f)}),d.end()})}function Ki(e,t,{silence:n,signal:o}){return new Promise((r,s)=>{let i=e.protocol==="https:"?Nr.request:Mr.
request,a=`${t.hostname}:${t.port||443}`,c=e.username?`${e.username}:${e.password}`:void 0,d=i({host:e.hostname,port:e.port||(e.protocol==="https:"?443:80),method:"CONNECT",path:a,agent:!1,headers:{host:a,
...c!==void 0&&{"proxy-authorization":`Basic ${Buffer.from(c).toString("base64")}`}},timeout:n,signal:o});d.on("timeout",()=>d.destroy(new I(`the proxy ${e.host} sent nothing`))),d.on("error",s).on("c\
onnect",({statusCode:l},f)=>{if(l===200)return r(f);f.destroy(),s(new g(`the proxy ${e.host} does not connect to ${a} (${l})`))}),d.end()})}var Gi=["ECONNRESET","ERR_STREAM_PREMATURE_CLOSE","ECONNABOR\
TED","ETIMEDOUT","EPIPE","EAI_AGAIN","ENETUNREACH","EHOSTUNREACH"];function rn(e,t,{signal:n}){if(e instanceof I||e instanceof g)return e;if(n.aborted)return new I("the time is up");if(e instanceof we)
return new g(`${t.host} is ${e.message}, ${Yi(t,e.message)}`);let{code:o="",message:r}=e;return Gi.includes(o)?new I(`the connection to ${t.host} broke (${o})`):new g(`${t.host} cannot be asked: ${r||
o}`)}function Yi({protocol:e},t){return e==="http:"&&Ae(t)?"an address of the internet, where only https is spoken":"no address of the internet; --allow-private allows it"}var Qi={"ghcr.io":["pkg-containers.githubusercontent.com"]};function Br(e,t){return new Set([e.host,...Qi[e.host]??[],...t])}var Wr=4,ea=[1,3,9],ta=30,Ir=5,na=1<<20,kt=class{constructor(t,n){this.reference=
t;this.options=n;this.#t=new URL(`/v2/${t.repository}/`,t.registry)}reference;options;#e;#t;bytes(t,n,o){return this.patiently(t,async()=>{let r=await this.get(t,{accept:n});if(r.response.statusCode!==
200)throw this.#n(r,t);return Tr(r,o,t,this.options.network)})}async get(t,n){let o=new URL(t,this.#t),r=await this.#o(o,n);return r.response.statusCode!==401||r.url.host!==o.host?r:(r.response.destroy(),
await this.#a(String(r.response.headers["www-authenticate"]??"")),this.#o(o,n))}async patiently(t,n){let{network:o,say:r,second:s=1e3}=this.options;for(let i=1;;i+=1)try{return await n(i)}catch(a){if(!(a instanceof
I)||o.signal.aborted)throw a;let c=a.after??ea[i-1]??0;if(i===Wr||c>ta)throw new g(`${t} could not be had in ${i} ${i===1?"try":"tries"}: ${a.message}`);r(`${a.message}; trying again (${i} of ${Wr-1})`),
await Zi(c*s,void 0,{signal:o.signal})}}#n(t,n){let{response:o,url:r}=t;o.destroy();let s=o.statusCode??0;return s===429||s===408||s>=500?new I(`${r.host} answered ${s}`,oa(o.headers["retry-after"])):
s===404?new g(`${r.host} has no ${n} in ${this.reference.repository} (404)`):s===401||s===403?new g(`${r.host} does not allow it (${s}); ${this.#s()}`):new g(`${r.host} answered ${s} where ${n} was as\
ked for`)}#s(){let{basic:t,words:n}=this.options.credentials;return t===void 0?n:`the credentials are those of ${n}`}expect(t,n,o){if(!o.includes(t.response.statusCode??0))throw this.#n(t,n)}async#o(t,n){
let o=t;for(let r=0;;r+=1){let s=o.origin===this.reference.registry.origin?this.#e:void 0,i=await on(o,{...n,...s&&{authorization:s}},this.options.network),{location:a}=i.headers;if(![301,302,303,307,
308].includes(i.statusCode??0)||a===void 0)return{response:i,url:o};if(i.destroy(),r===Ir)throw new g(`${t.host} leads on more than ${Ir} times`);o=this.#r(a,o)}}#r(t,n){let o=URL.canParse(t,n.href)?new URL(
t,n):void 0;if(o===void 0||o.username!==""||o.password!=="")throw new g(`${n.host} leads on to what is no address`);if(n.protocol==="https:"&&o.protocol!=="https:")throw new g(`${n.host} leads on to ${o.
host} without TLS`);if(!this.options.network.hosts.has(o.host))throw new g(`${n.host} leads on to ${o.host}, which is not known to belong to it; --allow-host ${o.host} allows it`);return o}async#a(t){
let{basic:n}=this.options.credentials,o=this.reference.registry.host,r=/\brealm="([^"]*)"/i.exec(t)?.[1],s=/\bservice="([^"]*)"/i.exec(t)?.[1];if(/\bbearer /i.test(t)&&r!==void 0){this.#e=`Bearer ${await this.
patiently(`a token of ${o}`,()=>this.#i(r,s))}`;return}if(!/^basic\b/i.test(t))throw new g(`${o} asks for a kind of login that is not known`);if(n===void 0)throw new g(`${o} asks for a user and a pass\
word; ${this.#s()}`);this.#e=`Basic ${n}`}async#i(t,n){let{network:o,credentials:r}=this.options,{registry:s,repository:i}=this.reference,a=this.#r(t,s);n!==void 0&&a.searchParams.set("service",n),a.searchParams.
set("scope",`repository:${i}:pull`);let{basic:c}=r,d={accept:"application/json",...c&&{authorization:`Basic ${c}`}},l={response:await on(a,d,o),url:a};this.expect(l,"a token",[200]);let f=Jo(await Tr(
l,na,"the token",o),`the token of ${a.host}`),u=J(f,["token"])??J(f,["access_token"]);if(u===void 0||!/^[\x21-\x7e]+$/.test(u))throw new g(`${a.host} gives no token`);return u}};function oa(e){return e!==
void 0&&/^\d{1,9}$/.test(e)?Number(e):void 0}async function sn({response:e,url:t},{most:n,what:o,network:r},s){let i=0,a;e.on("data",c=>{i+=c.length;try{if(i>n)throw new g(`${t.host} sends more than ${n}\
 bytes for ${o}`);s(c)}catch(d){a??=d,e.destroy()}}),await Xi(e).catch(c=>{throw a??rn(c,t,r)})}async function Tr(e,t,n,o){let r=[];return await sn(e,{most:t,what:n,network:o},s=>r.push(s)),Buffer.concat(
r)}import{readFileSync as ra}from"node:fs";import{homedir as sa}from"node:os";import{join as Dr}from"node:path";function zr(e,t){let{where:n,text:o}=ia(t);if(o===void 0)return{words:`there is no ${n}`};let r=aa(o,n),s=$(r,["auths"]),i=k(s)?Object.entries(s).find(([l])=>ca(l)===e)?.[1]:void 0,a=i===void 0?void 0:
da(i);if(a!==void 0)return{basic:a,words:n};let d=J(r,["credHelpers",e])??J(r,["credsStore"])?", and the helper that it names is not started":"";return{words:`${n} has no user and password for ${e}${d}`}}
function ia(e){let{DOCKER_AUTH_CONFIG:t,DOCKER_CONFIG:n,HOME:o}=e;if(t)return{where:"DOCKER_AUTH_CONFIG",text:t};let r=Dr(n||Dr(o||sa(),".docker"),"config.json");try{return{where:r,text:ra(r,"utf8")}}catch(s){
let{code:i}=s;if(i==="ENOENT"||i==="ENOTDIR")return{where:r,text:void 0};throw s}}function aa(e,t){try{return JSON.parse(e)}catch{throw new g(`${t} is not JSON`)}}function ca(e){return e.replace(/^https?:\/\//,
"").split("/")[0]??""}function da(e){let t=J(e,["auth"]);if(t&&/^[A-Za-z0-9+/]+=*$/.test(t))return t;let[n,o]=[J(e,["username"]),J(e,["password"])];return n&&o?Buffer.from(`${n}:${o}`).toString("base6\
4"):void 0}import{createHash as _r}from"node:crypto";import{closeSync as fa,ftruncateSync as la,openSync as ua,writeSync as ma}from"node:fs";async function Hr(e,t,n){let o=new kt(e,n),r=`manifests/${e.digest}`,s=await o.bytes(r,`${Eo}, ${Ao};q=0.5`,Lo),{config:i,layer:a}=Mo(s,e.digest,n.most);To(t,s);for(let c of new Map([i,a].map(d=>[d.digest,
d])).values())await pa(o,c,Io(t,c.digest),n);return a.size}async function pa(e,t,n,o){let r=ua(n,"w"),s={file:r,hash:_r("sha256"),done:0};try{await e.patiently(`the blob ${t.digest}`,()=>ha(e,t,s,o));
let i=`sha256:${s.hash.digest("hex")}`;if(i!==t.digest)throw new g(`what the registry sent as ${t.digest} has the digest ${i}`)}finally{fa(r)}}async function ha(e,{digest:t,size:n},o,{network:r}){let s=`\
blobs/${t}`,i=o.done;if(i===n)return;let a=await e.get(s,i>0?{range:`bytes=${i}-`}:{}),{response:c,url:d}=a;if(c.statusCode===416)throw c.destroy(),Ur(o),new I(`${d.host} has no part of ${s} from byte\
 ${i} on`);e.expect(a,s,i>0?[200,206]:[200]);let{"content-range":l="","content-length":f}=c.headers;if(c.statusCode===200)Ur(o);else if(!l.startsWith(`bytes ${i}-`))throw c.destroy(),new g(`${d.host} \
sends another part of ${s} than was asked for`);let u=n-o.done;if(f!==void 0&&Number(f)!==u)throw c.destroy(),new g(`${d.host} has ${f} bytes of ${s}, and the manifest says ${u}`);if(await sn(a,{most:u,
what:s,network:r},m=>{ma(o.file,m,0,m.length,o.done),o.hash.update(m),o.done+=m.length}),o.done<n)throw new I(`${d.host} sent ${o.done} of ${n} bytes of ${s}`)}function Ur(e){la(e.file),Object.assign(
e,{hash:_r("sha256"),done:0})}var Oa="charts pull RELEASE, e.g. charts pull v1.6.2",ja=300,ka=30;async function Pa({operands:[e,t,...n],values:o},r){if(e!=="pull"||t===void 0)throw new g(`what of charts? ${Oa}`);if(n.length>0)throw new g(
`one at a time: "${t}" or "${n[0]}"?`);let s=zt(t)?vo(ba(r.home,"schemas"),t):t,i=So(s),a=o.registry===void 0?i:Co(i,o.registry),c=o.output===void 0?Fo(r.env,i.digest):$a(o.output),d=l=>{o.quiet||r.stderr.
write(`customizer-lint: ${w(l)}
`)};if(await xa(c,i))d("they were pulled before");else{o.output!==void 0&&va(c);let l=await Fa(a,c,{values:o,program:r,say:d});d(`pulled ${(l/2**20).toFixed(1)} MiB from ${a.registry.host}; --charts t\
akes the directory${zt(t)&&o.output===void 0?` or "${t}"`:""}`)}return r.stdout.write(`${w(c)}
`),0}async function xa(e,{digest:t}){if(!Wo(e))return!1;try{return await Ut(e,t),!0}catch(n){if(n instanceof g)return!1;throw n}}function va(e){if(er(e,Qo(".")),ga(e)&&(!wa(e).isDirectory()||ya(e).length>
0))throw new g(`${e} is there already, and is not this artifact`)}async function Fa(e,t,{values:n,program:o,say:r}){let s=Ra(n["max-seconds"]),{registry:i,digest:a}=e,c={allowPrivate:n["allow-private"]===
!0,hosts:Br(i,n["allow-host"]??[]),silence:ka*1e3,signal:AbortSignal.timeout(s*1e3)},d=zr(i.host,o.env);return Ro(t,async l=>{try{let f=await Hr(e,l,{network:c,credentials:d,say:r,most:No});return await Ut(
l,a,`the artifact ${a}`),f}catch(f){throw c.signal.aborted?new g(`${i.host} was not done in ${s} s; --max-seconds allows more`):f}})}function Ra(e){if(e===void 0)return ja;if(!/^\d{1,5}$/.test(e)||Number(
e)===0)throw new g(`--max-seconds ${e}: a number of seconds from 1 is needed`);return Number(e)}var Le={bash:Ca,zsh:Ea,fish:La},ie=Object.keys(Ue);async function Sa({operands:[e]},{stdout:t}){if(e===void 0||!Object.hasOwn(Le,e))throw new g(`completion of which shell? ${Object.keys(Le).join(", ")}`);
return t.write(Le[e]()),0}function Pt({name:e,accepts:t}){let{accepts:n}=ze[e],o=V.map(({id:r})=>r);return e==="rule"?o:e==="select"||e==="ignore"?[...Object.keys(ht),...o]:t??n??[]}function Ca(){let e=ie.
map(n=>{let o=xe(n).map(r=>`--${r.name}`);return`    ${n}) words='${o.join(" ")}' ;;`}),t=ie.flatMap(n=>xe(n).filter(o=>Pt(o).length>0).map(o=>`    '${n} --${o.name}') COMPREPLY=($(compgen -W '${Pt(o).
join(" ")}' -- "$word")); return ;;`));return`# bash completion of customizer-lint
_customizer_lint() {
  local word=\${COMP_WORDS[COMP_CWORD]} before=\${COMP_WORDS[COMP_CWORD-1]} command=check words=''
  for one in "\${COMP_WORDS[@]:1:COMP_CWORD-1}"; do
    case $one in
    ${ie.join("|")}) command=$one; break ;;
    esac
  done
  case "$command $before" in
${t.join(`
`)}
    'rules rules') COMPREPLY=($(compgen -W '${V.map(({id:n})=>n).join(" ")}' -- "$word")); return ;;
    'charts charts') COMPREPLY=($(compgen -W 'pull' -- "$word")); return ;;
    'completion completion') COMPREPLY=($(compgen -W '${Object.keys(Le).join(" ")}' -- "$word")); return ;;
  esac
  case $command in
${e.join(`
`)}
  esac
  if [[ $word == -* ]]; then COMPREPLY=($(compgen -W "$words" -- "$word"))
  elif ((COMP_CWORD == 1)); then COMPREPLY=($(compgen -W '${ie.join(" ")} help' -- "$word") $(compgen -f -- "$word"))
  else COMPREPLY=($(compgen -f -- "$word")); fi
}
complete -o filenames -F _customizer_lint customizer-lint
`}function se(e){return`'${e.replaceAll("'","'\\''")}'`}function Ea(){let e=ie.map(n=>`    ${se(`${n}:${Ue[n].summary.replaceAll(":",",")}`)}`),t=ie.map(n=>{let o=xe(n).map(a=>se(`--${a.name}${Aa(a)}`)),
r=n==="rules"?` '1:rule:(${V.map(({id:a})=>a).join(" ")})'`:"",s=n==="charts"?" '1:what:(pull)'":"",i=n==="completion"?` '1:shell:(${Object.keys(Le).join(" ")})'`:"";return`    ${n}) _arguments ${o.join(
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
`}function Aa(e){let{type:t}=ze[e.name],n=Pt(e),o=Nt(e).replace(/[[\]:]/g," ");return t==="boolean"?`[${o}]`:`=[${o}]:value:${n.length>0?`(${n.join(" ")})`:"_files"}`}function La(){let e=`not __fish_s\
een_subcommand_from ${ie.join(" ")}`,t=ie.flatMap(r=>{let s=r==="check"?e:`__fish_seen_subcommand_from ${r}`;return[`complete -c customizer-lint -n ${se(e)} -a ${r} -d ${se(Ue[r].summary)}`,...xe(r).map(
i=>{let{type:a}=ze[i.name],c=Pt(i),d=a==="boolean"?"":c.length>0?` -x -a ${se(c.join(" "))}`:" -r";return`complete -c customizer-lint -n ${se(s)} -l ${i.name}${d} -d ${se(Nt(i))}`})]}),n=`complete -c \
customizer-lint -n '__fish_seen_subcommand_from rules' -f -a ${se(V.map(({id:r})=>r).join(" "))}`;return`# fish completion of customizer-lint
${[...t,n,"complete -c customizer-lint -n '__fish_seen_subcommand_from charts' -f -a pull"].join(`
`)}
`}async function Ja(e,t){let{values:n}=e,o=A(t.stderr),r=n.live===void 0?[]:ye(n.live),s=n.charts===void 0?void 0:await he(n.charts,t),i=await E(e,t,o),{home:a,engine:c}=i;return B({...i,server:"simulat\
es",lints:!0},async d=>{let{clusters:l,rendered:f,trees:u,server:m,budget:p}=d,y=oe(l,n),O=Qe(d,i),h={live:r,said:O,fresh:n.fresh===!0,progress:o.say},j=new K(u),N=await Uo(y,h,m,(z,Te)=>_o(z,Te,j)),v=De(
()=>le(u,f)),D={home:a,budget:p,server:m,trees:u,secrets:v,...b({engine:c})},L=s&&await xo(y,{store:s,progress:o.say},D);o.stop(),L?.diffs.length===0&&t.stderr.write(`nothing changes below the Package\
s
`);let _=(n.format?.at(-1)??"text")==="text"?"":or(e.directory),ke=ne({trees:u,rendered:f},L?.secrets),Ie=ue(N,new Set([...v(),...L?.secrets??[]])),Lt=Y({diffs:Zo(Ie,_),charts:L?.diffs??[]},ke);R(Ma(Lt,
n,t),e,t);let ee=f.head.filter(({ok:z})=>!z).map(({entrypoint:z})=>z.path);for(let z of ee)t.stderr.write(`warning  ${w(z)} cannot be built, so Flux applies nothing of it
`);return ee.length>0||N.some(({objects:z})=>z.length>0)?1:0}).finally(o.stop)}function Ma({diffs:e,charts:t},n,o){let r=n.format?.at(-1);if(r==="json")return S(n.charts===void 0?qt(e):{diffs:qt(e),charts:t});
if(r==="markdown")return`${[...Yo(e,Number.POSITIVE_INFINITY),...Ko(t,Number.POSITIVE_INFINITY)].join(`

`)}
`;let s=mt(n,o);return[Go(e,{color:s}),...t.length>0?[qo(t,{color:s})]:[]].join(`
`)}import{isDeepStrictEqual as Na}from"node:util";async function Je(e,t,n){let o=await e.render(t,n.world,0,{definitions:!0});return"failed"in o?{failed:o.failed}:Vr(o.objects,t,n)}function Vr(e,{namespace:t},n){return e.map(o=>{let r=Po(o.object,t,n.
schemas);return{...o,object:r,id:W(T(r))}})}function Wa(e,t){let n=new Map(t.map(c=>[c.id,c])),o=new Set(e.map(({id:c})=>c)),r=Ia(e.filter(({id:c})=>!n.has(c)),t.filter(({id:c})=>!o.has(c))),s=new Set(
[...r.values()]),i=e.flatMap(c=>{let d=n.get(c.id)??r.get(c);if(!d)return[{made:c,whole:"there",fields:[]}];let l=jo(d.object,c.object);return l.length>0?[{made:c,other:d,fields:l}]:[]}),a=t.filter(c=>!o.
has(c.id)&&!s.has(c));return[...i,...a.map(c=>({made:c,whole:"absent",fields:[]}))]}function Ia(e,t){let n=({template:s,object:i})=>JSON.stringify([s,i.apiVersion,i.kind]),o=ae(t,n),r=[...ae(e,n)].flatMap(
([s,i])=>{let a=o.get(s)??[];return a.length===i.length?i.map((c,d)=>[c,a[d]]):[]});return new Map(r)}async function vt(e,{side:t,release:n},o,r){let s=a=>e.readsCluster(a.chart)?a:{...a,values:{...a.
values,_cluster:null}};if(!r||Na(s(r),s(n)))return[];let i=await e.render(r,t.world,0,{keeps:!1,definitions:!0});return"failed"in i?i:Wa(o,Vr(i.objects,r,t))}async function qr(e,t,n,o){let{object:r,release:s,
side:i}=t,a=$(r.value,n),c=await Je(e,s,i);if("failed"in c)return Ta(e,t,n,c.failed);let d=a===void 0?[]:await Kr(e,t,c,n);if(Array.isArray(d)&&d.length>0)return{effect:"decides",objects:d};let l=await Gr(
e,t,c,n,a??o);return"failed"in d?{effect:"needed",why:pe(d.failed),objects:l.objects}:l.objects.length>0?{effect:"decides",objects:l.objects,isDefault:!0}:{effect:l.fails?"unknown":"none"}}function Kr(e,t,n,o){
let r=Ce(t.object.value,[o]);return vt(e,t,n,me(t.side,t.release,r))}async function Gr(e,{side:t,object:n,release:o},r,s,i){let a=i===void 0?[]:Ft(i),c=a.length===0;for(let d of a){let l=me(t,o,ot(n.value,
s,d)),f=await vt(e,{side:t,object:n,release:o},r,l);if(Array.isArray(f)){if(f.length>0)return{objects:f,fails:!1};c=!0}}return{objects:[],fails:!c}}async function Ta(e,{side:t,object:n,release:o},r,s){
let i=pe(s),a=me(t,o,Ce(n.value,[r])),c=a&&await e.render(a,t.world,0,{keeps:!1});return{effect:"fails",why:i,isCause:!c||!("failed"in c)||pe(c.failed)!==i}}async function Yr(e,t,n,o){let{objects:r}=await Gr(
e,t,n,o,$(t.object.value,o));if(r.length>0)return r;let s=await Kr(e,t,n,o);return Array.isArray(s)?s:[]}function Ft(e){return typeof e=="boolean"?[!e]:typeof e=="number"?[e+1]:typeof e=="string"?e===
""?["other"]:[Ba(e),""]:Array.isArray(e)?e.length===0?[["other"]]:[xt(e),[]]:k(e)?[xt(e)]:[]}function xt(e){if(Array.isArray(e))return e.map(xt);if(!k(e))return Ft(e)[0]??e;let t=Object.entries(e);return t.
length===0?{other:"other"}:Object.fromEntries(t.map(([n,o])=>[n,xt(o)]))}function Ba(e){return/\d/.test(e)?e.replace(/\d/,t=>String(Number(t)%9+1)):`${e}x`}var Da=.2;function be({left:e,limits:t}){return e<
t.seconds*Da}async function Xr(e,t,n){let o=new Map,r=new Set,s=0,i=new Map(e.map(({cluster:a,fields:c})=>[a,c]));return await it([...i.keys()],t,n,async(a,c)=>{let d=await nt(a,c.head,n.trees.head),{releases:l}=dt(
d),f=[];for(let{object:u,paths:m}of i.get(c)??[]){let p=new Map;o.set(u,p);for(let y of m){let O=l.find(j=>j.object===u&&za(y,j.release))?.release;if(!O)continue;if(be(n.budget)){s+=1;continue}let h=await _a(
a,{side:d,object:u,release:O},y);h&&p.set(JSON.stringify(y),h)}for(let{release:y}of l.filter(O=>O.object===u))f.push(...await Ua(a,y,d))}for(let u of rt(at(c),f,ct(d)))r.add(u)}),{of:(a,c)=>o.get(a)?.
get(JSON.stringify(c)),secrets:r,left:s}}function za(e,t){let n=Se(t);return e.length>n.length&&F(e,n)}async function Ua(e,t,n){let o=await Je(e,t,n);return"failed"in o?[]:o.map(({object:r})=>r).filter(
st)}async function _a(e,t,n){let{object:o,release:r,side:s}=t,i=$(o.value,n)??bo(s,r,n)??await Ha(e,r,n);if(i===void 0||k(i)&&Object.keys(i).length>0)return;let a=await qr(e,t,n,i),c={release:tt(r).release};
if(!("objects"in a))return{...c,...a};let d=a.effect==="needed"||a.isDefault===!0;return{...c,...a,objects:a.objects.map(l=>Va(l,d))}}async function Ha(e,t,n){let o=await e.load(t.chart);return"failed"in
o?void 0:$(o.values,n.slice(Se(t).length))}function Va({made:{object:e},other:t,whole:n,fields:o},r){let s=T(e),i=ko(s,[t?.object??e,e],o),a=o.map(({path:c})=>c);return{ref:s,...n?{whole:n}:b({restarts:go(
e,a)}),fields:r?i.map(({before:c,...d})=>d):i}}var an={owner:"nobody",customizer:"set"};function Zr(e,t,n){if(U(e))return qa(e.ref.name,t,n);if(!Mn(e))return;let{name:o}=e.ref;return t[0]!=="spec"||!n.contract.catalog.source(o)?an:{owner:o===C?"pl\
atform administrator":"platform chart",customizer:"never",why:"the PackageSource comes with the release, and its variants are one list"}}function qa(e,t,n){let{contract:o,facts:r,snapshot:s,head:i}=n,
a={contract:o,facts:r,snapshot:s,objects:i.applied};if(Yn(e,a)===!1)return{...an,why:"the platform makes no such Package"};let c=Ke(e,a).find(({field:p})=>F(t,p)||F(p,t));if(c){let{set:p,when:y,knob:O,
atInstall:h,why:j,dead:N}=c,v=N??j;return{owner:"platform chart",customizer:"never",field:c.field,...b({why:v,set:p}),...b({when:y}),...b({knob:O,atInstall:h})}}let d=t.findIndex(p=>typeof p=="number"),
l=o.ownership.rowFor(e,d<0?t:t.slice(0,d));if(!l)return an;let{owner:f,customizer:u,why:m}=l;return{owner:f,customizer:u,...f!=="customizer"&&{why:m}}}var Ka=160,Rt={objects:10,fields:10};function os(e){let t=`HelmRelease ${e.release}`;switch(e.effect){case"none":return[`${t}: no object changes with it`];case"unknown":return[`${t}: no object changes\
 without it, and with another value the chart fails`];case"fails":return[`${t}: its chart fails ${e.isCause?"with this value":"whatever it is"}: ${Qr(e)}`];case"needed":{let n=e.objects.length>0?[`  ${es(
e.objects)}`]:[];return[`${t}: without it the chart fails: ${Qr(e)}`,...n,...ts(e.objects)]}case"decides":{let n=e.isDefault?"; the chart has the same by default":"";return[`${t}: ${es(e.objects)}${n}`,
...ts(e.objects)]}}}function Qr({why:e}){return de(x(e),Ka)}function es(e){let t=e.filter(({whole:a})=>!a),n=t.reduce((a,c)=>a+c.fields.length,0),o=e.length-t.length,r=e.filter(({restarts:a})=>a!==void 0).
length,i=`${[...o>0?[`${Me(o,"object")} as a whole`]:[],...n>0?[`${Me(n,"field")} of ${Me(t.length,"object")}`]:[]].join(" and ")} ${o+n===1?"depends":"depend"} on it`;return r===0?i:`${i}; the pods o\
f ${Me(r,"workload")} restart when it changes`}function Me(e,t){return`${e} ${t}${e===1?"":"s"}`}function ts(e){return[...e.slice(0,Rt.objects).flatMap(({ref:n,whole:o,fields:r,restarts:s})=>{let i=`${n.
kind} ${n.namespace?`${n.namespace}/`:""}${n.name}`;if(o)return[`  ${i} is ${o==="there"?"":"not "}made because of it`];let a=s===void 0?"":`: its pods restart when it changes (${s})`,c=r.filter(({path:l})=>!yo(
l)),d=c.slice(0,Rt.fields).map(l=>`    ${Ga(l)}`);return[`  ${i}${a}`,...d,...ns(c.length-Rt.fields,"field","    ")]}),...ns(e.length-Rt.objects,"object","  ")]}function ns(e,t,n){return e>0?[`${n}and\
 ${Me(e,`more ${t}`)}`]:[]}function Ga({path:e,before:t,after:n}){let o=P(e);if(n===void 0)return`${o} is not set${t===void 0?"":`, without it ${Vt(t)}`}`;if(t===void 0)return`${o} = ${Vt(n)}`;let[r,s]=lt(
t,n);return`${o} = ${s}, without it ${r}`}function rs({release:e,...t}){let{effect:n}=t;return{release:e,effect:n,..."why"in t&&{why:x(t.why)},..."isCause"in t&&{isCause:t.isCause},..."isDefault"in t&&
{isDefault:!0},..."objects"in t&&{objects:t.objects.map(({ref:o,whole:r,restarts:s,fields:i})=>({...o,...b({whole:r,restarts:s}),fields:i.map(({path:a,before:c,after:d})=>({path:a,...b({value:d,without:c})}))}))}}}function ss(e){return e.map(({object:t,cluster:n,fate:o,fields:r})=>({id:W(t.ref),...t.ref,entrypoint:t.entrypoint,...b({cluster:n}),action:o.action,...o.why!==void 0&&{why:x(o.why)},...o.unsure!==void 0&&
{unsure:x(o.unsure)},fields:r.map(s=>Ya(s,t))}))}function Ya(e,t){let{path:n,written:o,contract:r,removal:s,fate:i}=e,a=(c,d,l=n)=>d===void 0?{}:{[c]:G(t,l,d)};return{path:n,...o&&{...a("value",o.value),
...o.removed&&{removed:!0},setBy:o.setBy,...b({alias:o.alias})},...r&&{contract:{...r,...a("set",r.set)}},...i&&Xa(e,i,a),...s&&{remove:{outcome:s.outcome,...s.why!==void 0&&{why:x(s.why)},...a("after",
s.after),...b({owners:s.owners}),others:s.others.map(c=>({path:c.path,...a("before",c.before,c.path),...a("after",c.after,c.path)}))}},...e.below&&{below:rs(e.below)}}}function Xa({sentAs:e},t,n){let{
outcome:o,path:r,from:s,ownersBefore:i,ownersAfter:a,replaced:c}=t;return{ownersBefore:i,ownersAfter:a,apply:{outcome:o,...n("before",t.before,r),...n("after",t.after,r),...s.length>0&&{from:s},...c&&
{replaced:{path:c.path,...n("value",c.value,c.path)}},...b({as:e})}}}var St=Be(_e(),1);function*Ne(e,t){let n=new Map(e.map(r=>[r.index,r])),o=(r,s,i)=>({entrypoint:r.entrypoint,object:r.ref,path:s,by:i[0]?.by??null,derivedFrom:(i[0]?.derivedFrom??[]).flatMap(a=>{let c=n.get(a.object);return c?
[{object:c.ref,path:a.path}]:[]}),writers:i.map(({by:a,from:c})=>({by:a,from:c.flatMap(d=>{let l=t.origin(d,r.revision);return l?[cn(l,"exact")]:[]})}))});for(let r of e){for(let s of is(r,[])){let{at:i,
precision:a}=t.locate({object:r,path:s,part:"value"}),c=$(r.value,s)??null;yield{...o(r,s,r.writers(s,"value")),value:c,...cn(i,a)}}for(let{path:s,by:i}of r.removed()){let{at:a,precision:c}=t.locate({
object:r,path:s,removedBy:i});yield{...o(r,s,i),removed:!0,...cn(a,c)}}}}function*is(e,t){let n=$(e.value,t);if(n===null||typeof n!="object"||Object.keys(n).length===0){yield t;return}let o=e.children(
t),r=Array.isArray(n)?[...n.keys()]:Object.keys(n);for(let s of o?.length===r.length?o:r)yield*is(e,[...t,s])}function cn({file:e,range:t},n){let{start:o,end:r}=t;return{file:e,line:o.line,column:o.column,
endLine:r.line,endColumn:r.column,precision:n}}function as(e,t){let n=new St.Document(e.value);for(let{path:o,removed:r,file:s,line:i,precision:a}of Ne([e],t)){let c=a==="file"?`${s}`:`${s}:${i}`,d=r?
n.contents:n.getIn(o,!0);if(!(0,St.isNode)(d))continue;let l=a==="exact"?` by ${w(c)}`:"";r?d.comment=[d.comment,` ${P(o)} removed${l}`].filter(Boolean).join(`
`):d.comment=` ${w(c)}`}return n.toString({lineWidth:0})}import{isDeepStrictEqual as nc}from"node:util";import{isDeepStrictEqual as ds}from"node:util";var We="kustomize-controller";function dn(e,t){let n=W(e.ref),o=io(e.ref),r=t.outcomes.find(({ref:l})=>W(l)===n),s={action:"refused",why:r?.why??"",...b({unsure:r?.unsure})};if(!fe(e))return r?.action===
"refused"?s:{action:"skipped",why:"the manifest tells Flux to leave it alone"};let i=t.unknown.find(({what:l})=>l===o);if(i)return{action:"unknown",...b({why:i.why,unsure:i.unsure})};if(r?.action==="r\
efused")return s;if(r?.action==="created")return{action:"created"};if(r?.action==="deleted")return{action:"deleted",...b({why:r.why})};let d=t.reconciles.filter(({path:l})=>l===e.entrypoint).flatMap(({
first:l,second:f})=>[f,l]).flatMap(({changes:l})=>l).find(({ref:l})=>W(l)===n);return d?.action==="skipped"?{action:"skipped",why:"it is there, and is told to be left alone"}:d?{action:r?.action==="ch\
anged"?"changed":"unchanged"}:Za(e,t)}function Za({entrypoint:e},{reconciles:t,applied:n}){let o=t.filter(({path:c})=>c===e).flatMap(({first:c,second:d})=>[d,c]),r=o.flatMap(c=>c.refused.map(({ref:d})=>Fn(
d))),s=o.map(({reason:c})=>Qa[c]).find(c=>c!==void 0),{unsure:i}=n.find(({path:c})=>c===e)??{};return{action:"stopped",why:s??`${r[0]??"something"} is refused, which stops the rest`,...b({unsure:i})}}
var Qa={Suspended:"its Flux Kustomization is suspended",NotThere:"its Flux Kustomization is not in the cluster",DependencyNotReady:"its Flux Kustomization waits for another that is not ready"};function fn(e,{
before:t,after:n,sent:o},r){let s=$e(e),[i,a]=[Ct(t,s),Ct(n,s)],c=i===void 0?ec(t,s):void 0,d=cs(c?.path??s,i===void 0&&!c?void 0:t),l=cs(s,a===void 0?void 0:n),f=d.filter(m=>m!==We&&!l.includes(m));return{
outcome:r==="held"?"held":r==="set"&&Ct(o,e)===void 0?"unsent":r==="set"&&a===void 0?"dropped":i===void 0?a===void 0?"absent":f.length>0?"taken":"added":a===void 0?"gone":f.length>0?"taken":ds(i,a)?l.
length>1?"shared":"unchanged":"changed",path:s,ownersBefore:d,ownersAfter:l,from:f,...b({before:i,after:a}),...b({replaced:c})}}function Ct(e,t){return e&&$(e,t)}function $e(e){let t=e.findIndex(n=>typeof n==
"number");return t<0?e:e.slice(0,t)}function ec(e,t){for(let n=t.length-1;n>0;n--){let o=Ct(e,t.slice(0,n));if(o!==void 0)return k(o)?void 0:{path:t.slice(0,n),value:o}}}function cs(e,t){let n=et(t),o=M(
e).slice(0,-1),r=[...n].filter(([s])=>s===`${o}]`||s.startsWith(`${o},`));if(r.length>0)return[...new Set(r.flatMap(([,s])=>s))].sort();for(let s=e.length-1;s>0;s--){let i=n.get(M(e.slice(0,s)));if(i)
return[...i]}return[]}function fs(e,{object:t,removed:n,simulation:o}){let r=dn(t,o),s=W(t.ref);if(r.action==="refused"||r.action==="stopped")return{outcome:r.action,why:ro(r.why??"",t),others:[]};let i={
before:o.before.get(s),after:o.after.get(s)},{before:a,after:c,ownersAfter:d}=fn(e,i,"unset"),f=(o.outcomes.find(({ref:m})=>W(m)===s)?.fields??[]).filter(({path:m})=>!F(m,$e(n)));return c===void 0?{outcome:"\
goes",others:f}:{outcome:ds(a,c)?"stays":"becomes",after:c,owners:d,others:f}}function ls(e,{object:t,cluster:n,simulation:o}){let{head:r}=n,s={...t,value:tc(t.value,e)},i=c=>c.map(d=>d===t?{...d,value:s.
value}:d),a=r.entrypoints.map(c=>c.ok?{...c,objects:i(c.objects)}:c);return{cluster:{...n,base:r,head:{...r,entrypoints:a,objects:i(r.objects),applied:i(r.applied)}},live:[...o.after.values()].filter(
c=>c!==void 0)}}function tc(e,t){let n=structuredClone(e);for(let o=t.length;o>0;o--){let r=$(n,t.slice(0,o-1)),s=t[o-1];if(o<t.length&&Object.keys(r[s]??{}).length>0)break;Array.isArray(r)?r.splice(Number(
s),1):delete r[s]}return n}var oc=80;function ms(e){return e.map(t=>`${rc(t).map(w).join(`
`)}
`).join(`
`)}function rc({object:e,cluster:t,fate:n,fields:o}){let{kind:r,namespace:s,name:i}=e.ref,a=t===void 0?"":`, cluster ${t}`;return[`${r} ${s?`${s}/`:""}${i} in ${e.entrypoint}${a}`,`  ${ps(n)}`,...o.flatMap(
c=>sc(c,e,n))]}function ps({action:e,why:t="",unsure:n}){let o={created:"is created",changed:"is changed",unchanged:"stays as it is in the cluster",deleted:"is deleted",refused:"is refused",stopped:"i\
s not applied",skipped:"is passed over",unknown:"is not simulated"},r=t?`${o[e]}: ${x(t)}`:o[e];return n===void 0?r:`${r} (not certain: ${x(n)})`}function sc(e,t,n){let{path:o,written:r}=e,s=P(o),i=(c,d)=>d?
[`    ${c.padEnd(6)}  ${d}`]:[],a=r?.value===void 0?"":JSON.stringify(G(t,o,r.value));return[r?`  ${s}${r.removed?" (removed)":` = ${a}`}`:`  ${s} is not set`,...r?ic(r):[],...i("whose",ac(e,t)),...i(
"owner",dc(e)),...i("apply",fc(e,t,n)),...i("remove",mc(e,t)),...(e.below?os(e.below):[]).map((c,d)=>`    ${(d===0?"below":"").padEnd(6)}  ${c}`)]}function ic({setBy:e,alias:t,file:n}){let o=({file:r,
line:s,column:i})=>`${r}:${s}:${i}`;return[...t?[`    by alias  ${o(t)}`]:[],...e.length===0?[`    somewhere in ${n}`]:[],...e.map((r,s)=>`    ${s===0?"set by":"before"}  ${r.by.padEnd(12)} ${o(r)}`)]}
function ac({contract:e,isWanted:t,path:n},o){if(!e||!t&&e.customizer!=="never")return;let{owner:r,customizer:s,why:i,field:a,set:c,when:d}=e,l=i===void 0?"":`: ${i}`;if(r==="nobody")return`nobody els\
e's${l}`;if(r==="customizer")return s==="only"?"the repository's, for some values only":"the repository's";let f=r==="Helm"||r==="Flux"?`${r}'s`:`the ${r}'s`;if(!a)return`${f}${l}`;let u=c===void 0||typeof c==
"object"?"":` to ${Oe(c,n,o)}`,m=d?` once ${zn(d)}`:"";return`${F(n,a)?`${f}, which sets it`:`in part ${f}, which sets ${P(a)}`}${u}${m}${l}${cc(e)}`}function cc({knob:e,atInstall:t}){return e===void 0?
"":t?`; ${e} of Package "${C}" decides it at the installation`:`; set ${e} of Package "${C}" instead`}function dc({fate:e,isWanted:t}){let{ownersBefore:n=[],ownersAfter:o=[]}=e??{},[r,s]=[n,o].map(ce);
if(!(!r&&!s)&&!(!t&&[...n,...o].every(i=>i===We)))return r===s?s:r?`${r} \u2192 ${s||"nobody"}`:s}function ce(e){return e.join(" and ")}function fc(e,t,n){let{fate:o,isWanted:r,sentAs:s}=e;if(!o)return;
let{outcome:i,before:a,after:c,from:d,replaced:l,path:f}=o,u=j=>Oe(j,f,t),m=a!==void 0&&!nc(a,c),p=u(a)===u(c)?"another value":`${u(a)} \u2192 ${u(c)}`,y=o.ownersAfter.filter(j=>j!==We),h=(()=>{if(i===
"gone")return`goes: ${u(a)}${d.length>0?` of ${ce(d)}`:""}`;if(i==="taken"&&l)return`taken from ${ce(d)}, in place of ${P(l.path)}: ${Oe(l.value,l.path,t)}`;if(i==="taken")return`taken from ${ce(d)}${m?
`: ${p}`:", with the value that it has"}`;if(i==="changed")return p;if(i==="unsent")return"left out by Flux, without a word: its kind has no such field, or there is nothing in it";if(i==="dropped")return"\
dropped by the API server, without a word";if(!s&&uc(e,o))return`nothing: ${u(c)} stays`;if(r)return i==="held"?`nothing, as the object ${ps({action:n.action})}`:i==="shared"?`stays; ${ce(y)} has set \
it too`:{added:"new",unchanged:"stays",absent:void 0}[i]})();return h&&s?`as ${P(s)}; ${h}`:h&&lc(e.path,o)&&i!=="unsent"?`the list ${P(f)}: ${h}`:h}function lc(e,t){return t.path.length<e.length}function uc({
written:e,path:t},{path:n,outcome:o,after:r}){return(o==="shared"||o==="unchanged")&&n.length===t.length&&us(e?.value)&&!us(r)}function us(e){return e===null||typeof e=="object"&&Object.keys(e).length===
0}function mc(e,t){let{removal:n,isFirst:o,path:r}=e;if(!n)return;let{outcome:s,why:i="",after:a,owners:c=[],others:d}=n,l=y=>Oe(y,r,t),f=c.filter(y=>y!==We),u={goes:`goes${pc(e)}`,stays:f.length>0?`s\
tays, as ${ce(f)} has set it too`:"stays",becomes:`becomes ${l(a)}`,refused:`refused: ${x(i)}`,stopped:`not applied: ${x(i)}`}[s],m=o?d.slice(0,3).map(y=>hc(y,t)):[],p=o&&d.length>3?[`${d.length-3} mo\
re fields change`]:[];return[u,...m,...p].join("; ")}function pc({contract:e,path:t,fate:n}){return e?.owner==="platform administrator"?", and nobody brings it back":e?.owner==="platform chart"&&!e.when&&
F(t,e.field??t)||e?.owner==="Helm"?", and is back only when the platform is next upgraded":n&&n.from.length>0?`, and is back only when ${ce(n.from)} writes it again`:""}function hc({path:e,before:t,after:n},o){
let r=P(e);if(n===void 0)return`${r} goes: ${Oe(t,e,o)}`;if(n===null)return`${r} is left as null`;if(t===void 0)return`${r} is ${Oe(n,e,o)}`;let[s,i]=lt(G(o,e,t),G(o,e,n));return s===i?`${r} is ${i}`:
`${r}: ${s} \u2192 ${i}`}function Oe(e,t,n){return e===void 0?"":de(JSON.stringify(G(n,t,e)),oc)}async function Et(e,t,n){let o=A(t.stderr),{progress:r,...s}=await E(e,t,o);return to(s,({tree:i,engine:a},c,d)=>{if(c.length===0)throw hs();let l=gc(c,d,e.values.cluster),f=!1;return n({tree:i,async*builds(u){
for(let[m,p]of l.entries()){o.update(m,l.length,p.path);let y=await a.build(p,u);f||=!y.ok,y.ok||(y.error.message=yc(i,p,y)),!y.ok&&u!=="digest"&&gs(p.path,y.error.message,t),yield{entrypoint:p,response:y}}},
get failed(){return f}})}).finally(o.stop)}function gc(e,t,n){if(n===void 0)return e;let o=e.filter(r=>Tt(r,t)===n);if(o.length>0)return o;throw new g(ho(n,e.map(r=>Tt(r,t))))}function yc(e,t,{error:n,
files:o}){return qn(e,[n.message],[...o,...Kn(t)])[0]??""}function hs(){return new g("nothing that Flux applies was found; name a directory with --path")}function je(e,t){if(e.length===0)throw hs();for(let n of e)
n.ok||gs(n.entrypoint.path,n.problem.message,t);return e.some(({ok:n})=>!n)}function gs(e,t,n){n.stderr.write(`error  ${w(e)}: ${w(x(t))}
`)}async function wc(e,t){let{operands:n,values:o}=e,[r="",...s]=n,i=s.map(Sn),a=o.live===void 0?[]:ye(o.live),c=A(t.stderr),d=o.charts===void 0?void 0:await he(o.charts,t),l=d&&{store:d,progress:c.say},
f=await E(e,t,c),{home:u,engine:m}=f;return B(f,async p=>{let{clusters:y,rendered:O,trees:h,budget:j}=p;l||c.stop(),je(O.head,t);let N=new K(h),v=oe(y,o).map(H=>({cluster:H,objects:H.head.objects.filter(
Pe=>$c(Pe,r))})).filter(({objects:H})=>H.length>0);if(v.length===0)throw new g(`no entrypoint renders "${r}"`);let D=await p.server.get(),L=[],_=Qe(p,f);for(let{cluster:H,objects:Pe}of v){let qs=await _t(
H,D,{live:a,said:_});for(let Ks of Pe)L.push(await Oc(Ks,{cluster:H,simulation:qs,server:D,said:_,locator:N,wanted:i}))}let ke=o.format?.at(-1)==="json",Ie=De(()=>le(h,O)),Lt={home:u,budget:j,server:p.
server,trees:h,secrets:Ie,...b({engine:m})},ee=l&&await bc(L,v,l,Lt);c.stop(),ee&&ee.left>0&&t.stderr.write(`warning  what ${ee.left} fields do below was not looked for: there is no time left (--max-s\
econds)
`);let z=new Set([...Ie(),...ee?.secrets??[]]),Te=ne({trees:h,rendered:O},ee?.secrets),On=L.map(({object:H,...Pe})=>({object:{...H,ref:Y(H.ref,Te)},...Y(ue(Pe,z),Te)}));return R(ke?S(ss(On)):ms(On),e,
t),0}).finally(c.stop)}async function bc(e,t,n,o){let r=({fields:a})=>[...new Map(a.map(({path:c})=>$e(c)).map(c=>[M(c),c])).values()],s=t.map(({cluster:a,objects:c})=>({cluster:a,fields:e.filter(({object:d})=>c.
includes(d)).map(d=>({object:d.object,paths:r(d)}))})),i=await Xr(s,n,o);for(let{object:a,fields:c}of e){let d=new Set;for(let l of c){let f=$e(l.path),u=d.has(M(f))?void 0:i.of(a,f);d.add(M(f)),u&&(l.
below=u)}}return i}function $c({ref:e},t){let[n="",...o]=t.split("/");if(n.toLowerCase()!==e.kind.toLowerCase())return!1;let r=o.join("/");return r===e.name||r===`${e.namespace??""}/${e.name}`}async function Oc(e,t){
let{cluster:n,simulation:o,locator:r,wanted:s}=t,i=dn(e,o),a=[...Ne([e],r)],c=jc(e,t),d=new Set,l=kc(e,a,{states:c,simulation:o,wanted:s}),f=[...l.filter(({isWanted:p})=>p).map(({path:p})=>u(p,void 0)),
...a.filter(({path:p})=>ws(p,s)).map(p=>u(p.path,p)),...l.filter(({isWanted:p})=>!p).map(({path:p})=>u(p,void 0))];function u(p,y){let O=Pc(p,e,c),h=y!==void 0&&!y.removed,j=ys(i)?h?"set":"unset":"hel\
d",N={path:p,isFirst:!1,isWanted:s.length>0,...y&&{written:Fc(y,e,r)}};if(bs(p))return N;let v=fn(O??p,c,j);if(v.path.length<p.length&&v.outcome!=="unsent"){let L=M(v.path);if(d.has(L))return N;d.add(
L)}let D=Zr(e,p,n);return{...N,fate:v,...b({contract:D,sentAs:O})}}if(ys(i))for(let p of s)await vc(p,f,e,t);let{name:m}=n;return{object:e,...b({cluster:m}),fate:i,fields:f}}function ys({action:e}){return e===
"created"||e==="changed"||e==="unchanged"}function jc(e,{cluster:t,simulation:n}){let o=t.head.entrypoints.find(s=>s.ok&&s.objects.includes(e)),r=W(e.ref);return{before:n.before.get(r),after:n.after.get(
r),sent:o&&Ge(e,o.entrypoint,t.contract.schemas)}}function kc(e,t,{states:n,simulation:o,wanted:r}){let s=t.map(({path:f})=>$e(f)),i=f=>s.some(u=>F(f,u)||F(u,f)),a=W(e.ref),c=o.outcomes.find(({ref:f})=>W(
f)===a)?.fields??[],d=[...new Map([...Re(n.before),...Re(n.after)]).values()],l=r.filter(f=>$(e.value,f)===void 0);return[...l.flatMap(f=>{if(t.some(m=>m.removed&&F(m.path,f)))return[];let u=d.filter(
m=>F(m,f)&&m.length>f.length);return[f,...u].map(m=>({path:m,isWanted:!0}))}),...c.filter(({before:f})=>f!==void 0).map(({path:f})=>f).filter(f=>!Un(f)&&!i(xc(f,e))&&ws(f,r)).filter(f=>!l.some(u=>F(f,
u))).map(f=>({path:f,isWanted:!1}))]}function ws(e,t){return t.length===0||t.some(n=>F(e,n))}function Pc([e,...t],{ref:n},{sent:o}){let r=["data",...t];if(!(n.kind!=="Secret"||e!=="stringData"||!o))return $(
o,r)===void 0?void 0:r}function xc(e,{ref:t,value:n}){let o=["stringData",...e.slice(1)];return t.kind==="Secret"&&e[0]==="data"&&$(n,o)!==void 0?o:e}function bs(e){let[t,n]=e;return t==="metadata"?e.
length===1||n==="name"||n==="namespace":t===void 0||t==="apiVersion"||t==="kind"}async function vc(e,t,n,{cluster:o,simulation:r,server:s,said:i}){if(bs(e)||$(n.value,e)===void 0)return;let{cluster:a,
live:c}=ls(e,{object:n,cluster:o,simulation:r}),d=await _t(a,s,{live:c,said:{head:i.head,base:i.head}}),l=t.filter(({path:f,written:u,fate:m})=>F(f,e)&&u?.value!==void 0&&m&&!["unsent","dropped"].includes(
m.outcome));for(let[f,u]of l.entries())u.removal=fs(u.sentAs??u.path,{object:n,simulation:d,removed:u.sentAs?["data",...e.slice(1)]:e}),u.isFirst=f===0}function Fc(e,t,n){let o=new Map;for(let{by:s,from:i}of e.
writers)for(let{file:a,line:c,column:d}of i){let l=`${a}:${c}:${d}`;o.has(l)||o.set(l,{by:s,file:a,line:c,column:d})}let r=e.removed?void 0:n.alias(t,e.path);return{...e.removed?{removed:!0}:{value:e.
value??null},setBy:[...o.values()],...r&&{alias:{file:r.file,...r.range.start}},file:e.file}}import{isDeepStrictEqual as Sc}from"node:util";var Rc=new TextEncoder;function $s(e,t){if(t.size===0)return e;let n=new Map([...t].map(([s,i])=>[s,Rc.encode(i)])),o=[...t.keys()].filter(s=>!e.has(s)),r=s=>o.some(i=>i.startsWith(`${s}/`));return{...e,
files:[...e.files,...o].sort(),has:s=>t.has(s)||e.has(s),isDirectory:s=>e.isDirectory(s)||r(s),bytes:s=>n.get(s)??e.bytes(s),text:s=>t.get(s)??e.text(s)}}var Cc=30;async function ks(e,t,n){let o=new Map,r=[],s=new ln;for(let i=1;;i++){let a=$s(e,o),c=await t(a),d=new Set(r.map(({fingerprint:u})=>u)),l=c.findings.filter(u=>!d.has(u.fingerprint)&&n(u)),f=i>
Cc?Ps:Ec(l,u=>Lc(a,u,s));if(f.made.length===0)return{fixed:r,texts:Ac(e,o),run:c};for(let[u,m]of f.texts)s.add(u,a.text(u)??""),o.set(u,m);r.push(...f.made)}}var Ps={made:[],texts:new Map};function Ec(e,t){
let n=s=>s.fix?.()?.safe===!0,o=Ht(e.filter(s=>!n(s))),r=[e.filter(n),...ae(o,({rule:s})=>s).values()];for(let s of r){let i=t(s);if(i.made.length>0)return i}return Ps}function Ac(e,t){return new Map(
[...t].filter(([n,o])=>o!==e.text(n)))}var ln=class{#e=new Map;add(t,n){this.#e.set(t,[...this.#e.get(t)??[],n])}isUndone(t,n,o){let r=this.#e.get(t)??[],s=r.length>0?Wt(n,o):void 0;return s!==void 0&&
r.some(i=>Os(i,s)<Os(i,n))}};function Os(e,t){let n=({at:{range:o},text:r})=>o.end.line-o.start.line+r.split(`
`).length;return lo("",e,t).reduce((o,r)=>o+n(r),0)}function Lc(e,t,n){let o=[],r=new Map,s=new Map;for(let i of Ht([...t])){let a=i.fix?.()?.edits??[],c=[...new Set(a.map(({at:l})=>l.file))].map(l=>({
file:l,own:a.filter(({at:f})=>f.file===l),before:r.get(l)??[]}));if(!c.every(({own:l,before:f})=>l.every(u=>f.some(m=>Sc(u,m))))){if(c.some(({own:f,before:u})=>uo(u,f)))continue;let l=c.map(({file:f,own:u,
before:m})=>Jc(e,f,[...m,...u]));if(!l.every(f=>f!==void 0)||c.some(({file:f,own:u})=>n.isUndone(f,e.text(f)??"",u)))continue;for(let[f,{file:u,own:m,before:p}]of c.entries())r.set(u,[...p,...m]),s.set(
u,l[f])}o.push(i)}return{made:o,texts:s}}function Jc(e,t,n){let o=e.text(t),r=Wt(o??"",n);return r!==void 0&&js(r)>=js(o??"")?r:void 0}function js(e){return new Vn(e).documents.filter(t=>fo.read(t.text)).
length}import{closeSync as Mc,constants as un,existsSync as Nc,fstatSync as Wc,lstatSync as Ic,mkdirSync as Tc,openSync as Bc,readFileSync as Dc,realpathSync as vs}from"node:fs";import{dirname as pn,join as Fs,
sep as mn}from"node:path";function Rs(e,t){let n=vs(e),o=t.map(r=>zc(n,r));for(let[r,{file:s,after:i}]of t.entries()){let a=Fs(n,s);Tc(pn(a),{recursive:!0}),nr(a,i,o[r])}}function zc(e,{file:t,before:n}){let o=Fs(e,t),r=pn(o);
for(;!Nc(r);)r=pn(r);if(vs(r)!==r||!`${r}${mn}`.startsWith(e.endsWith(mn)?e:`${e}${mn}`))throw new g(`"${t}" lies behind a symbolic link; nothing was written`);if(n===void 0){if(Ic(o,{throwIfNoEntry:!1}))
throw xs(t);return}let{mode:s,content:i}=Uc(o)??{};if(s===void 0||!i||Buffer.compare(i,n)!==0)throw xs(t);return s}function Uc(e){let t;try{t=Bc(e,un.O_RDONLY|(un.O_NOFOLLOW??0)|(un.O_NONBLOCK??0))}catch{
return}try{let n=Wc(t);return n.isFile()?{mode:n.mode&4095,content:Dc(t)}:void 0}finally{Mc(t)}}function xs(e){return new g(`"${e}" was changed by somebody else in the meantime; nothing was written`)}async function _c(e,t){let{directory:n,values:o}=e,r=o.rule??[];for(let h of r)gt(h);let s=({rule:h})=>r.length===0||r.includes(h),i=h=>{let j=s(h)?h.fix?.():void 0;return j!==void 0&&(j.safe||o.unsafe===
!0)},a=A(t.stderr),c=await E(e,t,a),d=await eo(c),l=await ks(d,h=>Ho({...c,head:h}),i).finally(a.stop);o["dry-run"]||Rs(n,[...l.texts].map(([h,j])=>({file:h,before:d.bytes(h),after:j})));let f=sr(o,t,
l.run.tool),u={...l.run,findings:l.run.findings.filter(s)},m=Xo("text",u,{...f,lines:o.verbose!==!0}),p=h=>l.run.sources.secrets?.("head",h),O=[...[...l.texts].sort().map(([h,j])=>Vo(h,d.text(h),j,p(h))).
map(h=>qc(h,ut(f.color))),Kc({...l,run:u},o),m,Hc(l.run,u,r)];return t.stdout.write(O.filter(h=>h!=="").join(`
`)),Ln(u,o["fail-on"]??"error",o["only-new"]===!0)}function Hc(e,{findings:t},n){if(n.length===0)return"";let o=e.findings.length-t.length,r=o===0?"":`; ${ge(o,"finding")} of other rules not shown`;return`${n.
join(", ")}: ${ge(t.length,"finding")} left${r}
`}var Vc=[["--- ","bold"],["+++ ","bold"],["-","red"],["+","green"],["@@","cyan"]];function qc(e,t){let n=o=>Vc.filter(([r])=>o.startsWith(r)).map(([,r])=>r);return e.map(o=>`${t(o,...n(o).slice(0,1))}\

`).join("")}function Kc({fixed:e,run:{findings:t}},n){let o=n["dry-run"]?"would fix":"fixed",r=n.unsafe?0:t.filter(a=>a.fix?.()?.safe===!1).length,s=e.map(({rule:a,at:c,fix:d})=>`${o} ${w(a)} in ${w(c.
file)}: ${w(d?.()?.title??"")}`),i=r>0?"nothing to fix without --unsafe":"nothing to fix";return[...e.length>0?s:[i],...Gc(r,e.length>0),...Yc(t)].map(a=>`${a}
`).join("")}function Gc(e,t){return e===0?[]:[`${`${e}${t?" more":""} ${e===1?"finding has":"findings have"}`} a fix that can change something else: fix --unsafe --dry-run shows ${e===1?"it":"them"}`]}
function Yc(e){let t=e.flatMap(n=>n.heldBack?.()??[]);return[...ae(t,({why:n})=>n)].map(([n,o])=>{let r=[...new Set(o.flatMap(({by:d})=>d))].sort().map(d=>d==="."?"the root":d),s=r.length>3?[...r.slice(
0,2),`${r.length-2} more`]:r,i=r.length===1,a=new Set(o.map(({file:d})=>d)).size===1?"file":"files",c=n==="unbuilt"?"cannot be built":`${i?"has":"have"} no such finding`;return`${o.length===1?"1 fix i\
s":`${o.length} fixes are`} held back: ${w(Bn(s))} ${i?"reads":"read"} the same ${a} and ${c}`})}function Cs({release:e,nodes:t,edges:n},o){return[...[`Cozystack ${e}`,...o].map(r=>`// ${r}`),"digraph {",'  rankdir="RL" nodesep="0.5" ranksep="1.0"','  node [shape="box" style="rounded,filled" fill\
color="white" fontname="sans-serif"]','  edge [fontname="sans-serif" fontsize="10"]',...t.map(r=>`  ${At(r.name)}${Ss(Xc(r))}`),...n.map(r=>`  ${At(r.from)} -> ${At(r.to)}${Ss(Zc(r,t))}`),"}",""].join(
`
`)}function Xc({kind:e,missing:t,touched:n}){return{...e==="component"&&{shape:"ellipse",style:"filled"},...n&&{fillcolor:"lightblue",penwidth:"2"},...t&&{color:"red",fontcolor:"red",style:"dashed"}}}
function Zc({to:e,variants:t,ignored:n},o){let r=o.some(({name:s,missing:i})=>i&&s===e);return{...t&&{label:t.join(", ")},...r&&{color:"red"},...n&&{style:"dashed"}}}function Ss(e){let t=Object.entries(
e).map(([n,o])=>`${n}=${At(o)}`);return t.length>0?` [${t.join(" ")}]`:""}function At(e){return`"${w(e).replace(/\\/g,"\\\\").replace(/"/g,'\\"')}"`}async function Qc(e,t){let{values:n}=e,o=A(t.stderr),r=await E(e,t,o),s=n.format?.at(-1)??"dot";return B(r,({clusters:i,rendered:a,trees:c})=>{o.stop();let d=pt(i,n),l=ao(d,{installed:n.installed===!0,
components:n.components===!0}),f=td(Y(l,ne({trees:c,rendered:a})),s,ed(d,n.installed===!0));R(f,e,t);let u=a.head.filter(({ok:m})=>!m).map(({entrypoint:m})=>m.path);for(let m of u)t.stderr.write(`warn\
ing  ${w(m)} cannot be built, so nothing of it is in the graph
`);return u.length>0?1:0}).finally(o.stop)}function ed({facts:e,contract:t},n){return e.used().filter(({name:o,source:r})=>r==="assumed"&&(n||o==="release")).map(o=>`assumed: ${w(ft(Ye(o,t)))}`)}function td(e,t,n){
return t==="dot"?Cs(e,n):t==="mermaid"?co(e,n):S({...e,notes:n})}import{join as nd}from"node:path";function od(e,t){let{values:n}=e,o=nd(t.home,"schemas"),r=mo(o,He(o).at(-1));return Et(e,t,async s=>{let i=[],a=[];for await(let{entrypoint:l,response:f}of s.builds("objects")){if(!f.ok)continue;let{path:u,
why:m}=l,p=qe(l,f);a.push({entrypoint:l,files:f.files,ok:!0,objects:p});let O=p.filter(fe).map(({ref:h})=>Qn(h,r)).map(h=>({id:Rn(h),v:h.apiVersion.slice(h.apiVersion.lastIndexOf("/")+1)}));i.push({path:u,
why:m,entries:O.sort((h,j)=>h.id<j.id?-1:1)})}let c=Y(i,ne({trees:{head:s.tree},rendered:{head:a}})),d=n.format?.at(-1)==="json"?S(c):c.map(rd).join(`
`);return R(d,e,t),s.failed?1:0})}function rd({path:e,why:t,entries:n}){return[`# ${w(e)}: ${w(t)}`,...n.map(({id:o})=>w(o)),""].join(`
`)}var Es=Be(_e(),1);async function As(e,t){let{values:n}=e,o=A(t.stderr),r=await E(e,t,o);return B(r,({clusters:s,rendered:i})=>{o.stop();let a=je(i.head,t),c=oe(s,n),d=c.flatMap(Ls);for(let f of d)_n(f)&&ad(f.ref,t);let l=d.
map(({value:f})=>f);return R(n.format?.at(-1)==="json"?S(l):sd(c),e,t),a?1:0}).finally(o.stop)}function Ls({head:e,contract:t}){return e.entrypoints.filter(Zn).flatMap(({entrypoint:n,objects:o})=>so(o.
filter(fe)).map(r=>({ref:r.ref,value:Ge(r,n,t.schemas)})))}function sd(e){let t=e.map(o=>({cluster:o,text:id(Ls(o).map(({value:r})=>r))})),n=({name:o})=>e.length>1&&o!==void 0?`# cluster ${w(o)}
`:"";return t.filter(({text:o})=>o!=="").map(({cluster:o,text:r})=>n(o)+r).join(`---
`)}function id(e){return e.map(t=>(0,Es.stringify)(t,{lineWidth:0,aliasDuplicateObjects:!1,compat:"yaml-1.1"})).join(`---
`)}function ad({kind:e,namespace:t,name:n},o){let r=[e,t,n].filter(Boolean).join("/");o.stderr.write(`warning  ${w(r)} is encrypted, and is printed so; what Flux makes of it is not known
`)}import{isDeepStrictEqual as Ms}from"node:util";function Js(e,t){return ue(e.map(o=>({value:dd(o)})),t).map(({value:o},r)=>cd(o,e[r]??{}))}function cd(e,t){let{apiVersion:n,kind:o,namespace:r,name:s}=T(t),i=k(e.metadata)?{...e.metadata,...k(t.metadata)&&
"name"in t.metadata&&{name:s},...r&&{namespace:r}}:e.metadata;return{...e,apiVersion:n,kind:o,...i!==void 0&&{metadata:i}}}function dd(e){if(e.kind==="CustomResourceDefinition")return e;let t=e.kind===
"Secret",n={ref:{kind:String(e.kind)},value:e},o=(r,s,i)=>{if(Array.isArray(r))return r.map((c,d)=>o(c,[...s,d],i));if(k(r))return Object.fromEntries(Object.entries(r).map(([c,d])=>{let l=t&&s.length===
0&&(c==="data"||c==="stringData");return[c,o(d,[...s,c],i||l||ve(c)&&!hn(d))]}));if(i)return fd(r,t&&s[0]==="data");let a=s.some(c=>typeof c=="string"&&ve(c))?[]:s;return typeof r=="string"?G(n,a,r):r};
return o(e,[],!1)}function fd(e,t){return typeof e=="string"&&e!==""?t?Buffer.from(Fe).toString("base64"):Fe:typeof e=="number"?0:e}var ld=new Set(`name namespace secretName key items path mode defaul\
tMode optional audience expirationSeconds apiVersion kind apiGroup uid
  algorithm encoding size rotationPolicy`.split(/\s+/));function hn(e){return Array.isArray(e)?e.every(hn):k(e)?Object.entries(e).every(([n,o])=>ld.has(n)&&(n!=="items"||hn(o)))&&Object.keys(e).length>
0:!1}async function Ws(e,t,n,o=[]){let r={objects:[],failures:[],notes:[]},s=new Set;await it(e,t,n,async(a,c)=>{let d=await nt(a,c.head,n.trees.head),l=await ud(a,{cluster:c,side:d,packages:o,...n}),f=new Set(
[...n.secrets(),...rt(at(c),l.secrets,ct(d))]),u=Js(l.objects.map(({object:m})=>m),f);for(let{ref:m}of d.packages)s.add(m.name);r.objects.push(...l.objects.map((m,p)=>({...m,object:u[p]??{}}))),r.failures.
push(...Dt(l.failures,f)),r.notes.push(...Dt(l.notes,f))});let i=o.find(a=>!s.has(a));if(i===void 0)return r;throw new g(`no entrypoint renders Package "${i}"; ${Pn(i,[...s],"render without --package \
prints all")}`)}async function ud(e,t){let{cluster:n,side:o,packages:r}=t,{releases:s,notChecked:i}=dt(o),a=({ref:m})=>U({ref:m})&&r.includes(m.name),c=s.filter(({object:m})=>r.length===0||a(m)),d=[],
l=[];for(let m of c){let p={side:o,...m},y=await Je(e,p.release,o);"failed"in y?l.push(`${Bt(p.release)}: its chart fails: ${pe(y.failed)}`):d.push({judged:p,made:y,origins:new gn})}let f=r.length===0?
i.map(({what:m,why:p})=>`${m} is left out: ${p}`):[];f.push(...await pd(e,d,t));let u=d.flatMap(({made:m})=>m.map(({object:p})=>p).filter(st));return{objects:d.flatMap(m=>md(m,n)),failures:l,notes:f,secrets:u}}
function md({judged:{release:e},made:t,origins:n},{name:o}){let r={...b({cluster:o}),...tt(e)};return t.map(({id:s,object:i,...a},c)=>({...r,...a,ref:T(i),object:i,origins:n.of(t[c])}))}async function pd(e,t,n){
let{budget:o,cluster:r,trees:s}=n,i=[];for(let{judged:c,made:d,origins:l}of t){let f=hd(c),u=0;for(let m of $o(c)){if(be(o))break;for(let p of await Yr(e,c,d,m))l.add(p,{object:c.object,path:m});u+=1}
u<f&&i.push(Ns(Bt(c.release),f-u,o))}let a=await gd(e,t,{revision:r.head,tree:s.head,budget:o});return a>0?[...i,Ns("the Package of the platform",a,o)]:i}function hd({object:e,release:t}){let n=$(e.value,
Se(t));return k(n)?Re(n).size:0}async function gd(e,t,{revision:n,tree:o,budget:r}){let s=0;for(let i of t.length>0?Gn(n.applied):[])for(let a of Oo(i.value,Wn))be(r)?s+=1:await yd(e,t,{platform:i,path:a,
revision:n,tree:o});return s}async function yd(e,t,{platform:n,path:o,revision:r,tree:s}){let i=$(n.value,o),a=(i===void 0?[]:Ft(i)).map(d=>ot(n.value,o,d)),c=[...t];for(let d of[...a,Ce(n.value,[o])]){
let l=y=>y===n?{...y,value:d}:y,[f,u]=[r.objects.map(l),r.applied.map(l)],m=await wo(e,{...r,objects:f,applied:u},s);if("failed"in m)continue;let p=[];for(let y of c){let{judged:O,made:h,origins:j}=y,
N=me(m,O.release,O.object.value),v=await vt(e,O,h,N);if(!Array.isArray(v)||v.length===0)p.push(y);else for(let D of v)j.add(D,{object:n,path:o})}c=p}}function Ns(e,t,n){let o=be(n)?"there is no time l\
eft (--max-seconds)":"there are too many";return`${e}: what came of ${t===1?"1 value":`${t} values`} was not looked for: ${o}`}var gn=class{#e=new Map;add({made:t,whole:n,fields:o},r){n==="there"&&this.#t(
t,[],r);for(let{path:s,after:i}of o)if(i!==void 0)for(let a of wd(t.object,s,i,r))this.#t(t,a.path,a.source)}of({id:t}){return[...this.#e.get(t)?.values()??[]]}#t({id:t},n,o){let r=this.#e.get(t)??new Map;
this.#e.set(t,r);let s=JSON.stringify(n),i=r.get(s)??{path:n,from:[]};r.set(s,i),i.from.push(o)}};function wd(e,t,n,o){let r=$d(e,t,o),s=Is(n);if(r)return s.map(c=>({path:[...t,...c],source:{...r,path:[
...r.path,...c]}}));let[i,...a]=s;return[{path:i&&a.length===0?[...t,...i]:t,source:o}]}var bd=100;function $d(e,t,n){let o=$(n.object.value,n.path);if(o===null||typeof o!="object")return;let r=Array.
isArray(o)&&o.length<=bd?o:[];for(let s=t.length;s>0;s--){let i=$(e,t.slice(0,s)),a=t.slice(s);if(Ms(i,o))return{...n,path:[...n.path,...a]};let c=r.flatMap((d,l)=>Ms(i,d)?[l]:[]);if(c.length===1)return{
...n,path:[...n.path,c[0],...a]}}}function Is(e){let t=Array.isArray(e)?[...e.entries()]:k(e)?Object.entries(e):[];return t.length===0?[[]]:t.flatMap(([n,o])=>Is(o).map(r=>[n,...r]))}var Q=Be(_e(),1);function Bs(e,t){return e.map(n=>Od(n,t)).join(`---
`)}function Od(e,t){let n=new Q.Document(e.object,{aliasDuplicateObjects:!1,compat:"yaml-1.1"}),o=e.origins.flatMap(({path:s,from:i})=>s.length===0?i:[]),r=[jd(e),...o.length>0?[`made because of ${Ts(
o,t)}`]:[]];e.ref.kind==="Secret"&&r.push("its values are not shown"),n.contents&&(n.contents.commentBefore=r.map(s=>` ${w(s)}`).join(`
`));for(let{path:s,from:i}of e.origins)s.length>0&&kd(n,s,` from ${w(Ts(i,t))}`);return n.toString({lineWidth:0})}function jd({cluster:e,package:t,component:n,release:o,template:r,hook:s,crd:i}){let a=e===
void 0?"":`cluster ${e}: `,c=t===void 0?"":`Package ${t}, component ${n}, `,d=s?`, a hook (${s.join(", ")})`:i?", a definition":"";return`${a}${c}HelmRelease ${o}: ${r}${d}`}function kd(e,t,n){let o=e.
getIn(t,!0);if(!(0,Q.isNode)(o))return;if(!(0,Q.isCollection)(o)||o.items.length===0){o.comment=n;return}let[r]=o.items,s=(0,Q.isPair)(r)?r.key:r;(0,Q.isNode)(s)&&(s.commentBefore=n)}var yn=3;function Ts(e,t){
let n=Ds(e,t).map(({file:s,line:i,precision:a})=>a==="file"?s:`${s}:${i}`),o=[...new Set(n)],r=o.length>yn?[`${o.length-yn} more`]:[];return[...o.slice(0,yn),...r].join(", ")}function Ds(e,t){return e.
map(({object:o,path:r})=>{let{at:s,precision:i}=t.locate({object:o,path:r,part:"value"}),{line:a,column:c}=s.range.start;return{file:s.file,line:a,column:c,precision:i,field:r}}).sort((o,r)=>o.file<r.
file?-1:o.file>r.file?1:o.line-r.line||o.column-r.column)}function zs(e,t){return e.map(({cluster:n,package:o,component:r,release:s,template:i,hook:a,crd:c,object:d,origins:l})=>({...b({cluster:n,package:o,
component:r}),release:s,template:i,...b({hook:a,crd:c}),object:d,origins:l.map(({path:f,from:u})=>({path:f,from:Ds(u,t)}))}))}async function Us(e,t,n){let{values:o}=e,r=o.format?.at(-1);if(o["as-applied"])throw new g("--as-applied is about what Flux applies, not about --charts");if(r==="digest")throw new g("--charts prints y\
aml or json, as nobody hashes what charts make");let s=A(n.stderr),i=await he(t,n),a=await E(e,n,s),{home:c,engine:d}=a;return B(a,async({clusters:l,rendered:f,trees:u,server:m,budget:p})=>{let O={home:c,
budget:p,server:m,trees:u,secrets:()=>le(u,f),...b({engine:d})},h=oe(l,o),j=await Ws(h,{store:i,progress:s.say},O,o.package);s.stop();let N=je(f.head,n),v=(_,ke)=>n.stderr.write(`${_}  ${w(x(ke))}
`);for(let _ of j.failures)v("error",_);for(let _ of j.notes)v("warning",_);let D=new K(u),{objects:L}=j;return L.length===0&&j.failures.length===0&&n.stderr.write(`nothing is rendered: the repository\
 says nothing of a component with a chart
`),R(r==="json"?S(zs(L,D)):Bs(L,D),e,n),N||j.failures.length>0?1:0}).finally(s.stop)}function Pd(e,t){let{values:n}=e;if(n.charts!==void 0)return Us(e,n.charts,t);if(n.package)throw new g("--package needs --charts");if(n["as-applied"])return As(e,t);let o=n.format?.at(-1)??"yaml";return Et(
e,t,async r=>{let s=n.provenance?await Fd(r,o):await xd(r,o);return R(s,e,t),r.failed?1:0})}async function xd(e,t){let n=[],o=[];for await(let{entrypoint:r,response:s}of e.builds(t==="json"?"objects":
t))if(t==="digest")n.push(vd(r.path,s));else if(s.ok)t==="yaml"?n.push(s.yaml??""):o.push(...(s.objects??[]).map(({value:i})=>i));else continue;return t==="json"?S(o):n.filter(Boolean).join(t==="yaml"?
`---
`:"")}function vd(e,t){return t.ok?`${t.sha256??""}  ${e}
`:`error  ${e}: ${w(x(t.error.message).split(`
`).map(n=>n.trim()).filter(Boolean).join(" "))}
`}async function Fd(e,t){let n=new K({head:e.tree}),o=[],r=[];for await(let{entrypoint:s,response:i}of e.builds("objects")){if(!i.ok)continue;let a=qe(s,i);t==="json"?o.push(...Ne(a,n)):r.push(...a.map(
c=>as(c,n)))}return t==="json"?S(o):r.join(`---
`)}import{readFileSync as Rd}from"node:fs";import{join as Sd}from"node:path";async function Cd({operands:[e],values:t},n){let o=t.format?.[0]??"text";return e!==void 0?n.stdout.write(Jd(e,n.home)):o==="schema"?n.stdout.write(`${JSON.stringify(Cn(V),null,2)}
`):o==="json"?n.stdout.write(`${JSON.stringify(V.map(r=>Ed(r,n.home)),null,2)}
`):n.stdout.write(Ad(xn(n.stdout))),0}function Ed({id:e,group:t,severity:n,summary:o,needsBase:r,options:s={}},i){return{id:e,group:t,severity:n,summary:o,url:rr(e,jn(i)),needsBase:r??!1,options:s}}function Ad(e){
let t=Math.max(...V.map(({id:r})=>r.length)),n=({id:r,severity:s,summary:i})=>{let a=`  ${r.padEnd(t)}  ${s.padEnd(7)}  `,[c,...d]=Mt(i,e-a.length);return[`${a}${c}`,...d.map(l=>`${" ".repeat(a.length)}${l}`)]};
return`${Object.entries(ht).map(([r,s])=>[...Mt(`${r}: ${Ld(s)}`,e),...V.filter(({group:i})=>i===r).flatMap(n)].join(`
`)).join(`

`)}

customizer-lint rules ID prints the page of a rule
`}var Ld=e=>/^[A-Z][a-z]+[A-Z]|^Packages/.test(e)?e:e.charAt(0).toLowerCase()+e.slice(1);function Jd(e,t){return Rd(Sd(t,"src","rules",gt(e),"README.md"),"utf8")}var _s=Be(_e(),1);var Md=`# What customizer-lint knows of the cluster: names, variants and field managers, but no values. Name it in .customizer-lint.yaml
# as cluster.snapshot, and make it anew when the cluster has changed:
#   ${wn()} | customizer-lint snapshot - > THIS FILE
`;function wn(){return"kubectl get packages,packagesources,ocirepositories,crds,clusterroles,clusterrolebindings,roles,rolebindings -A -o yaml --show-managed-fields"}async function Nd(e,t){let[n]=e.operands;
if(n===void 0)throw new g(`snapshot of what? e.g. ${wn()} | customizer-lint snapshot -`);let o=ir(n);if(!o.some(Nn))throw new g(`there is no Package in what was read; the command is: ${wn()}`);let r=`${Md}${(0,_s.stringify)(
Ze(o,new Date().toISOString().slice(0,10)),{lineWidth:0})}`;return R(r,e,t),0}import{watch as Wd}from"node:fs";import{dirname as Id,join as Hs,resolve as Vs}from"node:path";var Td=20,Bd=3,Dd=3;async function zd({directory:e,values:t},n,o){let r=[t.output,...(t.format??[]).map(d=>vn(d).file)],s=new bn(e,new Set(r.filter(d=>d!==void 0).map(d=>Vs(d))));n.stdout.once?.("erro\
r",()=>s.end());let i,a=0,c=0;for(let d=!0;;d=!1){if(d||await s.begin(),s.hasEnded)return a;let l=performance.now();Hn();let f=await Ud(o,d,{...i&&{before:i},opened:p=>s.follow(p),rendered:(p,y)=>{i={
tree:p,rendered:y}}});if(!d&&await s.hasMoved()&&c<Dd){c+=1;continue}if(s.hasEnded)return a;c=0;let u=s.told();d||n.stdout.write(Vd(u,n.stdout.isTTY===!0)),a=_d(f,d,n);let m=Math.round(performance.now()-
l);n.stderr.write(`checked in ${m} ms; waiting for a change (Ctrl+C ends it)
`),Hd(n.home,t)}}async function Ud(e,t,n){try{return await e(n)}catch(o){if(t||Jt(o)===void 0)throw o;return()=>{throw o}}}function _d(e,t,{stderr:n}){try{return e()}catch(o){let r=Jt(o);if(t||r===void 0)
throw o;return n.write(`customizer-lint: ${w(r)}
`),2}}function Hd(e,t){if(t["max-seconds"]!==void 0||t["max-memory"]!==void 0)return;let n=t.engine??"auto",o=["render","apply",...t.charts===void 0?[]:["helm"]];for(let r of o)kn(Hs(e,"dist","engine"),
r,n)}function Vd(e,t){let[n="",...o]=e.map(w),r=o.length===0?"":` and ${o.length} more`;return`${t?"\x1B[H\x1B[2J":`
`}${n}${r} changed

`}var bn=class{constructor(t,n){this.root=t;this.own=n}root;own;#e=new Map;#t=new Set;#n=new Set;#s=0;#o=new Set;#r=()=>{};hasEnded=!1;end(){this.hasEnded=!0;for(let t of this.#e.values())t.close();this.#r()}follow({
files:t}){let n=new Set([".",...t.flatMap($n)]);for(let[o,r]of this.#e)n.has(o)&&![o,...$n(o)].some(s=>this.#o.has(s))||(r.close(),this.#e.delete(o));this.#o.clear();for(let o of n)this.#e.has(o)||this.#a(
o)}#a(t){let n=o=>{o===".git"||this.own.has(tr(Vs(this.root,t,o)))||(this.#t.add(t==="."?o:`${t}/${o}`),this.#s=performance.now(),this.#r())};try{let o=Wd(Hs(this.root,t),(r,s)=>n(s??""));o.on("error",
()=>o.close()),this.#e.set(t,o)}catch(o){if(o.code!=="ENOENT")throw o}}async begin(){for(;this.#t.size===0&&!this.hasEnded;)await this.#c();await this.#i(Bd);for(let t of this.#t)this.#o.add(t),this.#n.
add(t);this.#t.clear()}async hasMoved(){for(let t=0;t<2;t+=1)await new Promise(n=>setImmediate(n));return await this.#i(Td),this.#t.size>0}async#i(t){let n=()=>this.#s+t-performance.now();for(;n()>0&&
!this.hasEnded;)await new Promise(o=>setTimeout(o,Math.ceil(n())))}told(){let t=[...this.#n].sort();return this.#n.clear(),t}#c(){return new Promise(t=>{this.#r=t})}};function $n(e){let t=Id(e);return t===
"."?[]:[t,...$n(t)]}export{Mi as audit,Pa as charts,Sa as completion,Ja as diff,wc as explain,_c as fix,Qc as graph,od as inventory,Pd as render,Cd as rules,Nd as snapshot,zd as watch};
