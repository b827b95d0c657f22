import type { Relation } from './relation.ts';
import type { ForeignKey, Schema, Table } from './schema.ts';
import type { ModelRelation, TableModel } from './table-model.ts';

/** Relations of a schema that Go models declare. */
export interface ModeledTables {
  /** The relations that a table's model declares, except those whose tables or columns are missing. */
  relationsOf(table: string): readonly Relation[];
  /** Whether models replace the relations that follow from foreign keys between `of` and `from`. */
  replacesForeignKey(of: string, from: string): boolean;
}

export function modeledTables(schema: Schema, models: readonly TableModel[]): ModeledTables {
  const tables = new Map(schema.tables.map((table) => [table.name, table]));
  const present = models.filter(({ table }) => tables.has(table));
  const relations = new Map(
    present.map(({ table, relations: declared }) => [
      table,
      declared.filter((relation) => isSound(relation, table, tables)),
    ]),
  );
  const joins = new Set([...relations.values()].flat().flatMap(({ joinTable }) => joinTable ?? []));
  return {
    relationsOf: (table) =>
      (relations.get(table) ?? []).map((relation) => ({
        ...relation,
        constraints: constraintsOf(relation, table, tables),
      })),
    replacesForeignKey: (of, from) => joins.has(from) || (relations.has(of) && relations.has(from)),
  };
}

type Tables = ReadonlyMap<string, Table>;

/** Tables may have been dropped or changed since the model was read. */
function isSound(relation: ModelRelation, ownTable: string, tables: Tables): boolean {
  const { type, foreignKeys, referenceKeys, joinTable, polymorphic } = relation;
  const isBelongsTo = type === 'belongs_to';
  const keyTable = joinTable ?? (isBelongsTo ? ownTable : relation.table);
  return (
    foreignKeys.length > 0 &&
    tables.has(relation.table) &&
    hasColumns(tables.get(keyTable), [
      ...foreignKeys,
      ...(relation.joinForeignKeys ?? []),
      ...(polymorphic === undefined ? [] : [polymorphic.column]),
    ]) &&
    hasColumns(tables.get(isBelongsTo ? relation.table : ownTable), referenceKeys) &&
    hasColumns(tables.get(relation.table), relation.joinReferenceKeys ?? [])
  );
}

function hasColumns(table: Table | undefined, columns: readonly string[]): boolean {
  const names = new Set(table?.columns.map(({ name }) => name));
  return columns.every((column) => names.has(column));
}

/** The foreign keys over a relation's columns, first the one that references its own table. */
function constraintsOf(relation: ModelRelation, ownTable: string, tables: Tables): ForeignKey[] {
  const { type, foreignKeys, joinTable, joinForeignKeys = [] } = relation;
  const keyTable = joinTable ?? (type === 'belongs_to' ? ownTable : relation.table);
  const keys = tables.get(keyTable)?.foreignKeys ?? [];
  const over = (columns: readonly string[], target: string): ForeignKey[] =>
    keys.filter((key) => key.table === target && key.columns.join() === columns.join()).slice(0, 1);
  return [
    ...over(foreignKeys, type === 'belongs_to' ? relation.table : ownTable),
    ...(joinTable === undefined ? [] : over(joinForeignKeys, relation.table)),
  ];
}
