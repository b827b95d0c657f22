import type { DdlRules, TableBody } from './ddl-rules.ts';
import type { TableReference } from './draft.ts';

export function newBody(
  reference: TableReference,
  rules: DdlRules,
  warn: (what: string) => void,
): TableBody {
  return {
    reference,
    rules,
    columns: [],
    primaryKey: undefined,
    indexes: [],
    foreignKeys: [],
    checks: [],
    warn,
  };
}

/** The name is used up. */
export function takeConstraintName(reading: { constraintName: string | undefined }): {
  readonly name?: string;
} {
  const { constraintName: name } = reading;
  reading.constraintName = undefined;
  return name === undefined ? {} : { name };
}
