/** Functions of literal times and variables in a script, compared with what the server computes. */
import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { createTestDatabase, useMariadb } from '../../servers/mariadb.ts';
import { importDumpFile } from '../importing.ts';

// Skips the tests if there is no server.
useMariadb();

const instants = fc
  .date({ min: new Date('1971-01-01'), max: new Date('2200-01-01'), noInvalidDate: true })
  .map((date) => date.toISOString().slice(0, 19).replace('T', ' '));
const formats = ['%Y-%m-%d', '%d.%m.%Y', '%m/%d/%Y', '%Y%m%d', '%d %b %Y', '%d-%M-%Y'];
const months = 'January February March April May June July August September October November December'.split(' '); // prettier-ignore

function textIn(format: string, instant: string): string {
  const [year = '', month = '', day = ''] = instant.slice(0, 10).split('-');
  const name = months[Number(month) - 1]!;
  return format
    .replace('%Y', year)
    .replace('%M', name)
    .replace('%b', name.slice(0, 3))
    .replace('%m', month)
    .replace('%d', day);
}

const number = fc.oneof(
  fc.tuple(fc.constantFrom('YEAR', 'QUARTER', 'MONTH', 'DAY', 'HOUR', 'MINUTE', 'SECOND'), instants).map(([field, time]) => `EXTRACT(${field} FROM '${time}')`), // prettier-ignore
  fc.tuple(fc.constantFrom('YEAR', 'MONTH', 'DAY', 'DAYOFMONTH'), instants).map(([name, time]) => `${name}('${time}')`), // prettier-ignore
  fc.tuple(fc.integer({ min: -999, max: 999 }), fc.nat(999), fc.nat(999)).map((parts) => `${parts[0]} + ${parts[1]} * ${parts[2]} - 3`), // prettier-ignore
  fc.constant('@n + 1'),
);
const text = fc.oneof(
  fc.tuple(fc.constantFrom(...formats, '%W %a', '%H:%i:%s', '%T', '100%%'), instants).map(([format, time]) => `DATE_FORMAT('${time}', '${format}')`), // prettier-ignore
  fc.constant("CONCAT(@s, 'x')"),
);
const time = fc.oneof(
  fc.tuple(fc.constantFrom(...formats), instants).map(([format, instant]) => `STR_TO_DATE('${textIn(format, instant)}', '${format}')`), // prettier-ignore
  fc.tuple(fc.constantFrom(...formats), instants).map(([format, instant]) => `STR_TO_DATE('${textIn(format, instant)} ${instant.slice(11)}', '${format} %H:%i:%s')`), // prettier-ignore
);
const variables = fc.record({
  n: fc.integer({ min: -1000, max: 1000 }),
  s: fc.stringMatching(/^[a-zé;@ ]{0,8}$/),
});

test('the server computes the same values', async () => {
  const database = await createTestDatabase();
  try {
    const rowsWithVariables = fc.record({ variables, row: fc.tuple(number, text, time) });
    await fc.assert(
      fc.asyncProperty(
        fc.array(rowsWithVariables, { minLength: 1, maxLength: 12 }),
        async (rows) => {
          await database.query('DROP TABLE IF EXISTS t');
          await database.query('DROP TABLE IF EXISTS u');
          const columns = '(id int PRIMARY KEY, n decimal(30,6), s varchar(100), d datetime)';
          const statements = (table: string): readonly string[] =>
            rows.flatMap(({ variables: { n, s }, row }, id) => [
              `SET @n = ${n}, @s := '${s}'`,
              `INSERT INTO ${table} VALUES (${id}, ${row.join(', ')})`,
            ]);
          await importDumpFile(
            database.url,
            `CREATE TABLE t ${columns};\n${statements('t').join(';\n')};\n`,
            { dialect: 'mysql' },
          );
          await database.query(`CREATE TABLE u ${columns}`);
          for (let at = 0; at < rows.length; at += 1) {
            const { variables: { n, s }, row } = rows[at]!; // prettier-ignore
            const literal = row.join(', ').replaceAll('@n', String(n)).replaceAll('@s', `'${s}'`);
            await database.query(`INSERT INTO u VALUES (${at}, ${literal})`);
          }
          const different = await database.query(
            'SELECT t.*, u.n AS un, u.s AS us, u.d AS ud FROM t JOIN u USING (id) WHERE NOT (t.n <=> u.n AND t.s <=> u.s AND t.d <=> u.d)',
          );
          expect(different.map((each) => [each, rows[Number(each['id'])]])).toEqual([]);
        },
      ),
      { numRuns: 15 },
    );
  } finally {
    await database.drop();
  }
}, 120_000);

test.each([
  "STR_TO_DATE('31.02.2020', '%d.%m.%Y')",
  "STR_TO_DATE('1.2.20', '%d.%m.%y')",
  "DATE_FORMAT(NOW(), '%j')",
  "EXTRACT(YEAR_MONTH FROM '2020-01-31')",
  'WEEK(NOW())',
  '7 / 2',
  '@unknown',
  '@@version',
])('%s is an error of its line', async (expression) => {
  const database = await createTestDatabase();
  try {
    const script = `CREATE TABLE t (v varchar(99));\nINSERT INTO t VALUES (${expression});\n`;
    await expect(importDumpFile(database.url, script, { dialect: 'mysql' })).rejects.toMatchObject({
      details: { line: 2 },
    });
  } finally {
    await database.drop();
  }
});
