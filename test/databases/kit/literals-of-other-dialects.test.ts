/** Literals that only one dialect has, in data files for other databases: the same value, or an error with its line. */
import { expect, test } from 'vitest';
import { StudioError } from '../../../src/model/errors.ts';
import { importFile } from '../importing.ts';
import { describeOnEachDatabase } from './harness.ts';
import type { Harness } from './harness.ts';

const tables: Readonly<Record<string, string>> = {
  sqlite: 'b BOOLEAN, bits TEXT, m DECIMAL(10,2), d DATE, ts TIMESTAMP, s TEXT, x BLOB',
  postgres: 'b boolean, bits bit(8), m decimal(10,2), d date, ts timestamp, s text, x bytea',
  mysql: 'b tinyint(1), bits bit(8), m decimal(10,2), d date, ts datetime, s text, x blob',
};

/** How each column is read as text. */
const columns: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  sqlite: { x: 'hex(x)' },
  mysql: { bits: 'LPAD(BIN(bits + 0), 8, 0)', x: 'hex(x)' },
  postgres: { b: 'b::int', x: "upper(encode(x, 'hex'))" },
};

const literals: readonly (readonly [
  dialect: string,
  column: string,
  literal: string,
  value: string,
])[] = [
  ['sqlserver', 'b', "'true'", '1'],
  ['sqlserver', 'b', "N'False'", '0'],
  ['sqlserver', 'b', "'1'", '1'],
  ['postgres', 'b', "'t'", '1'],
  ['postgres', 'b', "'off'", '0'],
  ['sqlserver', 'm', '$1.5', '1.50'],
  ['sqlserver', 'm', '-$1.5', '-1.50'],
  ['sqlserver', 'm', '$1,234.5', 'error'],
  ['sqlserver', 'm', '$1.23456', 'error'],
  ['sqlserver', 'd', '20200203', 'error'],
  ['postgres', 'ts', '20200203', 'error'],
  ['mysql', 'd', '20200203', '2020-02-03'],
  ['mysql', 'ts', '20200203040506', '2020-02-03 04:05:06'],
  ['mysql', 'd', '20201403', 'error'],
  ['mysql', 'bits', "b'00000101'", '00000101'],
  ['postgres', 'bits', "B'00000101'", '00000101'],
  ['mysql', 'x', "b'101'", '05'],
  ['mysql', 'x', "b'110000101'", '0185'],
  ['mysql', 'x', '0x0a0B', '0A0B'],
  ['postgres', 'x', "B'101'", 'error'],
  ['sqlserver', 's', "N'a' + N'b' + CHAR(65)", 'abA'],
  ['sqlserver', 's', "'1' + 0", 'error'],
  ['sqlserver', 's', "'a' + NULL", 'null'],
];

async function outcome(
  { database, underTest }: Harness,
  [dialect, column, literal]: (typeof literals)[number],
): Promise<string> {
  await database.run('DELETE FROM literals');
  const script = `-- ${dialect}\nINSERT INTO literals (${column}) VALUES (${literal});\n`;
  try {
    await importFile(database.url, ['x.sql', script], { fields: { dialect } });
  } catch (error) {
    if (!(error instanceof StudioError)) throw error;
    expect(error.message).toContain('line 2');
    return 'error';
  }
  const read = columns[underTest.name]?.[column] ?? column;
  const length = underTest.name === 'mysql' ? 'CHAR' : 'TEXT';
  const [row] = await database.query(`SELECT CAST(${read} AS ${length}) AS v FROM literals`);
  return String(row?.[0] ?? null);
}

describeOnEachDatabase('literals of other dialects', (harness) => {
  harness.beforeTests(() => harness.database.run(`CREATE TABLE literals (${tables[harness.underTest.name] ?? 's int'})`)); // prettier-ignore

  test.skipIf(!Object.hasOwn(tables, harness.underTest.name))(
    'are computed or rejected',
    async () => {
      const plain = (text: string): string => text.replace(/^(-?\d+\.\d*?)0+$/, '$1');
      for (const each of literals) {
        const [dialect, column, literal, value] = each;
        if (dialect === harness.underTest.name) continue;
        const label = `${dialect} ${column} ${literal}`;
        expect(`${label}: ${plain(await outcome(harness, each))}`).toBe(
          `${label}: ${plain(value)}`,
        );
      }
    },
  );
});
