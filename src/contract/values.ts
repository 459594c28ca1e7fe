/**
 * Which values the charts of a release have (`values.json` and `charts/`, generated), read when a Package sets values of one: a
 * file of a few kilobytes each.
 */
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { ValuesSchema } from './chart-schema.js';
import { type Data, dataOfRelease, releases } from './releases.js';

/** Of a default. What is empty says little of what may stand there, and `any` nothing. */
export type Kind = 'text' | 'number' | 'boolean' | 'list' | 'empty list' | 'empty map' | 'any';
/** Keys, and at their ends the kinds of the defaults. */
export type Tree = { readonly [key: string]: Tree | Kind };

export type ChartValues = {
  values: Tree;
  /** Where in the values those of a sub-chart stand, with the sub-charts of sub-charts. */
  subcharts: readonly (readonly string[])[];
  /** Those of them that a condition may switch off. */
  optional: readonly (readonly string[])[];
  /** Maps in which anything may stand, as a template takes them as a whole. */
  open: readonly (readonly string[])[];
  /** What Helm holds the values of a chart against, and where those stand; an optional one may not be enforced. */
  schemas: readonly { path: readonly string[]; schema: ValuesSchema; optional: boolean }[];
  /** Keys that are named in comments, or otherwise known, anywhere in the chart. */
  mentioned: readonly string[];
};

export type Values = {
  /** Undefined where the chart is not known, or has no values. */
  of(component: { source: string; variant: string; component: string }): ChartValues | undefined;
  /** Whether any chart of any release has a key of that name. */
  isWord(key: string): boolean;
  /** Whether any chart of any release has it in a map of that name. */
  isPair(parent: string, key: string): boolean;
};

type Index = { components: { [source: string]: { [variant: string]: { [component: string]: string } } } };
type File = {
  values: Tree;
  subcharts?: string[][];
  optional?: string[][];
  open?: string[][];
  schemas?: { [path: string]: ValuesSchema };
  mentioned?: string[];
};

/** `data` is the directory `schemas/` of this package, or several alike. */
export function loadValues(data: Data, release: string): Values {
  let words: { keys: Set<string>; pairs: Set<string> } | undefined;
  const known = () => {
    words ??= collectWords(releases(data).flatMap((one) => chartsOf(data, one)));
    return words;
  };
  return {
    of: ({ source, variant, component }) => {
      const { components } = indexOf(data, release) ?? { components: {} };
      const file = own(own(own(components, source), variant), component);
      return file === undefined ? undefined : toChart(readChart(folderOf(data, release), file));
    },
    isWord: (key) => known().keys.has(key),
    isPair: (parent, key) => known().pairs.has(`${parent}\n${key}`),
  };
}

function toChart({
  values,
  subcharts = [],
  optional = [],
  open = [],
  schemas = {},
  mentioned = [],
}: File): ChartValues {
  const switched = optional.map((path) => path.join('/'));
  return {
    ...{ values, subcharts, optional, open, mentioned },
    schemas: Object.entries(schemas).map(([name, schema]) => ({
      path: name === '' ? [] : name.split('/'),
      schema,
      optional: switched.some((path) => name === path || name.startsWith(`${path}/`)),
    })),
  };
}

function collectWords(charts: readonly File[]) {
  const keys = new Set<string>();
  const pairs = new Set<string>();
  const collect = (tree: Tree, parent: string | undefined) => {
    for (const [key, child] of Object.entries(tree)) {
      keys.add(key);
      if (parent !== undefined) pairs.add(`${parent}\n${key}`);
      if (typeof child === 'object') collect(child, key);
    }
  };
  for (const { values } of charts) collect(values, undefined);
  return { keys, pairs };
}

function chartsOf(data: Data, release: string): File[] {
  const folder = folderOf(data, release);
  const variants = Object.values(indexOf(data, release)?.components ?? {}).flatMap(Object.values);
  return [...new Set(variants.flatMap(Object.values))].map((file) => readChart(folder, file));
}

function folderOf(data: Data, release: string): string {
  return join(dataOfRelease(data, release).directory, 'cozystack');
}

const indexes = new Map<string, Index | undefined>();

/** Data that somebody generated before there were values in it have none. */
function indexOf(data: Data, release: string): Index | undefined {
  const file = join(folderOf(data, release), release, 'values.json');
  if (!indexes.has(file)) indexes.set(file, existsSync(file) ? JSON.parse(readFileSync(file, 'utf8')) : undefined);
  return indexes.get(file);
}

const charts = new Map<string, File>();

function readChart(folder: string, name: string): File {
  const file = join(folder, 'charts', name);
  let chart = charts.get(file);
  if (!chart) {
    chart = JSON.parse(readFileSync(file, 'utf8')) as File;
    charts.set(file, chart);
  }
  return chart;
}

function own<T>(map: { [name: string]: T } | undefined, name: string): T | undefined {
  return map && Object.hasOwn(map, name) ? map[name] : undefined;
}
