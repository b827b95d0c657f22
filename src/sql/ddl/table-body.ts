import { DdlError } from './cursor.ts';
import { nameOfTable } from './draft.ts';
import type { PrimaryKey, Table } from '../../model/schema.ts';
import type { DdlRules, TableBody } from './ddl-rules.ts';
import type { TableReference } from './draft.ts';

export function newBody(
  reference: TableReference,
  rules: DdlRules,
  warn: (message: string) => void,
): TableBody {
  return {
    reference,
    rules,
    columns: [],
    primaryKey: undefined,
    indexes: [],
    foreignKeys: [],
    checks: [],
    constraints: [],
    skipsExisting: false,
    warn,
  };
}

/** `Table.options` with the dialect-specific constraints of the body added. */
export function withConstraints(
  { options }: Pick<Table, 'options'>,
  { constraints }: Pick<TableBody, 'constraints'>,
): Pick<Table, 'options'> {
  if (constraints.length === 0) return options === undefined ? {} : { options };
  const constraintsSoFar = options?.['constraints'];
  const all = constraintsSoFar === undefined ? constraints : [constraintsSoFar, ...constraints];
  return { options: { ...options, constraints: all.join(',\n  ') } };
}

/** Throws if the table already has a primary key. */
export function setPrimaryKey(body: TableBodyParts, key: PrimaryKey, at: number): void {
  if (body.primaryKey !== undefined)
    throw new DdlError(`The table ${body.reference.localName} has two primary keys.`, at);
  body.primaryKey = key;
}

type TableBodyParts = Pick<TableBody, 'reference' | 'primaryKey'>;

/** A constraint in `DdlRules.defaultNames`. */
export function constraintKey(reference: TableReference, name: string): string {
  return `${nameOfTable(reference)}.${name}`.toLowerCase();
}

/** Returns the name after CONSTRAINT and clears it, since it names one constraint only. */
export function parseConstraintName(context: { constraintName: string | undefined }): {
  readonly name?: string;
} {
  const { constraintName: name } = context;
  context.constraintName = undefined;
  return name === undefined ? {} : { name };
}
