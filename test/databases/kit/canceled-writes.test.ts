/** Writes that end while they wait or run, at any place: the error of each says what the database has. */
import { setTimeout as sleep } from 'node:timers/promises';
import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { StudioError } from '../../../src/model/errors.ts';
import { describeOnEachDatabase } from './harness.ts';
import type { OperationName } from '../../../src/studio/execution/operations.ts';
import type { Studio } from '../../../src/studio/studio.ts';

type Write = (n: number) => readonly [OperationName, object];

/** Each adds the row `n`, or marks the row `-n` that exists. */
const writes: Readonly<Record<string, Write>> = {
  insert: (n) => ['create-row', { table: 'items', body: JSON.stringify({ id: n, mark: 1 }) }],
  update: (n) => ['update-row', { table: 'items', id: String(-n), body: '{"mark": 1}' }],
  change: (n) => [
    'change-rows',
    { table: 'items', body: JSON.stringify({ update: [{ id: String(-n), values: { mark: 1 } }] }) },
  ],
  'SQL insert': (n) => ['run-sql', sqlBody(`INSERT INTO items (id, mark) VALUES (${n}, 1)`)],
  'SQL update': (n) => ['run-sql', sqlBody(`UPDATE items SET mark = 1 WHERE id = ${-n}`)],
};

/** Reads that take longer than any test, and hold the whole share of raw SQL. */
const endlessReads: Readonly<Record<string, string>> = {
  sqlite: 'WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n) SELECT count(*) FROM n',
  postgres: 'SELECT pg_sleep(100)',
  mysql: 'SELECT SLEEP(100)',
};

interface CanceledWrite {
  readonly kind: string;
  readonly canceledAfter?: number | undefined;
}

const canceledWrite = fc.record({
  kind: fc.constantFrom(...Object.keys(writes)),
  /** In milliseconds after the start; -1 is before it. */
  canceledAfter: fc.option(fc.integer({ min: -1, max: 60 }), { nil: undefined }),
});

const scenario = fc.record({
  isOccupied: fc.boolean(),
  sent: fc.array(canceledWrite, { minLength: 4, maxLength: 16 }),
});

function sqlBody(query: string): object {
  return { body: JSON.stringify({ query }) };
}

function shuttingDown(): StudioError {
  return new StudioError('database_unavailable', 'The studio is shutting down.');
}

async function outcomeOf(work: Promise<unknown>): Promise<string> {
  return work.then(
    () => 'written',
    (error: unknown) =>
      error instanceof StudioError ? `${error.code}: ${error.message}` : String(error),
  );
}

const known: readonly [said: RegExp, isWritten: boolean][] = [
  [/^written$/, true],
  [/^database_unavailable: .*; it was written\.$/, true],
  [/^database_(?:unavailable|busy): .*; nothing was written\.$/, false],
];

describeOnEachDatabase('canceled writes', (harness) => {
  harness.beforeTests(async () => {
    await harness.database.run('CREATE TABLE items (id INTEGER PRIMARY KEY, mark INTEGER)');
  });

  /** Performs all at once, and compares what their responses say with what the database has. */
  const expectTruth = async (sent: readonly CanceledWrite[], perform: Perform): Promise<void> => {
    const { database } = harness;
    await database.run('DELETE FROM items');
    const marked = sent.map((_, i) => ({ id: -i - 1, mark: 0 }));
    await harness.insertRows('items', marked);
    const outcomes = await Promise.all(
      sent.map(({ kind, canceledAfter }, i) =>
        outcomeOf(perform(...writes[kind]!(i + 1), canceledAfter)),
      ),
    );
    const rows = await database.query('SELECT id FROM items WHERE mark = 1');
    const ids = new Set(rows.map(([id]) => Math.abs(Number(id))));
    const wrong = outcomes.filter((outcome, i) => {
      if (outcome.endsWith('check whether it was written.')) return false;
      return !known.some(([said, isWritten]) => said.test(outcome) && isWritten === ids.has(i + 1));
    });
    expect(wrong).toEqual([]);
  };

  test('say whether they were written', async () => {
    const { studio, underTest } = harness;
    const property = fc.asyncProperty(scenario, async ({ isOccupied, sent }) => {
      const endReads = new AbortController();
      const reads = isOccupied ? occupy(studio, underTest.name, endReads.signal) : [];
      // Without an end, writes would wait as long as the reads.
      const latest = isOccupied ? 60 : undefined;
      await expectTruth(sent, (name, input, canceledAfter = latest) =>
        studio.perform(name, input, { signal: abortedAfter(canceledAfter) }),
      );
      endReads.abort(shuttingDown());
      await Promise.all(reads);
    });
    await fc.assert(property, { numRuns: 25 });
  });

  test('say so too if the studio is closed', async () => {
    const property = fc.asyncProperty(
      fc.array(canceledWrite, { minLength: 4, maxLength: 16 }),
      fc.integer({ min: 0, max: 40 }),
      async (sent, closedAfter) => {
        const studio = await harness.openStudio();
        const closed = sleep(closedAfter).then(() => studio.close());
        await expectTruth(sent, async (name, input, startedAfter = 0) => {
          await sleep(Math.max(0, startedAfter));
          return studio.perform(name, input);
        });
        await closed;
      },
    );
    await fc.assert(property, { numRuns: 10 });
  });
});

type Perform = (
  name: OperationName,
  input: object,
  canceledAfter: number | undefined,
) => Promise<unknown>;

function occupy(studio: Studio, name: string, signal: AbortSignal): Promise<string>[] {
  const read = sqlBody(endlessReads[name]!);
  return Array.from({ length: 8 }, () => outcomeOf(studio.perform('run-sql', read, { signal })));
}

function abortedAfter(ms: number | undefined): AbortSignal {
  const controller = new AbortController();
  const abort = (): void => controller.abort(shuttingDown());
  if (ms === -1) abort();
  else if (ms !== undefined) setTimeout(abort, ms);
  return controller.signal;
}
