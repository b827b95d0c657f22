/** Hostile names of namespaces, on the database that has namespaces (SECURITY.md 1): PostgreSQL. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createStudio } from '../../src/studio/studio.ts';
import { readGoModels } from '../../src/gorm/models/read-go-models.ts';
import { encodeSegment } from '../../src/model/row-id.ts';
import { exportAll } from '../databases/exporting.ts';
import { importFile } from '../databases/importing.ts';
import { createTestDatabase, usePostgres } from '../servers/postgres.ts';
import { requestSender, jsonBody } from './send-request.ts';
import { tableNames } from './hostile-catalog.ts';
import { withJobsInProcess } from './jobs-in-process.ts';
import type { Studio } from '../../src/studio/studio.ts';
import type { SendRequest } from './send-request.ts';

const quoteName = (name: string): string => `"${name.replaceAll('"', '""')}"`;
const quoteText = (value: string): string => `'${value.replaceAll("'", "''")}'`;

/**
 * Two tables whose qualified names would be equal if they were concatenated without quotes, and a table
 * for each hostile name, in a namespace of that name.
 */
const tablePaths: readonly (readonly [namespace: string, table: string])[] = [
  ['a', 'b.c'],
  ['a.b', 'c'],
  ...tableNames.map((name, i) => [name, `${name}${i}`.slice(0, 63)] as const),
];

/** The DDL of these tables. Each table references the previous one, in another namespace. */
const script = tablePaths
  .map(([namespace, table], i) => {
    const tablePath = `${quoteName(namespace)}.${quoteName(table)}`;
    const type = `${quoteName(namespace)}.${quoteName(`kind${i}`)}`;
    const previous = tablePaths[i - 1];
    const key =
      previous === undefined
        ? ''
        : ` REFERENCES ${quoteName(previous[0])}.${quoteName(previous[1])} (id)`;
    return `CREATE SCHEMA ${quoteName(namespace)};
      CREATE TYPE ${type} AS ENUM (${quoteText(namespace)}, 'other');
      CREATE TABLE ${tablePath} (id serial PRIMARY KEY, kind ${type} DEFAULT ${quoteText(namespace)}, before_id int${key});
      COMMENT ON TABLE ${tablePath} IS ${quoteText(namespace)};
      INSERT INTO ${tablePath} (before_id) VALUES (${previous === undefined ? 'NULL' : '1'});`;
  })
  .join('\n');

describe('namespaces of hostile names', () => {
  const database = usePostgres();
  let studio: Studio | undefined;
  let ask: SendRequest;

  beforeAll(async () => {
    await database().query(script);
    studio = await createStudio({ url: database().url });
    ask = requestSender(withJobsInProcess(studio, database().url));
  });
  afterAll(() => studio?.close());

  const listTables = async (): Promise<readonly { name: string; schema: string }[]> =>
    (await ask('/schema')).json['tables'] as { name: string; schema: string }[];

  test('are listed, and no two tables have the same name', async () => {
    const tables = await listTables();
    expect(tables.map(({ schema }) => schema).toSorted()).toEqual(
      tablePaths.map(([namespace]) => namespace).toSorted(),
    );
    expect(new Set(tables.map(({ name }) => name)).size).toBe(tablePaths.length);
  });

  test.each(tablePaths)('%j: rows of %j are read and written', async (namespace) => {
    const { name } = (await listTables()).find(({ schema }) => schema === namespace)!;
    const rows = `/tables/${encodeSegment(name)}/rows`;
    const page = await ask(`${rows}?filter_kind=${encodeURIComponent(namespace)}&labels=true`);
    expect(page.json['data'], page.text).toMatchObject([{ id: 1, kind: namespace }]);
    const created = await ask(rows, jsonBody({ kind: 'other' }));
    expect(created.json, created.text).toMatchObject({ data: { id: 2, kind: 'other' } });
    expect(created.headers.get('location')).toBe(`/studio/api${rows}/2`);
    expect((await ask(`${rows}/2`, jsonBody({ kind: namespace }, 'PUT'))).status).toBe(200);
    expect((await ask(`${rows}/2`)).json).toMatchObject({ kind: namespace });
    expect((await ask(`${rows}/2`, { method: 'DELETE' })).status).toBe(200);
    expect((await ask(`/tables/${encodeSegment(name)}/export?format=csv`)).status).toBe(200);
  });

  test('the foreign keys between them are relations in both directions', async () => {
    const tables = await listTables();
    for (const [i, [namespace]] of tablePaths.entries()) {
      const { name } = tables.find(({ schema }) => schema === namespace)!;
      const { relations } = tables.find((each) => each.name === name) as unknown as {
        relations: { name: string }[];
      };
      expect(relations).toHaveLength(i === 0 || i === tablePaths.length - 1 ? 1 : 2);
      for (const relation of relations) {
        const path = `/tables/${encodeSegment(name)}/rows/1/relations/${encodeSegment(relation.name)}`;
        expect((await ask(path)).json).toMatchObject({ total: 1 });
      }
    }
  });

  test('exports can be imported: the structure as SQL, the rows in every format', async () => {
    const structureSql = (await ask('/export/schema?format=sql')).text;
    const copy = await createTestDatabase();
    try {
      await copy.query(structureSql);
      const allData = (await exportAll(database().url)).text;
      for (const [format, extension] of [
        ['json', 'json'],
        ['sql', 'sql'],
        ['csv', 'zip'],
      ] as const) {
        const { bytes } = await ask(`/export/data?format=${format}`);
        await importFile(copy.url, [`data.${extension}`, bytes], { mode: 'replace' });
        expect((await exportAll(copy.url)).text).toBe(allData);
      }
    } finally {
      await copy.drop();
    }
  });

  test('are text in the diagram, and Go models of their tables can be parsed', async () => {
    const svg = (await ask('/export/schema?format=svg')).text;
    expect(svg).not.toMatch(/<(?!\/?(?:g|path|rect|svg|text|title)\b)/);
    const models = (await ask('/export/models')).text;
    // GORM accepts no table name with a dot or a blank; a warning names the tables that are left
    // out.
    expect(readGoModels([{ name: 'models.go', text: models }]).models.length).toBeGreaterThan(0);
  });
});
