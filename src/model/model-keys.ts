import type { Relation } from './relation.ts';
import type { Schema, Table } from './schema.ts';

/** A reference that only Go models declare: the database has no constraint for it. */
export interface ModelKey {
  /** The referencing table. */
  readonly from: string;
  readonly columns: readonly string[];
  /** The referenced table. */
  readonly to: string;
  readonly referencedColumns: readonly string[];
  /** At most one row of `from` references a row of `to`. */
  readonly unique: boolean;
  /** Set for a polymorphic relation: only rows with this value in the column reference `to`. */
  readonly when?: { readonly column: string; readonly value: string };
}

/** Without duplicates: the models of both tables may declare the same reference. */
export function modelKeys(
  { tables }: Schema,
  relationsOf: (table: string) => readonly Relation[],
): readonly ModelKey[] {
  const byName = new Map(tables.map((table) => [table.name, table]));
  const declared = tables
    .flatMap(({ name }) => relationsOf(name).flatMap((relation) => keysOf(relation, name)))
    .filter((key) => byName.has(key.to) && isUnconstrained(key, byName.get(key.from)));
  const byMeaning = Map.groupBy(declared, ({ unique: _unique, ...meaning }) =>
    JSON.stringify(meaning),
  );
  return [...byMeaning.values()].flatMap(([first, ...others]) =>
    first === undefined
      ? []
      : { ...first, unique: [first, ...others].some(({ unique }) => unique) },
  );
}

/** One reference, or the two of a join table. */
function keysOf(relation: Relation, ownTable: string): readonly ModelKey[] {
  const { type, table, foreignKeys: columns, referenceKeys: referencedColumns } = relation;
  const { joinTable, joinForeignKeys = [], joinReferenceKeys = [], polymorphic } = relation;
  const when = polymorphic === undefined ? {} : { when: polymorphic };
  const unique = type === 'has_one';
  if (joinTable !== undefined)
    return [
      { from: joinTable, columns, to: ownTable, referencedColumns, unique },
      {
        from: joinTable,
        columns: joinForeignKeys,
        to: table,
        referencedColumns: joinReferenceKeys,
        unique,
      },
    ];
  return type === 'belongs_to'
    ? [{ from: ownTable, columns, to: table, referencedColumns, unique, ...when }]
    : [{ from: table, columns, to: ownTable, referencedColumns, unique, ...when }];
}

function isUnconstrained({ columns, to }: ModelKey, from: Table | undefined): boolean {
  if (from === undefined || columns.length === 0) return false;
  const sortedColumns = columns.toSorted().join('\0');
  return !from.foreignKeys.some(
    (key) => key.table === to && key.columns.toSorted().join('\0') === sortedColumns,
  );
}
