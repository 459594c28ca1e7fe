import{createRequire as $createRequire}from"node:module";const require=$createRequire(import.meta.url);
import{e as a}from"./chunk-BKQZYVBQ.js";import{e as i,i as s,k as r,l as f,o as u}from"./chunk-GEYI73IX.js";var c=[i,a,s,u];function $(n){return c.some(e=>n instanceof e)||n instanceof f&&n.limit?n.message:m(n)}function m(n){if(!(n instanceof Error))return;let{code:e,syscall:t,path:o}=n;return typeof e!="st\
ring"||typeof t!="string"?void 0:`${o===void 0?`the system call "${t}"`:`${t} of "${o}"`} fails: ${r(n)}`}export{$ as a};
