// `npm run test:rules [-- ID [--update]]`: the fixtures of one rule, or of all. With --update their reports are written anew, and
// what is different is shown.
import { spawnSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { jestCommand } from './jest.mjs';

const root = fileURLToPath(new URL('../..', import.meta.url));
const args = process.argv.slice(2);
const isUpdate = args.includes('--update');
const [id] = args.filter((arg) => arg !== '--update');

const env = { ...process.env, ...(id && { RULE: id }), ...(isUpdate && { UPDATE: '1' }) };
const { status } = spawnSync(process.execPath, [...jestCommand, '__tests__/rules.test.ts'], {
  cwd: root,
  stdio: 'inherit',
  env,
});
if (isUpdate) {
  const reports = `:(glob)__tests__/rules/${id ?? '*'}/*.txt`;
  // A report that is new is shown too.
  spawnSync('git', ['add', '--intent-to-add', '--', reports], { cwd: root });
  spawnSync('git', ['--no-pager', 'diff', '--', reports], { cwd: root, stdio: 'inherit' });
}
process.exitCode = status ?? 1;
