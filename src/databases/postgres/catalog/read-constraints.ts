import { foreignKeyActions } from '../dialect/foreign-key-actions.ts';
import type { FormatRelationName } from '../../name-relations.ts';
import type { Check, ForeignKey, PrimaryKey } from '../../../model/schema.ts';
import type { ConstraintRow } from './catalog.ts';
import type { ColumnName } from './read-column.ts';

/** A table that a foreign key references. */
export interface Reference {
  readonly namespace: string;
  readonly localName: string;
  /** Its columns by number. */
  readonly columns: ReadonlyMap<number, string>;
}

/** Undefined if the role cannot read one of the columns. */
function namesOf(
  columnNumbers: readonly number[] | undefined = [],
  name: ColumnName,
): readonly string[] | undefined {
  const names = columnNumbers.map(name);
  return names.every((found) => found !== undefined) ? names : undefined;
}

/** All functions of this file take the rows of one table. */
export function readPrimaryKey(
  rows: readonly ConstraintRow[],
  columnName: ColumnName,
): { readonly primaryKey?: PrimaryKey } {
  const key = rows.find(({ kind }) => kind === 'p');
  const columns = key === undefined ? undefined : namesOf(key.columnNumbers, columnName);
  return key === undefined || columns === undefined
    ? {}
    : { primaryKey: { name: key.name, columns } };
}

/** Returns the user-defined function or type that an object of a relation depends on. `object` identifies the object, such as `constraint x` or `index 42`. */
export type DependencyOf = (object: string) => { readonly needs?: string };

export function readChecks(
  rows: readonly ConstraintRow[],
  needsOf: DependencyOf,
): readonly Check[] {
  return rows
    .filter(({ kind }) => kind === 'c')
    .map(({ name, check, isEnforced }) => ({
      name,
      expression: check ?? '',
      ...(isEnforced ? {} : { enforced: false }),
      ...needsOf(`constraint ${name}`),
    }));
}

interface ForeignKeyContext {
  readonly columnName: ColumnName;
  readonly nameOf: FormatRelationName;
  /** By oid. */
  readonly references: ReadonlyMap<string, Reference>;
}

export function readForeignKeys(
  rows: readonly ConstraintRow[],
  context: ForeignKeyContext,
): readonly ForeignKey[] {
  return rows.filter(({ kind }) => kind === 'f').flatMap((row) => readForeignKey(row, context));
}

/** Empty if the role cannot read one of the columns. */
function readForeignKey(
  row: ConstraintRow,
  { columnName, nameOf, references }: ForeignKeyContext,
): readonly ForeignKey[] {
  const reference = references.get(row.referencedRelation);
  const columns = namesOf(row.columnNumbers, columnName);
  const referencedColumns = namesOf(row.referencedNumbers, (number) =>
    reference?.columns.get(number),
  );
  if (reference === undefined || columns === undefined || referencedColumns === undefined)
    return [];
  return [
    {
      name: row.name,
      columns,
      table: nameOf(reference),
      referencedColumns,
      onUpdate: foreignKeyActions[row.onUpdate] ?? 'no action',
      onDelete: foreignKeyActions[row.onDelete] ?? 'no action',
      ...(row.isDeferrable ? { deferrable: row.isDeferred ? 'deferred' : 'immediate' } : {}),
    },
  ];
}
