/** A table that another session is still creating locks only its own name on MariaDB. */
import mysql from 'mysql2/promise';
import { expect, test } from 'vitest';
import { createStudio } from '../../../src/studio/studio.ts';
import { useMariadb } from '../../servers/mariadb.ts';
import type { Studio } from '../../../src/studio/studio.ts';

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

test('MariaDB: a table that is being created has an error of its own', async (context) => {
  if (!database().isMariadb) return context.skip('MySQL lists no table before it is there');
  await database().query('CREATE TABLE beside (id INT PRIMARY KEY)');
  const creator = await mysql.createConnection(database().url);
  const ended = creator
    .query('CREATE TABLE in_the_making AS SELECT SLEEP(600) AS x')
    .catch((error: unknown) => error);
  const studio = await createStudio({ url: database().url });
  try {
    const locked = (await tablesOf(studio)).find(({ name }) => name === 'in_the_making');
    expect(locked).toMatchObject({ comment: '', structure_error: expect.any(String) as string });
    const whole = studio.perform('export-schema', { format: 'json' });
    await expect(whole).rejects.toMatchObject({
      code: 'database_busy',
      details: { table: 'in_the_making' },
    });
    await studio.perform('export-schema', { format: 'json', tables: ['beside'] });
  } finally {
    await database().query(`KILL ${creator.threadId}`);
    await ended;
  }
  expect((await tablesOf(studio)).map(({ name }) => name)).toContain('beside');
  await studio.close();
}, 240_000);
