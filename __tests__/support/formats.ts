/** A run that prints several formats, which need a file each: what it prints, in the order in which they are named. */
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

type Shown = { status: number | null; stdout: string; stderr: string };

/** `run` is `runHere` or `runCli`. */
export async function inFormats<Outcome extends Shown>(
  run: (args: readonly string[]) => Promise<Outcome>,
  formats: readonly string[],
  args: readonly string[],
): Promise<Outcome> {
  const folder = mkdtempSync(join(tmpdir(), 'formats-'));
  try {
    const files = formats.map((format) => join(folder, format));
    const asked = formats.flatMap((format, index) => ['--format', `${format}=${files[index]}`]);
    const shown = await run([...args, ...asked]);
    const printed = files.map((file) => (existsSync(file) ? readFileSync(file, 'utf8') : ''));
    return { ...shown, stdout: [...printed, shown.stdout].join('') };
  } finally {
    rmSync(folder, { recursive: true });
  }
}
