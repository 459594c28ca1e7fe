/** What is known of the cluster, each fact with its source. The first source that names it is believed. */
import { type Config, configFile } from '../config.js';
import type { Fact, FactName, RenderedObject } from '../model.js';

const platformPackage = 'cozystack.cozystack-platform';

/** `release` is what the command line says. */
export function gatherFacts(config: Config, objects: readonly RenderedObject[], release?: string): Map<FactName, Fact> {
  const facts = [releaseFact(config, release), variantFact(config, objects)];
  return new Map(facts.map((fact) => [fact.name, fact]));
}

function releaseFact(config: Config, release?: string): Fact {
  if (release) return { name: 'release', value: release, source: 'config' };
  if (config.cluster.release)
    return {
      name: 'release',
      value: config.cluster.release,
      source: 'config',
      file: config.file ?? configFile,
    };
  return {
    name: 'release',
    value: 'v1.6',
    source: 'assumed',
    setBy: `cluster.release in ${configFile}, or --release`,
  };
}

function variantFact(config: Config, objects: readonly RenderedObject[]): Fact {
  if (config.cluster.variant)
    return {
      name: 'variant',
      value: config.cluster.variant,
      source: 'config',
      file: config.file ?? configFile,
    };
  for (const { ref, value, source } of objects) {
    const spec = value.spec as { variant?: unknown } | null | undefined;
    if (ref.kind !== 'Package' || ref.name !== platformPackage || typeof spec?.variant !== 'string') continue;
    return {
      name: 'variant',
      value: spec.variant,
      source: 'manifest',
      ...(source && { file: source.file }),
    };
  }
  return {
    name: 'variant',
    value: 'isp-full',
    source: 'assumed',
    setBy: `cluster.variant in ${configFile}`,
  };
}
