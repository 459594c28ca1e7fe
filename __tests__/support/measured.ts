/** A process whose peak of resident memory is known. */
import { spawn } from 'node:child_process';
import { readFileSync } from 'node:fs';

export type Measured = { status: number | null; signal: string | null; output: string; peakMiB: number };

/** Kills the process after `seconds`, or when it holds more than `mebibytes`; either shows as a signal. */
export function runMeasured(command: string, args: string[], limits: { seconds: number; mebibytes: number }) {
  return new Promise<Measured>((resolve, reject) => {
    const child = spawn(command, args, { stdio: ['ignore', 'pipe', 'pipe'], env: { PATH: process.env.PATH ?? '' } });
    const chunks: Buffer[] = [];
    let peakMiB = 0;
    const look = setInterval(() => {
      peakMiB = Math.max(peakMiB, peakOf(child.pid));
      if (peakMiB > limits.mebibytes) child.kill('SIGKILL');
    }, 25);
    const timer = setTimeout(() => child.kill('SIGKILL'), limits.seconds * 1000);
    for (const stream of [child.stdout, child.stderr]) stream.on('data', (chunk: Buffer) => chunks.push(chunk));
    child.on('error', reject);
    child.on('close', (status, signal) => {
      clearInterval(look);
      clearTimeout(timer);
      resolve({ status, signal, output: Buffer.concat(chunks).toString(), peakMiB });
    });
  });
}

/** Linux keeps the peak itself, so a look now and then is enough. */
function peakOf(pid: number | undefined): number {
  try {
    const line = /VmHWM:\s+(\d+) kB/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'));
    return Number(line?.[1] ?? 0) / 1024;
  } catch {
    return 0;
  }
}
