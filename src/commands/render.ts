/** `customizer-lint render`: what Flux would apply, as the very bytes it hashes, as objects, or as a digest. */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { readConfig } from '../config.js';
import { discover } from '../discover/discover.js';
import { Engine } from '../engine/engine.js';
import type { BuildResponse } from '../engine/protocol.js';
import { UsageError } from '../model.js';
import { printable } from '../report/escape.js';
import { rules } from '../rules/index.js';
import { openWorkTree } from '../tree.js';
import type { Arguments } from './arguments.js';
import { startProgress } from './progress.js';

type Output = 'yaml' | 'json' | 'digest';

export async function render({ directory, values }: Arguments, home: string): Promise<number> {
  const format = (values.format?.at(-1) ?? 'yaml') as Output;
  const tree = await openWorkTree(directory);
  const engine = new Engine(join(home, 'dist', 'engine'), tree);
  const progress = startProgress(process.stderr);
  try {
    engine.warm();
    const { config } = readConfig(
      tree,
      rules.map(({ id }) => id),
      values.config,
    );
    const { entrypoints } = await discover(tree, engine, config, {
      paths: values.path ?? [],
      remotes: [],
    });
    if (entrypoints.length === 0)
      throw new UsageError('nothing that Flux applies was found; name a directory with --path');
    const printed: string[] = [];
    let failed = false;
    for (const entrypoint of entrypoints) {
      progress.update(printed.length, entrypoints.length, entrypoint.path);
      const response = await engine.build(entrypoint, format === 'json' ? 'objects' : format);
      if (!response.ok && format !== 'digest')
        process.stderr.write(`error  ${entrypoint.path}: ${printable(response.error.message)}\n`);
      failed ||= !response.ok;
      printed.push(print(format, entrypoint.path, response));
    }
    const text = join_(format, printed);
    if (values.output === undefined) process.stdout.write(text);
    else writeFileSync(values.output, text);
    return failed ? 1 : 0;
  } finally {
    progress.stop();
    await engine.close();
  }
}

function print(format: Output, path: string, response: BuildResponse): string {
  if (!response.ok) return format === 'digest' ? `error  ${path}: ${oneLine(response.error.message)}\n` : '';
  if (format === 'digest') return `${response.sha256}  ${path}\n`;
  if (format === 'yaml') return response.yaml ?? '';
  return JSON.stringify(
    (response.objects ?? []).map(({ value }) => value),
    null,
    2,
  );
}

/** Several entrypoints as one YAML stream or one JSON list. */
function join_(format: Output, printed: string[]): string {
  const parts = printed.filter((part) => part !== '');
  if (format === 'yaml') return parts.join('---\n');
  if (format === 'digest') return parts.join('');
  const objects = parts.flatMap((part) => JSON.parse(part) as unknown[]);
  return `${JSON.stringify(objects, null, 2)}\n`;
}

function oneLine(message: string): string {
  return printable(message.replace(/\s*\n\s*/g, ' ').trim());
}
