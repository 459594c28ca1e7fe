/** Processes of this machine, as Linux tells them; elsewhere none. */
import { existsSync, readdirSync, readFileSync } from 'node:fs';

/** Command lines of others than this process that hold a word. */
export function processesWith(word: string): string[] {
  if (!existsSync('/proc')) return [];
  return readdirSync('/proc')
    .filter((pid) => /^\d+$/.test(pid) && pid !== String(process.pid))
    .flatMap((pid) => {
      try {
        const line = readFileSync(`/proc/${pid}/cmdline`, 'utf8').replaceAll('\0', ' ');
        return line.includes(word) ? [line] : [];
      } catch {
        return [];
      }
    });
}
