// `charts pull` from the source, in a process of its own: Node reads the certificates of a company when it starts. Prints what it says as JSON.
import { importSource } from '../../src/build/source.mjs';

const [address, ...pairs] = process.argv.slice(2);
const { charts } = await importSource('src/cli/charts.ts');
const shown = { status: 2, stdout: '', stderr: '' };
const stream = (name) => ({ write: (text) => (shown[name] += text) });
const program = { home: '', stdout: stream('stdout'), stderr: stream('stderr'), env: process.env };
try {
  const values = Object.fromEntries(pairs.map((pair) => pair.split('=')));
  shown.status = await charts({ operands: ['pull', address], values }, program);
} catch ({ name, message }) {
  shown.stderr += `${name}: ${message}\n`;
}
process.stdout.write(JSON.stringify(shown));
