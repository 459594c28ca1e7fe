/** What all engines of one run may use together: a repository may name as many entrypoints as it likes, each of them slow. */
import { UsageError } from '../../core/model.js';

/** `seconds` that engines work, `bytes` of resident memory that the process needs beyond what it had before the run. */
export type Limits = { seconds: number; bytes: number };

export const defaultLimits: Limits = { seconds: 40, bytes: 896 * 2 ** 20 };

export class Budget {
  #used = 0;
  readonly #before = process.memoryUsage.rss();

  constructor(readonly limits: Limits = defaultLimits) {}

  /** Seconds that are left. */
  get left(): number {
    return Math.max(this.limits.seconds - this.#used, 0);
  }

  /** Whether the process, with `elsewhere` bytes of others, needs more memory than the run may. */
  isFull(elsewhere = 0): boolean {
    return process.memoryUsage.rss() - this.#before + elsewhere > this.limits.bytes;
  }

  spend(seconds: number): void {
    this.#used += seconds;
  }

  /** Why nothing more can be done, once the time is up. */
  get timeIsUp(): string {
    return `the ${this.limits.seconds} s for the whole run are used up (--max-seconds)`;
  }

  get memoryIsUp(): string {
    return `it needs more than the ${Math.round(this.limits.bytes / 2 ** 20)} MiB of memory for the whole run (--max-memory)`;
  }
}

/** One piece of work, which may take only a part of what a run may; what it takes is taken from the whole. */
export class Share extends Budget {
  #used = 0;
  readonly #seconds: number;

  constructor(
    private readonly whole: Budget,
    private readonly part: number,
  ) {
    super(whole.limits);
    this.#seconds = whole.limits.seconds * part;
  }

  override get left(): number {
    return Math.min(Math.max(this.#seconds - this.#used, 0), this.whole.left);
  }

  override isFull(elsewhere = 0): boolean {
    return this.whole.isFull(elsewhere);
  }

  override spend(seconds: number): void {
    this.#used += seconds;
    this.whole.spend(seconds);
  }

  override get timeIsUp(): string {
    if (this.whole.left <= 0) return this.whole.timeIsUp;
    return `it takes more than ${this.#seconds} s, ${Math.round(this.part * 100)} % of the whole run’s (--max-seconds)`;
  }
}

/** The least that is of any use, and more than any machine has. */
const bounds = { 'max-seconds': [1, 86_400], 'max-memory': [128, 1 << 20] } as const;

/** Throws a `UsageError` for what is no number, or out of bounds. */
export function limitsOf(values: Partial<Record<keyof typeof bounds, string>>): Limits {
  const number = (name: keyof typeof bounds) => {
    const word = values[name];
    const [least, most] = bounds[name];
    if (word === undefined || (/^\d{1,7}$/.test(word) && Number(word) >= least && Number(word) <= most)) return word;
    throw new UsageError(`--${name} ${word}: a number from ${least} to ${most}`);
  };
  const [seconds, mebibytes] = [number('max-seconds'), number('max-memory')];
  return {
    seconds: seconds === undefined ? defaultLimits.seconds : Number(seconds),
    bytes: mebibytes === undefined ? defaultLimits.bytes : Number(mebibytes) * 2 ** 20,
  };
}
