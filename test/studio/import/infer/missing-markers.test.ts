/** Columns of a new table in which a text such as `NA` stands for a missing value. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import BetterSqlite3 from 'better-sqlite3';
import { array, assert, asyncProperty, boolean, constantFrom, pre } from 'fast-check';
import { afterAll, expect, test } from 'vitest';
import { importFile } from '../../../databases/importing.ts';
import type { ImportFileOptions } from '../../../databases/importing.ts';

const folder = mkdtempSync(join(tmpdir(), 'studio-markers-'));
const url = join(folder, 'markers.db');
new BetterSqlite3(url).exec('CREATE TABLE other (a)').close();
afterAll(() => rmSync(folder, { recursive: true, force: true }));

async function typeOf(
  values: readonly string[],
  options: ImportFileOptions = {},
): Promise<{ readonly kind: string; readonly warnings: readonly string[] }> {
  const lines = values.map((value, i) => `${i};${value}\n`).join('');
  const { schema, warnings } = await importFile(url, ['f.csv', `n;v\n${lines}`], {
    create_table: true,
    dry_run: true,
    delimiter: 'semicolon',
    ...options,
  });
  const { tables } = schema as unknown as {
    readonly tables: readonly [
      { readonly columns: readonly { readonly data_type: { readonly kind: string } }[] },
    ];
  };
  return { kind: tables[0].columns[1]!.data_type.kind, warnings };
}

const day = (n: number): string => new Date(Date.UTC(1990, 0, n)).toISOString().slice(0, 10);

/** Values by a number, what a warning calls one and several, and the kind of their type. */
const classes = [
  [(n: number) => `${n - 5}`, 'a number', 'numbers', 'integer'],
  [(n: number) => `${n}.${n % 10}5`, 'a number', 'numbers', 'decimal'],
  [(n: number) => `${n},${n % 10}5`, 'a number', 'numbers', 'decimal'],
  [day, 'a date', 'dates', 'date'],
  [(n: number) => `${day(n)} 10:11:12`, 'a timestamp', 'timestamps', 'timestamp'],
  [(n: number) => String(n % 3 === 0), 'a truth value', 'truth values', 'boolean'],
] as const;
const markers = ['NA', 'NaN', 'N/A', '#N/A', 'NULL', 'null', String.raw`\N`, 'None', '-'];

test('are named with the option that reads them, however many there are', async () => {
  await assert(
    asyncProperty(
      constantFrom(...classes),
      constantFrom(...markers),
      array(boolean(), { minLength: 6, maxLength: 400 }),
      async ([valueOf, one, several, kind], marker, present) => {
        const others = present.filter(Boolean).length;
        const count = present.length - others;
        pre(count > 0 && others > 10);
        const values = present.map((isPresent, i) => (isPresent ? valueOf(i) : marker));
        const more =
          count === 1 ? '' : ` and ${count - 1} other ${count === 2 ? 'value' : 'values'}`;
        const line = present.indexOf(false) + 2;
        const text = await typeOf(values);
        expect(text).toEqual({
          kind: 'text',
          warnings: [
            `Column "v" becomes text, because ${JSON.stringify(marker)} in line ${line}${more} ${count === 1 ? `is not ${one}` : `are not ${several}`} like the other ${others} values; if "${marker}" means that there is no value, set null_text.`,
          ],
        });
        expect(await typeOf(values, { null_text: marker })).toEqual({ kind, warnings: [] });
      },
    ),
    { numRuns: 30 },
  );
});

test('are no exceptions among texts, and several are named', async () => {
  const codes = Array.from({ length: 60 }, (_, i) => ['DE', 'NA', 'FR', '7'][i % 4]!);
  expect(await typeOf(codes)).toEqual({ kind: 'text', warnings: [] });
  const { warnings } = await typeOf(['1', 'NA', '2', 'NULL', '3', 'NA']);
  expect(warnings).toEqual([
    'Column "v" becomes text, because "NA" in line 3 and 2 other values are not numbers like the other 3 values; they seem to mean that there is no value, but null_text is one text, not "NA", "NULL".',
  ]);
});
