/** The field-ownership table (`schemas/cozystack/ownership.yaml`). */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parse } from 'yaml';

export type OwnedField = {
  field: string[];
  owner: string;
  message: string;
  help: string;
};

export function loadOwnership(data: string): OwnedField[] {
  const table = parse(readFileSync(join(data, 'cozystack', 'ownership.yaml'), 'utf8')) as { fields: OwnedField[] };
  return table.fields;
}
