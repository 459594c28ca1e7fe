/** Who owns which field of a Package, and which values the platform chart sets itself (`schemas/cozystack/ownership.yaml`). */
import type { FieldPath, Json } from '../core/model.js';
import { lookUp } from '../core/object.js';
import { type Data, lineOf, readTable } from './releases.js';

/** The Package of the platform itself: the administrator's, no chart emits it. */
export const platformName = 'cozystack.cozystack-platform';

export type FieldRow = {
  /** `*` stands for one key, a last `**` for everything below. */
  field: string[];
  /** Of the Packages that the platform chart emits, of the platform's own, or of both. */
  of: 'emitted' | 'platform' | 'any';
  owner: string;
  customizer: 'set' | 'never' | 'only';
  /** What may be set where `customizer` is `only`: these values, or a phrase. */
  only?: string | Json[];
  why: string;
  /** What the documentation says, where that is not what happens. */
  documented?: { owner?: string; why?: string };
  /** An address, or the title of a page of the platform's documentation. */
  link: string;
  /** Completes "Package … sets <field>, …". */
  message?: string;
  help?: string;
};

/** A row that says what to report. */
export type OwnedField = FieldRow & { message: string; help: string };

/** What must hold for the platform chart to set a value: all of it. */
export type Condition = {
  /** `path=value` of a platform value; several with commas between them. */
  switch?: string;
  /** The path of a platform value that is there and not empty. */
  set?: string;
  /** A name in `bundles.enabledPackages`. */
  package?: string;
};

export type ValueRow = {
  package: string;
  component: string;
  /** Below `spec.components.<component>.values`; a last `**` for a map that is passed on as it stands. */
  paths: string[][];
  /** Of the platform. */
  variants: string[];
  when: 'always' | Condition;
  /** A release line, `next`, or `proposed` for what no release has. */
  since: string;
  until?: string;
  /** Below `spec.components.platform.values` of the platform's Package: one for all paths, or one for each. */
  knob?: string | string[];
  /** Whether the platform value counts at the installation only. */
  atInstall?: true;
  why: string;
  /** Why the value reaches nothing. */
  dead?: string;
};

export type Ownership = {
  fields: readonly FieldRow[];
  values: readonly ValueRow[];
  /** The rows that hold for a Package of the platform. */
  rowsOf(packageName: string): FieldRow[];
  /** The row that says most exactly whose the field is. */
  rowFor(packageName: string, field: FieldPath): FieldRow | undefined;
};

export function loadOwnership(data: Data): Ownership {
  const { fields, values } = readTable(data, 'ownership.yaml') as Ownership;
  const rowsOf = (name: string) => {
    const whose = name === platformName ? 'platform' : 'emitted';
    return fields.filter((row) => row.of === 'any' || row.of === whose);
  };
  return {
    fields,
    values,
    rowsOf,
    rowFor: (name, field) =>
      rowsOf(name)
        .filter((row) => covers(row.field, field))
        .sort((a, b) => exactness(b.field) - exactness(a.field))[0],
  };
}

/** What the chart and Helm own on every Package that the chart emits. */
export function chartOwnedFields(ownership: Ownership): OwnedField[] {
  return ownership.fields.filter(
    (row): row is OwnedField =>
      row.of === 'emitted' && row.customizer === 'never' && row.message !== undefined && row.help !== undefined,
  );
}

/** Whether the pattern stands for the field. */
export function covers(pattern: readonly string[], field: FieldPath): boolean {
  const open = pattern.at(-1) === '**';
  const steps = open ? pattern.slice(0, -1) : pattern;
  if (open ? field.length < steps.length : field.length !== steps.length) return false;
  return steps.every((step, index) => step === '*' || step === field[index]);
}

/**
 * Whether a condition holds with platform values, those below `spec.components.platform.values` of the platform's Package.
 * They may be a part of what is in force, so what is not among them is unknown: undefined.
 */
export function isMet(condition: Condition, platformValues: Json): boolean | undefined {
  const { switch: changes, set, package: listed } = condition;
  const answers = [
    ...(changes?.split(',') ?? []).map((change) => isSwitched(change, platformValues)),
    ...(set === undefined ? [] : [isSet(set, platformValues)]),
    ...(listed === undefined ? [] : [isEnabled(listed, platformValues)]),
  ];
  if (answers.includes(false)) return false;
  return answers.includes(undefined) ? undefined : true;
}

/** `networking.encryption.enabled is true and cozystack.gpu-operator is in bundles.enabledPackages`. */
export function conditionWords({ switch: changes, set, package: listed }: Condition): string {
  const parts = [
    ...(listed === undefined ? [] : [`${listed} is in bundles.enabledPackages`]),
    ...(changes?.split(',').map((change) => change.replace('=', ' is ')) ?? []),
    ...(set === undefined ? [] : [`${set} is set`]),
  ];
  return parts.join(' and ');
}

function isSwitched(change: string, values: Json): boolean | undefined {
  const [path = '', wanted = ''] = change.split('=');
  const value = lookUp(values, path.split('.'));
  return value === undefined ? undefined : JSON.stringify(value) === wanted;
}

/** Empty is what a template takes for empty. */
function isSet(path: string, values: Json): boolean | undefined {
  const value = lookUp(values, path.split('.'));
  if (value === undefined) return undefined;
  return value !== null && typeof value === 'object' ? Object.keys(value).length > 0 : Boolean(value);
}

function isEnabled(name: string, values: Json): boolean | undefined {
  const [enabled, disabled] = ['enabledPackages', 'disabledPackages'].map((list) => lookUp(values, ['bundles', list]));
  if (Array.isArray(disabled) && disabled.includes(name)) return false;
  return Array.isArray(enabled) ? enabled.includes(name) : undefined;
}

function exactness(pattern: readonly string[]): number {
  return pattern.filter((step) => step !== '*' && step !== '**').length;
}

/** Whether a release has what came with one line and went after another. A name that tells no line has what the newest has. */
export function isInRelease(release: string, since: string, until?: string): boolean {
  const line = lineOf(release);
  const [first, last] = [lineOf(since), until === undefined ? undefined : lineOf(until)];
  if (!line) return until === undefined;
  if (!first) return since === 'proposed';
  return compare(line, first) >= 0 && (!last || compare(line, last) <= 0);
}

function compare(a: [number, number], b: [number, number]): number {
  return a[0] - b[0] || a[1] - b[1];
}
