/**
 * Which values the charts of a release have (`values.json` and `charts/`, generated), read when a Package sets values of one: a
 * file of a few kilobytes each.
 */
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { once, oncePer } from '../core/once.js';
import type { ValuesSchema } from '../schema/helm-values.js';
import { applicationKind } from './application.js';
import { type Data, dataOfRelease, releases } from './releases.js';

/** Of a default. What is empty says little of what may stand there, and `any` nothing. */
export type Kind = 'text' | 'number' | 'boolean' | 'list' | 'empty list' | 'empty map' | 'any';
/** Keys, and at their ends the kinds of the defaults. */
export type ValueTree = { readonly [key: string]: ValueTree | Kind };

export type ChartValues = {
  values: ValueTree;
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
  /** Of the chart that applications of a kind are made of; undefined for a kind that the release does not have. */
  ofApplication(kind: string): ChartValues | undefined;
  /** Whether the key is one of any chart of any release, or made of words that their keys are made of. */
  isWord(key: string): boolean;
  /** How many kinds of charts have the key: what many have, a template may well read anywhere. */
  frequency(key: string): number;
  /** Whether any chart of any release has it in a map of that name. */
  isPair(parent: string, key: string): boolean;
};

type Index = { components: { [source: string]: { [variant: string]: { [component: string]: string } } } };
type File = {
  values: ValueTree;
  subcharts?: string[][];
  optional?: string[][];
  open?: string[][];
  schemas?: { [path: string]: ValuesSchema };
  mentioned?: string[];
};

/** `data` is the directory `schemas/` of this package, or several alike. */
export function loadValues(data: Data, release: string): Values {
  const known = once(() => wordsOf(data));
  const index = once(() => indexOf(data, release));
  const folder = once(() => folderOf(data, release));
  return {
    of: ({ source, variant, component }) => {
      const file = own(own(own(index()?.components, source), variant), component);
      return file === undefined ? undefined : toChart(readChart(folder(), file));
    },
    ofApplication: (kind) => {
      const found = applicationKind(data, release, kind);
      return found && toChart(readChart(folder(), found.chart));
    },
    isWord: (key) => known().keys.has(key) || partsOf(key).every((part) => known().parts.has(part)),
    frequency: (key) => known().keys.get(key)?.size ?? 0,
    isPair: (parent, key) => known().pairs.has(`${parent}\n${key}`),
  };
}

const toChart = oncePer((file: File): ChartValues => {
  const { values, subcharts = [], optional = [], open = [], schemas = {}, mentioned = [] } = file;
  const switched = optional.map((path) => path.join('/'));
  return {
    values,
    subcharts,
    optional,
    open,
    mentioned,
    schemas: Object.entries(schemas).map(([name, schema]) => ({
      path: name === '' ? [] : name.split('/'),
      schema,
      optional: switched.some((path) => name === path || name.startsWith(`${path}/`)),
    })),
  };
});

const words = new Map<string, ReturnType<typeof collectWords>>();

/** Of all releases, whichever is asked. */
function wordsOf(data: Data): ReturnType<typeof collectWords> {
  const key = JSON.stringify(data);
  const found = words.get(key) ?? collectWords(new Map(releases(data).flatMap((one) => chartsOf(data, one))));
  words.set(key, found);
  return found;
}

/** By the name of the file. */
function collectWords(charts: ReadonlyMap<string, File>) {
  const keys = new Map<string, Set<string>>();
  const pairs = new Set<string>();
  const collect = (tree: ValueTree, parent: string | undefined, chart: string) => {
    for (const [key, child] of Object.entries(tree)) {
      const known = keys.get(key);
      if (known) known.add(chart);
      else keys.set(key, new Set([chart]));
      if (parent !== undefined) pairs.add(`${parent}\n${key}`);
      if (typeof child === 'object') collect(child, key, chart);
    }
  };
  // The same chart has a file for every content that it had.
  for (const [file, { values }] of charts) collect(values, undefined, file.replace(/-[0-9a-f]+\.json$/, ''));
  return { keys, pairs, parts: new Set([...keys.keys()].flatMap(partsOf)) };
}

/** `enableHttps`: enable, https. */
export function partsOf(key: string): string[] {
  const parts = key.replace(/([a-z0-9])([A-Z])|([A-Z])(?=[A-Z][a-z])/g, '$1$3 $2').split(/[^A-Za-z0-9]+/);
  return parts.filter(Boolean).map((part) => part.toLowerCase());
}

function chartsOf(data: Data, release: string): [file: string, chart: File][] {
  const folder = folderOf(data, release);
  const variants = Object.values(indexOf(data, release)?.components ?? {}).flatMap(Object.values);
  return variants.flatMap(Object.values<string>).map((file) => [file, readChart(folder, file)]);
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
