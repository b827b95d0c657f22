/** A long statement affects only its own request, and is canceled in the database (SECURITY.md 13). */
import { setTimeout as sleep } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { describeOnEachDatabase } from '../databases/kit/harness.ts';
import { tableWithId } from '../databases/kit/tables.ts';
import { requestSender, jsonBody } from './send-request.ts';

/** A statement that runs for minutes unless it is canceled. */
interface SlowStatement {
  readonly statement: string;
  /** A query that counts such statements while they run. Undefined if the database cannot list them. */
  readonly countRunning: string | undefined;
}

const slowStatements: Readonly<Record<string, SlowStatement>> = {
  sqlite: {
    statement:
      'WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n) SELECT count(*) FROM n',
    countRunning: undefined,
  },
  postgres: {
    statement: 'SELECT pg_sleep(600)',
    countRunning:
      "SELECT count(*) AS n FROM pg_stat_activity WHERE query LIKE '%pg_sleep(600)%' AND state = 'active' AND pid <> pg_backend_pid()",
  },
  mysql: {
    statement: 'SELECT sleep(600)',
    countRunning:
      "SELECT count(*) AS n FROM information_schema.processlist WHERE info LIKE 'SELECT sleep(600)%'",
  },
};

describeOnEachDatabase('long statements', (harness) => {
  const slow = slowStatements[harness.underTest.name];
  if (slow === undefined) return;
  const body = jsonBody({ query: slow.statement });

  async function waitUntilCanceled(): Promise<void> {
    if (slow?.countRunning === undefined) return;
    for (;;) {
      const { rows } = await harness.sql(slow.countRunning);
      if (Number(rows[0]?.['n']) === 0) return;
      await sleep(50);
    }
  }

  harness.beforeTests(() => harness.createTables([tableWithId('items', [])]));

  test('a long statement ends at its time limit, in the database too, and does not block other requests', async () => {
    const ask = requestSender(await harness.openStudio({ statementTimeoutMs: 1500 }));
    let isDone = false;
    const longRequest = ask('/sql', body).finally(() => (isDone = true));
    expect((await ask('/tables/items/rows')).status).toBe(200);
    expect((await ask('/config')).status).toBe(200);
    expect(isDone).toBe(false);
    expect(await longRequest).toMatchObject({ status: 504, json: { code: 'statement_timeout' } });
    await waitUntilCanceled();
    expect((await ask('/tables/items/rows')).status).toBe(200);
  });

  test('a long statement ends with its request, and releases its connection', async () => {
    const studio = await harness.openStudio();
    const ask = requestSender(studio);
    for (let i = 0; i < 12; i++) {
      const abortController = new AbortController();
      const request = ask('/sql', { ...body, signal: abortController.signal }).catch(
        () => undefined,
      );
      await sleep(20);
      abortController.abort();
      await request;
    }
    await waitUntilCanceled();
    expect((await ask('/tables/items/rows')).status).toBe(200);
    expect((await studio.stats()).inUse).toBe(0);
  });
});

/** By database: a query for a value or row that is longer than a JavaScript string can be, and a view whose rows exceed the size of a page. */
const hugeResults: Readonly<Record<string, readonly [query: string, view: string]>> = {
  sqlite: [
    "SELECT printf('%.*c', 600000000, 'x') AS v",
    `CREATE VIEW huge AS WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 40)
      SELECT printf('%.*c', 10000000, 'x') AS v FROM n`,
  ],
  postgres: [
    "SELECT repeat('x', 600000000) AS v",
    "CREATE VIEW huge AS SELECT repeat('x', 10000000) AS v FROM generate_series(1, 40)",
  ],
  mysql: [
    `SELECT ${Array.from({ length: 40 }, (_, i) => `repeat('x', 16000000) AS v${i}`).join(', ')}`,
    `CREATE VIEW huge AS SELECT repeat('x', 10000000) AS v FROM (SELECT 1 ${'UNION ALL SELECT 1 '.repeat(39)}) AS n`,
  ],
};

describeOnEachDatabase('large responses', (harness) => {
  const queries = hugeResults[harness.underTest.name];
  if (queries === undefined) return;
  const [query, view] = queries;

  harness.beforeTests(async () => {
    await harness.database.run(view);
    await harness.refresh();
  });

  /** Expects that the request is rejected as too large, and that the next request succeeds. */
  async function expectTooLarge(path: string, init: RequestInit = {}): Promise<void> {
    const ask = requestSender(harness.studio);
    const { status, text } = await ask(path, init);
    expect([400, 413, 422], text.slice(0, 300)).toContain(status);
    expect((await ask('/sql', jsonBody({ query: 'SELECT 1 AS one' }))).status).toBe(200);
    expect((await harness.studio.stats()).inUse).toBe(0);
  }

  test('a value that does not fit into memory affects only its own request', async () => {
    await expectTooLarge('/sql', jsonBody({ query }));
  });

  test('a page of rows that exceeds the size limit affects only its own request', async () => {
    await expectTooLarge('/tables/huge/rows?count=none');
    const smallPage = await requestSender(harness.studio)(
      '/tables/huge/rows?count=none&page_size=1',
    );
    expect(smallPage.status, smallPage.text.slice(0, 300)).toBe(200);
  });
});
