import type { RelationName } from '../../name-relations.ts';
import type { Check, ForeignKey, ForeignKeyAction, PrimaryKey } from '../../../model/schema.ts';
import type { Row } from '../../../model/values.ts';
import type { ColumnName } from './read-column.ts';

/** A table that a foreign key references. */
export interface Reference {
  readonly namespace: string;
  readonly localName: string;
  /** Its columns by number. */
  readonly columns: ReadonlyMap<number, string>;
}

/** Rows of `constraintsQuery`, all of one table. */
type ConstraintRows = readonly Row[];

function ofKind(rows: ConstraintRows, kind: string): ConstraintRows {
  return rows.filter((row) => row[2] === kind);
}

function numbers(json: Row[number] | undefined): readonly number[] {
  return JSON.parse(String(json ?? '[]')) as number[];
}

/** Undefined if the role cannot read one of the columns. */
function namesOf(numberList: readonly number[], name: ColumnName): readonly string[] | undefined {
  const names = numberList.map(name);
  return names.every((found) => found !== undefined) ? names : undefined;
}

export function readPrimaryKey(
  rows: ConstraintRows,
  name: ColumnName,
): { readonly primaryKey?: PrimaryKey } {
  const [key] = ofKind(rows, 'p');
  const columns = key === undefined ? undefined : namesOf(numbers(key[3]), name);
  return columns === undefined ? {} : { primaryKey: { name: String(key?.[1]), columns } };
}

/** Returns the user-defined function or type that an object of a relation depends on. `what` is the object: `constraint x`, `index 42`. */
export type DependencyOf = (what: string) => { readonly needs?: string };

export function readChecks(rows: ConstraintRows, needsOf: DependencyOf): readonly Check[] {
  return ofKind(rows, 'c').map(([, name, , , , , , , , , , expression, isEnforced]) => ({
    name: String(name),
    expression: String(expression),
    ...(isEnforced === false ? { enforced: false } : {}),
    ...needsOf(`constraint ${String(name)}`),
  }));
}

const actions: Readonly<Record<string, ForeignKeyAction>> = {
  a: 'no action',
  r: 'restrict',
  c: 'cascade',
  n: 'set null',
  d: 'set default',
};

interface ForeignKeyContext {
  readonly columnName: ColumnName;
  readonly nameOf: RelationName;
  /** By oid. */
  readonly references: ReadonlyMap<string, Reference>;
}

export function readForeignKeys(
  rows: ConstraintRows,
  surroundings: ForeignKeyContext,
): readonly ForeignKey[] {
  return ofKind(rows, 'f').flatMap((row) => readForeignKey(row, surroundings));
}

function readForeignKey(
  row: Row,
  { columnName, nameOf, references }: ForeignKeyContext,
): readonly ForeignKey[] {
  const [, name, , own, target, targetNumbers, onUpdate, onDelete, deferrable, deferred] = row;
  const reference = references.get(String(target));
  const columns = namesOf(numbers(own), columnName);
  const referencedColumns = namesOf(numbers(targetNumbers), (number) =>
    reference?.columns.get(number),
  );
  if (reference === undefined || columns === undefined || referencedColumns === undefined)
    return [];
  return [
    {
      name: String(name),
      columns,
      table: nameOf(reference),
      referencedColumns,
      onUpdate: actions[String(onUpdate)] ?? 'no action',
      onDelete: actions[String(onDelete)] ?? 'no action',
      ...(deferrable === true ? { deferrable: deferred === true ? 'deferred' : 'immediate' } : {}),
    },
  ];
}
