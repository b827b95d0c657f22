/** Adapts a schema of another dialect to what the database supports, and warns about what is lost. */
import { adaptColumns, warnAboutColumns } from './adapt-columns.ts';
import { adaptCascades } from './adapt-cascades.ts';
import { adaptIndexes } from './adapt-indexes.ts';
import { adaptKeys } from './adapt-keys.ts';
import { adaptTypes } from './adapt-types.ts';
import { lostOptionWarnings } from './lost-options.ts';
import type { Schema, Table } from '../../model/schema.ts';
import type { Adaptation } from './adaptation.ts';

export function adaptSchema(
  schema: Schema,
  existing: readonly Table[],
  { ddl, warn }: Pick<Adaptation, 'ddl' | 'warn'>,
): Schema {
  const tables = withTypesAndKeys(schema.tables, existing, { ddl, warn });
  const adaptation: Adaptation = { ddl, warn, tables: byName([...existing, ...tables]) };
  warnAboutComments(schema, adaptation);
  for (const table of tables) warnAboutAutoIncrement(table, adaptation);
  for (const table of schema.tables) lostOptionWarnings(table, []).forEach(warn);
  const adapted = {
    ...schema,
    tables: tables.map((table) => adaptIndexes(adaptColumns(table, adaptation), adaptation)),
  };
  warnAboutColumns(adapted, adaptation);
  return adapted;
}

/** Adapts foreign keys before types: the column types of a key follow those it references. */
function withTypesAndKeys(
  tables: readonly Table[],
  existing: readonly Table[],
  { ddl, warn }: Pick<Adaptation, 'ddl' | 'warn'>,
): readonly Table[] {
  const sound = tables.map((table) =>
    adaptKeys(table, { ddl, warn, tables: byName([...existing, ...tables]) }),
  );
  const keyed = adaptCascades(sound, { ddl, warn });
  return adaptTypes(keyed, { ddl, warn, tables: byName([...existing, ...keyed]) });
}

function byName(tables: readonly Table[]): ReadonlyMap<string, Table> {
  return new Map(tables.map((table) => [table.name, table]));
}

function warnAboutAutoIncrement(table: Table, { ddl, warn }: Adaptation): void {
  for (const column of table.columns.filter(({ autoIncrement }) => autoIncrement === true)) {
    const columnText = `${table.name}.${column.name}`;
    const identity = ddl.identityClause(column, table, false);
    if (identity === undefined)
      warn(
        `${columnText} is created without auto-increment: the database does not support it for this column.`,
      );
    else if (column.nullable && !identity.isPrimaryKey)
      warn(`${columnText} is created NOT NULL, because it is an auto-increment column.`);
    const isFixed = /\bIDENTITY\b/.test(identity?.clause ?? 'IDENTITY');
    if (column.identityAlways === true && !isFixed)
      warn(`${columnText} also accepts explicit numbers: the database has no GENERATED ALWAYS.`);
    if (identity?.addsKey === true)
      warn(
        `${columnText} becomes a unique key: the database requires a key for auto-increment columns.`,
      );
  }
}

function warnAboutComments({ tables, views }: Schema, { ddl, warn }: Adaptation): void {
  if (ddl.supportsComments) return;
  const count = [...tables, ...views]
    .flatMap((table) => [table, ...table.columns, ...table.indexes])
    .filter(({ comment }) => comment !== undefined).length;
  const comments = count === 1 ? '1 comment is' : `${count} comments are`;
  if (count > 0) warn(`${comments} left out: the database does not store comments.`);
}
