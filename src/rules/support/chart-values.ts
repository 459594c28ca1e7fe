/** What Packages set of the values of charts: the component, and the chart as far as it is known. */

import { possibleVariants, sourceOf } from '../../cluster/package-sources.js';
import type { FieldPath, Json, RenderedObject } from '../../core/model.js';
import { isObject, lookUp } from '../../core/object.js';
import { platformName } from '../../cozystack/catalog.js';
import { isPackage } from '../../cozystack/package.js';
import type { ChartValues } from '../../cozystack/values.js';
import { isApplied } from '../../flux/applied.js';
import type { RuleContext } from '../rule.js';

export type PackageValues = {
  object: RenderedObject;
  component: string;
  values: Json;
  /** The path of the values in the Package. */
  path: FieldPath;
  /** Where the chart is, of each variant that the Package may be of: `system/metallb`. Empty where that is not known. */
  folders: string[];
  /** The charts of the variants that have the component; none where one of them is not known. */
  charts: ChartValues[];
};

/** Of components that install something: what is set for others is dropped, and so are components that are not there. */
export function writtenValues(context: RuleContext): PackageValues[] {
  return context.objects
    .filter(isPackage)
    .filter(isApplied)
    .flatMap((object) => {
      const components = lookUp(object.value, ['spec', 'components']);
      if (!isObject(components)) return [];
      return Object.keys(components).flatMap((component) => writtenFor(object, component, context));
    });
}

function writtenFor(object: RenderedObject, component: string, context: RuleContext): PackageValues[] {
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
  const written = { object, component, values, path, folders: having.map(({ folder }) => folder) };
  // The platform's own values have a rule of their own; a PackageSource in the repository may name any chart.
  if (source.own || object.ref.name === platformName) return [{ ...written, charts: [] }];
  const charts = having.map(({ variant }) =>
    context.known.contract.values.of({ source: object.ref.name, variant, component }),
  );
  return [{ ...written, charts: charts.every((chart) => chart !== undefined) ? [...new Set(charts)] : [] }];
}
