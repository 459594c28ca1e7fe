/** Which Helm release a HelmRelease stands for (helm-controller, `api/v2/helmrelease_types.go`; rules/FACTS.md: flux-release-target). */
import type { FieldPath, RenderedObject } from '../../core/model.js';
import { getString, groupOf, lookUp } from '../../core/object.js';

export function isRelease({ ref: { apiVersion, kind } }: RenderedObject): boolean {
  return kind === 'HelmRelease' && groupOf(apiVersion) === 'helm.toolkit.fluxcd.io';
}

/** Then Flux does nothing with it, and uninstalls nothing (rules/FACTS.md: flux-suspend, flux-release-uninstall). */
export function isSuspended({ value }: RenderedObject): boolean {
  return lookUp(value, ['spec', 'suspend']) === true;
}

/** As `NAMESPACE/NAME`. */
export function releaseOf(object: RenderedObject): string {
  return `${namespaceOf(object)}/${nameOf(object)}`;
}

export function namespaceOf(object: RenderedObject): string {
  return textOf(object, ['spec', 'targetNamespace']) ?? object.ref.namespace ?? '';
}

export function nameOf(object: RenderedObject): string {
  const target = textOf(object, ['spec', 'targetNamespace']);
  return textOf(object, ['spec', 'releaseName']) ?? (target ? `${target}-${object.ref.name}` : object.ref.name);
}

/** Where Helm keeps what it knows of the release; there its name is its own. */
export function storageOf(object: RenderedObject): string {
  return textOf(object, ['spec', 'storageNamespace']) ?? object.ref.namespace ?? '';
}

/** An empty text is none to helm-controller. */
export function textOf({ value }: RenderedObject, path: FieldPath): string | undefined {
  return getString(value, path) || undefined;
}
