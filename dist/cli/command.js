import{createRequire as $createRequire}from"node:module";const require=$createRequire(import.meta.url);
import{a as m}from"./chunk-V3A5DQEQ.js";import{a as c}from"./chunk-2ZH7VEKZ.js";import{q as u,r as d,v as a}from"./chunk-LMSTBHDT.js";import"./chunk-AIN5EYJ6.js";import{join as w}from"node:path";import{fileURLToPath as x}from"node:url";var t=2;function l(e){let o=r=>{process.once("exit",()=>{process.exitCode=t}),e(r)};process.stdout.once("error",r=>{process.stdout.on("error",()=>{}),r.code!=="EPIPE"&&o(r)}),process.stderr.on("error",
()=>{}),process.once("uncaughtException",r=>{o(r),process.exit(t)})}function f(e,o){let r=m(e);if(r!==void 0)return a(r);let i=e instanceof Error?e.stack??e.message:String(e);return`${o()}
${i.split(`
`).map(a).join(`
`)}`}var h=20,p=x(new URL(["..",".."].join("/"),import.meta.url));function g(e){let o="this is a bug of the linter, not of your repository. Please report it with the lines below.";process.stderr.write(`cus\
tomizer-lint: ${f(e,()=>`version ${c(p).version}: ${o}`)}
`)}function v(e){return!["rules","snapshot","audit","charts","help","completion"].includes(e[0]??"")&&!e.includes("--help")}async function b(){let{node:e}=process.versions;if(Number.parseInt(e,10)<h)return process.
stderr.write(`customizer-lint: Node ${h} or later is needed; this is Node ${e}
`),t;if(process.argv[2]==="--version")return process.stdout.write(`${c(p).version}
`),0;let o=process.argv.slice(2);if(!o.some(n=>n.startsWith("--max-"))&&v(o)){let n=s=>d(w(p,"dist","engine"),s,u(o));n("render"),o.some(s=>s==="--charts"||s.startsWith("--charts="))&&n("helm")}let{main:i}=await import("./main-SU7CSZHB.js");
return i(process.argv.slice(2))}l(g);try{process.exitCode=await b()}catch(e){g(e),process.exitCode=t}
