/** A long statement costs its own request, and ends in the database (security.md 13). */
import { setTimeout as sleep } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { overDatabases } from '../databases/kit/bench.ts';
import { numbered } from '../databases/kit/tables.ts';
import { asking, jsonBody } from './asking.ts';

interface Slow {
  readonly statement: string;
  /** How many of them the database is at; undefined where it tells nobody. */
  readonly running: string | undefined;
}

const slow: Readonly<Record<string, Slow>> = {
  sqlite: {
    statement:
      'WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n) SELECT count(*) FROM n',
    running: undefined,
  },
  postgres: {
    statement: 'SELECT pg_sleep(600)',
    running:
      "SELECT count(*) AS n FROM pg_stat_activity WHERE query LIKE '%pg_sleep(600)%' AND state = 'active' AND pid <> pg_backend_pid()",
  },
  mysql: {
    statement: 'SELECT sleep(600)',
    running:
      "SELECT count(*) AS n FROM information_schema.processlist WHERE info LIKE 'SELECT sleep(600)%'",
  },
};

overDatabases('long statements', (bench) => {
  const found = slow[bench.subject.name];
  if (found === undefined) return;
  const body = jsonBody({ query: found.statement });

  async function expectEnded(): Promise<void> {
    if (found?.running === undefined) return;
    for (;;) {
      const { rows } = await bench.sql(found.running);
      if (Number(rows[0]?.['n']) === 0) return;
      await sleep(50);
    }
  }

  bench.before(() => bench.make([numbered('items', [])]));

  test('ends at its time limit, in the database too, and others are answered meanwhile', async () => {
    const ask = asking(await bench.open({ statementTimeoutMs: 1500 }));
    let isDone = false;
    const long = ask('/sql', body).finally(() => (isDone = true));
    expect((await ask('/tables/items/rows')).status).toBe(200);
    expect((await ask('/config')).status).toBe(200);
    expect(isDone).toBe(false);
    expect(await long).toMatchObject({ status: 504, json: { code: 'statement_timeout' } });
    await expectEnded();
    expect((await ask('/tables/items/rows')).status).toBe(200);
  });

  test('ends with its request, and gives its connection back', async () => {
    const studio = await bench.open();
    const ask = asking(studio);
    for (let i = 0; i < 12; i++) {
      const stop = new AbortController();
      const asked = ask('/sql', { ...body, signal: stop.signal }).catch(() => undefined);
      await sleep(20);
      stop.abort();
      await asked;
    }
    await expectEnded();
    expect((await ask('/tables/items/rows')).status).toBe(200);
    expect((await studio.stats()).inUse).toBe(0);
  });
});
