/** `customizer-lint snapshot FILE|-`: objects as kubectl prints them in, a snapshot of the cluster out. */
import { stringify } from 'yaml';
import { takeSnapshot } from '../cluster/snapshot.js';
import { UsageError } from '../core/model.js';
import { isPackageValue } from '../cozystack/package.js';
import { write } from './common.js';
import { readObjects } from './objects.js';
import type { Program } from './program.js';
import type { Call } from './root.js';

const head = `# What customizer-lint knows of the cluster: names, variants and field managers, but no values. Name it in .customizer-lint.yaml
# as cluster.snapshot, and make it anew when the cluster has changed:
#   ${command()} | customizer-lint snapshot - > THIS FILE
`;

/** What has to be asked of the cluster. */
function command(): string {
  const kinds = 'packages,packagesources,ocirepositories,crds,clusterroles,clusterrolebindings,roles,rolebindings';
  return `kubectl get ${kinds} -A -o yaml --show-managed-fields`;
}

export async function snapshot(args: Call, program: Program): Promise<number> {
  const [file] = args.operands;
  if (file === undefined) throw new UsageError(`snapshot of what? e.g. ${command()} | customizer-lint snapshot -`);
  const objects = readObjects(file);
  if (!objects.some(isPackageValue))
    throw new UsageError(`there is no Package in what was read; the command is: ${command()}`);
  const text = `${head}${stringify(takeSnapshot(objects, new Date().toISOString().slice(0, 10)), { lineWidth: 0 })}`;
  write(text, args, program);
  return 0;
}
