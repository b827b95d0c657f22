/** What the documentation of TiDB says, and why the studio does not open it. */
import mysql from 'mysql2/promise';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { createStudio } from '../../src/index.ts';
import { startTidb, whatIsMissing } from './start-tidb.ts';
import type { Tidb } from './start-tidb.ts';

let server: Tidb | undefined;
let unavailableReason = '';

beforeAll(async () => {
  const missing = await whatIsMissing();
  if (missing === undefined) server = await startTidb();
  else unavailableReason = missing;
}, 200_000);
beforeEach((context) => {
  if (server === undefined) context.skip(`no TiDB: ${unavailableReason}`);
});
afterAll(() => server?.remove());

function tidb(): Tidb {
  if (server === undefined) throw new Error(`no TiDB: ${unavailableReason}`);
  return server;
}

test('a read-only transaction accepts a write', async () => {
  await tidb().query('CREATE TABLE shop.notes (id INT PRIMARY KEY)');
  const connection = await mysql.createConnection(tidb().url);
  try {
    await connection.query('START TRANSACTION READ ONLY');
    await connection.query('INSERT INTO notes VALUES (1)');
    await connection.query('COMMIT');
  } finally {
    connection.destroy();
  }
  expect(await tidb().query('SELECT id FROM shop.notes')).toEqual([{ id: 1 }]);
});

test('so it is not opened, with one sentence', async () => {
  await expect(createStudio({ url: tidb().url })).rejects.toMatchObject({
    code: 'database_unavailable',
    message: expect.stringMatching(
      /^The server is TiDB, which accepts writes in read-only transactions\./,
    ),
  });
});
