/** Files whose every field is in quotes, as many programs write them: an empty value is a pair of quotes. */
import { array, constantFrom, sample, tuple } from 'fast-check';
import { expect, test } from 'vitest';
import { importFile } from '../importing.ts';
import { describeOnEachDatabase, failureOf } from './harness.ts';
import { storedRows } from './loading.ts';
import { columnOf, int, name, optional, tableWithId } from './tables.ts';
import type { Arbitrary } from 'fast-check';
import type { ColumnType } from '../../../src/model/schema.ts';

/** The values of a column of one type; undefined for an empty one. */
const columnTypes: readonly { readonly type: ColumnType; readonly texts: readonly string[] }[] = [
  { type: { kind: 'integer', bits: 32 }, texts: ['7', '-12', '40000'] },
  { type: { kind: 'decimal', precision: 6, scale: 2 }, texts: ['1.25', '-0.50'] },
  { type: { kind: 'date' }, texts: ['2024-02-29', '1956-12-13'] },
  { type: { kind: 'timestamp', precision: 0 }, texts: ['2024-02-29 10:00:00'] },
  { type: { kind: 'boolean' }, texts: ['true', 'false'] },
  { type: { kind: 'json' }, texts: ['{"a":1}', '[1]'] },
  { type: name, texts: ['x', 'a "b", c', '7 days'] },
];

const lastColumn = columnTypes.length - 1;

type Cells = readonly (string | undefined)[];

const someRows: Arbitrary<readonly Cells[]> = array(
  tuple(...columnTypes.map(({ texts }) => constantFrom(undefined, ...texts))),
  { minLength: 1, maxLength: 8 },
);

/** With a first row that shows the type of each column. */
function withValues(rows: readonly Cells[]): readonly Cells[] {
  return [columnTypes.map(({ texts }) => texts[0]), ...rows];
}

function csvOf(rows: readonly Cells[], empty: (column: number) => string): string {
  const names = ['id', ...columnTypes.map((_, i) => `c${i}`)];
  const quoted = (text: string): string => `"${text.replaceAll('"', '""')}"`;
  const lines = rows.map((row, id) => [
    quoted(String(id + 1)),
    ...row.map((text, i) => (text === undefined ? empty(i) : quoted(text))),
  ]);
  return [names.map(quoted), ...lines].map((line) => `${line.join(',')}\n`).join('');
}

const quotedEverywhere = (rows: readonly Cells[]): string => csvOf(rows, () => '""');
/** The same rows with NULL as an empty field, which every type has. */
const explicitNulls = (rows: readonly Cells[]): string =>
  csvOf(rows, (column) => (column === lastColumn ? '""' : ''));

describeOnEachDatabase('import of a file that quotes every field', (harness) => {
  const send = (file: string, content: string, options = {}) =>
    importFile(harness.database.url, [file, content], options);
  const seed = Number(process.env['STUDIO_TEST_SEED']);
  const samples = sample(someRows, { numRuns: 4, seed }).map(withValues);

  test('reads NULL where the type of an existing column has no empty text', async () => {
    for (const [run, rows] of samples.entries()) {
      const tables = [`quoted_${run}`, `plain_${run}`];
      await harness.createTables(
        tables.map((table) =>
          tableWithId(
            table,
            columnTypes.map(({ type }, i) => optional(`c${i}`, type)),
          ),
        ),
      );
      const { warnings } = await send('q.csv', quotedEverywhere(rows), { table: tables[0] });
      await send('p.csv', explicitNulls(rows), { table: tables[1] });
      expect(await storedRows(harness, tables[0]!)).toEqual(await storedRows(harness, tables[1]!));
      const count = rows
        .flatMap((row) => row.slice(0, lastColumn))
        .filter((text) => text === undefined).length;
      const counted = warnings.filter((warning) => warning.includes('imported as NULL'));
      expect(counted.map((warning) => Number.parseInt(warning, 10))).toEqual(
        count === 0 ? [] : [count],
      );
    }
  });

  test('infers the types of new columns from the other values', async () => {
    for (const [run, rows] of samples.entries()) {
      const tables = [`new_quoted_${run}`, `new_plain_${run}`];
      const [quoted, plain] = [
        await send('q.csv', quotedEverywhere(rows), { table: tables[0], create_table: true }),
        await send('p.csv', explicitNulls(rows), { table: tables[1], create_table: true }),
      ];
      const typesOf = ({ schema }: typeof quoted): unknown =>
        (schema as unknown as { tables: { columns: unknown }[] }).tables[0]?.columns;
      expect(typesOf(quoted)).toEqual(typesOf(plain));
      await harness.refresh();
      expect(await storedRows(harness, tables[0]!)).toEqual(await storedRows(harness, tables[1]!));
    }
  });

  test('reads NULL in new columns of UUIDs, also where they are stored as texts', async () => {
    const ids = ['123e4567-e89b-12d3-a456-426614174000', '123e4567-e89b-12d3-a456-426614174001'];
    const content = `"id","u"\n"1","${ids[0]}"\n"2",""\n"3","${ids[1]}"\n`;
    await send('u.csv', content, { table: 'of_uuids', create_table: true });
    await harness.refresh();
    const stored = await storedRows(harness, 'of_uuids');
    expect(stored.map(({ u }) => u)).toEqual([ids[0], null, ids[1]]);
  });

  test('rejects an empty value of a column that is NOT NULL', async () => {
    await harness.createTables([tableWithId('must', [columnOf('n', int), optional('t', name)])]);
    const failure = await failureOf(send('m.csv', '"id","n","t"\n"1","",""\n', { table: 'must' }));
    expect(failure.message).toMatch(/line 2: Column "n".* must have a value\./);
  });
});
