/** Words that nothing else holds, to look for in all that is printed. */
import { createHash } from 'node:crypto';
import type { Files } from '../../support/trees.js';

export class Canaries {
  readonly #where = new Map<string, string>();

  get size(): number {
    return this.#where.size;
  }

  /** Each § of a text becomes a canary of its own. */
  seeded(text: string, where: string): string {
    return text.replace(/§/g, () => {
      const canary = `Cnr${createHash('sha256').update(`spelling ${this.#where.size}`).digest('hex').slice(0, 11)}`;
      this.#where.set(canary, where);
      return canary;
    });
  }

  /** As it is written in base64: both are looked for. */
  encoded(where: string): string {
    const text = Buffer.from(this.seeded('§§', where)).toString('base64');
    this.#where.set(text.slice(0, 16), where);
    return text;
  }

  planted(files: Record<string, string | Uint8Array>, where: string): Files {
    return Object.fromEntries(
      Object.entries(files).map(([file, text]) => [file, typeof text === 'string' ? this.seeded(text, where) : text]),
    );
  }

  /** Where those that are found in a text were planted, with what is around them. */
  found(text: string): string[] {
    return [...new Set(text.match(/Cnr[\da-f]{7,11}|Q25y\w{12}/g) ?? [])].flatMap((word) => {
      const where = [...this.#where].find(([canary]) => canary.startsWith(word))?.[1];
      const at = text.indexOf(word);
      return where === undefined ? [] : [`${where}: ${text.slice(Math.max(0, at - 150), at + 40)}`];
    });
  }

  /** The line of a text that has one, from 1. */
  lines(text: string): number[] {
    return text.split(/\r\n|\n/).flatMap((line, index) => (/Cnr[\da-f]{11}/.test(line) ? [index + 1] : []));
  }
}
