/** A line on standard error for work that takes longer than a second, where that is a terminal: a log would keep it. */

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
    stream.write(`\r\u001b[K${last}, ${Math.round((Date.now() - started) / 1000)} s`);
    isShown = true;
  };
  const put = (words: string) => {
    last = printable(words);
    // The engine works in its own thread, so a timer here still fires; the first word comes after a second.
    if (stream.isTTY) timer ??= setInterval(show, 1000).unref();
  };
  return {
    update: (done, total, path) => put(`rendering ${done + 1} of ${total}: ${path}`),
    say: (done, total, what) => put(total > 1 ? `${what}: ${done + 1} of ${total}` : what),
    stop: () => {
      clearInterval(timer);
      if (isShown) stream.write('\r\u001b[K');
      isShown = false;
    },
  };
}
