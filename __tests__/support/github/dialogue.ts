/** A git process that answers for as long as it is asked: starting one takes longer than most answers. */
import { type ChildProcessWithoutNullStreams, spawn } from 'node:child_process';
import type { Socket } from 'node:net';

export class Dialogue {
  private readonly child: ChildProcessWithoutNullStreams;
  private readonly words: string[] = [];
  private answer = Buffer.alloc(0);
  private listener: (() => void) | undefined;
  private ended: string | undefined;
  private last: Promise<unknown> = Promise.resolve();

  constructor(args: string[], options: { cwd: string; env: NodeJS.ProcessEnv }) {
    this.child = spawn('git', args, { ...options, stdio: 'pipe' });
    this.child.stdout.on('data', (chunk: Buffer) => {
      this.answer = Buffer.concat([this.answer, chunk]);
      this.listener?.();
    });
    this.child.stderr.on('data', (chunk: Buffer) => this.words.push(chunk.toString()));
    const end = (why: string) => {
      this.ended = `git ${args[0]} ${why}: ${this.words.join('')}`;
      this.listener?.();
    };
    this.child.on('error', (error) => end(error.message));
    this.child.on('close', (status) => end(`ended with ${status}`));
    this.child.stdin.on('error', () => {}); // its end tells why
    this.hold(false);
  }

  /** One question after the other. `whole` tells how long the answer is once it is there, and undefined before. */
  ask(question: Buffer | string, whole: (answer: Buffer) => number | undefined): Promise<Buffer> {
    const asked = this.last.then(() => this.now(question, whole));
    this.last = asked.catch(() => {});
    return asked;
  }

  private now(question: Buffer | string, whole: (answer: Buffer) => number | undefined): Promise<Buffer> {
    this.hold(true);
    const patience = setTimeout(() => this.stop(), 60_000);
    return new Promise<Buffer>((resolve, reject) => {
      this.listener = () => {
        const length = whole(this.answer);
        if (length === undefined && this.ended === undefined) return;
        this.listener = undefined;
        clearTimeout(patience);
        this.hold(false);
        if (length === undefined) return reject(new Error(this.ended));
        resolve(this.answer.subarray(0, length));
        this.answer = this.answer.subarray(length);
      };
      this.child.stdin.write(question);
      this.listener();
    });
  }

  stop(): void {
    this.child.kill('SIGKILL');
  }

  /** A process that nobody waits for does not keep the tests from ending. */
  private hold(wanted: boolean): void {
    const act = wanted ? 'ref' : 'unref';
    this.child[act]();
    for (const stream of [this.child.stdin, this.child.stdout, this.child.stderr])
      (stream as unknown as Socket)[act]?.();
  }
}
