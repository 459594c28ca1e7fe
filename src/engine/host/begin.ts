/** How a module's thread begins. It is asked for before the command is loaded, and so needs little. */
import { dirname, join } from 'node:path';
import { Worker } from 'node:worker_threads';
import { readBuilt } from '../../core/built.js';
import type { ModuleName } from './installed.js';
import type { Given } from './worker.js';

/**
 * A thread that unpacks the module while this one goes on; it is started once it is told what the module may have. `home` is the directory of the
 * modules. Throws what `readFileSync` throws, and a `ChangedFileError` where it is not what was built. The thread does not keep the process alive.
 */
export function beginThread(home: string, name: ModuleName): Worker {
  const dist = dirname(home);
  // The second says that the first is a script.
  for (const file of ['worker.js', 'package.json']) readBuilt(dist, `engine/${file}`);
  const worker = new Worker(join(home, 'worker.js'), { env: {}, argv: [], execArgv: [], stdin: false });
  worker.unref();
  try {
    // The thread starts while these are read and compared.
    const packed = readBuilt(dist, `engine/${name}.wasm.br`);
    const runtime = readBuilt(dist, 'engine/wasm_exec.js').toString('utf8');
    worker.postMessage({ packed, runtime } satisfies Given);
  } catch (error) {
    void worker.terminate();
    throw error;
  }
  return worker;
}
