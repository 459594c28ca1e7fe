import{createRequire as $createRequire}from"node:module";const require=$createRequire(import.meta.url);
import{a as p}from"./chunk-5TS4U5QU.js";import{a as s}from"./chunk-BKQZYVBQ.js";import{b as m,r as a,w as i}from"./chunk-GEYI73IX.js";import"./chunk-AIN5EYJ6.js";import{join as g}from"node:path";import{fileURLToPath as v}from"node:url";var t=2;function d(o){let e=r=>{process.once("exit",()=>{process.exitCode=t}),o(r)};process.stdout.once("error",r=>{process.stdout.on("error",()=>{}),r.code!=="EPIPE"&&e(r)}),process.stderr.on("error",
()=>{}),process.once("uncaughtException",r=>{e(r),process.exit(t)})}function u(o,e){let r=p(o);if(r!==void 0)return i(r);let n=o instanceof Error?o.stack??o.message:String(o);return`${e()}
${n.split(`
`).map(i).join(`
`)}`}var y=["rules","snapshot","audit","charts","help","completion"];function f(o){return y.includes(o[0]??"")||o.some(e=>/^--(?:help$|version$|max-)/.test(e))?[]:o.some(e=>e==="--charts"||e.startsWith("--\
charts="))?["render","helm"]:["render"]}var l=20,c=v(new URL(["..",".."].join("/"),import.meta.url));function h(o){let e="this is a bug of the linter, not of your repository. Please report it with the lines below.";process.stderr.write(`cus\
tomizer-lint: ${u(o,()=>`version ${s(c).version}: ${e}`)}
`)}async function $(o,e){let{node:r}=process.versions;if(Number.parseInt(r,10)<l)return process.stderr.write(`customizer-lint: Node ${l} or later is needed; this is Node ${r}
`),t;if(o[0]==="--version")return process.stdout.write(`${s(c).version}
`),0;for(let[w,x]of f(o).entries())a(g(c,"dist","engine"),x,m(o),w===0?e:void 0);let{main:n}=await import("./main-35CXCBS3.js");return n(o)}async function L(o,e){d(h);try{process.exitCode=await $(
o,e)}catch(r){h(r),process.exitCode=t}}export{L as run};
