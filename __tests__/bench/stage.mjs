/**
 * Simulates a repository in this process, from the compiled sources: `node stage.mjs COMPILED FOLDER` prints how long the
 * simulation took, from loading its module to the last answer, in seconds of processor time of all threads, and how many MiB the
 * process has had. Nothing is made of it.
 */
import { join, resolve } from 'node:path';
import { argv, cpuUsage, exit, resourceUsage, stdout } from 'node:process';
import { fileURLToPath, pathToFileURL } from 'node:url';

const [compiled, directory] = argv.slice(2);
const home = fileURLToPath(new URL('../..', import.meta.url));
const load = (path) => import(pathToFileURL(join(resolve(compiled), 'src', path)));
const [{ survey }, { simulateAll }] = await Promise.all([load('survey.js'), load('simulate/stage.js')]);

const [seconds, objects] = await survey({ directory, home, paths: [], remotes: [] }, async ({ clusters }) => {
  const began = cpuUsage();
  const counts = await simulateAll(clusters, {}, home, async ({ outcomes }) => outcomes.length);
  const { user, system } = cpuUsage(began);
  return [(user + system) / 1e6, counts.reduce((sum, count) => sum + count, 0)];
});
stdout.write(JSON.stringify({ seconds, objects, mebibytes: resourceUsage().maxRSS / 1024 }));
exit(0);
