/** Previews of the import page for files that others wrote, judged by what the server reads of them. */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { readCsv } from '../../src/formats/csv/read.ts';
import { readJson } from '../../src/formats/json/read.ts';
import { readNdjson } from '../../src/formats/ndjson/read.ts';
import { readXlsx } from '../../src/formats/xlsx/read.ts';
import { StudioError } from '../../src/model/errors.ts';
import { countRows } from '../../ui/src/file-preview/count-rows.ts';
import { previewCsv } from '../../ui/src/file-preview/preview-csv.ts';
import { previewFile } from '../../ui/src/file-preview/preview-file.ts';
import { previewCells } from '../../ui/src/importing/cell-preview.ts';
import { defaultChoices } from '../../ui/src/importing/import-choices.ts';
import { makeFolder } from '../cli/command.ts';
import { buildWorkbook } from '../formats/build-workbook.ts';
import { readAll, column, sourceOf, table } from '../formats/run-reader.ts';
import type { ColumnType } from '../../src/model/schema.ts';
import type { ReadFile } from '../formats/run-reader.ts';

const CR = '\r';
/** Quotes in the middle of fields, empty lines, and line ends of each kind. */
const csvText = fc
  .array(fc.constantFrom('a', 'b', '1', '"', '""', ',', ';', '\n', '\n', `${CR}\n`, CR, ' ', 'é'), {
    minLength: 1,
    maxLength: 30,
  })
  .map((parts) => parts.join(''));

function rowCount({ rows, errors }: ReadFile): number {
  return new Set([...rows.map(({ number }) => number), ...errors.map(({ row }) => row)]).size;
}

test('finds the arrays of a JSON document that the server finds', async () => {
  const key = fc.constantFrom('a', 'b', 'data', 'items', 'x y');
  const scalar = fc.constantFrom<unknown>(1, null, 'x', {}, [], [1, 2], '}', ',');
  const rows = fc.array(fc.record({ id: fc.constantFrom('1', '}') }), {
    minLength: 1,
    maxLength: 3,
  });
  const { document } = fc.letrec((tie) => ({
    member: fc.oneof({ maxDepth: 3 }, scalar, rows, tie('document')),
    document: fc.dictionary(key, tie('member'), { maxKeys: 3 }),
  }));
  await fc.assert(
    fc.asyncProperty(document, fc.constantFrom(undefined, 1), async (value, indent) => {
      const text = JSON.stringify(value, undefined, indent);
      const { rows: read, failure } = await readAll('any', (context) =>
        readJson(sourceOf(text), context, { createTable: true }),
      );
      const { tables = [] } = await previewFile(new File([text], 'f.json'), 'json', {});
      expect(tables.map(({ part }) => part)).toEqual([...new Set(read.map((row) => row.table))]);
      if (tables.length > 0) expect(failure).toBeUndefined();
    }),
    { numRuns: 300 },
  );
});

test('counts the rows of a CSV file that the server reads', async () => {
  let counted = 0;
  const property = fc.asyncProperty(
    csvText,
    fc.constantFrom('', '\ufeff', 'sep=;\n', '\ufeffsep=;\n'),
    fc.boolean(),
    fc.constantFrom(0, 0, 1, 3),
    async (body, start, hasHeader, skipRows) => {
      const content = start + body;
      const file = await readAll('any', (reading) =>
        readCsv(sourceOf(Buffer.from(content), { name: 'f.csv' }), reading, {
          formulas: 'raw',
          header: hasHeader ? 'present' : 'absent',
          skipRows,
          ...(start.includes('sep') ? {} : { delimiter: ',' }),
        }),
      );
      if (file.failure !== undefined) return;
      const delimiter = start.includes('sep') ? undefined : ',';
      const options = { hasHeader, skipRows, delimiter };
      expect(await countRows(new Blob([content]), 'csv', options)).toBe(rowCount(file));
      counted += 1;
    },
  );
  await fc.assert(property, { numRuns: 500 });
  expect(counted).toBeGreaterThan(50);
});

test('counts the rows of an NDJSON file that the server reads', async () => {
  const line = fc.constantFrom('{"a":1}', '', ' ', CR, `{"a":2}${CR}`, '\t{"a":3} ');
  await fc.assert(
    fc.asyncProperty(fc.array(line), async (lines) => {
      const content = lines.join('\n');
      const target = table('t', [column('a', { kind: 'integer', bits: 32 })]);
      const file = await readAll(
        [target],
        (reading) => readNdjson(sourceOf(Buffer.from(content)), reading, { table: 't' }),
        't',
      );
      expect(file.failure).toBe(undefined);
      expect(await countRows(new Blob([content]), 'ndjson', {})).toBe(file.rows.length);
    }),
  );
});

test('shows each character of a file in another encoding, also the last one', async () => {
  const bytes = fc.array(fc.constantFrom(0x61, 0x2c, 0x0a, 0xe9, 0xc3, 0xa9, 0xe2, 0x82, 0xac), {
    minLength: 1,
    maxLength: 12,
  });
  await fc.assert(
    fc.asyncProperty(bytes, fc.nat(2), async (rest, skipRows) => {
      const content = new Uint8Array(Buffer.from(['a'.charCodeAt(0), 0x0a, ...rest]));
      const source = sourceOf(content, { name: 'f.csv' });
      const { rows, errors, failure } = await readAll('any', (reading) =>
        readCsv(source, reading, { formulas: 'raw', delimiter: ';', skipRows }),
      );
      // The server asks for the encoding of text that is not Western.
      if (failure instanceof StudioError && failure.message.includes('encoding')) return;
      const { head } = previewCsv({ bytes: content, isWhole: true }, { delimiter: ';', skipRows });
      const sample = head.sample ?? [];
      // A byte that is not UTF-8 in a file that is: the server rejects the row, of which the preview shows the rest.
      const valid = sample.filter((row) => !row.join('').includes('\ufffd'));
      expect(valid).toEqual(rows.map(({ values }) => Object.values(values)));
      expect(sample.length - valid.length).toBe(errors.length);
    }),
    { numRuns: 300 },
  );
});

test('shows JSON in UTF-16', async () => {
  for (const [name, content] of [
    ['f.json', '[{"a":"é"},{"a":2}]'],
    ['f.ndjson', '{"a":"é"}\n{"a":2}\n'],
  ] as const) {
    const format = name.slice(2);
    const utf8 = await previewFile(new File([content], name), format, {});
    expect(utf8.head?.rows).toEqual([['é'], ['2']]);
    for (const mark of ['', '\ufeff'])
      for (const swaps of [false, true]) {
        const bytes = Buffer.from(mark + content, 'utf16le');
        if (swaps) bytes.swap16();
        const file = new File([new Uint8Array(bytes)], name);
        expect(await previewFile(file, format, {})).toEqual(utf8);
      }
  }
});

const kinds = ['integer', 'decimal', 'float', 'boolean', 'date', 'timestamp', 'text'] as const;

const workbookCell = fc.oneof(
  fc
    .constantFrom('1,5', '1.234,5', '1,234', '13.12.1956', '01.02.2020', 'ja', 'nein', 'x')
    .map(text),
  fc.constantFrom('N/A', ' N/A ', ' 12 ', "'=1", "''+x", ' ', '1956-12-13').map(text),
  fc.constantFrom('1', '0', '1.5', '45000', '-3').map((digits) => `<c><v>${digits}</v></c>`),
  fc.constantFrom('45000', '45000.5').map((digits) => `<c s="1"><v>${digits}</v></c>`),
  fc.constantFrom('<c t="b"><v>1</v></c>', '<c t="b"><v>0</v></c>'),
);

function text(value: string): string {
  return `<c t="inlineStr"><is><t xml:space="preserve">${value}</t></is></c>`;
}

test('shows the values that the server reads of a workbook', async () => {
  const folder = makeFolder();
  let shown = 0;
  const property = fc.asyncProperty(
    fc.array(workbookCell, { minLength: 1, maxLength: 5 }),
    fc.constantFrom(...kinds),
    fc.record({
      decimal: fc.constantFrom('comma', 'point'),
      dateOrder: fc.constantFrom('DMY', 'MDY'),
      nullText: fc.constantFrom('', 'N/A', '1'),
      trimsTexts: fc.boolean(),
      keepsFormulaApostrophes: fc.boolean(),
    }),
    async (cells, kind, selected) => {
      const content = await buildWorkbook({
        styles: '<styleSheet><cellXfs><xf numFmtId="0"/><xf numFmtId="22"/></cellXfs></styleSheet>',
        sheets: {
          S: `<row>${text('n')}</row>${cells.map((cell) => `<row>${cell}</row>`).join('')}`,
        },
      });
      const path = join(folder, 'f.xlsx');
      writeFileSync(path, content);
      const type = (
        kind === 'integer' || kind === 'float' ? { kind, bits: 64 } : { kind }
      ) as ColumnType;
      const { rows } = await readAll(
        [table('t', [column('n', type)])],
        (reading) =>
          readXlsx({ name: 'f.xlsx', path, limitBytes: 2 ** 30 }, reading, {
            sheet: undefined,
            isTableNamed: true,
            onRead: () => undefined,
            formulas: selected.keepsFormulaApostrophes ? 'raw' : 'guarded',
            decimal: selected.decimal,
            dateOrder: selected.dateOrder,
            nullText: selected.nullText === '' ? undefined : selected.nullText,
            trim: selected.trimsTexts,
          }),
        't',
      );
      const file = new File([new Uint8Array(content)], 'f.xlsx');
      const { head } = await previewFile(file, 'xlsx', {});
      if (head === undefined) throw new Error('The workbook has no preview.');
      const [preview] = previewCells({
        head,
        choices: { ...defaultChoices, ...selected },
        columnOf: () => ({
          name: 'n',
          type: kind,
          kind,
          is_nullable: true,
          is_primary_key: false,
          is_foreign_key: false,
          is_unique: false,
          is_auto_increment: false,
          is_generated: false,
          default_value: '',
          ordinal: 1,
          comment: '',
        }),
        storesAnyText: false,
      })!;
      for (const { number, values } of rows) {
        const cell = preview!(head.rows[number - 1]?.[0] ?? null, head.numbers?.[number - 1]?.[0]);
        expect(cell.error).toBe(undefined);
        expect(comparable(cell.text, kind)).toBe(comparable(values['n'] ?? null, kind));
        shown++;
      }
    },
  );
  await fc.assert(property, { numRuns: 150 });
  expect(shown).toBeGreaterThan(50);
});

/** Numbers are equal if their values are, true is 1, and a timestamp may have a T or no time at midnight. */
function comparable(value: unknown, kind: string): unknown {
  if (value === null) return null;
  const plain = String(value)
    .replace(/^true$/, '1')
    .replace(/^false$/, '0');
  if (kind === 'text') return String(value);
  if (kind === 'timestamp')
    return plain.replace('T', ' ').replace(/^\d{4}-\d\d-\d\d$/, '$& 00:00:00');
  return /^[+-]?[\d.]+$/.test(plain.trim()) ? String(Number(plain)) : plain;
}
