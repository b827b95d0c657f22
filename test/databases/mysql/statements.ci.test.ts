/** The lifecycle of statements and connections, observed on the server. */
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';

import { mysql } from '../../../src/databases/mysql/kind.ts';
import { startMariadb } from '../../servers/start-mariadb.ts';
import { useMariadb } from '../../servers/mariadb.ts';
import { testLeavingTheQueue } from '../leaving-the-queue.ts';
import { withStudioErrors } from '../../../src/studio/core/with-studio-errors.ts';
import type { Query, Session } from '../../../src/model/database.ts';
import type { Value } from '../../../src/model/values.ts';
import type { MariadbServer } from '../../servers/start-mariadb.ts';
import type { Database } from '../registered-databases.ts';

const server = useMariadb();
let database: Database;

const open = (url: string, readOnly = false): Promise<Database> =>
  mysql.open({ url, readOnly, create: false });

beforeAll(async () => {
  await server().query(
    'CREATE TABLE numbers (n int PRIMARY KEY); INSERT INTO numbers VALUES (1), (2), (3)',
  );
  database = await open(server().urlWith({ search: '?pool_max_conns=2' }));
});

afterAll(() => database?.close());

const query = (text: string, ...params: readonly Value[]): Query => ({ text, params });
const slow = query('SELECT SLEEP(60) FROM numbers');
/** A query with practically endless rows. */
const manyRows =
  query(`WITH RECURSIVE digits (d) AS (SELECT 1 UNION ALL SELECT d + 1 FROM digits WHERE d < 900)
  SELECT a.d, b.d, c.d FROM digits a, digits b, digits c`);

/** The server responds to a statement shortly before its process list shows the end. */
async function running(text: string): Promise<number> {
  const sessions = await server().query(
    `SELECT info AS query FROM information_schema.processlist WHERE db = DATABASE() AND id <> CONNECTION_ID() AND command <> 'Sleep'`,
  );
  return sessions.filter(({ query: found }) => String(found).includes(text)).length;
}

async function until(condition: () => Promise<boolean>): Promise<void> {
  while (!(await condition())) await sleep(20);
}

describe('a statement that the studio has not canceled', () => {
  test('says that another session did, or that a limit of the database was exceeded', async () => {
    const studio = withStudioErrors(database);
    const slowCount = query(
      `${manyRows.text.replace('a.d, b.d, c.d', 'COUNT(*)')}, digits endless`,
    );
    const canceled = expect(studio.run(slowCount)).rejects.toMatchObject({
      code: 'statement_timeout',
      message: expect.stringContaining('KILL QUERY'),
    });
    await until(async () => (await running('endless')) === 1);
    const [found] = await server().query(
      "SELECT id FROM information_schema.processlist WHERE info LIKE '%endless' AND id <> CONNECTION_ID()",
    );
    await server().query(`KILL QUERY ${String(found?.['id'])}`);
    await canceled;
    const limited = studio.transaction('write', async (session) => {
      await session.run(query('SET SESSION max_statement_time = 0.05'));
      await session.run(slowCount);
    });
    await expect(limited).rejects.toMatchObject({
      code: 'statement_timeout',
      message: expect.stringContaining('the time limit of the database'),
    });
  });
});

describe('a time limit', () => {
  test('ends the statement on the server, and the connection serves the next one', async () => {
    const [before] = (await database.run(query('SELECT CONNECTION_ID()'))).rows;
    const ended = database.run(slow, { limitMs: 100 });
    await expect(ended).rejects.toMatchObject({
      code: 'statement_timeout',
      message: expect.stringContaining('100 ms'),
    });
    await until(async () => (await running('SLEEP')) === 0);
    expect((await database.run(query('SELECT CONNECTION_ID()'))).rows).toEqual([before]);
  });

  test('ends statements that report success after being killed', async () => {
    await expect(database.run(query('SELECT SLEEP(60)'), { limitMs: 100 })).rejects.toMatchObject({
      code: 'statement_timeout',
    });
  });

  test('ends writes too', async () => {
    const write = query('UPDATE numbers SET n = n + 10 * SLEEP(60)');
    await expect(database.run(write, { limitMs: 100 })).rejects.toMatchObject({
      code: 'statement_timeout',
    });
    await until(async () => (await running('UPDATE numbers')) === 0);
  });

  test('is set on the server, and applies even if the studio is gone', async () => {
    const controller = new AbortController();
    const ended = database
      .run(slow, { limitMs: 20_000, signal: controller.signal })
      .catch(() => {});
    const limit = server().isMariadb ? 'max_statement_time = 21 FOR' : 'MAX_EXECUTION_TIME(21000)';
    await until(async () => (await running(limit)) === 1);
    controller.abort();
    await ended;
  });

  test('never ends the statement after the intended one', async () => {
    for (let i = 0; i < 40; i++) {
      await database.run(query('SELECT SLEEP(?)', 0.001 * (i % 5)), { limitMs: 2 }).catch(() => {});
      expect((await database.run(query('SELECT SLEEP(0.01), 1'))).rows).toEqual([[0, 1]]);
    }
  });

  test('applies to all of a stream', async () => {
    const { batches } = await database.stream(
      query('SELECT n, SLEEP(0.01) FROM numbers, (SELECT 1 UNION ALL SELECT 2) t'),
      {
        limitMs: 10_000,
      },
    );
    let rows = 0;
    for await (const batch of batches) rows += batch.length;
    expect(rows).toBe(6);
    const readAll = async (): Promise<void> => {
      const endless = await database.stream(manyRows, { limitMs: 700 });
      for await (const batch of endless.batches) expect(batch.length).toBeGreaterThan(0);
    };
    await expect(readAll()).rejects.toMatchObject({ code: 'statement_timeout' });
    await until(async () => (await running('digits')) === 0);
    expect(database.poolStats().inUse).toBe(0);
  });
});

describe('a client that disconnects', () => {
  test('ends the statement on the server and frees the connection', async () => {
    const controller = new AbortController();
    const ended = database.run(slow, { signal: controller.signal });
    const failed = expect(ended).rejects.toMatchObject({ name: 'AbortError' });
    await until(async () => (await running('SLEEP')) === 1);
    controller.abort();
    await failed;
    await until(async () => (await running('SLEEP')) === 0);
    expect(database.poolStats().inUse).toBe(0);
  });

  testLeavingTheQueue(() => open(server().urlWith({ search: '?pool_max_conns=1' })));

  test('can disconnect before anything is sent', async () => {
    await expect(database.run(slow, { signal: AbortSignal.abort() })).rejects.toMatchObject({
      name: 'AbortError',
    });
  });

  test('in the middle of a stream ends it on the server', async () => {
    const { batches } = await database.stream(manyRows);
    for await (const batch of batches) {
      expect(batch).toHaveLength(100);
      break;
    }
    expect(database.poolStats().inUse).toBe(0);
    await until(async () => (await running('digits')) === 0);
    expect((await database.run(query('SELECT 1'))).rows).toEqual([[1]]);
  });
});

describe('a stream', () => {
  test('reads only as fast as it is consumed', async () => {
    const { batches } = await database.stream(manyRows);
    const reader = batches[Symbol.asyncIterator]();
    await reader.next();
    await until(async () => (await running('digits')) === 1);
    await sleep(300);
    // The server waits for the socket, because nobody reads from it.
    const [state] = await server().query(
      `SELECT state FROM information_schema.processlist WHERE db = DATABASE() AND info LIKE '%digits%' AND id <> CONNECTION_ID()`,
    );
    expect(String(state?.['state'] ?? state?.['STATE'])).toMatch(
      /writing to net|sending (?:data|to client)|executing/i,
    );
    await reader.return?.();
    await until(async () => (await running('digits')) === 0);
  });

  test('returns its columns, even without rows', async () => {
    const { columns, batches } = await database.stream(
      query('SELECT n, n = 1 AS first FROM numbers WHERE n > ?', 100n),
    );
    expect(columns.map(({ name }) => name)).toEqual(['n', 'first']);
    for await (const batch of batches) expect(batch).toEqual([]);
  });

  test('fails at once for wrong SQL', async () => {
    const error = await database
      .stream(query('SELECT nothing FROM numbers'))
      .catch((reason: unknown) => reason);
    expect(database.dialect.isStructureError(error)).toBe(true);
    expect(database.poolStats().inUse).toBe(0);
  });

  test('fails at a row that the server cannot return', async () => {
    const { batches } = await database.stream(
      query('SELECT n, EXP(700 + n * 10) FROM numbers ORDER BY n'),
    );
    const readAll = async (): Promise<number> => {
      let rows = 0;
      for await (const batch of batches) rows += batch.length;
      return rows;
    };
    await expect(readAll()).rejects.toThrow(/out of range/);
    expect((await database.run(query('SELECT 1'))).rows).toEqual([[1]]);
  });

  test('of a transaction leaves it usable', async () => {
    const sums = await database.transaction('read', async (session) => {
      const { batches } = await session.stream(query('SELECT n FROM numbers'));
      let sum = 0;
      for await (const batch of batches) for (const [n] of batch) sum += Number(n);
      return [sum, (await session.run(query('SELECT 7'))).rows[0]?.[0]];
    });
    expect(sums).toEqual([6, 7]);
  });

  test('that is open keeps other statements off its connection', async () => {
    await database.read(async (session) => {
      const { batches } = await session.stream(manyRows);
      await expect(session.run(query('SELECT 1'))).rejects.toMatchObject({ code: 'database_busy' });
      for await (const _ of batches) break;
      expect((await session.run(query('SELECT 1'))).rows).toEqual([[1]]);
    });
  });
});

describe('the pool', () => {
  test('lets callers wait if all connections are in use', async () => {
    const before = database.poolStats().waitCount;
    const results = await Promise.all(
      Array.from({ length: 6 }, (_, i) => database.run(query('SELECT SLEEP(0.05), ?', i))),
    );
    expect(results.map(({ rows }) => rows[0]?.[1])).toEqual([0, 1, 2, 3, 4, 5]);
    expect(database.poolStats()).toMatchObject({ inUse: 0, waitCount: before + 4 });
    expect(database.poolStats().waitDurationMs).toBeGreaterThan(0);
  });

  test('reports busy to a caller that waits too long', async () => {
    const controller = new AbortController();
    const blockers = [0, 1].map(() =>
      database.run(slow, { signal: controller.signal }).catch(() => {}),
    );
    await expect(database.run(query('SELECT 1'))).rejects.toMatchObject({ code: 'database_busy' });
    controller.abort();
    await Promise.all(blockers);
    expect((await database.run(query('SELECT 1'))).rows).toEqual([[1]]);
  });

  test('returns estimates while all connections are in use', async () => {
    const { tables } = await database.introspect();
    const estimates = await Promise.all(
      Array.from({ length: 4 }, () => database.read(() => database.estimateTableRows(tables))),
    );
    expect(estimates.map((rows) => [...rows.keys()])).toEqual(
      Array.from({ length: 4 }, () => ['numbers']),
    );
  });
});

describe('a connection is returned to the pool', () => {
  test('but not if a transaction was left open', async () => {
    await database.read(async (session) => {
      await session.run(query('START TRANSACTION READ WRITE'));
      await session.run(query('INSERT INTO numbers VALUES (77)'));
    });
    // Waits for the lock until the server has rolled the other back.
    await server().query('INSERT INTO numbers VALUES (77); DELETE FROM numbers WHERE n = 77');
    expect((await database.run(query('SELECT COUNT(*) FROM numbers'))).rows).toEqual([[3]]);
  });

  test('with write access and its original isolation level after a read transaction', async () => {
    const isolation = query(
      "SHOW SESSION VARIABLES WHERE Variable_name IN ('transaction_isolation', 'tx_isolation', 'transaction_read_only', 'tx_read_only')",
    );
    const settings = async (): Promise<unknown> =>
      Promise.all([0, 1].map(() => database.run(isolation)));
    const before = await settings();
    await Promise.all(
      [0, 1].map(() =>
        database.transaction('read', (session) => session.run(query('SELECT SLEEP(0.05)'))),
      ),
    );
    expect(await settings()).toEqual(before);
  });

  test('and is usable after the structure behind a prepared statement has changed', async () => {
    await server().query('CREATE TABLE changing (a int); INSERT INTO changing VALUES (1)');
    const all = query('SELECT * FROM changing');
    for (let i = 0; i < 4; i++) await database.run(all);
    await server().query('ALTER TABLE changing MODIFY a varchar(20), ADD b int DEFAULT 2');
    expect((await database.run(all)).rows).toEqual([['1', 2]]);
  });
});

describe('a transaction', () => {
  const count = async (): Promise<unknown> =>
    (await database.run(query('SELECT COUNT(*) FROM numbers'))).rows[0]?.[0];
  const insert = (session: Session, n: number) =>
    session.run(query('INSERT INTO numbers VALUES (?)', n));

  test('commits all or nothing', async () => {
    const failing = database.transaction('write', async (session) => {
      await insert(session, 10);
      await insert(session, 1);
    });
    const error = await failing.catch((reason: unknown) => reason);
    expect(database.dialect.translateError(error)).toMatchObject({ code: 'unique_violation' });
    expect(await count()).toBe(3);
    expect(await database.transaction('write', (session) => insert(session, 10))).toMatchObject({
      rowsAffected: 1,
    });
    expect(await count()).toBe(4);
    await database.run(query('DELETE FROM numbers WHERE n = 10'));
  });

  test('of reads is one snapshot', async () => {
    const counts = await database.transaction('read', async (session) => {
      const before = await session.run(query('SELECT COUNT(*) FROM numbers'));
      await server().query('INSERT INTO numbers VALUES (99)');
      const after = await session.run(query('SELECT COUNT(*) FROM numbers'));
      return [before.rows, after.rows];
    });
    expect(counts[1]).toEqual(counts[0]);
    await server().query('DELETE FROM numbers WHERE n = 99');
  });

  test.each([
    'DELETE FROM numbers',
    'CREATE TABLE made (a int)',
    'DROP TABLE numbers',
    'TRUNCATE TABLE numbers',
    'ALTER TABLE numbers ADD c int',
    'SELECT * FROM numbers FOR UPDATE',
  ])('of reads rejects %s', async (text) => {
    const attempt = database.transaction('read', (session) => session.run(query(text)));
    const error = await attempt.catch((reason: unknown) => reason);
    expect(database.dialect.translateError(error)).toMatchObject({ code: 'read_only' });
    expect(await count()).toBe(3);
  });

  test('of a read-only studio rejects writes in any mode', async () => {
    const readOnly = await open(server().url, true);
    for (const attempt of [
      () => readOnly.run(query('DELETE FROM numbers')),
      () => readOnly.run(query('CREATE TABLE made (a int)')),
      () => readOnly.transaction('write', (session) => session.run(query('DELETE FROM numbers'))),
      () =>
        readOnly
          .transaction('read', async () => {})
          .then(() => readOnly.run(query('DELETE FROM numbers'))),
    ]) {
      const error = await attempt().catch((reason: unknown) => reason);
      expect(readOnly.dialect.translateError(error)).toMatchObject({ code: 'read_only' });
    }
    await readOnly.close();
    expect(await count()).toBe(3);
  });
});

test('statements started together in one session run one after the other', async () => {
  const results = await database.read((session) =>
    Promise.all([1, 2, 3].map((n) => session.run(query('SELECT ?, SLEEP(0.01)', n)))),
  );
  expect(results.map(({ rows }) => rows[0]?.[0])).toEqual([1, 2, 3]);
});

test('several statements in one text are rejected', async () => {
  const error = await database.run(query('SELECT 1; SELECT 2')).catch((reason: unknown) => reason);
  expect(database.dialect.messageOf(error)).toMatch(/syntax/);
});

test('statements that cannot be prepared still run', async () => {
  await database.run(query('CREATE PROCEDURE two_results() BEGIN SELECT 1; SELECT 2; END'));
  expect((await database.run(query('SHOW CREATE PROCEDURE two_results'))).rows).toHaveLength(1);
  await database.run(
    query('CREATE TRIGGER quiet BEFORE INSERT ON numbers FOR EACH ROW SET @a = 1'),
  );
  await database.run(query('DROP TRIGGER quiet'));
  await database.run(query('DROP PROCEDURE two_results'));
});

test('the session reads text as the studio does, and keeps the other modes of the server', async () => {
  const [row] = (
    await database.run(
      query(String.raw`SELECT 'a\'b', "text", @@SESSION.time_zone, @@SESSION.sql_mode`),
    )
  ).rows;
  expect(row?.slice(0, 3)).toEqual(["a'b", 'text', '+00:00']);
  expect(String(row?.[3])).toContain('STRICT_TRANS_TABLES');
  const [found] = await server().query('SELECT @@GLOBAL.sql_mode AS modes');
  for (const mode of String(found?.['modes']).split(','))
    expect(String(row?.[3]).split(',')).toContain(mode);
});

describe('a server that stops', () => {
  let ownServer: MariadbServer;
  let survivor: Database;
  const url = (search = ''): string =>
    `mysql://${ownServer.user}:${ownServer.password}@127.0.0.1:${ownServer.port}/mysql${search}`;

  beforeEach(async (context) => {
    try {
      ownServer ??= await startMariadb({
        settings: [
          '--sql-mode=ANSI,NO_BACKSLASH_ESCAPES',
          '--default-time-zone=+05:00',
          '--max-connections=20',
        ],
      });
    } catch (error) {
      if (process.env['CI']) throw error;
      context.skip(`no MariaDB: ${String(error)}`);
    }
    survivor ??= await open(url());
  }, 60_000);

  afterAll(async () => {
    await survivor?.close();
    await ownServer?.remove();
  });

  test('is unavailable until it is back, and then works without a restart', async () => {
    expect((await survivor.run(query('SELECT 1'))).rows).toEqual([[1]]);
    const cut = survivor
      .run(query('SELECT SLEEP(60)'))
      .catch((error: unknown) => survivor.dialect.translateError(error));
    const { batches } = await survivor.stream(manyRows);
    const streamed = (async () => {
      for await (const batch of batches) expect(batch.length).toBeGreaterThan(0);
    })().catch((error: unknown) => survivor.dialect.translateError(error));
    await ownServer.stop();
    expect(await cut).toMatchObject({ code: 'database_unavailable' });
    expect(await streamed).toMatchObject({ code: 'database_unavailable' });
    for (const attempt of [
      () => survivor.run(query('SELECT 1')),
      () => survivor.read((session) => session.run(query('SELECT 1'))),
      () => survivor.transaction('write', (session) => session.run(query('SELECT 1'))),
      () => survivor.stream(query('SELECT 1')),
      () => survivor.introspect(),
    ]) {
      await expect(attempt()).rejects.toMatchObject({ code: 'database_unavailable' });
    }
    await ownServer.start();
    expect((await survivor.run(query('SELECT 1'))).rows).toEqual([[1]]);
    expect(survivor.poolStats()).toMatchObject({ inUse: 0, openConnections: 1 });
  });

  test('can report that a session has ended', async () => {
    const id = (await survivor.run(query('SELECT CONNECTION_ID()'))).rows[0]?.[0];
    const other = await open(url());
    await other.run(query(`KILL CONNECTION ${String(id)}`));
    await other.close();
    const works = (): Promise<boolean> =>
      survivor.run(query('SELECT 1')).then(
        () => true,
        () => false,
      );
    await until(works);
    expect((await survivor.run(query('SELECT CONNECTION_ID()'))).rows[0]?.[0]).not.toBe(id);
  });

  test('is reached by its socket too', async () => {
    const local = await open(
      `mysql://${ownServer.user}:${ownServer.password}@localhost/mysql?socket=${encodeURIComponent(ownServer.socket)}`,
    );
    expect((await local.run(query('SELECT 1'))).rows).toEqual([[1]]);
    await local.close();
  });

  test("can have SQL modes that change the meaning of text, which the studio's sessions do not use", async () => {
    const [row] = (
      await survivor.run(query(String.raw`SELECT 'a\'b', "text", 'a' || 'b', @@SESSION.time_zone`))
    ).rows;
    expect(row).toEqual(["a'b", 'text', 'ab', '+00:00']);
  });

  test('is busy if it accepts no more connections', async () => {
    const many = await open(url('?pool_max_conns=40'));
    const all = await Promise.allSettled(
      Array.from({ length: 30 }, () => many.run(query('SELECT SLEEP(0.3)'))),
    );
    const rejections = all.flatMap((each) =>
      each.status === 'rejected' ? [each.reason as unknown] : [],
    );
    expect(rejections.length).toBeGreaterThan(0);
    for (const error of rejections) expect(error).toMatchObject({ code: 'database_busy' });
    await many.close();
  });

  test.each([
    ['a wrong password', () => url().replace(ownServer.password, 'wrong')],
    ['a database that is not there', () => url().replace('/mysql', '/nowhere')],
    ['a port where nothing listens', () => url().replace(String(ownServer.port), '1')],
    ['a socket that is not there', () => url('?socket=/nowhere/socket')],
    ['TLS that it does not have', () => url('?ssl-mode=required')],
  ])('%s is reported without the password or the host', async (_what, wrong) => {
    const error = await open(wrong()).catch((reason: unknown) => reason);
    expect(error).toMatchObject({ code: 'database_unavailable' });
    expect(String(error)).not.toMatch(/mariadb|wrong|127\.0\.0\.1/);
  });

  test('without TLS is reached without it where that is only preferred', async () => {
    const plain = await open(url('?ssl-mode=preferred'));
    expect((await plain.run(query('SELECT 1'))).rows).toEqual([[1]]);
    await plain.close();
  });
});

test('closing waits for running statements and ends all sessions', async () => {
  const closing = await open(server().url);
  const last = closing.run(query('SELECT SLEEP(0.2), 1'));
  const id = database.run(
    query("SELECT id FROM information_schema.processlist WHERE info LIKE 'SELECT SLEEP(0.2), 1%'"),
  );
  await Promise.all([last, closing.close()]);
  await expect(closing.run(query('SELECT 1'))).rejects.toMatchObject({
    code: 'database_unavailable',
  });
  const ids = (await id).rows.map(([each]) => String(each)).join(', ') || '0';
  const remainingConnections = (): Promise<readonly unknown[]> =>
    server().query(`SELECT id FROM information_schema.processlist WHERE id IN (${ids})`);
  await until(async () => (await remainingConnections()).length === 0);
});
