/** What of a chart is read as code. */
import { expect, test } from '@jest/globals';
import { readElsewhere } from '../../src/charts/reads.js';
import { ChartRenderer } from '../../src/charts/renderer.js';
import type { ChartStore } from '../../src/charts/store.js';

function readIn(name: string) {
  const file = { path: name, bytes: Buffer.from('{{ .Values.other.size }}') };
  const store = { description: 'a test', files: () => [file] } as unknown as ChartStore;
  const renderer = new ChartRenderer(store, () => Promise.reject(new Error('nothing is rendered')));
  return readElsewhere(['size'], renderer.readsOf({ path: 'chart', libraries: [], valuesFiles: [] }));
}

test.each(['templates/a.yaml', 'files/a.txt', 'values.schema.json.tpl', 'files/values.schema.json', 'README.md.tpl'])(
  '%s is',
  (name) => {
    expect(readIn(name)).toEqual([['other', 'size']]);
  },
);

test.each(['README.md', 'docs/a.md', 'values.schema.json'])('%s is not', (name) => {
  expect(readIn(name)).toEqual([]);
});
