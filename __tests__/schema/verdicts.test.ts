/**
 * Three judges of the same objects, on every custom resource of every release: the API server's own code (of the module that
 * simulates), the product's own checks, and ajv on the schema as JSON Schema. Objects that fit are generated from the
 * schema by a seed, and each is changed in one place.
 *
 * There are two questions, with a verdict each. *Create*: is what a POST sends accepted, where unknown fields and nulls that may
 * not be are dropped? That is the structural schema's verdict, and ajv's. *Apply*: is it accepted as Flux sends it, by
 * server-side apply, where an unknown field is refused as with `fieldValidation: Strict`, and a null is one? That is what the
 * product says, and ajv where unknown fields are errors.
 *
 * Of the kinds one in 12, five of 12 in CI, all with FULL=1; MUTANTS per schema (1; 5 in CI; 40 with FULL=1), from SEED on. SHOW=n prints the first n differences that are not listed.
 */

import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { definitionOf } from '../../src/cluster/crds.js';
import type { JsonObject } from '../../src/core/model.js';
import { loadSchemas, type Schemas } from '../../src/cozystack/schemas.js';
import { ApplyEngine } from '../../src/engine/host/apply-engine.js';
import type { ApplyAnswer } from '../../src/engine/host/apply-protocol.js';
import { duplicatesIn } from '../../src/schema/duplicates.js';
import type { KnownSchema, Schema } from '../../src/schema/types.js';
import { validate } from '../../src/schema/validate.js';
import { root } from '../support/cli.js';
import { all } from '../support/releases.js';
import { amount, isChosen } from '../support/sample.js';
import { foreignPatterns, judgeOf, onlyGo, prepared } from './jsonschema.js';
import { fittingObject, type Mutant, mutantsOf, mutationNames } from './mutants.js';
import { seeded } from './objects.js';
import { shapes } from './shapes.js';

const data = join(root, 'schemas');
const mutants = Number(process.env.MUTANTS ?? amount(1, 40));
const seed = Number(process.env.SEED ?? 1);

/** Refused for these reasons; accepted where there are none. */
type Verdict = string[];

type Case = {
  kind: string;
  object: JsonObject;
  mutation: string;
  server: { create: Verdict; apply: Verdict };
  ajv: { create: Verdict; apply: Verdict };
  product: { violations: Verdict; skipped: { why: string }[] };
  /** What the server says where a rule of the schema fails: its message, or the rule itself. */
  rules: string[];
};

/** Reasons of the server's that another judge does not have, and may not; or those of the judge, where the server has none. */
type Listed = { why: string; covers(reasons: Verdict, one: Case): boolean };

const twice: Listed = {
  why: 'something twice in a list of the type map or set, for which JSON Schema has no words',
  covers: (reasons) => reasons.every((reason) => /Duplicate value|duplicate entries for key/.test(reason)),
};

const rules = (isSaid: (one: Case) => boolean): Listed => ({
  why: 'a rule in CEL, which only the server runs',
  covers: (reasons, one) => isSaid(one) && reasons.every((reason) => one.rules.some((rule) => reason.includes(rule))),
});

const both: Listed = {
  why: 'a rule in CEL, and something twice in a list',
  covers: (reasons, one) =>
    reasons.every((reason) => twice.covers([reason], one) || one.rules.some((rule) => reason.includes(rule))),
};

const onlyGoReads: Listed = {
  why: 'a pattern or a format that only Go reads',
  covers: (reasons) =>
    reasons.every(
      (reason) =>
        [...foreignPatterns].some((pattern) => reason.includes(`should match '${pattern}'`)) ||
        onlyGo.some((format) => reason.includes(`must be of type ${format}:`)),
    ),
};

const skips = ({ product }: Case, why: string) => product.skipped.some((skipped) => skipped.why === why);

const listed: { [judge in 'ajv create' | 'ajv apply' | 'product']: Listed[] } = {
  'ajv create': [
    twice,
    rules(() => true),
    both,
    onlyGoReads,
    {
      // kube-openapi, pkg/validation/validate/type.go; an apply knows better.
      why: 'a list in place of a text that has a format: a create takes it',
      covers: (reasons, { server }) =>
        server.create.length === 0 && server.apply.length > 0 && reasons.every((one) => /must be string/.test(one)),
    },
  ],
  'ajv apply': [twice, rules(() => true), both, onlyGoReads],
  product: [
    rules((one) => skips(one, 'a rule of the schema needs CEL')),
    {
      why: 'a pattern that JavaScript reads otherwise, or a long text; said to be left out',
      covers: (reasons, one) =>
        skips(one, 'a pattern or text that only Go can judge') &&
        reasons.every((reason) => /in body should match/.test(reason)),
    },
  ],
};

const cases: Case[] = [];
const unfit: string[] = [];
let engine: ApplyEngine;

beforeAll(async () => {
  engine = await ApplyEngine.open(join(root, 'dist', 'engine'));
  const random = seeded(seed);
  for (const { schemas, group, kind, versions } of kinds().filter((one) => isChosen(`${one.group}/${one.kind}`, 12))) {
    const definition = schemas.definition(group, kind);
    if (definition) await engine.define([definitionOf(definition)]);
    for (const version of versions) {
      const apiVersion = `${group}/${version}`;
      await judge(schemas.find(apiVersion, kind) as KnownSchema, { apiVersion, kind }, mutants, random);
    }
  }
  await engine.define([definitionOf(shapes)]);
  await judge(knownShapes(), { apiVersion: 'example.org/v1', kind: shapes.kind }, 50 * mutants, random);
}, 1_800_000);

afterAll(() => engine?.close());

type Index = {
  kinds: { [key: string]: { versions: { [version: string]: { schema: string; unserved?: true } } } };
};

/** Each with the versions whose schema no release before has. */
function kinds(): { schemas: Schemas; group: string; kind: string; versions: string[] }[] {
  const seen = new Set<string>();
  return all.flatMap((release) => {
    const index: Index = JSON.parse(readFileSync(join(data, 'cozystack', release, 'crds.json'), 'utf8'));
    const schemas = loadSchemas(data, release);
    return Object.entries(index.kinds).flatMap(([key, { versions }]) => {
      const [group = '', kind = ''] = key.split('/');
      const fresh = Object.entries(versions).filter(([, one]) => !one.unserved && !seen.has(one.schema));
      for (const [, { schema }] of fresh) seen.add(schema);
      return fresh.length > 0 ? [{ schemas, group, kind, versions: fresh.map(([version]) => version) }] : [];
    });
  });
}

function knownShapes(): KnownSchema {
  const another = loadSchemas(data, 'next').find('cozystack.io/v1alpha1', 'Package') as KnownSchema;
  const { scope, plural, versions } = shapes;
  const schema = versions[0]?.schema as Schema;
  return { ...another, scope, plural, schema, root: schema };
}

type Ref = { apiVersion: string; kind: string };

async function judge(known: KnownSchema, ref: Ref, count: number, random: () => number): Promise<void> {
  const kind = `${ref.apiVersion} ${ref.kind}`;
  const tries = [0.9, 0.6, 0.6, 0.4, 0.4, 0.2, 0.2, 0.1, 0.1, 0].map((share) =>
    fittingObject(known, ref, random, share),
  );
  const answers = await ask(tries, 'create');
  const fitting = tries.filter((_, index) => reasonsOf(answers[index] as ApplyAnswer).length === 0);
  if (fitting.length === 0) unfit.push(`${kind}: ${reasonsOf(answers.at(-1) as ApplyAnswer)}`);
  const bases = fitting.length > 0 ? fitting : tries;
  const each = Math.ceil(count / bases.length);
  const made: Mutant[] = bases.flatMap((base) => mutantsOf(base, known.schema, each, random)).slice(0, count);
  const judged = judgeOf(known.schema);
  const all = [...made, { mutation: 'none', object: bases[0] as JsonObject }];
  const [create, apply] = [await ask(objectsOf(all), 'create'), await ask(objectsOf(all), 'apply')];
  const rules = rulesIn(known.schema);
  all.forEach(({ mutation, object }, index) => {
    const [lenient, strict] = (['create', 'apply'] as const).map((how) => judged(prepared(object, known.schema, how)));
    const server = { create: reasonsOf(create[index] as ApplyAnswer), apply: reasonsOf(apply[index] as ApplyAnswer) };
    const ajv = { create: lenient?.misfits ?? [], apply: [...(strict?.misfits ?? []), ...(strict?.unknown ?? [])] };
    cases.push({ kind, mutation, object, server, ajv, product: productOn(object, known), rules });
  });
}

/** Its walk over the schema, and what a rule besides makes of lists. */
function productOn(object: JsonObject, known: KnownSchema): Case['product'] {
  const { violations, skipped } = validate(object, known);
  const twice = duplicatesIn(object, known).map(({ path, key }) => `${path.join('.')}: ${key} twice`);
  return { violations: [...violations.map(({ message }) => message), ...twice], skipped };
}

function rulesIn(schema: unknown): string[] {
  if (typeof schema !== 'object' || schema === null) return [];
  const own = (schema as Schema)['x-kubernetes-validations'];
  // The schema of a schema has a property of that name.
  const rules = Array.isArray(own) ? (own as { message?: string; rule: string }[]) : [];
  const words = rules.map(({ message, rule }) => message ?? rule);
  return [...words.map((text) => text.trim()), ...Object.values(schema).flatMap(rulesIn)];
}

const objectsOf = (all: readonly Mutant[]) => all.map(({ object }) => object);

function ask(objects: readonly JsonObject[], op: 'create' | 'apply'): Promise<ApplyAnswer[]> {
  return engine.ask(objects.map((object) => ({ op, object, manager: 'test', dryRun: true })));
}

function reasonsOf({ error, status }: ApplyAnswer): Verdict {
  if (!error) return [];
  if (status !== 422) return [error.message];
  return (error.details?.causes ?? [])
    .map(({ field, message }) => `${field}: ${message}`)
    .filter((reason) => !reason.includes('some validation rules were not checked'));
}

const judges = {
  'ajv create': ({ server, ajv }: Case) => ({ theirs: server.create, ours: ajv.create }),
  'ajv apply': ({ server, ajv }: Case) => ({ theirs: server.apply, ours: ajv.apply }),
  product: ({ server, product }: Case) => ({ theirs: server.apply, ours: product.violations }),
};

test.each(['ajv create', 'ajv apply', 'product'] as const)('%s: the verdict is the API server’s', (judge) => {
  const tally: { [why: string]: number } = {};
  const unexplained = cases.flatMap((one) => {
    const { theirs, ours } = judges[judge](one);
    if (theirs.length > 0 === ours.length > 0) return [];
    const reasons = theirs.length > 0 ? theirs : ours;
    const found = listed[judge].find(({ covers }) => covers(reasons, one));
    if (!found) return [{ kind: one.kind, mutation: one.mutation, theirs, ours, object: one.object }];
    tally[found.why] = (tally[found.why] ?? 0) + 1;
    return [];
  });
  const counted = Object.entries(tally).map(([why, count]) => `  ${count} × ${why}`);
  console.log([`${judge}: ${cases.length} objects, which differ in`, ...counted].join('\n'));
  const show = Number(process.env.SHOW ?? 0);
  for (const one of unexplained.slice(0, show)) console.log(JSON.stringify(one).slice(0, 3000));
  expect(unexplained.slice(0, 3)).toEqual([]);
});

test('there are enough objects, and some of all that can be wrong', () => {
  const changed = cases.filter(({ mutation }) => mutation !== 'none');
  expect(changed.length).toBeGreaterThan(amount(30, 10_000));
  expect(new Set(changed.map(({ mutation }) => mutation))).toEqual(new Set(mutationNames));
  const refused = changed.filter(({ server }) => server.apply.length > 0).length;
  expect(refused / changed.length).toBeGreaterThan(0.3);
  expect(refused / changed.length).toBeLessThan(0.8);
});

test('of nearly every kind an object is made that fits', () => {
  // The rules of a few ask for more than chance comes by.
  expect({ unfit, few: unfit.length < 12 }).toEqual({ unfit, few: true });
});
