/**
 * A table that another session is still creating (CREATE TABLE … SELECT) locks only its own name on
 * MariaDB. Queries on information_schema that open every table would wait for it.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import mysql from 'mysql2/promise';
import { expect, onTestFinished, test } from 'vitest';
import { createStudio } from '../../../src/studio/studio.ts';
import { fileBody, jsonBody, requestSender } from '../../security/send-request.ts';
import { createTestDatabase, useMariadb } from '../../servers/mariadb.ts';
import type { Studio } from '../../../src/studio/studio.ts';
import type { TestDatabase } from '../../servers/mariadb.ts';

const database = useMariadb();

interface ListedTable {
  readonly name: string;
  readonly comment: string;
  readonly structure_error?: string;
}

async function tablesOf(studio: Studio): Promise<readonly ListedTable[]> {
  const { body } = await studio.perform('refresh-schema', {});
  const { tables } = JSON.parse(String(body)) as { readonly tables: readonly ListedTable[] };
  return tables;
}

/** Another session creates a table and does not finish. Returns a function that ends the session's statement. */
async function createSlowly(where: TestDatabase): Promise<() => Promise<void>> {
  const creator = await mysql.createConnection(where.url);
  const ended = creator
    .query('CREATE TABLE in_the_making AS SELECT SLEEP(600) AS x')
    .catch((error: unknown) => error);
  return async () => {
    await where.query(`KILL ${creator.threadId}`);
    await ended;
  };
}

/** Whether a session of the database waits for a table. */
async function waits({ name, query }: TestDatabase): Promise<boolean> {
  const found = await query(`SELECT info FROM information_schema.processlist
    WHERE db = '${name}' AND state LIKE 'Waiting for table%'`);
  return found.length > 0;
}

const structure = `CREATE TABLE beside (id INT PRIMARY KEY); CREATE VIEW seen AS SELECT id FROM beside;
  CREATE TRIGGER fires AFTER INSERT ON beside FOR EACH ROW SET @inserted = NEW.id`;

test('MariaDB: a table that is being created has an error of its own', async (context) => {
  if (!database().isMariadb) return context.skip('MySQL lists no table before it is there');
  await database().query(structure);
  const end = await createSlowly(database());
  const studio = await createStudio({ url: database().url });
  const ask = requestSender(studio);
  try {
    const locked = (await tablesOf(studio)).find(({ name }) => name === 'in_the_making');
    expect(locked).toMatchObject({ comment: '', structure_error: expect.any(String) as string });
    const wholeExport = studio.perform('export-schema', { format: 'json' });
    await expect(wholeExport).rejects.toMatchObject({
      code: 'database_busy',
      details: { table: 'in_the_making' },
    });
    await studio.perform('export-schema', { format: 'json', tables: ['beside'] });
    expect((await ask('/tables/beside/rows', jsonBody({ id: 1 }))).status).toBe(201);
    const rows = await ask('/tables/seen/rows');
    expect(rows).toMatchObject({ status: 200, json: { data: [{ id: 1 }] } });
  } finally {
    await end();
  }
  expect((await tablesOf(studio)).map(({ name }) => name)).toContain('beside');
  await studio.close();
}, 240_000);

test('MariaDB: a table that is being created in another database is not waited for', async (context) => {
  if (!database().isMariadb) return context.skip('MySQL lists no table before it is there');
  const other = await createTestDatabase();
  onTestFinished(() => other.drop());
  await other.query(structure);
  const end = await createSlowly(database());
  const studio = await createStudio({ url: other.url });
  const ask = requestSender(studio);
  const abort = new AbortController();
  let waited = false;
  const watching = (async () => {
    while (!abort.signal.aborted) {
      waited ||= await waits(other);
      await sleep(50);
    }
  })();
  try {
    const responses = [
      await ask('/schema/refresh', { method: 'POST' }),
      await ask('/tables/beside/rows', jsonBody({ id: 1 })),
      await ask('/tables/seen/rows'),
      await ask('/sql', jsonBody({ query: 'SELECT id, CONCAT(id) FROM seen' })),
      await ask('/import/data?table=beside', fileBody('beside.csv', 'id\n2\n')),
      await ask('/export/schema?format=sql'),
    ];
    expect(responses.map(({ status }) => status)).toEqual([200, 201, 200, 200, 200, 200]);
  } finally {
    abort.abort();
    await watching;
    await studio.close();
    await end();
  }
  expect(waited).toBe(false);
}, 240_000);
