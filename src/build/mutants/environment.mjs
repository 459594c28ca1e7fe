/**
 * Where the tests of a suite run while mutants are looked at: one after the other, so that it is known which test comes by which
 * mutant, and only those that are asked for.
 *
 * `MUTANTS_SEEN` is a file for what is found, `MUTANTS_ONLY` one with the numbers of the tests to be run, by suite.
 */
import { appendFileSync, readdirSync, readFileSync } from 'node:fs';
import { basename, dirname, join, relative } from 'node:path/posix';
import { TestEnvironment } from 'jest-environment-node';

export default class extends TestEnvironment {
  constructor(config, context) {
    super(config, context);
    const suite = relative(config.globalConfig.rootDir, context.testPath);
    const { MUTANTS_SEEN: seen, MUTANTS_ONLY: only } = process.env;
    this.only = only && JSON.parse(readFileSync(only, 'utf8'))[suite];
    this.file = seen;
    this.path = this.global.process.env.PATH;
    this.tests = [];
    this.look('suite');
  }

  /** From here on, what is come by counts for a test, or for the suite: what its modules and its hooks come by. */
  look(who) {
    if (!this.file) return;
    const here = new Set();
    this.global.__mutantsSeen = here;
    const log = `${this.file}.log/mutants-seen-${who}`;
    // What a test hands on by itself, and what a process has that is handed nothing.
    for (const { env } of [this.global.process, process]) env.PATH = `${this.path}:${log}`;
    this.collect = () => {
      const logs = readdirSync(dirname(log)).filter((name) => name.startsWith(`${basename(log)}.`));
      const others = logs.flatMap((name) =>
        readFileSync(join(dirname(log), name), 'utf8')
          .trim()
          .split('\n'),
      );
      return [...new Set([...here, ...others.map(Number)])];
    };
    if (who === 'suite') this.ofSuite = this.collect;
  }

  handleTestEvent(event, state) {
    if (event.name === 'run_start') {
      this.tests = testsOf(state.rootDescribeBlock);
      for (const [index, test] of this.tests.entries()) {
        test.concurrent = false;
        if (this.only && !this.only.includes(index)) test.mode = 'skip';
      }
    }
    if (event.name === 'test_start') this.look(this.tests.indexOf(event.test));
    if (event.name === 'test_done' && this.file) {
      const { duration, errors } = event.test;
      const index = this.tests.indexOf(event.test);
      const found = {
        index,
        title: titleOf(event.test),
        ok: errors.length === 0,
        seconds: duration / 1000,
        ids: this.collect(),
      };
      appendFileSync(this.file, `${JSON.stringify(found)}\n`);
    }
    if (event.name === 'run_finish' && this.file)
      appendFileSync(this.file, `${JSON.stringify({ ids: this.ofSuite() })}\n`);
  }
}

function titleOf({ name, parent }) {
  return parent ? `${titleOf(parent)} ${name}`.trim() : '';
}

function testsOf(block) {
  return block.children.flatMap((child) => (child.type === 'test' ? [child] : testsOf(child)));
}
