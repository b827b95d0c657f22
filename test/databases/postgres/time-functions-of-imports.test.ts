/** Functions of literal times in a script, compared with what the server computes. */
import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { createTestDatabase, usePostgres } from '../../servers/postgres.ts';
import { importDumpFile } from '../importing.ts';

// Skips the tests if there is no server.
usePostgres();

const instants = fc
  .date({ min: new Date('1971-01-01'), max: new Date('2200-01-01'), noInvalidDate: true })
  .map((date) => date.toISOString().slice(0, 19).replace('T', ' '));
const fractions = fc.constantFrom('', '.5', '.123456');
const fields = fc.constantFrom(
  ...'year quarter month day hour minute second doy dow isodow epoch YEARS Months'.split(' '),
);
const dateFields = fc.constantFrom('YYYY-MM-DD', 'DD.MM.YYYY', 'MM/DD/YYYY', 'YYYYMMDD', 'DD Mon YYYY', 'DD-Month-YYYY'); // prettier-ignore
const texts = fc.constantFrom(
  ...'Month FMMonth MONTH month Mon DY Day FMday YYYY-MM-DD HH24:MI:SS DDMMYYYY'.split(' '),
  'YYYY-MM-DD HH24:MI:SS',
  'FMMonth YYYY',
  'FMDay, FMDD.FMMM.FMYYYY',
  'FMHH24:FMMI:FMSS DD.MM.YYYY',
);

const number = fc.oneof(
  fc.tuple(fields, instants, fractions).map(([field, time, fraction]) => `EXTRACT(${field} FROM TIMESTAMP '${time}${fraction}')`), // prettier-ignore
  fc.tuple(fields, instants).map(([field, time]) => `date_part('${field}', '${time}'::timestamp)`),
  fc.tuple(fc.integer({ min: -999, max: 999 }), fc.nat(999), fc.nat(999)).map((parts) => `${parts[0]} + ${parts[1]} * ${parts[2]} - 3`), // prettier-ignore
  fc.tuple(instants, fc.nat(999)).map(([time, factor]) => `EXTRACT(YEAR FROM DATE '${time.slice(0, 10)}') * ${factor}`), // prettier-ignore
);
const text = fc
  .tuple(texts, instants)
  .map(([format, time]) => `to_char('${time}'::timestamp, '${format}')`);

const sqlText = (format: string, instant: string): string => {
  const months = 'January February March April May June July August September October November December'.split(' '); // prettier-ignore
  const [year = '', month = '', day = ''] = instant.slice(0, 10).split('-');
  return format
    .replace('YYYY', year)
    .replace('Month', months[Number(month) - 1]!)
    .replace('Mon', months[Number(month) - 1]!.slice(0, 3))
    .replace('MM', month)
    .replace('DD', day);
};
const time = fc.oneof(
  fc.tuple(dateFields, instants).map(([format, instant]) => `to_date('${sqlText(format, instant)}', '${format}')`), // prettier-ignore
  fc.tuple(dateFields, instants).map(([format, instant]) => `to_timestamp('${sqlText(format, instant)} ${instant.slice(11)}', '${format} HH24:MI:SS')`), // prettier-ignore
);

const row = fc.tuple(number, text, time);

test('the server computes the same values', async () => {
  const database = await createTestDatabase();
  try {
    await fc.assert(
      fc.asyncProperty(fc.array(row, { minLength: 1, maxLength: 20 }), async (rows) => {
        await database.query('DROP TABLE IF EXISTS t, u');
        const values = rows.map((each, id) => `(${id}, ${each.join(', ')})`).join(',\n');
        const columns = '(id int PRIMARY KEY, n numeric, s text, d timestamp)';
        await importDumpFile(
          database.url,
          `CREATE TABLE t ${columns};\nINSERT INTO t VALUES ${values};\n`,
          { dialect: 'postgres' },
        );
        await database.query(`CREATE TABLE u ${columns}`);
        await database.query(`INSERT INTO u VALUES ${values}`);
        const different = await database.query(
          'SELECT t.*, u.n AS un, u.s AS us, u.d AS ud FROM t JOIN u USING (id) WHERE (t.n, t.s, t.d) IS DISTINCT FROM (u.n, u.s, u.d)',
        );
        expect(different.map((each) => [each, rows[Number(each['id'])]])).toEqual([]);
      }),
      { numRuns: 25 },
    );
  } finally {
    await database.drop();
  }
}, 120_000);

test.each([
  "to_date('31.02.2020', 'DD.MM.YYYY')",
  "to_date('2020', 'YYYY')",
  "to_date('1.2.20', 'DD.MM.YY')",
  "to_char(now(), 'J')",
  'EXTRACT(week FROM now())',
  "EXTRACT(hour FROM TIMESTAMPTZ '2020-01-01 00:00:00+00')",
  '1 + 2.5',
  '7 / 2',
  '999999999999999 * 999999999999999',
])('%s is an error of its line', async (expression) => {
  const database = await createTestDatabase();
  try {
    const script = `CREATE TABLE t (v text);\nINSERT INTO t VALUES (${expression});\n`;
    await expect(
      importDumpFile(database.url, script, { dialect: 'postgres' }),
    ).rejects.toMatchObject({ details: { line: 2 } });
  } finally {
    await database.drop();
  }
});
