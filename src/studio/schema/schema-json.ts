import {
  columnObject,
  foreignKeyObject,
  indexObject,
  relationObject,
} from '../../formats/schema-document.ts';
import { jsonArray } from '../../model/values/json-text.ts';
import { identityOf } from '../../model/row-id.ts';
import { capabilitiesOf } from '../core/capabilities.ts';
import { whyNotUndoable } from '../core/why-not-undoable.ts';
import { rowNumberMember } from '../rows/read/selection.ts';
import type { Dialect } from '../../model/database.ts';
import type { Column, ForeignKey, Index, Table } from '../../model/schema.ts';
import type { CachedSchema } from '../core/schema-cache.ts';
import type { Total } from '../rows/read/total.ts';

/** The schema response as JSON text. */
export function schemaJson(
  dialect: Dialect,
  cached: CachedSchema,
  counts: ReadonlyMap<string, Total>,
): string {
  const { schema } = cached;
  const texts = (tables: readonly Table[]): string =>
    jsonArray(
      sortedByName(tables).map((table) =>
        withRowCount(
          cachedStructureText(dialect, cached, table),
          counts.get(table.name) ?? { rows: 0, exact: false },
        ),
      ),
    );
  const head = JSON.stringify({
    driver: dialect.name,
    database: schema.database,
    server_version: schema.serverVersion,
    capabilities: capabilitiesOf(dialect),
    enums: schema.enums,
  });
  return `${head.slice(0, -1)},"tables":${texts(schema.tables)},"views":${texts(schema.views)}}`;
}

/** Sorts by name, because databases list their tables in different orders. */
function sortedByName(tables: readonly Table[]): readonly Table[] {
  return tables.toSorted((a, b) => (a.name < b.name ? -1 : Number(a.name > b.name)));
}

function withRowCount(text: string, count: Total): string {
  const inexact = count.exact ? '' : ',"row_count_exact":false';
  const error =
    count.error === undefined ? '' : `,"row_count_error":${JSON.stringify(count.error)}`;
  return `${text.slice(0, -1)},"row_count":${count.rows ?? 0}${inexact}${error}}`;
}

const structureTexts = new WeakMap<Table, string>();

function cachedStructureText(dialect: Dialect, cached: CachedSchema, table: Table): string {
  const text = structureTexts.get(table) ?? structureText(dialect, cached, table);
  structureTexts.set(table, text);
  return text;
}

/** The JSON text of a table without its row count. */
function structureText(dialect: Dialect, cached: CachedSchema, table: Table): string {
  return JSON.stringify({
    name: table.name,
    kind: table.kind,
    schema: table.namespace ?? '',
    comment: table.comment ?? '',
    primary_key: table.primaryKey?.columns ?? [],
    row_key: rowKeyOf(table),
    rolls_back: whyNotUndoable(dialect, table) === undefined ? undefined : false,
    rowid_member: rowNumberMember(table),
    soft_delete_column: table.softDelete?.column ?? null,
    columns: table.columns.map((column, i) => columnJson(table, column, i)),
    indexes: table.indexes.map(indexJson),
    foreign_keys: table.foreignKeys.map((key) => ({
      ...foreignKeyObject(key),
      name: key.name ?? '',
    })),
    checks: table.checks.map(({ name, expression }) => ({ name: name ?? '', expression })),
    definition: table.definition,
    structure_error: table.incomplete,
    options: table.options,
    relations: cached.relationsOf(table.name).map(relationObject),
  });
}

/** The columns whose values make up the id of a row. A table may have several keys, so clients cannot tell by themselves. */
function rowKeyOf(table: Table): readonly string[] {
  const identity = identityOf(table);
  return identity.kind === 'key' ? identity.columns : [];
}

function columnJson(table: Table, column: Column, i: number): object {
  const key = table.foreignKeys.find((foreignKey) => foreignKey.columns.includes(column.name));
  return {
    ...columnObject(table, column),
    ordinal: i + 1,
    comment: column.comment ?? '',
    is_unique: isUnique(table, column),
    is_auto_increment: column.autoIncrement ?? false,
    is_generated: column.generated !== undefined,
    kind: column.type.kind,
    generated_expression: column.generated?.expression,
    is_stored: column.generated?.stored,
    enum_values: 'values' in column.type ? column.type.values : undefined,
    references: key === undefined ? undefined : referenceOf(key, column),
  };
}

function isUnique(table: Table, column: Column): boolean {
  const key = table.primaryKey?.columns;
  if (key?.length === 1 && key[0] === column.name) return true;
  return table.indexes.some(
    (index) =>
      index.unique &&
      index.where === undefined &&
      index.parts.length === 1 &&
      index.parts[0]?.column === column.name,
  );
}

function referenceOf(key: ForeignKey, column: Column): object {
  return {
    table: key.table,
    column: key.referencedColumns[key.columns.indexOf(column.name)] ?? '',
  };
}

function indexJson(index: Index): object {
  return {
    ...indexObject(index),
    columns: index.parts.map((part) => part.column ?? part.expression ?? ''),
    where: index.where ?? '',
    is_constraint: index.constraint ?? false,
  };
}
