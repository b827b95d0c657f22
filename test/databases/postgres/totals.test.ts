/**
 * A total is cached until the next commit of any session. A total that can change without a commit
 * is always counted again.
 */
import { Client } from 'pg';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';

import { openPostgres } from '../../../src/databases/postgres/database.ts';
import { createLocalExecutor } from '../../../src/studio/execution/local-executor.ts';
import { noModels } from '../../../src/studio/core/models.ts';
import { usePostgres } from '../../servers/postgres.ts';
import type { Session } from '../../../src/model/database.ts';
import type { Executor } from '../../../src/studio/execution/executor.ts';
import type { Database } from '../registered-databases.ts';

const server = usePostgres();
let other: Client;
let executor: Executor;
const countedStatements: string[] = [];

beforeAll(async () => {
  await server().query(`
    CREATE TABLE things (id int PRIMARY KEY, at timestamptz NOT NULL DEFAULT now());
    INSERT INTO things SELECT generate_series(1, 500);
    CREATE VIEW recent AS SELECT * FROM things WHERE at > clock_timestamp() - interval '1 hour';
    CREATE TABLE guarded (id int PRIMARY KEY);
    ALTER TABLE guarded ENABLE ROW LEVEL SECURITY`);
  other = new Client(server().url);
  await other.connect();
  const database = await openPostgres({ url: server().url, readOnly: false, create: false });
  const access = { readOnly: false, disableSql: false, allowDdl: false };
  executor = createLocalExecutor(withLog(database), access, noModels);
});

afterAll(async () => {
  await executor?.close();
  await other?.end();
});

beforeEach(() => void (countedStatements.length = 0));

/** The same database, with a log of its reads. */
function withLog(database: Database): Database {
  const logged = (session: Session): Session => ({
    ...session,
    run: (query, options) => {
      countedStatements.push(query.text);
      return session.run(query, options);
    },
  });
  return {
    ...database,
    read: (work, signal) => database.read((session) => work(logged(session)), signal),
  };
}

async function totalOf(table: string): Promise<number> {
  const query = {
    ...{ page: 1, pageSize: 1, sort: [], showDeleted: false, filters: [] },
    ...({ count: 'auto', etags: false, labels: false, cells: 'full' } as const),
  };
  const { body } = await executor.perform('list-rows', { table, query }, {});
  return (JSON.parse(String(body)) as { readonly total: number }).total;
}

/** Other tests use the same server, and their commits also invalidate the cache. */
async function isCached(table: string): Promise<boolean> {
  await totalOf(table);
  countedStatements.length = 0;
  await totalOf(table);
  return !countedStatements.some((text) => /COUNT\(\*\)/i.test(text));
}

describe('a total', () => {
  test('is counted once while nobody commits', async () => {
    while (!(await isCached('things')));
    expect(await totalOf('things')).toBe(500);
  });

  test('is counted again after every commit, and includes nothing uncommitted', async () => {
    while (!(await isCached('things')));
    await other.query('INSERT INTO things VALUES (501)');
    expect(await totalOf('things')).toBe(501);
    await other.query('BEGIN; INSERT INTO things VALUES (502)');
    expect(await totalOf('things')).toBe(501);
    await other.query('SAVEPOINT a; DELETE FROM things WHERE id < 10');
    expect(await totalOf('things')).toBe(501);
    await other.query('COMMIT');
    expect(await totalOf('things')).toBe(493);
    await other.query('BEGIN; DELETE FROM things; ROLLBACK');
    expect(await totalOf('things')).toBe(493);
    await other.query('TRUNCATE things');
    expect(await totalOf('things')).toBe(0);
  });

  test.each(['recent', 'guarded'])(
    'of %s is always counted again, because it may depend on the current time',
    async (name) => {
      for (let time = 0; time < 5; time++) expect(await isCached(name)).toBe(false);
    },
  );

  test('is always counted again if a partition can be on another server', async () => {
    await other.query(
      `CREATE FOREIGN DATA WRAPPER nowhere; CREATE SERVER far FOREIGN DATA WRAPPER nowhere;
       CREATE FOREIGN TABLE elsewhere (id int) SERVER far`,
    );
    for (let time = 0; time < 5; time++) expect(await isCached('things')).toBe(false);
  });
});
