/** The preview of a CSV file on the import page, judged by what the server reads of the file. */
import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { readCsv } from '../../src/formats/csv/read.ts';
import { previewCsv } from '../../ui/src/file-preview/preview-csv.ts';
import { previewCells } from '../../ui/src/importing/cell-preview.ts';
import { defaultChoices, wordsOf } from '../../ui/src/importing/import-choices.ts';
import type { ColumnType } from '../../src/model/schema.ts';
import type { Value } from '../../src/model/values.ts';
import type { Column } from '../../ui/src/api/responses.ts';
import type { FileRow } from '../../ui/src/file-preview/file-preview.ts';
import { readAll, column, sourceOf, table } from '../formats/run-reader.ts';

const delimiters = [',', ';', '\t', '|'] as const;

const text = fc.oneof(
  fc.string({ unit: 'grapheme', maxLength: 6 }),
  fc.constantFrom('', ' ', '"', "'", ',;\t|', 'a\nb', 'a\r\nb', 'é', '€', '\u{1f600}', 'sep=;'),
);
/** Null is a field without any text. */
const field = fc.option(text);

interface CsvFile {
  readonly rows: readonly FileRow[];
  readonly delimiter: string;
  readonly quote: string;
  readonly lineEnd: string;
  readonly encoding: 'utf8' | 'bom' | 'utf16le';
}

const csvFile: fc.Arbitrary<CsvFile> = fc.integer({ min: 1, max: 4 }).chain((width) =>
  fc.record({
    rows: fc.array(fc.array(field, { minLength: width, maxLength: width }), {
      minLength: 1,
      maxLength: 12,
    }),
    delimiter: fc.constantFrom(...delimiters),
    quote: fc.constantFrom('"', "'"),
    lineEnd: fc.constantFrom('\n', '\r\n', '\r'),
    encoding: fc.constantFrom('utf8', 'bom', 'utf16le'),
  }),
);

function bytesOf({ rows, delimiter, quote, lineEnd, encoding }: CsvFile): Uint8Array<ArrayBuffer> {
  const quoted = (value: string): string => quote + value.replaceAll(quote, quote + quote) + quote;
  const names = rows[0]!.map((_, i) => quoted(`column ${i}`));
  const lines = [
    names,
    ...rows.map((row) => row.map((value) => (value === null ? '' : quoted(value)))),
  ].map((fields) => fields.join(delimiter) + lineEnd);
  const content = lines.join('');
  const mark = encoding === 'bom' ? '\ufeff' : '';
  return new Uint8Array(Buffer.from(mark + content, encoding === 'utf16le' ? 'utf16le' : 'utf8'));
}

test('shows the rows that the server reads, also of a part of the file', async () => {
  await fc.assert(
    fc.asyncProperty(csvFile, fc.boolean(), fc.nat(), async (file, knowsDelimiter, cut) => {
      const bytes = bytesOf(file);
      const { quote } = file;
      const options = { quote, ...(knowsDelimiter ? { delimiter: file.delimiter } : {}) };
      const source = sourceOf(bytes, { name: 'f.csv', chunkBytes: Infinity });
      const { rows } = await readAll('any', (reading) =>
        readCsv(source, reading, { formulas: 'raw', ...options }),
      );
      const expected = rows.map(({ values }) => Object.values(values));
      const wholePreview = previewCsv({ bytes, isWhole: true }, options);
      expect(wholePreview.head.sample).toEqual(expected);
      const start = bytes.subarray(0, cut % (bytes.length + 1));
      const part = previewCsv(
        { bytes: start, isWhole: false },
        { ...options, delimiter: wholePreview.delimiter ?? file.delimiter },
      );
      expect(expected.slice(0, part.head.sample?.length ?? 0)).toEqual(part.head.sample);
    }),
  );
});

const types: readonly ColumnType[] = [
  { kind: 'integer', bits: 64 },
  { kind: 'decimal' },
  { kind: 'float', bits: 64 },
  { kind: 'boolean' },
  { kind: 'date' },
  { kind: 'timestamp' },
  { kind: 'text' },
];

const cell = fc.oneof(
  text,
  fc.constantFrom('1,5', '1.234,5', '1.234', '1,234', '1234.5', '-12,25', '007', '0', '1', '-'),
  fc.constantFrom(
    '13.12.1956',
    '01.02.2020',
    '2/3/2021',
    '2021/3/2',
    '31.12.2026 8:05',
    '1956-12-13',
  ),
  fc.constantFrom('ja', 'nein', 'Yes', 'no', 'x', 'true', 'FALSE', 'N/A', ' N/A ', ' 12 ', "'=1"),
);

const choices = fc.record({
  decimal: fc.constantFrom('comma', 'point'),
  dateOrder: fc.constantFrom('DMY', 'MDY', 'YMD'),
  trueWords: fc.constantFrom('', 'x', 'X, ja'),
  falseWords: fc.constantFrom('', '-'),
  nullText: fc.constantFrom('', 'N/A'),
  trimsTexts: fc.boolean(),
});

test('shows the values that the server reads, and its errors', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.array(cell, { minLength: 1, maxLength: 8 }),
      choices,
      fc.constantFrom(...types),
      fc.boolean(),
      async (cells, selected, type, storesAnyText) => {
        const bytes = bytesOf({
          rows: cells.map((value) => [value]),
          delimiter: ',',
          quote: '"',
          lineEnd: '\n',
          encoding: 'utf8',
        });
        const target = table('t', [
          column('column 0', type, storesAnyText ? { dynamic: true } : {}),
        ]);
        const trueWords = wordsOf(selected.trueWords);
        const falseWords = wordsOf(selected.falseWords);
        const { rows, errors, failure } = await readAll(
          [target],
          (reading) =>
            readCsv(sourceOf(bytes), reading, {
              formulas: 'guarded',
              delimiter: ',',
              decimal: selected.decimal,
              dateOrder: selected.dateOrder,
              trueWords,
              falseWords,
              nullText: selected.nullText === '' ? undefined : selected.nullText,
              trim: selected.trimsTexts,
              ofAnyText: new Set([
                'numbers',
                'dates',
                ...((trueWords ?? falseWords) ? (['words'] as const) : []),
              ]),
            }),
          't',
        );
        expect(failure).toBe(undefined);
        const { head } = previewCsv({ bytes, isWhole: true }, { delimiter: ',' });
        const [preview] = previewCells({
          head,
          choices: { ...defaultChoices, ...selected },
          columnOf: () => shownColumn(type.kind),
          storesAnyText,
        })!;
        for (const { number, values } of rows) {
          const shown = preview!(cells[number - 1]!);
          expect(shown.error).toBe(undefined);
          expect(comparable(shown.text)).toBe(comparable(values['column 0'] ?? null));
        }
        // The server also rejects values that no format concerns, such as a text in a number column.
        for (const [i, value] of cells.entries()) {
          const error = errors.find(({ row }) => row === i + 1);
          const shown = preview!(value);
          if (shown.error !== undefined) expect(error?.message).toContain(shown.error);
        }
      },
    ),
  );
});

function shownColumn(kind: string): Column {
  return {
    name: 'column 0',
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
  };
}

/** Numbers are equal if their values are, and true is 1. */
function comparable(value: Value): Value {
  if (value === null || value instanceof Uint8Array) return value;
  const written = typeof value === 'boolean' ? (value ? '1' : '0') : String(value);
  const plain = written === 'true' ? '1' : written === 'false' ? '0' : written;
  return /^[+-]?[\d.]+$/.test(plain.trim()) ? String(Number(plain)) : plain;
}
