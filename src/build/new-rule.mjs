// `npm run new-rule ID`: a rule that finds nothing yet, its page, and fixtures of which the bad one fails until it does.
import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

const root = fileURLToPath(new URL('../..', import.meta.url));
const [id, ...others] = process.argv.slice(2);
const why = refusal();
if (why) {
  console.error(why);
  process.exit(2);
}

const fixture = `__tests__/rules/${id}`;
const manifest = `apiVersion: v1
kind: ConfigMap
metadata:
  name: example
  namespace: cozy-customizer
`;
const kustomization = `apiVersion: kustomize.config.k8s.io/v1beta1
kind: Kustomization
resources:
  - example.yaml
`;
const files = {
  [`src/rules/${id}/rule.ts`]: `import { label } from '../../core/object.js';
import type { Rule } from '../rule.js';

const messages = {
  todo: (object: string) => \`\${object}: TODO: what is wrong, and what becomes of it\`,
};

export default {
  id: '${id}',
  group: 'schema',
  severity: 'error',
  summary: 'TODO: what is wrong, in one line without a full stop',
  messages,
  check({ objects, report }) {
    for (const object of objects) {
      const isWrong = false;
      if (isWrong)
        report({
          message: messages.todo(label(object.ref)),
          help: 'TODO: what to do instead',
          at: { object, path: ['metadata', 'name'] },
        });
    }
  },
} satisfies Rule;
`,
  [`src/rules/${id}/README.md`]: `# ${id}

## Why it matters

TODO: what happens in the cluster, and why nobody sees it before.

[Facts](../FACTS.md): TODO.

## Bad

## When to ignore it

TODO
`,
  [`${fixture}/bad/kustomization.yaml`]: kustomization,
  [`${fixture}/bad/example.yaml`]: manifest,
  [`${fixture}/good/kustomization.yaml`]: kustomization,
  [`${fixture}/good/example.yaml`]: manifest,
  // Nothing is reported yet, and the bad case has to be: the test of the rule is red.
  [`${fixture}/bad.txt`]: `error[${id}]: TODO\n\n1 error\n`,
  [`${fixture}/good.txt`]: '',
};
for (const [file, text] of Object.entries(files)) {
  mkdirSync(dirname(join(root, file)), { recursive: true });
  writeFileSync(join(root, file), text);
  console.log(file);
}
for (const script of ['rules.mjs', 'pages.mjs'])
  spawnSync(process.execPath, [join(root, 'src/build', script)], { stdio: 'inherit' });
console.log(`\nNow write the fixtures, then the rule: npm run test:rules -- ${id}`);

function refusal() {
  if (!id || others.length > 0) return 'npm run new-rule ID';
  if (!/^[a-z]+(?:-[a-z]+)*$/.test(id)) return `${id}: small letters, with a dash between words`;
  return existsSync(join(root, 'src/rules', id)) ? `${id}: there is such a rule` : undefined;
}
