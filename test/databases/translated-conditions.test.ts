/**
 * Conditions on dates, times, texts and numbers, translated from one database to another: each holds
 * for the same rows in both, or is not translated.
 */
import Database from 'better-sqlite3';
import * as fc from 'fast-check';
import { Client } from 'pg';
import { createConnection } from 'mysql2/promise';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { translateExpression } from '../../src/sql/translate-expression.ts';
import { useMariadb } from '../servers/mariadb.ts';
import { usePostgres } from '../servers/postgres.ts';
import { columnOf } from '../sql/neutral-schema.ts';
import { databaseKinds } from './registered-databases.ts';
import type { Connection, RowDataPacket } from 'mysql2/promise';
import type { ColumnType } from '../../src/model/schema.ts';
import type { ExpressionSyntax } from '../../src/sql/translate-expression.ts';

const mariadb = useMariadb();
const postgres = usePostgres();

const types: Readonly<Record<string, ColumnType>> = {
  d: { kind: 'date' },
  m: { kind: 'timestamp', precision: 0 },
  t: { kind: 'time', precision: 0 },
  s: { kind: 'text', length: 20 },
  n: { kind: 'integer', bits: 32 },
};
const columns = Object.entries(types).map(([name, type]) => columnOf(name, type));

/** As both servers write them. */
type Row = readonly [d: string, m: string, t: string, s: string, n: number];

let mysql: Connection;
let pg: Client;
const sqlite = new Database(':memory:');
sqlite.exec('CREATE TABLE r (d DATE, m TIMESTAMP, t TIME, s VARCHAR(20), n INT)');

beforeAll(async () => {
  mysql = await createConnection({ uri: mariadb().url });
  pg = new Client({ connectionString: postgres().url });
  await pg.connect();
  await mysql.query('CREATE TABLE r (d date, m datetime, t time, s varchar(20), n int)');
  await pg.query('CREATE TABLE r (d date, m timestamp(0), t time(0), s varchar(20), n int)');
});
afterAll(async () => {
  await mysql.end();
  await pg.end();
  sqlite.close();
});

/** For each row in order: whether the condition is true, false or NULL. */
const evaluate: Readonly<
  Record<string, (condition: string, rows: readonly Row[]) => Promise<readonly unknown[]>>
> = {
  mysql: async (condition, rows) => {
    await mysql.query('DELETE FROM r');
    const found: unknown[] = [];
    for (const row of rows) {
      await mysql.query('INSERT INTO r VALUES (?, ?, ?, ?, ?)', [...row]);
      const [response] = await mysql.query<RowDataPacket[]>(`SELECT (${condition}) AS c FROM r`);
      found.push(truth(response[0]?.['c']));
      await mysql.query('DELETE FROM r');
    }
    return found;
  },
  postgres: async (condition, rows) => {
    const found: unknown[] = [];
    for (const row of rows) {
      await pg.query('DELETE FROM r');
      await pg.query('INSERT INTO r VALUES ($1, $2, $3, $4, $5)', [...row]);
      found.push(truth((await pg.query(`SELECT (${condition}) AS c FROM r`)).rows[0]?.c));
    }
    return found;
  },
  sqlite: async (condition, rows) =>
    rows.map((row) => {
      sqlite.exec('DELETE FROM r');
      sqlite.prepare('INSERT INTO r VALUES (?, ?, ?, ?, ?)').run(...row);
      return truth(sqlite.prepare(`SELECT (${condition}) AS c FROM r`).pluck().get());
    }),
};

function truth(value: unknown): unknown {
  return value === null ? null : Boolean(Number(value));
}

function syntaxOf(name: string): ExpressionSyntax {
  return databaseKinds.find(({ dialect }) => dialect.name === name)!.expressions;
}

const two = (value: number): string => String(value).padStart(2, '0');
const dates = fc
  .tuple(fc.constantFrom(2019, 2020), fc.constantFrom(1, 2, 12), fc.constantFrom(1, 2, 10))
  .map(([year, month, day]) => [year, two(month), two(day)] as const);
const clocks = fc
  .tuple(fc.constantFrom(0, 3, 23), fc.constantFrom(0, 4), fc.constantFrom(0, 5))
  .map((parts) => parts.map(two) as [string, string, string]);
const texts = fc.constantFrom('', '5', '7', '10', 'ab', 'ab ', 'ab  ', '20200102');
const rows: fc.Arbitrary<Row> = fc
  .tuple(dates, clocks, texts, fc.integer({ min: 0, max: 12 }))
  .map(([day, clock, s, n]) => {
    const [d, t] = [day.join('-'), clock.join(':')];
    return [d, `${d} ${t}`, t, s, n];
  });

const dateLiterals = fc
  .tuple(dates, fc.constantFrom('iso', 'digits', 'bare', 'short', 'slashes', 'midnight'))
  .map(([[y, m, d], form]) => {
    const forms: Readonly<Record<string, string>> = {
      iso: `'${y}-${m}-${d}'`,
      digits: `'${y}${m}${d}'`,
      bare: `${y}${m}${d}`,
      short: `'${y}-${Number(m)}-${Number(d)}'`,
      slashes: `'${m}/${d}/${y}'`,
      midnight: `'${y}-${m}-${d} 00:00:00'`,
    };
    return forms[form]!;
  });
const timestampLiterals = fc
  .tuple(dates, clocks, fc.constantFrom('space', 'T', 'digits', 'short', 'fraction'))
  .map(([[y, m, d], clock, form]) => {
    const forms: Readonly<Record<string, string>> = {
      space: `'${y}-${m}-${d} ${clock.join(':')}'`,
      T: `'${y}-${m}-${d}T${clock.join(':')}'`,
      digits: `'${y}${m}${d}${clock.join('')}'`,
      short: `'${y}-${m}-${d} ${clock.slice(0, 2).join(':')}'`,
      fraction: `'${y}-${m}-${d} ${clock.join(':')}.000'`,
    };
    return forms[form]!;
  });
const timeLiterals = clocks.chain((clock) =>
  fc.constantFrom(`'${clock.join(':')}'`, `'${clock.slice(0, 2).join(':')}'`),
);

const operands: fc.Arbitrary<readonly [string, fc.Arbitrary<string>]> = fc.constantFrom(
  ['d', dateLiterals],
  ['m', fc.oneof(timestampLiterals, dateLiterals)],
  ['t', timeLiterals],
  // Without "ab": whether trailing blanks count in comparisons is up to the database.
  ['s', fc.constantFrom('5', "'5'", "'7'", '7.5')],
  ['n', fc.constantFrom('5', "'5'", "'7.0'", "'10'")],
  ['char_length(s)', fc.constantFrom('2', '3', "'2'")],
);
const conditions = operands.chain(([operand, literals]) =>
  fc.oneof(
    fc
      .tuple(fc.constantFrom('=', '<>', '<', '<=', '>', '>='), literals)
      .map(([operator, literal]) => `${operand} ${operator} ${literal}`),
    fc.tuple(literals, literals).map(([low, high]) => `${operand} BETWEEN ${low} AND ${high}`),
    fc.tuple(literals, literals).map((list) => `${operand} IN (${list.join(', ')})`),
    literals.map((literal) => `CASE ${operand} WHEN ${literal} THEN 1 ELSE 0 END = 1`),
  ),
);

describe('a translated condition holds for the same rows', () => {
  const crossings = [
    ['mysql', 'sqlite'],
    ['mysql', 'postgres'],
    ['postgres', 'sqlite'],
    ['postgres', 'mysql'],
    ['sqlite', 'mysql'],
    ['sqlite', 'postgres'],
  ] as const;

  test.each(crossings)('from %s to %s', async (from, to) => {
    const [source, target] = [syntaxOf(from), syntaxOf(to)];
    let translatedCount = 0;
    const check = async (written: string, row: readonly Row[]): Promise<void> => {
      const condition = from === 'sqlite' ? written.replace('char_length', 'length') : written;
      // SQLite compares times as texts, whatever their form.
      if (from === 'sqlite' && /^(?:CASE )?[dmt] /.test(written)) return;
      const expectedResult = await evaluate[from]!(condition, row).catch(() => undefined);
      const options = { from: source, to: target, use: 'check', columns } as const;
      const translated = expectedResult && translateExpression(condition, options);
      if (translated === undefined) return;
      translatedCount += 1;
      expect(await evaluate[to]!(translated, row), `${condition} → ${translated}`).toEqual(
        expectedResult,
      );
    };
    const property = fc.asyncProperty(conditions, fc.array(rows, { minLength: 3, maxLength: 3 }), check); // prettier-ignore
    await fc.assert(property, { numRuns: 150 });
    expect(translatedCount).toBeGreaterThan(20);
  });

  test('is left out if only one database ignores the trailing blanks of a literal', () => {
    const fixed = [columnOf('c', { kind: 'text', length: 5, fixed: true }), ...columns];
    const translate = (text: string, from: string, to: string): string | undefined =>
      translateExpression(text, {
        from: syntaxOf(from),
        to: syntaxOf(to),
        use: 'check',
        columns: fixed,
      });
    expect(translate("c = 'ab '", 'postgres', 'sqlite')).toBeUndefined();
    expect(translate("c IN ('x', 'ab ')", 'postgres', 'sqlite')).toBeUndefined();
    expect(translate("c = 'ab '", 'postgres', 'mysql')).toBe("`c` = 'ab '");
    expect(translate("s = 'ab '", 'postgres', 'mysql')).toBeUndefined();
    expect(translate("s = 'ab '", 'postgres', 'sqlite')).toBe(`"s" = 'ab '`);
    expect(translate("s <> 'ab '", 'mysql', 'postgres')).toBeUndefined();
  });

  test('of SQL Server, whose LEN does not count trailing blanks', () => {
    const translate = (text: string, from: string, to: string): string | undefined =>
      translateExpression(text, {
        from: syntaxOf(from),
        to: syntaxOf(to),
        use: 'check',
        columns,
      });
    expect(translate('LEN(s) > 2', 'sqlserver', 'sqlite')).toBe('length(rtrim("s")) > 2');
    expect(translate('length(s) > 2', 'sqlite', 'sqlserver')).toBe("(LEN([s] + N'x') - 1) > 2");
    expect(translate("d > '20200102'", 'sqlserver', 'sqlite')).toBe(`"d" > '2020-01-02'`);
    expect(translate("d > '01/02/2020'", 'sqlserver', 'sqlite')).toBeUndefined();
    expect(translate("m > '20200102'", 'sqlserver', 'sqlite')).toBe(`"m" > '2020-01-02T00:00:00'`);
    expect(translate('s > 5', 'sqlserver', 'sqlite')).toBeUndefined();
  });
});
