/** Small repositories in a temporary directory. */
import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';

export type Files = Record<string, string | Uint8Array | { link: string } | { directory: true }>;

/** Writes the files below a new directory and gives its path. */
export function createRepo(files: Files): string {
  const folder = mkdtempSync(join(tmpdir(), 'customizer-lint-'));
  for (const [path, content] of Object.entries(files)) {
    const file = join(folder, path);
    mkdirSync(dirname(file), { recursive: true });
    if (typeof content === 'string' || content instanceof Uint8Array) writeFileSync(file, content);
    else if ('link' in content) symlinkSync(content.link, file);
    else mkdirSync(file, { recursive: true });
  }
  return folder;
}

export function removeRepo(folder: string): void {
  rmSync(folder, { recursive: true, force: true });
}

export function kustomization(fields: Record<string, unknown>): string {
  return JSON.stringify({ apiVersion: 'kustomize.config.k8s.io/v1beta1', kind: 'Kustomization', ...fields });
}

export function configMap(name: string, data: Record<string, string> = { a: 'b' }): string {
  return JSON.stringify({
    apiVersion: 'v1',
    kind: 'ConfigMap',
    metadata: { name, namespace: 'cozy-customizer' },
    data,
  });
}
