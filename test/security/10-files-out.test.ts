/**
 * Exported files run nothing, and their names lead to no other folder (SECURITY.md 10).
 * 01-hostile-catalog.ci.test.ts tests the exports of every database.
 */
import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { writeCsvTable, writeCsvTables } from '../../src/formats/csv/write-rows.ts';
import { writeXlsxTables } from '../../src/formats/xlsx/write-rows.ts';
import { attachment } from '../../src/http/content-disposition.ts';
import { unzip } from '../formats/read-zip.ts';
import { bytesOf, int, nullable, rowsOf, tablesOf, textOf } from '../formats/writing.ts';

/** Texts that a spreadsheet reads as a formula, after any number of apostrophes. */
const formulaStart = /^[=+\-@\t\r]/;
const text = { kind: 'text' } as const;

const riskyText = fc
  .tuple(
    fc.constantFrom('', "'", "''"),
    fc.constantFrom('=', '+', '-', '@', '\t', '\r', 'x', '﹦', '＝'),
    fc.string({ maxLength: 20 }),
  )
  .map((parts) => parts.join(''));

describe('spreadsheet formulas', () => {
  test('no CSV field begins like a formula', async () => {
    await fc.assert(
      fc.asyncProperty(riskyText, async (value) => {
        const file = await textOf(
          writeCsvTable(rowsOf('t', [nullable('v', text)], [[value]]), { formulas: 'guarded' }),
        );
        const [, field = ''] = /^v\r?\n([\s\S]*?)\r?\n$/.exec(file) ?? [];
        expect(field.replace(/^"/, '')).not.toMatch(formulaStart);
      }),
      { numRuns: 200 },
    );
  });

  test('no cell of a workbook is a formula', async () => {
    const rows = ['=1', '+1', '-1', '@x', '\t=1', "'=1"].map((value) => [value]);
    const bytes = await bytesOf(
      writeXlsxTables(tablesOf(rowsOf('t', [nullable('v', text)], rows)), 'guarded'),
    );
    for (const { name, bytes: part } of await unzip(bytes)) {
      expect(part.toString(), name).not.toMatch(/<f[\s>/]/);
      if (name.includes('sheet1')) expect(part.toString()).not.toMatch(/<t[^>]*>[=+@-]/);
    }
  });
});

describe('names of files', () => {
  const invalidName =
    // oxlint-disable-next-line no-control-regex -- control characters are among the forbidden ones
    /[\\/:*?"<>|\u0000-\u001f\u007f]|^\.|[. ]$|^(con|prn|aux|nul|com\d|lpt\d)(\.|$)/i;

  test('of downloads are valid on every system', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary', maxLength: 300 }), (name) => {
        const header = attachment(name);
        expect(header).toMatch(
          /^attachment; filename="[\w. -]+"(; filename\*=UTF-8''[\w.%~!$&+^`|#-]+)?$/,
        );
        const encodedName =
          /filename\*=UTF-8''(.*)$/.exec(header)?.[1] ?? /filename="(.*?)"/.exec(header)?.[1] ?? '';
        expect(decodeURIComponent(encodedName)).not.toMatch(invalidName);
      }),
      { numRuns: 500 },
    );
  });

  test('in archives are valid too, and differ in more than case', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.uniqueArray(
          fc.oneof(
            fc.constantFrom(
              '..',
              '/',
              'CON',
              'con',
              'nul.x',
              'a',
              'A',
              '/etc/x',
              'a/../../b',
              'C:\\x',
            ),
            fc.string({ maxLength: 20 }),
          ),
          { minLength: 1, maxLength: 8 },
        ),
        async (names) => {
          const tables = names.map((name) => rowsOf(name, [nullable('v', int)], [[1]]));
          const files = await unzip(
            await bytesOf(writeCsvTables(tablesOf(...tables), { formulas: 'guarded' })),
          );
          expect(new Set(files.map(({ name }) => name.toLowerCase())).size).toBe(names.length);
          for (const { name } of files)
            expect(name.replace(/\.csv$/, '')).not.toMatch(
              /[\\/:*?"<>|]|^\.\.?$|^(con|nul)(\.|$)/i,
            );
        },
      ),
      { numRuns: 50 },
    );
  });
});
