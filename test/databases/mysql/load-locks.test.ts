/**
 * InnoDB keeps locks in its buffer pool and ends the whole server when they fill it. A load that is
 * rolled back must stay far below that limit. Otherwise a canceled or killed import would crash the
 * server.
 */
import { setTimeout } from 'node:timers/promises';
import * as fc from 'fast-check';
import { expect, test, vi } from 'vitest';
import { useDatabase } from './open-test-database.ts';
import type { TestDatabase } from '../../servers/mariadb.ts';

const open = useDatabase('SELECT 1');

/** Under REPEATABLE READ, 4,000 rows take 2 MB and more, and the memory grows with the square of the rows. */
const maxLockBytes = 200_000;

const replacements = fc.record({
  rows: fc.integer({ min: 2000, max: 8000 }),
  rowsInStatement: fc.integer({ min: 50, max: 500 }),
  existing: fc.integer({ min: 0, max: 3 }),
  indexed: fc.boolean(),
});

test('undoing loaded rows in a table that was emptied takes little memory for locks', async () => {
  const { server, database } = open();
  const property = fc.asyncProperty(
    replacements,
    async ({ rows, rowsInStatement, existing, indexed }) => {
      await server.query(
        `CREATE TABLE emptied (id int PRIMARY KEY, n int ${indexed ? ', KEY (n)' : ''})`,
      );
      for (let id = 1; id <= existing; id += 1)
        await server.query(`INSERT INTO emptied VALUES (${id}, ${id})`);
      let other: Promise<void> | undefined;
      let hasEnded = false;
      const end = (): void => void (hasEnded = true);
      const isWaiting = async () =>
        (await transactions(server)).some(({ state }) => state === 'LOCK WAIT');
      try {
        await database.transaction('load', async (session) => {
          const run = async (text: string) => session.run({ text, params: [] });
          await run('DELETE FROM emptied');
          await run('SAVEPOINT before_rows');
          for (let first = 0; first < rows; first += rowsInStatement) {
            const values = Array.from(
              { length: rowsInStatement },
              (_, i) => `(${first + i}, ${i})`,
            );
            await run(`INSERT INTO emptied VALUES ${values.join()}`);
          }
          other = server.query('INSERT INTO emptied VALUES (1000000, 1)').then(end, end);
          await vi.waitFor(async () => expect(hasEnded || (await isWaiting())).toBe(true), {
            interval: renewalMs,
            timeout: 4000,
          });
          await run('ROLLBACK TO before_rows');
          await setTimeout(renewalMs);
          const bytes = (await transactions(server)).map((each) => Number(each['bytes']));
          expect(Math.max(...bytes)).toBeLessThan(maxLockBytes);
        });
      } finally {
        await other;
        await server.query('DROP TABLE emptied');
      }
    },
  );
  await fc.assert(property, { numRuns: 6 });
});

/** The server returns cached data if it was queried less than 100 ms ago. */
const renewalMs = 150;

/** The transactions of the test's database. */
function transactions(server: TestDatabase): Promise<readonly Record<string, unknown>[]> {
  return server.query(`SELECT trx_state AS state, trx_lock_memory_bytes AS bytes, trx_isolation_level AS level
    FROM information_schema.innodb_trx JOIN information_schema.processlist ON id = trx_mysql_thread_id
    WHERE db = DATABASE()`);
}

test('a load runs under READ COMMITTED, everything else as the server says', async () => {
  const { server, database } = open();
  await server.query('CREATE TABLE isolated (id int PRIMARY KEY)');
  for (const [mode, level] of [
    ['load', 'READ COMMITTED'],
    ['write', 'REPEATABLE READ'],
    ['sql', 'REPEATABLE READ'],
  ] as const)
    await database.transaction(mode, async (session) => {
      await session.run({ text: 'INSERT INTO isolated VALUES (1)', params: [] });
      const levels = async () => (await transactions(server)).map((each) => each['level']);
      await expect.poll(levels, { interval: renewalMs }).toEqual([level]);
      await session.run({ text: 'DELETE FROM isolated', params: [] });
    });
});
