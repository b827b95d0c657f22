/** Rows above the header that have cells, but no value in them. */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import * as fc from 'fast-check';
import { afterAll, describe, expect, test } from 'vitest';
import { readXlsx } from '../../../src/formats/xlsx/read.ts';
import { columnLetters } from '../../../src/portable/xlsx/read-sheet.ts';
import { previewXlsx } from '../../../ui/src/file-preview/preview-xlsx.ts';
import { buildWorkbook } from '../build-workbook.ts';
import { readAll } from '../run-reader.ts';
import type { ReadFile } from '../run-reader.ts';

const folder = mkdtempSync(join(tmpdir(), 'studio-xlsx-'));
afterAll(() => rmSync(folder, { recursive: true }));

type CellText = string | null;

/** A text that begins with `#` is an error. */
const cellOf = (text: CellText): string => {
  if (text === null) return '<c/>';
  return text.startsWith('#')
    ? `<c t="e"><v>${text}</v></c>`
    : `<c t="inlineStr"><is><t>${text}</t></is></c>`;
};

async function workbookOf(rows: readonly (readonly CellText[])[]): Promise<Buffer> {
  const sheet = rows.map((cells, i) => `<row r="${i + 1}">${cells.map(cellOf).join('')}</row>`);
  return Buffer.from(await buildWorkbook({ sheets: { one: sheet.join('') } }));
}

interface SheetOptions {
  readonly header?: 'present' | 'absent';
  readonly takesUnnamed?: boolean;
}

async function read(
  bytes: Buffer,
  { header, takesUnnamed = true }: SheetOptions = {},
): Promise<ReadFile> {
  const path = join(folder, `${Math.random()}.xlsx`);
  writeFileSync(path, bytes);
  return readAll('any', (context) =>
    readXlsx(
      { name: 'f.xlsx', path, limitBytes: 2 ** 30 },
      {
        ...context,
        mapColumns: (heading) => ({
          ...context.mapColumns(heading),
          takesUnnamed: () => takesUnnamed,
        }),
      },
      {
        sheet: undefined,
        isTableNamed: true,
        formulas: 'guarded',
        onRead: () => undefined,
        header,
      },
    ),
  );
}

const hasText = (text: CellText): boolean => text !== null && text !== '' && !text.startsWith('#');

describe('a row without a value above the header', () => {
  test.each([
    ['of empty texts', ['', ''], []],
    [
      'of errors',
      ['#REF!', '#N/A'],
      [
        'Row 1 contains only errors of the spreadsheet. It is left out, and the names of the columns are read from a row below it.',
      ],
    ],
  ])('%s is not the header', async (_, first, warnings) => {
    const bytes = await workbookOf([first, ['a', 'b'], ['1', '2']]);
    const file = await read(bytes);
    expect(file.rows.map(({ values }) => values)).toEqual([{ a: '1', b: '2' }]);
    expect(file.warnings).toEqual(warnings);
    const { head } = await previewXlsx(new File([new Uint8Array(bytes)], 'f.xlsx'), {});
    expect(head).toMatchObject({ columns: ['a', 'b'], rows: [['1', '2']] });
  });

  test('is not the header of any sheet, and the names are those of the first row with one', async () => {
    const cell = fc.constantFrom<CellText>('', '#REF!', '#N/A', null, 'a', 'b');
    const row = fc.array(cell, { maxLength: 4 });
    await fc.assert(
      fc.asyncProperty(
        fc.array(row, { maxLength: 5 }),
        fc.constantFrom('present', 'absent'),
        fc.boolean(),
        async (rows, header, takesUnnamed) => {
          const file = await read(await workbookOf(rows), { header, takesUnnamed });
          const first = rows.findIndex((cells) => cells.some(hasText));
          if (header === 'absent') {
            if (file.failure !== undefined)
              expect(file.failure).toMatchObject({ code: 'parse_failed' });
          } else if (first === -1) {
            expect(file.failure).toMatchObject({ code: 'parse_failed' });
          } else {
            expect(file.failure).toBeUndefined();
            expect(Math.min(Infinity, ...file.rows.map(({ line = 0 }) => line))).toBeGreaterThan(
              first + 1,
            );
          }
        },
      ),
      { numRuns: 150 },
    );
  });

  test('has columns whose letters are counted from 0', () => {
    expect([0, 25, 26, 701, 702, 16_383].map(columnLetters)).toEqual([
      'A',
      'Z',
      'AA',
      'ZZ',
      'AAA',
      'XFD',
    ]);
    expect(columnLetters(-1)).toBe('');
  });
});
