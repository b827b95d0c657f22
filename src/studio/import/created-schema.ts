/** The schema into which the rows of a dump are loaded: what the database has, and what the dump creates. */
import type { ForeignKey, Schema, Table } from '../../model/schema.ts';
import type { SchemaPlan } from './schema/schema-plan.ts';

/** A dry run in a temporary database does not describe the other tables. */
export function withExisting(
  created: Schema,
  { plan, existing, isOwnDialect }: CreatedTables,
): Schema {
  const planned = new Map(plan.schema.tables.map((table) => [table.name, table]));
  // The file may qualify tables of the namespace that is the default one of this database.
  const plannedOf = ({ name, namespace, localName }: Table): Table | undefined =>
    planned.get(name) ??
    (namespace === undefined ? undefined : planned.get(`${namespace}.${localName}`));
  const others = existing.tables.filter((table) => plannedOf(table) === undefined);
  const tables = created.tables.flatMap((table) => {
    const ofFile = plannedOf(table);
    if (ofFile === undefined) return [];
    const marked = withOmittedValues(table, ofFile);
    return isOwnDialect ? withKeysOfPlan(marked, ofFile) : withFileTypes(marked, ofFile);
  });
  return { ...existing, tables: [...others, ...tables] };
}

interface CreatedTables {
  readonly plan: SchemaPlan;
  readonly existing: Schema;
  readonly isOwnDialect: boolean;
}

/** Programs add other foreign keys after the rows, which may break them. */
function withKeysOfPlan(table: Table, { foreignKeys: planned }: Table): Table {
  const names = new Set(table.foreignKeys.map(({ name }) => name));
  // A database may give keys other names, or none.
  const unnamed = planned.filter(({ name }) => name === undefined || !names.has(name));
  const isPlanned = ({ name, columns }: ForeignKey): boolean =>
    (name !== undefined && planned.some((key) => key.name === name)) ||
    unnamed.some((key) => key.columns.join('\0') === columns.join('\0'));
  return { ...table, foreignKeys: table.foreignKeys.filter(isPlanned) };
}

/** The plan has the names of the created columns, and the types of the file. */
function withFileTypes(table: Table, ofFile: Table): Table {
  const types = new Map(ofFile.columns.map(({ name, type }) => [name, type]));
  const columns = table.columns.map((column) => {
    const fileType = types.get(column.name);
    return fileType === undefined ? column : { ...column, fileType };
  });
  return { ...table, columns };
}

/** Marks the columns whose values the file generates and the database does not. */
function withOmittedValues(table: Table, ofFile: Table): Table {
  const omitted = ofFile.columns.filter(({ generatedInFile }) => generatedInFile === true);
  if (omitted.length === 0) return table;
  const names = new Set(omitted.map(({ name }) => name));
  const columns = table.columns.map((column) =>
    names.has(column.name) ? { ...column, generatedInFile: true as const } : column,
  );
  return { ...table, columns };
}
