/** Mermaid's own parser, in a process of its own as it wants a browser's objects: a diagram in, what it took it for out. */
import { text } from 'node:stream/consumers';
import { JSDOM } from 'jsdom';

const { window } = new JSDOM('');
Object.assign(globalThis, { window, document: window.document });
const { default: mermaid } = await import('mermaid');
try {
  process.stdout.write(`${(await mermaid.parse(await text(process.stdin))).diagramType}\n`);
} catch (error) {
  process.stdout.write(`refused: ${error instanceof Error ? error.message : String(error)}\n`);
}
