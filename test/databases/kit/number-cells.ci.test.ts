/** Files that store some numbers as such and others as texts with a decimal comma: each keeps its value. */
import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { buildWorkbook } from '../../formats/build-workbook.ts';
import { importFile } from '../importing.ts';
import { describeOnEachDatabase } from './harness.ts';

const fileKinds = ['xlsx', 'json', 'ndjson'] as const;
type FileKind = (typeof fileKinds)[number];

interface Cell {
  readonly digits: string;
  /** The file stores the digits as a number, otherwise as a text with a decimal comma. */
  readonly isNumber: boolean;
}

const digits = fc
  .tuple(fc.integer({ min: 0, max: 9999 }), fc.constantFrom('5', '25', '125', '5005'))
  .map(([whole, fraction]) => `${whole}.${fraction}`);

const rows = 4;

const column = fc.constantFrom('numbers', 'texts', 'both').chain((kind) =>
  fc.array(
    fc.record({
      digits,
      isNumber: kind === 'both' ? fc.boolean() : fc.constant(kind === 'numbers'),
    }),
    { minLength: rows, maxLength: rows },
  ),
);

const files = fc.record({
  kind: fc.constantFrom(...fileKinds),
  columns: fc.array(column, { minLength: 1, maxLength: 3 }),
});

const textOf = ({ digits: text, isNumber }: Cell): string =>
  isNumber ? text : text.replace('.', ',');

function sheetOf(columns: readonly (readonly Cell[])[]): string {
  const inline = (text: string): string => `<c t="inlineStr"><is><t>${text}</t></is></c>`;
  const head = `${inline('row')}${columns.map((_, i) => inline(`c${i}`)).join('')}`;
  const body = Array.from({ length: rows }, (_, row) => {
    const cells = columns.map((cells) => {
      const cell = cells[row]!;
      return cell.isNumber ? `<c><v>${cell.digits}</v></c>` : inline(textOf(cell));
    });
    return `<row><c><v>${row}</v></c>${cells.join('')}</row>`;
  });
  return `<worksheet xmlns="http://schemas.openxmlformats.org/spreadsheetml/2006/main"><sheetData><row>${head}</row>${body.join('')}</sheetData></worksheet>`;
}

async function contentOf(
  kind: FileKind,
  columns: readonly (readonly Cell[])[],
): Promise<string | Uint8Array> {
  if (kind === 'xlsx') return buildWorkbook({ sheets: { one: sheetOf(columns) } });
  const objects = Array.from({ length: rows }, (_, row) => {
    const members = columns.map((cells, i) => {
      const cell = cells[row]!;
      return `"c${i}":${cell.isNumber ? cell.digits : JSON.stringify(textOf(cell))}`;
    });
    return `{"row":${row},${members.join(',')}}`;
  });
  return kind === 'json' ? `[${objects.join(',')}]` : objects.join('\n');
}

describeOnEachDatabase('number cells beside texts with a decimal comma', (harness) => {
  test('keep their values in the table that the file creates', async () => {
    await fc.assert(
      fc.asyncProperty(files, async ({ kind, columns }) => {
        try {
          const file = [`file.${kind}`, await contentOf(kind, columns)] as const;
          const options = { table: 'made', create_table: true, decimal: 'comma' } as const;
          const response = await importFile(harness.database.url, file, options);
          const { tables } = response.schema as unknown as {
            readonly tables: readonly [{ readonly columns: readonly { readonly type: string }[] }];
          };
          for (const [i, cells] of columns.entries()) {
            const type = tables[0].columns[i + 1]?.type ?? '';
            const areNumbers = cells.every(({ isNumber }) => isNumber);
            const areCommaTexts = kind === 'xlsx' && cells.every(({ isNumber }) => !isNumber);
            const name = harness.underTest.dialect.quoteName(`c${i}`);
            const order = harness.underTest.dialect.quoteName('row');
            const stored = await harness.database.query(
              `SELECT ${harness.underTest.exactText(name)} FROM made ORDER BY ${order}`,
            );
            const texts = stored.map(([value]) => String(value));
            const isNumeric = areNumbers || areCommaTexts;
            expect([/text|char/i.test(type), type]).toEqual([!isNumeric, type]);
            if (isNumeric)
              expect(texts.map(Number)).toEqual(cells.map((cell) => Number(cell.digits)));
            else expect(texts).toEqual(cells.map(textOf));
          }
        } finally {
          await harness.dropTables(['made']);
        }
      }),
      { numRuns: 25, endOnFailure: true },
    );
  });
});
