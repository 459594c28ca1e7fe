/** What of a folder is taken into a chart, and how much. */
import { UsageError } from '../core/model.js';

/** What one folder may have: Helm itself refuses charts of more than 100 MiB. */
export const maxFiles = 20_000;
export const maxBytes = 100 << 20;

export class TooLarge extends UsageError {
  constructor(folder: string) {
    super(`${folder} has more than ${maxFiles} files or ${maxBytes >> 20} MiB`);
  }
}

/** What source-controller and source-watcher leave out of every artifact (fluxcd/pkg/sourceignore v0.17.0, `sourceignore.go`:30-34). */
const ignored =
  /^(?:\.git(?:ignore|modules|attributes|hub)?|\.circleci|\.travis\.yml|\.gitlab-ci\.yml|appveyor\.yml|\.drone\.yml|cloudbuild\.yaml|codeship-(?:services|steps)\.yml|\.goreleaser\.yml|\.sops\.yaml|\.flux\.yaml|.*\.(?:jpe?g|gif|png|wmv|flv|tar\.gz|zip))$/;

/** By its name, which a path has at any depth. */
export function isIgnored(name: string): boolean {
  return ignored.test(name);
}
