/** What Packages and applications set of the values of charts: the component, and the chart as far as it is known. */

import { possibleVariants, sourceOf } from '../../cluster/package-sources.js';
import type { FieldPath, Json, RenderedObject } from '../../core/model.js';
import { formatPath, isObject, lookUp } from '../../core/object.js';
import { isApplication } from '../../cozystack/application.js';
import { platformName } from '../../cozystack/catalog.js';
import { isPackage } from '../../cozystack/package.js';
import type { ChartValues } from '../../cozystack/values.js';
import { isApplied } from '../../flux/applied.js';
import type { RuleContext } from '../rule.js';

export type WrittenValues = {
  object: RenderedObject;
  /** Of a Package; an application is of one chart. */
  component?: string;
  values: Json;
  /** The path of the values in the object. */
  path: FieldPath;
  /** By which a person may take the chart's own level for a key. */
  names: string[];
  /** The charts of the variants that have the component; none where one of them is not known. */
  charts: ChartValues[];
};

/** Of components that install something: what is set for others is dropped, and so are components that are not there. */
export function writtenValues(context: RuleContext): WrittenValues[] {
  return context.objects.filter(isApplied).flatMap((object) => {
    if (isApplication(object)) return writtenOf(object, context);
    const components = isPackage(object) ? lookUp(object.value, ['spec', 'components']) : undefined;
    if (!isObject(components)) return [];
    return Object.keys(components).flatMap((component) => writtenFor(object, component, context));
  });
}

/** Where a value stands, for people: below the values of its component, or in the application. */
export function placeOf(path: FieldPath, written: WrittenValues): string {
  return formatPath(written.component === undefined ? [...written.path, ...path] : path);
}

/** What an application has as its `spec` are the values of its chart. What is no map its server refuses, which is another rule's. */
function writtenOf(object: RenderedObject, { known }: RuleContext): WrittenValues[] {
  const values = lookUp(object.value, ['spec']);
  const chart = known.contract.values.ofApplication(object.ref.kind);
  if (!isObject(values) || !chart) return [];
  return [{ object, values, path: ['spec'], names: [object.ref.kind.toLowerCase()], charts: [chart] }];
}

function writtenFor(object: RenderedObject, component: string, context: RuleContext): WrittenValues[] {
  const path = ['spec', 'components', component, 'values'];
  const values = lookUp(object.value, path);
  const source = sourceOf(object.ref.name, context.known);
  if (values === undefined || !source) return [];
  const having = possibleVariants(object, source, context.known).flatMap((variant) =>
    variant.components
      .filter(({ name, install }) => name === component && install)
      .map(({ path }) => ({ variant: variant.name, folder: path })),
  );
  if (having.length === 0) return [];
  const folders = having.map(({ folder }) => folder.split('/').at(-1) ?? '');
  const names = [component, object.ref.name.split('.').at(-1) ?? '', ...folders];
  const written = { object, component, values, path, names };
  // The platform's own values have a rule of their own; a PackageSource in the repository may name any chart.
  if (source.own || object.ref.name === platformName) return [{ ...written, charts: [] }];
  const charts = having.map(({ variant }) =>
    context.known.contract.values.of({ source: object.ref.name, variant, component }),
  );
  return [{ ...written, charts: charts.every((chart) => chart !== undefined) ? [...new Set(charts)] : [] }];
}
