// `npm run test:rules [-- ID [--update]]`: the fixtures of one rule, or of all. With --update their reports are written anew, and
// what is different is shown. The source is tested; where `dist/` is stale, the command as it is installed is not.
import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { isFresh } from './fresh.mjs';
import { jestCommand } from './jest.mjs';

const root = fileURLToPath(new URL('../..', import.meta.url));
const args = process.argv.slice(2);
const isUpdate = args.includes('--update');
const [id, ...others] = args.filter((arg) => arg !== '--update');
const why =
  others.length > 0
    ? `one rule at a time: ${[id, ...others].join(' ')}`
    : id && !existsSync(join(root, 'src/rules', id, 'rule.ts'))
      ? `${id}: there is no such rule`
      : undefined;
if (why) {
  console.error(why);
  process.exit(2);
}
const isStale = !isFresh();
if (isStale) console.log('dist/ is stale: the command as it is installed is not tried; npm run build');

const env = {
  ...process.env,
  ...(id && { RULE: id }),
  ...(isUpdate && { UPDATE: '1' }),
  ...(isStale && { STALE: '1' }),
};
const { status } = spawnSync(process.execPath, [...jestCommand, '__tests__/end-to-end/rules.test.ts'], {
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
