/** Times that a script of MySQL gives relative to that of the import, compared with what the server computes. */
import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { createTestDatabase, useMariadb } from '../../servers/mariadb.ts';
import { importDumpFile } from '../importing.ts';

// Skips the tests if there is no server.
useMariadb();

const units = ['YEAR', 'QUARTER', 'MONTH', 'WEEK', 'DAY', 'HOUR', 'MINUTE', 'SECOND'];
const shift = fc.record({
  sign: fc.constantFrom('+', '-', 'DATE_ADD', 'DATE_SUB'),
  count: fc.integer({ min: 0, max: 300 }),
  quote: fc.constantFrom('', "'"),
  unit: fc.constantFrom(...units),
});

test('scripts of MySQL have the times that the server computes', async () => {
  const database = await createTestDatabase();
  try {
    await fc.assert(
      fc.asyncProperty(fc.array(shift, { minLength: 1, maxLength: 8 }), async (shifts) => {
        const of = (now: string, each: (typeof shifts)[number]): string => {
          const interval = `INTERVAL ${each.quote}${each.count}${each.quote} ${each.unit}`;
          return each.sign.length === 1
            ? `${now} ${each.sign} ${interval}`
            : `${each.sign}(${now}, ${interval})`;
        };
        const rows = shifts.map((each, id) => `(${id}, CURRENT_TIMESTAMP, ${of('CURRENT_TIMESTAMP', each)}, ${of('CURRENT_DATE', each)})`); // prettier-ignore
        await database.query('DROP TABLE IF EXISTS t');
        await importDumpFile(
          database.url,
          `CREATE TABLE t (id int PRIMARY KEY, n datetime, a datetime, b datetime);\nINSERT INTO t VALUES ${rows.join(',')};\n`,
          { dialect: 'mysql' },
        );
        for (const [id, each] of shifts.entries()) {
          const [row] = await database.query(
            `SELECT a = ${of('n', each)} AS a, b = ${of('DATE(n)', each)} AS b FROM t WHERE id = ${id}`,
          );
          expect([Number(row?.['a']), Number(row?.['b'])], JSON.stringify(each)).toEqual([1, 1]);
        }
      }),
      { numRuns: 15 },
    );
  } finally {
    await database.drop();
  }
}, 120_000);
