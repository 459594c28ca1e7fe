/** What a Flux Kustomization in a file asks of the build, as the command's own discovery would read it. */
import { parseAllDocuments } from 'yaml';

const fields = [
  'targetNamespace',
  'patches',
  'components',
  'ignoreMissingComponents',
  'images',
  'commonMetadata',
  'postBuild',
];

export function fluxOf(files, file) {
  if (!file) return {};
  const values = parseAllDocuments(files.get(file)).map((document) => document.toJS());
  const { metadata, spec } = values.find(({ kind }) => kind === 'Kustomization');
  const asked = Object.fromEntries(
    fields.filter((field) => spec[field] !== undefined).map((field) => [field, spec[field]]),
  );
  return { name: metadata.name, namespace: metadata.namespace, ...asked };
}
