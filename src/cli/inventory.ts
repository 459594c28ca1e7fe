/** `customizer-lint inventory`: what Flux would record as applied, by which it later knows what to prune. */
import { join } from 'node:path';
import { jsonText, printable } from '../core/escape.js';
import { inventoryEntry } from '../core/object.js';
import { releases } from '../cozystack/releases.js';
import { loadSchemas } from '../cozystack/schemas.js';
import { isApplied } from '../flux/applied.js';
import { withScope } from '../flux/request.js';
import { toRendered } from '../render/render.js';
import type { SomeRendered } from '../secrets/collected.js';
import { hideIn, hiderOf } from '../secrets/hide.js';
import { write } from './common.js';
import type { Program } from './program.js';
import type { Call } from './root.js';
import { withSession } from './session.js';

type Inventory = { path: string; why: string; entries: { id: string; v: string }[] };

export function inventory(args: Call, program: Program): Promise<number> {
  const { values } = args;
  const data = join(program.home, 'schemas');
  // In which scope a kind is does not change from release to release.
  const schemas = loadSchemas(data, releases(data).at(-1) as string);
  return withSession(args, program, async (session) => {
    const all: Inventory[] = [];
    const rendered: SomeRendered[] = [];
    for await (const { entrypoint, response } of session.builds('objects')) {
      if (!response.ok) continue;
      const { path, why } = entrypoint;
      const objects = toRendered(entrypoint, response);
      rendered.push({ entrypoint, files: response.files, ok: true, objects });
      const refs = objects.filter(isApplied).map(({ ref }) => withScope(ref, schemas));
      const entries = refs.map((ref) => ({
        id: inventoryEntry(ref),
        v: ref.apiVersion.slice(ref.apiVersion.lastIndexOf('/') + 1),
      }));
      all.push({ path, why, entries: entries.sort((a, b) => (a.id < b.id ? -1 : 1)) });
    }
    const shown = hideIn(all, hiderOf({ trees: { head: session.tree }, rendered: { head: rendered } }));
    const text = values.format?.at(-1) === 'json' ? jsonText(shown) : shown.map(words).join('\n');
    write(text, args, program);
    return session.failed ? 1 : 0;
  });
}

/** A comment says which inventory it is, so that a list can be piped on. */
function words({ path, why, entries }: Inventory): string {
  return [`# ${printable(path)}: ${printable(why)}`, ...entries.map(({ id }) => printable(id)), ''].join('\n');
}
