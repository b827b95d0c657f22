/** Times that a script gives relative to that of the import, compared with what the server computes. */
import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import {
  instantOf,
  intervalOfText,
  negative,
  truncateTime,
  withStep,
} from '../../../src/formats/sql/values/shifted-time.ts';
import { units } from '../../../src/formats/sql/values/time-step.ts';
import { createTestDatabase, usePostgres } from '../../servers/postgres.ts';
import { importDumpFile } from '../importing.ts';
import type { NowValue } from '../../../src/formats/sql/values/shifted-time.ts';

// Skips the tests if there is no server.
usePostgres();

const unit = fc.constantFrom(...units.flatMap((name) => [name, `${name}s`, name.toUpperCase()]));
const interval = fc
  .uniqueArray(fc.tuple(fc.integer({ min: -400, max: 400 }), unit), {
    minLength: 1,
    maxLength: 3,
    // The server rejects a unit that is repeated.
    selector: ([, name]) => name.toLowerCase().replace(/s$/, ''),
  })
  .map((parts) => parts.map(([count, name]) => `${count} ${name}`).join(' '));
const step = fc.oneof(
  fc.record({ sign: fc.constantFrom('+', '-'), interval }),
  fc.record({ truncate: fc.constantFrom(...units) }),
);
const base = fc.date({
  min: new Date('1900-01-01'),
  max: new Date('2100-01-01'),
  noInvalidDate: true,
});

test('the server computes the same times', async () => {
  const database = await createTestDatabase();
  try {
    await fc.assert(
      fc.asyncProperty(base, fc.array(step, { maxLength: 4 }), async (date, steps) => {
        const now = new Date(Math.floor(date.getTime() / 1000) * 1000);
        let value: NowValue = { kind: 'now', part: 'timestamp' };
        let sql = `timestamp '${now.toISOString().slice(0, 19)}'`;
        for (const each of steps)
          if ('truncate' in each) {
            value = truncateTime([{ kind: 'text', raw: each.truncate }, value]) as NowValue;
            sql = `date_trunc('${each.truncate}', ${sql})`;
          } else {
            const read = intervalOfText(each.interval)!;
            value = withStep(value, each.sign === '-' ? negative(read) : read);
            sql = `(${sql} ${each.sign} interval '${each.interval}')`;
          }
        const [row] = await database.query(`SELECT to_char(${sql}, 'YYYY-MM-DD HH24:MI:SS') AS v`);
        const found = instantOf(now, value).toISOString().slice(0, 19).replace('T', ' ');
        expect(found).toBe(row?.['v']);
      }),
      { numRuns: 100 },
    );
  } finally {
    await database.drop();
  }
}, 60_000);

test.each([
  ["now() - interval '1:30'", 'interval'],
  ["now() - interval '1 fortnight'", 'fortnight'],
  ['now() - 1', 'number and time'],
  ["current_time + interval '1 hour'", 'time of day'],
])('%s is an error of its line (%s)', async (expression) => {
  const database = await createTestDatabase();
  try {
    const text = `CREATE TABLE t (v timestamp);\nINSERT INTO t VALUES (${expression});\n`;
    await expect(importDumpFile(database.url, text, { dialect: 'postgres' })).rejects.toMatchObject(
      {
        code: 'parse_failed',
        details: { line: 2 },
      },
    );
  } finally {
    await database.drop();
  }
});

test('scripts of PostgreSQL have them', async () => {
  const database = await createTestDatabase();
  try {
    const values = ["now() - interval '3 days'", 'current_date - 3', "date_trunc('day', now()) - interval '1' month"]; // prettier-ignore
    const text = `CREATE TABLE t (a timestamp, b date, c timestamp);\nINSERT INTO t VALUES (${values.join(', ')});\n`;
    await importDumpFile(database.url, text, { dialect: 'postgres' });
    const [row] = await database.query(
      `SELECT a::date = b AS same, c = date_trunc('day', a + interval '3 days') - interval '1 month' AS truncated FROM t`,
    );
    expect(row).toEqual({ same: true, truncated: true });
  } finally {
    await database.drop();
  }
});
