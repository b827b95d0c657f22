/** The long variant of freshness.test.ts, also on SQLite files in WAL mode. */
import { test } from 'vitest';
import { describeOnEachDatabase } from './harness.ts';
import { checkFreshness } from './freshness.ts';

describeOnEachDatabase('what the studio returns is up to date in a long run', (harness) => {
  test('of totals, entity tags and structure, with another client at work', async () => {
    await checkFreshness(harness, { runs: 12, steps: 40 });
  });

  test('of totals, entity tags and structure under load', async () => {
    await checkFreshness(harness, { runs: 6, steps: 40, prefix: 'loaded', underLoad: true });
  });

  test('of totals, entity tags and structure in WAL mode', async (context) => {
    if (harness.underTest.name !== 'sqlite') context.skip('only SQLite has a WAL mode');
    await harness.database.query('PRAGMA journal_mode = WAL');
    await checkFreshness(harness, { runs: 12, steps: 40, prefix: 'ahead' });
  });
});
