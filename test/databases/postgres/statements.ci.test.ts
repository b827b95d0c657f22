/** The lifecycle of statements and connections, observed on the server. */
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';

import { openPostgres } from '../../../src/databases/postgres/database.ts';
import { startPostgres } from '../../servers/embedded-postgres.ts';
import { usePostgres } from '../../servers/postgres.ts';
import { testLeavingTheQueue } from '../leaving-the-queue.ts';
import { withStudioErrors } from '../../../src/studio/core/with-studio-errors.ts';
import type { Query, Session } from '../../../src/model/database.ts';
import type { Row, Value } from '../../../src/model/values.ts';
import type { PostgresServer } from '../../servers/embedded-postgres.ts';
import type { Database } from '../registered-databases.ts';

const server = usePostgres();
let database: Database;

beforeAll(async () => {
  await server().query(
    'CREATE TABLE numbers (n int PRIMARY KEY); INSERT INTO numbers VALUES (1), (2), (3)',
  );
  database = await openPostgres({
    url: server().urlWith({ search: '?pool_max_conns=2' }),
    readOnly: false,
    create: false,
  });
});

afterAll(() => database?.close());

const query = (text: string, ...params: readonly Value[]): Query => ({ text, params });
const slow = query('SELECT pg_sleep(60)');

/** The current activity of the studio's sessions. */
async function activity(): Promise<readonly Record<string, unknown>[]> {
  return server().query(
    `SELECT state, query, pid FROM pg_stat_activity
     WHERE datname = current_database() AND application_name = 'database-studio'`,
  );
}

async function running(text: string): Promise<number> {
  const sessions = await activity();
  return sessions.filter(
    ({ state, query: found }) => state !== 'idle' && String(found).includes(text),
  ).length;
}

async function until(condition: () => Promise<boolean> | boolean): Promise<void> {
  while (!(await condition())) await sleep(20);
}

describe('a time limit', () => {
  test('ends the statement on the server, and the connection serves the next one', async () => {
    const [before] = (await database.run(query('SELECT pg_backend_pid()'))).rows;
    const ended = database.run(slow, { limitMs: 100 });
    await expect(ended).rejects.toMatchObject({
      code: 'statement_timeout',
      message: expect.stringContaining('100 ms'),
    });
    expect(await running('pg_sleep')).toBe(0);
    expect((await database.run(query('SELECT pg_backend_pid()'))).rows).toEqual([before]);
  });

  test('never ends the statement after the intended one', async () => {
    for (let i = 0; i < 40; i++) {
      await database
        .run(query('SELECT pg_sleep($1)', 0.001 * (i % 5)), { limitMs: 2 })
        .catch(() => {});
      expect((await database.run(query('SELECT pg_sleep(0.01), 1'))).rows[0]?.[1]).toBe(1);
    }
  });

  test('applies to all of a stream', async () => {
    const { batches } = await database.stream(
      query('SELECT n, pg_sleep(0.01) FROM generate_series(1, 100000) n'),
      { limitMs: 1500 },
    );
    const readAll = async (): Promise<void> => {
      for await (const batch of batches) expect(batch.length).toBeGreaterThan(0);
    };
    await expect(readAll()).rejects.toMatchObject({ code: 'statement_timeout' });
    expect(await running('generate_series')).toBe(0);
    expect(database.poolStats().inUse).toBe(0);
  });
});

describe('a statement that the studio has not canceled', () => {
  test('says that another session did, or that a limit of the database was exceeded', async () => {
    const studio = withStudioErrors(database);
    const canceled = expect(studio.run(slow)).rejects.toMatchObject({
      code: 'statement_timeout',
      message: 'Another session has canceled the statement in the database (pg_cancel_backend).',
    });
    await until(async () => (await running('pg_sleep')) === 1);
    const sleeping = `SELECT pg_cancel_backend(pid) FROM pg_stat_activity
      WHERE datname = current_database() AND query LIKE '%sleep(60)' AND pid <> pg_backend_pid()`;
    await server().query(sleeping);
    await canceled;
    const limited = studio.transaction('write', async (session) => {
      await session.run(query("SET LOCAL statement_timeout = '50ms'"));
      await session.run(slow);
    });
    await expect(limited).rejects.toMatchObject({
      code: 'statement_timeout',
      message: expect.stringContaining('the time limit of the database (statement_timeout)'),
    });
    const german = studio.transaction('write', async (session) => {
      await session.run(
        query("DO $$ BEGIN RAISE 'storniert' USING ERRCODE = 'query_canceled'; END $$"),
      );
    });
    await expect(german).rejects.toMatchObject({
      message: expect.stringContaining('The database canceled the statement: storniert'),
    });
  });
});

describe('a client that disconnects', () => {
  test('ends the statement on the server and frees the connection', async () => {
    const controller = new AbortController();
    const ended = database.run(slow, { signal: controller.signal });
    const failed = expect(ended).rejects.toMatchObject({ name: 'AbortError' });
    await until(async () => (await running('pg_sleep')) === 1);
    controller.abort();
    await failed;
    expect(await running('pg_sleep')).toBe(0);
    expect(database.poolStats().inUse).toBe(0);
  });

  testLeavingTheQueue(() =>
    openPostgres({
      url: server().urlWith({ search: '?pool_max_conns=1' }),
      readOnly: false,
      create: false,
    }),
  );

  test('can disconnect before anything is sent', async () => {
    await expect(database.run(slow, { signal: AbortSignal.abort() })).rejects.toMatchObject({
      name: 'AbortError',
    });
  });

  test('in the middle of a stream closes its cursor', async () => {
    const { batches } = await database.stream(query('SELECT n FROM generate_series(1, 100000) n'));
    for await (const batch of batches) {
      expect(batch).toHaveLength(100);
      break;
    }
    expect(database.poolStats().inUse).toBe(0);
    expect(await running('generate_series')).toBe(0);
  });
});

describe('the pool', () => {
  test('lets callers wait if all connections are in use', async () => {
    const before = database.poolStats().waitCount;
    const results = await Promise.all(
      Array.from({ length: 6 }, (_, i) => database.run(query('SELECT pg_sleep(0.05), $1::int', i))),
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
    await database.run(query('BEGIN'));
    expect((await activity()).filter(({ state }) => state === 'idle in transaction')).toEqual([]);
    expect((await database.run(query('SELECT 1'))).rows).toEqual([[1]]);
  });

  test('with its original settings after a read has changed them', async () => {
    const setting = query("SELECT set_config('TimeZone', 'Asia/Tokyo', false)");
    await database.transaction('read', (session) => session.run(setting));
    const zones = await Promise.all([0, 1].map(() => database.run(query('SHOW TimeZone'))));
    expect(zones.map(({ rows }) => rows)).toEqual([[['UTC']], [['UTC']]]);
  });

  test('and is usable after the structure behind a prepared statement has changed', async () => {
    await server().query('CREATE TABLE changing (a int); INSERT INTO changing VALUES (1)');
    const all = query('SELECT * FROM changing');
    for (let i = 0; i < 4; i++) await database.run(all);
    await server().query("ALTER TABLE changing ALTER a TYPE text USING 'x' || a");
    const first = await database.run(all).catch((error: unknown) => error);
    expect(database.dialect.isStructureError(first)).toBe(true);
    expect((await database.run(all)).rows).toEqual([['x1']]);
  });
});

describe('a transaction', () => {
  const count = async (): Promise<unknown> =>
    (await database.run(query('SELECT count(*) FROM numbers'))).rows[0]?.[0];

  test('commits all or nothing', async () => {
    const insert = (session: Session, n: number) =>
      session.run(query('INSERT INTO numbers VALUES ($1)', n));
    const failing = database.transaction('write', async (session) => {
      await insert(session, 10);
      await insert(session, 1);
    });
    const error = await failing.catch((reason: unknown) => reason);
    expect(database.dialect.translateError(error)).toMatchObject({
      code: 'unique_violation',
      details: { columns: ['n'] },
    });
    expect(await count()).toBe('3');
    expect(await database.transaction('write', (session) => insert(session, 10))).toMatchObject({
      rowsAffected: 1,
    });
    expect(await count()).toBe('4');
    await database.run(query('DELETE FROM numbers WHERE n = 10'));
  });

  test('fails if an error in it was ignored', async () => {
    const transactionWithIgnoredError = database.transaction('write', async (session) => {
      await session.run(query('DELETE FROM numbers'));
      await session.run(query('SELECT 1/0')).catch(() => {});
    });
    await expect(transactionWithIgnoredError).rejects.toMatchObject({ code: 'write_conflict' });
    expect(await count()).toBe('3');
  });

  test('of reads is one snapshot that takes no writes', async () => {
    const counts = await database.transaction('read', async (session) => {
      const before = await session.run(query('SELECT count(*) FROM numbers'));
      await server().query('INSERT INTO numbers VALUES (99)');
      const after = await session.run(query('SELECT count(*) FROM numbers'));
      return [before.rows, after.rows];
    });
    expect(counts[1]).toEqual(counts[0]);
    await server().query('DELETE FROM numbers WHERE n = 99');
    for (const text of [
      'DELETE FROM numbers',
      "SELECT nextval('pg_temp.x')",
      'CREATE TABLE t ()',
      'SELECT 1; DELETE FROM numbers',
    ]) {
      await expect(
        database.transaction('read', (session) => session.run(query(text))),
      ).rejects.toThrow();
    }
    expect(await count()).toBe('3');
  });

  test('of a read-only studio rejects writes in any mode', async () => {
    const readOnly = await openPostgres({ url: server().url, readOnly: true, create: false });
    for (const attempt of [
      readOnly.run(query('DELETE FROM numbers')),
      readOnly.transaction('write', (session) => session.run(query('DELETE FROM numbers'))),
    ]) {
      const error = await attempt.catch((reason: unknown) => reason);
      expect(readOnly.dialect.translateError(error)).toMatchObject({ code: 'read_only' });
    }
    await readOnly.close();
    expect(await count()).toBe('3');
  });

  test('streams from a cursor, and continues after it', async () => {
    const sums = await database.transaction('read', async (session) => {
      const { batches } = await session.stream(query('SELECT n FROM generate_series(1, 2500) n'));
      let sum = 0;
      for await (const batch of batches) for (const [n] of batch) sum += Number(n);
      return [sum, (await session.run(query('SELECT 7'))).rows[0]?.[0]];
    });
    expect(sums).toEqual([3_126_250, 7]);
  });
});

test('statements started together in one session run one after the other', async () => {
  const results = await database.read((session) =>
    Promise.all([1, 2, 3].map((n) => session.run(query('SELECT $1::int, pg_sleep(0.01)', n)))),
  );
  expect(results.map(({ rows }) => rows[0]?.[0])).toEqual([1, 2, 3]);
});

test('several statements in one text are rejected', async () => {
  const error = await database.run(query('SELECT 1; SELECT 2')).catch((reason: unknown) => reason);
  expect(database.dialect.messageOf(error)).toMatch(/multiple commands/);
  await expect(database.run(query('SELECT 1\0; DROP TABLE numbers'))).rejects.toMatchObject({
    code: 'invalid_parameter',
  });
});

async function readAll(text: string, most = Infinity): Promise<readonly Row[]> {
  const { batches } = await database.stream(query(text));
  const found: Row[] = [];
  for await (const batch of batches) {
    found.push(...batch);
    if (found.length >= most) break;
  }
  return found;
}

test.each(['COPY numbers TO STDOUT', 'COPY numbers FROM STDIN', '', '-- nothing'])(
  '%j leaves the connection unchanged',
  async (text) => {
    await database.run(query(text)).catch(() => {});
    await readAll(text).catch(() => {});
    expect((await database.run(query('SELECT count(*) FROM numbers'))).rows).toEqual([['3']]);
    await until(() => database.poolStats().inUse === 0);
  },
);

test('COPY to the client returns a row per line, or the bytes of the binary format', async () => {
  expect(await readAll('/* a */ copy numbers TO STDOUT')).toEqual([['1'], ['2'], ['3']]);
  const csv = "COPY (SELECT 1, 'a\nb', NULL) TO STDOUT (FORMAT csv, HEADER)";
  expect(await readAll(csv)).toEqual([['?column?,?column?,?column?'], ['1,"a\nb",']]);
  const [[head] = []] = await readAll('COPY numbers TO STDOUT (FORMAT binary)');
  expect(Buffer.from(head as Uint8Array).toString('latin1')).toMatch(/^PGCOPY\n\xff\r\n\0/);
  await expect(readAll('COPY numbers TO STDOUT; DELETE FROM numbers')).rejects.toThrow(/multiple/);
  await expect(readAll('COPY nothing TO STDOUT')).rejects.toThrow(/does not exist/);
});

test('COPY that is not read to its end is canceled on the server', async () => {
  await readAll('COPY (SELECT generate_series(1, 100000000)) TO STDOUT', 10);
  await until(async () => (await running('generate_series')) === 0);
  await until(() => database.poolStats().inUse === 0);
});

test('more parameters than the protocol allows are rejected', async () => {
  const params = Array.from({ length: 65_536 }, () => 1n);
  const text = `SELECT 1 WHERE 1 IN (${params.map((_, i) => `$${i + 1}`).join(', ')})`;
  await expect(database.run({ text, params })).rejects.toMatchObject({ code: 'invalid_parameter' });
  const fewer = { text: text.replace(', $65536', ''), params: params.slice(1) };
  expect((await database.run(fewer)).rows).toEqual([[1]]);
});

describe('a server that stops', () => {
  let ownServer: PostgresServer;
  let survivor: Database;

  beforeEach(async (context) => {
    try {
      ownServer ??= await startPostgres();
    } catch (error) {
      if (process.env['CI']) throw error;
      context.skip(`no PostgreSQL: ${String(error)}`);
    }
    const url = `postgres://${ownServer.user}:${ownServer.password}@127.0.0.1:${ownServer.port}/postgres`;
    survivor ??= await openPostgres({ url, readOnly: false, create: false });
  }, 60_000);

  afterAll(async () => {
    await survivor?.close();
    await ownServer?.remove();
  });

  test('is unavailable until it is back, and then works without a restart', async () => {
    expect((await survivor.run(query('SELECT 1'))).rows).toEqual([[1]]);
    const cut = survivor
      .run(slow)
      .catch((error: unknown) => survivor.dialect.translateError(error));
    await ownServer.stop();
    expect(await cut).toMatchObject({ code: 'database_unavailable' });
    await expect(survivor.run(query('SELECT 1'))).rejects.toMatchObject({
      code: 'database_unavailable',
    });
    await expect(survivor.read((session) => session.run(query('SELECT 1')))).rejects.toMatchObject({
      code: 'database_unavailable',
    });
    await ownServer.start();
    expect((await survivor.run(query('SELECT 1'))).rows).toEqual([[1]]);
    expect(survivor.poolStats()).toMatchObject({ inUse: 0, openConnections: 1 });
  });

  test('can report that a session has ended', async () => {
    const pid = (await survivor.run(query('SELECT pg_backend_pid()'))).rows[0]?.[0];
    const other = await openPostgres({
      url: `postgres://${ownServer.user}:${ownServer.password}@127.0.0.1:${ownServer.port}/postgres`,
      readOnly: false,
      create: false,
    });
    await other.run(query('SELECT pg_terminate_backend($1)', Number(pid)));
    await other.close();
    await until(
      async () =>
        await survivor.run(query('SELECT 1')).then(
          () => true,
          () => false,
        ),
    );
    expect((await survivor.run(query('SELECT pg_backend_pid()'))).rows[0]?.[0]).not.toBe(pid);
  });
});

test('closing waits for running statements and ends all sessions', async () => {
  const closing = await openPostgres({
    url: server().urlWith({ search: '?application_name=closing' }),
    readOnly: false,
    create: false,
  });
  const last = closing.run(query('SELECT pg_sleep(0.2), 1'));
  await Promise.all([last, closing.close()]);
  await expect(closing.run(query('SELECT 1'))).rejects.toMatchObject({
    code: 'database_unavailable',
  });
  const remainingConnections = (): Promise<readonly unknown[]> =>
    server().query("SELECT FROM pg_stat_activity WHERE application_name = 'closing'");
  await until(async () => (await remainingConnections()).length === 0);
});
