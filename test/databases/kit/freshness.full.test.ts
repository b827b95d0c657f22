/** The long variant of freshness.test.ts, also on SQLite files in WAL mode. */
import { test } from 'vitest';
import { describeOnEachDatabase } from './bench.ts';
import { checkFreshness } from './freshness.ts';

describeOnEachDatabase('long freshness', (bench) => {
  test('of totals, tags and structure, with another client at work', async () => {
    await checkFreshness(bench, { runs: 12, steps: 40 });
  });

  test('of totals, tags and structure under load', async () => {
    await checkFreshness(bench, { runs: 6, steps: 40, prefix: 'loaded', underLoad: true });
  });

  test('of totals, tags and structure in WAL mode', async (context) => {
    if (bench.subject.name !== 'sqlite') context.skip('SQLite alone has another way to write');
    await bench.native.query('PRAGMA journal_mode = WAL');
    await checkFreshness(bench, { runs: 12, steps: 40, prefix: 'ahead' });
  });
});
