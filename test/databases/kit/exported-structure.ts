/** Compares an exported structure with the database that the export creates. */
import { createStudio } from '../../../src/studio/studio.ts';
import { changedRelations, structureOf } from './structure.ts';
import type { Column, Schema, Table } from '../../../src/model/schema.ts';
import type { ExportSchemaInput } from '../../../src/studio/export/export-schema.ts';
import type { KitDatabase, DatabaseUnderTest } from './database-under-test.ts';
import { openDatabase } from '../registered-databases.ts';

export interface ExportedText {
  readonly text: string;
  readonly warnings: readonly string[];
}

/**
 * Without revisions, locators, operators and what follows from the type. These are internal to the
 * database and not part of a schema document.
 */
export async function introspect({ url }: KitDatabase): Promise<Schema> {
  const database = await openDatabase({ url, readOnly: true, create: false });
  try {
    const schema = await database.introspect();
    const withoutUnenforced = <T extends { readonly unenforced?: boolean }>({
      unenforced: _children,
      ...key
    }: T): Omit<T, 'unenforced'> => key;
    const withoutInternals = ({
      revision: _mark,
      locators: _places,
      rowIdVersion: _numbers,
      redirectsWrites: _rules,
      primaryKey,
      ...table
    }: Table): Table => ({
      ...table,
      ...(primaryKey && { primaryKey: withoutUnenforced(primaryKey) }),
      indexes: table.indexes.map(withoutUnenforced),
      columns: table.columns.map(
        ({
          operators: _own,
          convertsDigits: _digits,
          mayHoldOtherText: _text,
          mayHoldNull: _unenforced,
          type,
          ...column
        }) => ({
          ...column,
          type: withoutStorage(type),
        }),
      ),
    });
    return {
      ...schema,
      tables: schema.tables.map(withoutInternals),
      views: schema.views.map(withoutInternals),
    };
  } finally {
    await database.close();
  }
}

/** How a type stores its values follows from its native type. */
function withoutStorage(type: Column['type']): Column['type'] {
  const { storage: _storage, ...rest } = type as Column['type'] & { readonly storage?: unknown };
  return rest.kind === 'array' ? { ...rest, of: withoutStorage(rest.of) } : rest;
}

export async function exportText(
  { url }: KitDatabase,
  input: ExportSchemaInput,
): Promise<ExportedText> {
  const studio = await createStudio({ url, readOnly: true });
  try {
    const { body, meta } = await studio.perform('export-schema', input);
    return { text: String(body), warnings: meta.warnings ?? [] };
  } finally {
    await studio.close();
  }
}

/** The structure that the SQL creates in an empty database. */
export async function structureCreatedBy(
  underTest: DatabaseUnderTest,
  script: string,
): Promise<Schema> {
  const database = await underTest.makeDatabase();
  try {
    await database.run(script);
    return await introspect(database);
  } finally {
    await database.drop();
  }
}

export interface Difference {
  readonly before: unknown;
  readonly after: unknown;
}

/**
 * Changes that no warning mentions. Any change of a table or view that a warning names is allowed.
 */
export function changesWithoutWarning(
  before: Schema,
  after: Schema,
  warnings: readonly string[],
): Readonly<Record<string, Difference>> {
  const hasWarning = (name: string): boolean =>
    warnings.some(
      (warning) =>
        !warning.startsWith('The export leaves out') &&
        warning.split(/[\s:(),]+/).some((word) => word === name || word.startsWith(`${name}.`)),
    );
  const [one, two] = [structureOf(before), structureOf(after)];
  const names = changedRelations(before, after).filter((name) => !hasWarning(name));
  return Object.fromEntries(names.map((name) => [name, { before: one[name], after: two[name] }]));
}
