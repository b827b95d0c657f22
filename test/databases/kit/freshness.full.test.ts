/** The same as freshness.test.ts, for longer, on files of SQLite with a log of their own too. */
import { test } from 'vitest';
import { overDatabases } from './bench.ts';
import { checkFreshness } from './freshness.ts';

overDatabases('long freshness', (bench) => {
  test('of totals, tags and structure, with another client at work', async () => {
    await checkFreshness(bench, { runs: 12, steps: 40 });
  });

  test('of the same under load', async () => {
    await checkFreshness(bench, { runs: 6, steps: 40, prefix: 'loaded', underLoad: true });
  });

  test('of the same where the log is written ahead', async (context) => {
    if (bench.subject.name !== 'sqlite') context.skip('SQLite alone has another way to write');
    await bench.native.query('PRAGMA journal_mode = WAL');
    await checkFreshness(bench, { runs: 12, steps: 40, prefix: 'ahead' });
  });
});
