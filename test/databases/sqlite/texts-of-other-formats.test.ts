import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { importFile } from '../importing.ts';
import { makeFile, openRaw } from './fixture.ts';

const table = 'CREATE TABLE t (n DECIMAL(10, 2), d DATE, s DATETIME, b BOOLEAN, i INTEGER)';

/** Texts that other formats read as numbers, dates and booleans, which SQLite does not. */
const texts = {
  n: fc.constantFrom('1,5', '1.234,50', '1,234', '-0,5', '1.234.567'),
  d: fc.constantFrom('13.12.1956', '01.02.2020', '1/2/2020', '2020.01.02', '31.02.2020'),
  s: fc.constantFrom('13.12.1956 10:00', '01/02/2020 1:05', '2020/01/02'),
  b: fc.constantFrom('ja', 'nein', 'oui', 'wahr', 'vielleicht'),
  i: fc.constantFrom('1,0', '12,5', '1.234.567'),
};
const row = fc.record(texts);
type TextRow = { readonly [name in keyof typeof texts]: string };
const names = ['n', 'd', 's', 'b', 'i'] as const;

function csvOf(rows: readonly TextRow[]): string {
  return [names, ...rows.map((one) => names.map((name) => one[name]))]
    .map((fields) => fields.map((field) => `"${field}"`).join(','))
    .join('\n');
}

function storedIn(path: string): unknown[] {
  return openRaw(path).prepare('SELECT * FROM t ORDER BY rowid').all();
}

describe('texts in columns of numbers, dates and booleans', () => {
  test('are imported as they are, with warnings that name the options', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(row, { minLength: 1, maxLength: 5 }), async (rows) => {
        const path = makeFile(table);
        const { warnings } = await importFile(path, ['t.csv', csvOf(rows)], { table: 't' });
        expect(storedIn(path)).toEqual(rows);
        expect(warnings.join('\n')).toMatch(/date_order[^]*true_words/);
      }),
      { numRuns: 20 },
    );
  });

  test('are values if the request names their formats', async () => {
    const path = makeFile(table);
    const rows = [{ n: '1.234,50', d: '13.12.1956', s: '01.02.2020 10:00', b: 'ja', i: '12' }];
    await importFile(path, ['t.csv', csvOf(rows)], {
      table: 't',
      decimal: 'comma',
      date_order: 'DMY',
      true_words: 'ja',
    });
    expect(storedIn(path)).toEqual([
      { n: 1234.5, d: '1956-12-13', s: '2020-02-01 10:00', b: 1, i: 12 },
    ]);
  });

  test.each([
    ['31.02.1999', /"31\.02\.1999" is not a date\. Errors/],
    ['12.02.99', /"12\.02\.99" is not a date\. Years have four digits\. Errors/],
  ])('that are no date, such as %s, are rejected with the reason', async (text, message) => {
    const importing = importFile(makeFile(table), ['t.csv', `d\n${text}\n`], {
      table: 't',
      date_order: 'DMY',
    });
    await expect(importing).rejects.toThrow(message);
  });
});
