/** Makes of a schema that is not of its database one that the database can have, and says what that costs. */
import { adaptColumns, warnOfColumns } from './adapt-columns.ts';
import { adaptCascades } from './adapt-cascades.ts';
import { adaptIndexes } from './adapt-indexes.ts';
import { adaptKeys } from './adapt-keys.ts';
import { adaptTypes } from './adapt-types.ts';
import { unmadeOptions } from './unmade-options.ts';
import type { Schema, Table } from '../model/schema.ts';
import type { Adaptation } from './adaptation.ts';

export function adaptSchema(
  schema: Schema,
  existing: readonly Table[],
  { ddl, warn }: Pick<Adaptation, 'ddl' | 'warn'>,
): Schema {
  const tables = withTypesAndKeys(schema.tables, existing, { ddl, warn });
  const adaptation: Adaptation = { ddl, warn, tables: byName([...existing, ...tables]) };
  warnOfComments(schema, adaptation);
  for (const table of tables) warnOfNumbers(table, adaptation);
  for (const table of schema.tables) unmadeOptions(table, []).forEach(warn);
  const adapted = {
    ...schema,
    tables: tables.map((table) => adaptIndexes(adaptColumns(table, adaptation), adaptation)),
  };
  warnOfColumns(adapted, adaptation);
  return adapted;
}

/** Keys first: what a key points at decides its columns' types. */
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

function warnOfNumbers(table: Table, { ddl, warn }: Adaptation): void {
  for (const column of table.columns.filter(({ autoIncrement }) => autoIncrement === true)) {
    const named = `${table.name}.${column.name}`;
    const identity = ddl.identity(column, table, false);
    if (identity === undefined)
      warn(`${named} is not numbered: the database cannot by this column.`);
    else if (column.nullable && !identity.isPrimaryKey)
      warn(`${named} takes no NULL: the database numbers it.`);
    const isFixed = /\bIDENTITY\b/.test(identity?.clause ?? 'IDENTITY');
    if (column.identityAlways === true && !isFixed)
      warn(`${named} takes given numbers too: the database has no GENERATED ALWAYS.`);
    if (identity?.addsKey === true)
      warn(`${named} becomes a unique key: the database numbers keys only.`);
  }
}

function warnOfComments({ tables, views }: Schema, { ddl, warn }: Adaptation): void {
  if (ddl.supportsComments) return;
  const count = [...tables, ...views]
    .flatMap((table) => [table, ...table.columns, ...table.indexes])
    .filter(({ comment }) => comment !== undefined).length;
  if (count > 0) warn(`${count} comments are left out: the database keeps none.`);
}
