/** Numbers of a workbook are doubles, however many digits the program that wrote it gives them. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import BetterSqlite3 from 'better-sqlite3';
import * as fc from 'fast-check';
import { afterAll, expect, test } from 'vitest';
import { importFile } from '../databases/importing.ts';
import { buildWorkbook } from './build-workbook.ts';

const folder = mkdtempSync(join(tmpdir(), 'studio-numbers-'));

afterAll(() => rmSync(folder, { recursive: true, force: true }));

const fractions = fc
  .double({ min: -1e6, max: 1e6, noNaN: true })
  .filter((n) => n % 1 !== 0 && Math.abs(n) > 0.001);

test.each([15, 16, 17])('with %i digits become a column of doubles', async (precision) => {
  let count = 0;
  await fc.assert(
    fc.asyncProperty(fc.array(fractions, { minLength: 1, maxLength: 40 }), async (numbers) => {
      const written = numbers.map((number) => number.toPrecision(precision));
      const rows = written.map((digits) => `<row><c><v>${digits}</v></c></row>`);
      const sheet = `<worksheet xmlns="http://schemas.openxmlformats.org/spreadsheetml/2006/main"><sheetData><row><c t="inlineStr"><is><t>n</t></is></c></row>${rows.join('')}</sheetData></worksheet>`;
      const url = join(folder, `${precision}-${count++}.db`);
      const database = new BetterSqlite3(url);
      try {
        const { warnings } = await importFile(
          url,
          ['numbers.xlsx', await buildWorkbook({ sheets: { numbers: sheet } })],
          { create_table: true },
        );
        expect(warnings).toEqual([]);
        const stored = database.prepare('SELECT n FROM numbers ORDER BY rowid').pluck().all();
        expect(stored).toEqual(written.map(Number));
      } finally {
        database.close();
      }
    }),
    { numRuns: 15 },
  );
});
