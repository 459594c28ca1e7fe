/** A word on standard error for work that takes longer than a second; silent otherwise. */

import { printable } from '../core/escape.js';
import type { Stream } from '../core/streams.js';
import type { Progress } from '../render/render.js';

export function startProgress(stream: Stream): {
  update: Progress;
  /** Of another stage: done, total, what. */
  say: (done: number, total: number, what: string) => void;
  stop: () => void;
} {
  const started = Date.now();
  let last = '';
  let isShown = false;
  let timer: NodeJS.Timeout | undefined;
  const show = () => {
    if (last === '') return;
    const line = `${last}, ${Math.round((Date.now() - started) / 1000)} s`;
    stream.write(stream.isTTY ? `\r\u001b[K${line}` : `${line}\n`);
    isShown = true;
  };
  // A log keeps every line, so there a word each ten seconds is enough.
  const tick = () => {
    if (stream.isTTY || seconds % 10 === 0) show();
    seconds += 1;
  };
  let seconds = 0;
  const put = (words: string) => {
    last = printable(words);
    // The engine works in its own thread, so a timer here still fires; the first word comes after a second.
    timer ??= setInterval(tick, 1000).unref();
  };
  return {
    update: (done, total, path) => put(`rendering ${done + 1} of ${total}: ${path}`),
    say: (done, total, what) => put(total > 1 ? `${what}: ${done + 1} of ${total}` : what),
    stop: () => {
      clearInterval(timer);
      if (stream.isTTY && isShown) stream.write('\r\u001b[K');
      isShown = false;
    },
  };
}
