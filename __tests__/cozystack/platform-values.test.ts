/** What is known of the platform's values besides their types, held against what a release has, and against what is said of them. */
import { describe, expect, test } from '@jest/globals';
import type { Json, JsonObject, RenderedObject } from '../../src/core/model.js';
import { choices } from '../../src/cozystack/platform-values.js';
import rule from '../../src/rules/platform-value/rule.js';
import type { ReportDescriptor, RuleContext } from '../../src/rules/rule.js';
import { applied, knownOf } from '../support/known.js';
import { newest } from '../support/releases.js';

const cluster = { release: newest, variant: 'isp-full' as const };

/** What is said of one value of the platform. */
function saidOf(
  name: string,
  word: Json,
): { message: string; severity: string | undefined; help: string | undefined }[] {
  const values = name.split('.').reduceRight<Json>((below, key) => ({ [key]: below }), word);
  const value = { spec: { components: { platform: { values } } } } as JsonObject;
  const ref = { apiVersion: 'cozystack.io/v1alpha1', kind: 'Package', name: 'cozystack.cozystack-platform' };
  const objects = [{ ref, value, writers: () => [] }] as unknown as RenderedObject[];
  const known = { ...knownOf(cluster, objects), objects: applied(objects) };
  const found: ReportDescriptor[] = [];
  const report = (problem: ReportDescriptor) => found.push(problem);
  rule.check?.({
    objects,
    applied: applied(objects),
    known,
    base: undefined,
    report,
    notChecked: () => undefined,
  } as unknown as RuleContext);
  return found.map(({ message, severity, help }) => ({ message, severity, help }));
}

describe.each(Object.entries(choices))('of %s', (name, { words }) => {
  const isList = name === 'publishing.exposedServices';
  test('no word that it understands is wrong', () => {
    expect(words.flatMap((word) => saidOf(name, isList ? [word] : word))).toEqual([]);
  });
});

test('a driver of GPUs that there is none of keeps the chart from rendering', () => {
  expect(saidOf('bundles.iaas.gpuOperatorVariant', 'vgpus')).toEqual([
    {
      message: expect.stringContaining('to "vgpus", so its chart fails to render'),
      severity: undefined,
      help: 'did you mean "vgpu"?',
    },
  ]);
});

test('a solver that nothing knows is only ignored', () => {
  expect(saidOf('publishing.certificates.solver', 'http1')).toEqual([
    {
      message: expect.stringContaining('to "http1", which the platform does not know'),
      severity: 'warning',
      help: 'did you mean "http01"?',
    },
  ]);
});
