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
import { withJobsHere } from './jobs-here.ts';
import type { Studio } from '../../src/studio/studio.ts';
import type { SendRequest } from './send-request.ts';

const quoted = (name: string): string => `"${name.replaceAll('"', '""')}"`;
const text = (value: string): string => `'${value.replaceAll("'", "''")}'`;

/**
 * Two tables whose qualified names would be equal if they were concatenated without quotes, and
 * every other hostile name.
 */
const tablePaths: readonly (readonly [namespace: string, table: string])[] = [
  ['a', 'b.c'],
  ['a.b', 'c'],
  ...tableNames.map((name, i) => [name, `${name}${i}`.slice(0, 63)] as const),
];

/** Each table references the previous one, in another namespace. */
const script = tablePaths
  .map(([namespace, table], i) => {
    const tablePath = `${quoted(namespace)}.${quoted(table)}`;
    const type = `${quoted(namespace)}.${quoted(`kind${i}`)}`;
    const before = tablePaths[i - 1];
    const key =
      before === undefined ? '' : ` REFERENCES ${quoted(before[0])}.${quoted(before[1])} (id)`;
    return `CREATE SCHEMA ${quoted(namespace)};
      CREATE TYPE ${type} AS ENUM (${text(namespace)}, 'other');
      CREATE TABLE ${tablePath} (id serial PRIMARY KEY, kind ${type} DEFAULT ${text(namespace)}, before_id int${key});
      COMMENT ON TABLE ${tablePath} IS ${text(namespace)};
      INSERT INTO ${tablePath} (before_id) VALUES (${before === undefined ? 'NULL' : '1'});`;
  })
  .join('\n');

describe('namespaces of hostile names', () => {
  const database = usePostgres();
  let studio: Studio | undefined;
  let ask: SendRequest;

  beforeAll(async () => {
    await database().query(script);
    studio = await createStudio({ url: database().url });
    ask = requestSender(withJobsHere(studio, database().url));
  });
  afterAll(() => studio?.close());

  const listed = async (): Promise<readonly { name: string; schema: string }[]> =>
    (await ask('/schema')).json['tables'] as { name: string; schema: string }[];

  test('are listed, and no two tables have the same name', async () => {
    const tables = await listed();
    expect(tables.map(({ schema }) => schema).toSorted()).toEqual(
      tablePaths.map(([namespace]) => namespace).toSorted(),
    );
    expect(new Set(tables.map(({ name }) => name)).size).toBe(tablePaths.length);
  });

  test.each(tablePaths)('%j: rows of %j are read and written', async (namespace) => {
    const { name } = (await listed()).find(({ schema }) => schema === namespace)!;
    const rows = `/tables/${encodeSegment(name)}/rows`;
    const page = await ask(`${rows}?filter_kind=${encodeURIComponent(namespace)}&labels=true`);
    expect(page.json['data'], page.text).toMatchObject([{ id: 1, kind: namespace }]);
    const made = await ask(rows, jsonBody({ kind: 'other' }));
    expect(made.json, made.text).toMatchObject({ data: { id: 2, kind: 'other' } });
    expect(made.headers.get('location')).toBe(`/studio/api${rows}/2`);
    expect((await ask(`${rows}/2`, jsonBody({ kind: namespace }, 'PUT'))).status).toBe(200);
    expect((await ask(`${rows}/2`)).json).toMatchObject({ kind: namespace });
    expect((await ask(`${rows}/2`, { method: 'DELETE' })).status).toBe(200);
    expect((await ask(`/tables/${encodeSegment(name)}/export?format=csv`)).status).toBe(200);
  });

  test('the keys between them are relations both ways', async () => {
    const tables = await listed();
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
    const structure = (await ask('/export/schema?format=sql')).text;
    const copy = await createTestDatabase();
    try {
      await copy.query(structure);
      const whole = (await exportAll(database().url)).text;
      for (const [format, extension] of [
        ['json', 'json'],
        ['sql', 'sql'],
        ['csv', 'zip'],
      ] as const) {
        const { bytes } = await ask(`/export/data?format=${format}`);
        await importFile(copy.url, [`data.${extension}`, bytes], { mode: 'replace' });
        expect((await exportAll(copy.url)).text).toBe(whole);
      }
    } finally {
      await copy.drop();
    }
  });

  test('the diagram has them as text, and the Go models can be parsed', async () => {
    const svg = (await ask('/export/schema?format=svg')).text;
    expect(svg).not.toMatch(/<(?!\/?(?:g|path|rect|svg|text|title)\b)/);
    const models = (await ask('/export/models')).text;
    // GORM accepts no table name with a dot or a blank; a warning names the tables that are left
    // out.
    expect(readGoModels([{ name: 'models.go', text: models }]).models.length).toBeGreaterThan(0);
  });
});
