import { parse } from 'csv-parse/sync';
import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { readCsv } from '../../src/formats/csv/read.ts';
import { maxRowBytes } from '../../src/formats/row-import.ts';
import { readAll, column, sourceOf, table, textColumn } from './run-reader.ts';
import type { CsvOptions } from '../../src/formats/csv/read.ts';
import type { ReadFile, Tables } from './run-reader.ts';

interface ReadOptions extends Partial<CsvOptions> {
  readonly tables?: Tables;
  readonly chunkBytes?: number;
}

function read(file: string | Uint8Array, options: ReadOptions = {}): Promise<ReadFile> {
  const { tables = 'any', chunkBytes = Infinity, ...csv } = options;
  const source = sourceOf(file, { name: 'f.csv', chunkBytes });
  const requestedTable = tables === 'any' ? undefined : tables[0]?.name;
  return readAll(
    tables,
    (context) => readCsv(source, context, { formulas: 'guarded', ...csv }),
    requestedTable,
  );
}

async function valuesOf(
  file: string | Uint8Array,
  options?: ReadOptions,
): Promise<readonly (readonly unknown[])[]> {
  const { rows, errors, failure } = await read(file, options);
  expect({ errors, failure }).toEqual({ errors: [], failure: undefined });
  return rows.map(({ values }) => Object.values(values));
}

describe('CSV', () => {
  test('distinguishes the empty text from an empty field', async () => {
    expect(await valuesOf('a,b,c\n,"",x\n')).toEqual([[null, '', 'x']]);
  });

  test('allows delimiters, quotes and line breaks within quotes', async () => {
    expect(await valuesOf('a,b\n"x, ""y""","1\n2\r\n3"\n')).toEqual([['x, "y"', '1\n2\r\n3']]);
  });

  test('detects the delimiter if another quote character is set', async () => {
    expect(await valuesOf("a;b\n'x,,,';'1;'\n'y,,,';'2;'\n", { quote: "'" })).toEqual([
      ['x,,,', '1;'],
      ['y,,,', '2;'],
    ]);
  });

  test('leaves out lines before the header, which do not decide the delimiter', async () => {
    const title = fc.constantFrom('', 'Report', 'a,b,c', 'x|y|z', '"of, 2026"', '\t\t\t', 'é; ü');
    await fc.assert(
      fc.asyncProperty(
        fc.array(title, { minLength: 1, maxLength: 4 }),
        fc.constantFrom('\n', '\r\n', '\r'),
        fc.constantFrom('present' as const, 'absent' as const),
        async (titles, lineEnd, header) => {
          const file = 'n;t\n1;x\n2;"y\nz"\n';
          const below = titles.map((line) => line + lineEnd).join('') + file;
          const [plain, titled] = [
            await read(file, { header }),
            await read(below, { header, skipRows: titles.length }),
          ];
          const shift = ({ line = 0, ...row }: ReadFile['rows'][number]) => ({
            ...row,
            line: line + titles.length,
          });
          expect(titled).toEqual({ ...plain, rows: plain.rows.map(shift) });
        },
      ),
    );
    expect((await read('Report\n\na,b\n1,2\n')).errors[0]?.message).toBe(
      'The row has 2 fields; the header has 1. Set skip_rows if the file begins with a title.',
    );
    expect(await read('a\nb\n', { skipRows: 9 })).toMatchObject({
      failure: {
        code: 'parse_failed',
        message: expect.stringContaining('after the lines that skip_rows leaves out') as string,
      },
    });
  });

  test('reads a quote inside an unquoted field as a character', async () => {
    expect(await valuesOf('a,b\n5" x,it"s\n')).toEqual([['5" x', 'it"s']]);
  });

  test.each([
    ['LF', 'a,b\n1,2\n3,4\n'],
    ['CR LF', 'a,b\r\n1,2\r\n3,4\r\n'],
    ['CR', 'a,b\r1,2\r3,4\r'],
    ['all of them, none at the end', 'a,b\r1,2\r\n3,4'],
  ])('accepts lines that end with %s', async (_, file) => {
    expect(await valuesOf(file)).toEqual([
      ['1', '2'],
      ['3', '4'],
    ]);
  });

  test('skips empty lines, except in files with one column', async () => {
    expect(await valuesOf('\na,b\n\n1,2\n\n\n3,4\n\n')).toEqual([
      ['1', '2'],
      ['3', '4'],
    ]);
    expect(await valuesOf('a\n1\n\n""\n')).toEqual([['1'], [null], ['']]);
  });

  test('keeps zero bytes and blanks', async () => {
    expect(await valuesOf('a,b\n x\0y ,\0\n')).toEqual([[' x\0y ', '\0']]);
  });

  test('counts rows and physical lines', async () => {
    const { rows } = await read('a,b\n1,"x\ny"\n\n2,z\r\n3,"\r\n\r"\n4,w');
    expect(rows.map(({ number, line }) => [number, line])).toEqual([
      [1, 2],
      [2, 5],
      [3, 6],
      [4, 9],
    ]);
  });

  test('reports rows with too few or too many fields, and continues', async () => {
    const { rows, errors } = await read('a,b\n1\n2,2\n3,3,3\n4,4\n');
    expect(rows.map(({ number }) => number)).toEqual([2, 4]);
    expect(errors).toEqual([
      {
        code: 'parse_failed',
        message: 'The row has 1 field; the header has 2.',
        table: 'any',
        row: 1,
        line: 2,
      },
      {
        code: 'parse_failed',
        message: 'The row has 3 fields; the header has 2.',
        table: 'any',
        row: 3,
        line: 4,
      },
    ]);
  });

  test('accepts empty fields beyond the header, but not other ones', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(fc.array(fc.constantFrom('', '""', 'x'), { maxLength: 4 }), { minLength: 1 }),
        async (extras) => {
          const lines = extras.map((fields, i) => ['1', String(i), ...fields].join(','));
          const { rows, errors } = await read(`a,b\n${lines.join('\n')}\n`);
          const isEmpty = extras.map((fields) => fields.every((field) => field === ''));
          expect(rows.map(({ values }) => values['b'])).toEqual(
            extras.flatMap((_, i) => (isEmpty[i] === true ? [String(i)] : [])),
          );
          expect(errors.map(({ row }) => row)).toEqual(
            extras.flatMap((_, i) => (isEmpty[i] === true ? [] : [i + 1])),
          );
        },
      ),
    );
  });

  test('reports text after a closing quote', async () => {
    const { rows, errors } = await read('a,b\n"1"x,2\n3,4\n');
    expect(rows).toHaveLength(1);
    expect(errors).toMatchObject([{ code: 'parse_failed', row: 1, line: 2 }]);
  });

  test('reports the position of a quote that is never closed', async () => {
    const { failure } = await read('a,b\n1,2\n3,"4\n5,6\n');
    expect(failure).toMatchObject({ code: 'parse_failed', details: { line: 3, column: 3 } });
  });

  test.each([
    [
      'x\n',
      '1,2\n"3\n4","',
      'the quote that opens on line 4 is not closed within 64 MB, the limit of a row.',
      { line: 4, column: 4 },
    ],
    [
      'x ',
      '1,2\n3,',
      'the row that begins on line 3 is longer than 64 MB, the limit of a row.',
      { line: 3 },
    ],
  ])('rejects a row of %j over the limit', async (content, start, message, details) => {
    const block = Buffer.alloc(8 * 1024 * 1024, content);
    const source = {
      name: 'f.csv',
      async *open() {
        yield Buffer.from(`a,b\n${start}`);
        for (let i = 0; i < 40; i++) yield block;
      },
    };
    const { failure } = await readAll('any', (context) =>
      readCsv(source, context, { formulas: 'raw', encoding: 'utf-8' }),
    );
    expect(failure).toMatchObject({ message: `f.csv: ${message}`, details });
    expect(maxRowBytes).toBeLessThan(40 * block.length);
  });

  test('requires a header', async () => {
    for (const file of ['', '\n\n', '\ufeff']) {
      const { failure } = await read(file);
      expect(failure).toMatchObject({
        code: 'parse_failed',
        message: expect.stringContaining('empty'),
      });
    }
    expect(await valuesOf('a,b\n')).toEqual([]);
    expect(await valuesOf('a,b')).toEqual([]);
  });

  test('reports names in the header that are not columns', async () => {
    const users = table('users', [textColumn('id'), textColumn('name')]);
    const { errors, rows } = await read('id,nmae\n1,x\n', { tables: [users] });
    expect(errors).toMatchObject([
      { code: 'unknown_column', column: 'nmae', line: 1, table: 'users' },
    ]);
    expect(rows.map(({ values }) => values)).toEqual([{ id: '1' }]);
  });

  test('reports every value that its column cannot store', async () => {
    const sums = table('sums', [
      column('a', { kind: 'integer', bits: 16 }),
      column('b', { kind: 'decimal', precision: 8, scale: 2 }),
      textColumn('c'),
    ]);
    const { errors, rows } = await read('a,b,c\n70000,1.2345,x\n1,2,3\n', { tables: [sums] });
    expect(errors).toMatchObject([
      { code: 'invalid_value', column: 'a', row: 1, line: 2 },
      { code: 'invalid_value', column: 'b', row: 1, line: 2 },
    ]);
    expect(rows).toHaveLength(1);
  });

  test('gives NOT NULL text columns the empty text for an empty field', async () => {
    const tables = [
      table('t', [
        column('a', { kind: 'text' }, { nullable: false }),
        column('b', { kind: 'text' }),
        column('c', { kind: 'integer', bits: 32 }, { nullable: false }),
      ]),
    ];
    expect(await valuesOf('a,b,c\n,,\n,,1\n', { tables })).toEqual([
      ['', null, null],
      ['', null, 1],
    ]);
  });
});

describe('the delimiter', () => {
  test.each([',', ';', '\t', '|'])('%j is detected', async (delimiter) => {
    const line = (fields: readonly string[]): string => `${fields.join(delimiter)}\n`;
    const file = line(['a', 'b', 'c']) + line(['1', '2', '3']) + line(['4', '5', '6']);
    expect(await valuesOf(file)).toEqual([
      ['1', '2', '3'],
      ['4', '5', '6'],
    ]);
  });

  test('is the one that splits the header into column names of the table', async () => {
    const tables = [table('t', [textColumn('id'), textColumn('a,b')])];
    expect(await valuesOf('id;a,b\n1;x,y\n', { tables })).toEqual([['1', 'x,y']]);
  });

  test('is the one that splits header and rows into the same number of fields', async () => {
    expect(await valuesOf('a;b\n1,5;2,5\n3,5;4,5\n')).toEqual([
      ['1,5', '2,5'],
      ['3,5', '4,5'],
    ]);
  });

  test('is ignored within quotes', async () => {
    expect(await valuesOf('"a;x","b;y"\n1,2\n')).toEqual([['1', '2']]);
  });

  test('is not needed for one column', async () => {
    expect(await valuesOf('a\nx;y\nz\n')).toEqual([['x;y'], ['z']]);
  });

  test('can be given by the request', async () => {
    expect(await valuesOf('a:b\n1:2\n', { delimiter: ':' })).toEqual([['1', '2']]);
  });

  test('can be given by the first line, as spreadsheets do', async () => {
    const { rows } = await read('sep=^\r\na^b\r\n1^2\r\n');
    expect(rows).toMatchObject([{ line: 3, values: { a: '1', b: '2' } }]);
  });
});

describe('a file that is no text', () => {
  test.each([
    ['an archive of pg_dump, which is no script. Write a script', 'PGDMP\u0001\u000e\0'],
    ['compressed with gzip', '\u001f\u008b\b\0\0'],
    ['compressed with bzip2', 'BZh91AY&SYxyz'],
    ['compressed with xz', '\u00fd7zXZ\0\0'],
    ['compressed with zstd', '(\u00b5/\u00fd'],
    ['a ZIP archive', 'PK\u0003\u0004'],
    ['a SQLite database', 'SQLite format 3\0'],
    ['a backup of SQL Server', 'TAPE\0\0\u0003'],
    ['an old file of Excel', '\u00d0\u00cf\u0011\u00e0\u00a1\u00b1\u001a\u00e1'],
  ])('is named: %s', async (kind, start) => {
    const { failure } = await read(Buffer.from(`${start}rest`, 'latin1'));
    expect(failure).toMatchObject({
      code: 'parse_failed',
      message: expect.stringContaining(`f.csv is ${kind}`),
    });
  });

  test('is known by all of its first bytes', async () => {
    expect(await valuesOf(Buffer.from('PK,BZh9\nTAPE,PGDM\n'))).toEqual([['TAPE', 'PGDM']]);
  });
});

describe('the encoding', () => {
  test('stays UTF-8 if few bytes are invalid, and errors name their line, column and byte', async () => {
    const value = fc.constantFrom('Renée', 'Straße', '日本', 'plain', '"“quoted”"', '\ufffd', '€');
    await fc.assert(
      fc.asyncProperty(
        fc.array(value, { minLength: 12, maxLength: 40 }),
        fc.integer({ min: 0x80, max: 0xff }),
        fc.constantFrom('a', '"x ""', '日'),
        fc.nat(),
        fc.integer({ min: 1, max: 50 }),
        fc.boolean(),
        async (values, byte, before, at, chunkBytes, hasMark) => {
          const marked = ['é', 'ü', ...values];
          const broken = at % marked.length;
          const cells = marked.map((text, i) => {
            const quote = i === broken && before.startsWith('"') ? '"' : '';
            const middle =
              i === broken ? [Buffer.from(before), Buffer.from([byte])] : [Buffer.from(text)];
            return Buffer.concat([Buffer.from(`${i},`), ...middle, Buffer.from(`${quote}\n`)]);
          });
          const mark = hasMark ? '\ufeff' : '';
          const file = Buffer.concat([Buffer.from(`${mark}n,t\n`), ...cells]);
          const { rows, errors, warnings } = await read(file, { chunkBytes });
          expect(rows).toHaveLength(marked.length - 1);
          expect(warnings).toEqual([]);
          expect(errors).toMatchObject([{ code: 'invalid_value', line: broken + 2, column: 't' }]);
          expect(errors[0]?.message).toContain(`the byte 0x${byte.toString(16).toUpperCase()},`);
        },
      ),
      { numRuns: 60 },
    );
  });

  test('is UTF-8 too if a name of the header has an invalid byte', async () => {
    const file = Buffer.concat([
      Buffer.from('n,Gr'),
      Buffer.from([0xf6]),
      Buffer.from('e\n1,é\n2,ü\n'),
    ]);
    expect((await read(file)).failure).toMatchObject({
      message: expect.stringMatching(/^f\.csv, line 1, name 2 of the header: .* the byte 0xF6,/),
    });
  });

  test.each([
    ['utf-16le', [0xff, 0xfe], 2],
    ['utf-16be', [0xfe, 0xff], 2],
    ['utf-32le', [0xff, 0xfe, 0, 0], 4],
    ['utf-32be', [0, 0, 0xfe, 0xff], 4],
  ])('%s is detected with and without a byte order mark', async (name, mark, width) => {
    const text = 'é,b\n1,x\n';
    const bytes = [...text].flatMap((character) => {
      const code = Array.from({ length: width }, () => 0);
      code[name.endsWith('le') ? 0 : width - 1] = character.charCodeAt(0);
      return code;
    });
    for (const file of [Buffer.from(bytes), Buffer.from([...mark, ...bytes])])
      if (width === 2) expect(await valuesOf(file)).toEqual([['1', 'x']]);
      else
        expect((await read(file)).failure).toMatchObject({
          code: 'parse_failed',
          message: 'f.csv is in UTF-32. Save it as UTF-8.',
        });
  });

  const text = 'name,city\nMüller,Łódź\n日本,😀\n';
  const expected = [
    ['Müller', 'Łódź'],
    ['日本', '😀'],
  ];

  test.each([
    ['UTF-8', Buffer.from(text)],
    ['UTF-8 with a byte order mark', Buffer.from(`\ufeff${text}`)],
    ['UTF-16 LE', Buffer.from(`\ufeff${text}`, 'utf16le')],
    ['UTF-16 BE', Buffer.from(`\ufeff${text}`, 'utf16le').swap16()],
    ['UTF-16 LE without a byte order mark', Buffer.from(text, 'utf16le')],
  ])('%s is detected, in chunks of any size', async (_, file) => {
    for (const chunkBytes of [Infinity, 7]) {
      const { rows, warnings, failure } = await read(file, { chunkBytes });
      expect(failure).toBeUndefined();
      expect(warnings).toEqual([]);
      expect(rows.map(({ values }) => Object.values(values))).toEqual(expected);
    }
  });

  test('is Windows-1252 with a warning if bytes at any position are not UTF-8', async () => {
    const rows = `${'x'.repeat(70_000)}\n`;
    const file = Buffer.concat([Buffer.from(`a\n${rows}`), Buffer.from([0xe9, 0x80, 0x0a])]);
    const { rows: found, warnings } = await read(file, { chunkBytes: 1000 });
    expect(found.at(-1)?.values).toEqual({ a: 'é€' });
    expect(warnings).toEqual([expect.stringContaining('windows-1252')]);
  });

  test.each([
    [0xfe, 0xff],
    [0xff, 0xfe],
  ])('is not UTF-16 by a byte order mark alone: %i, %i', async (...mark) => {
    const file = Buffer.concat([Buffer.from(mark), Buffer.from('name,value\nada,1\n')]);
    const { rows, failure } = await read(file);
    expect(rows).toEqual([]);
    expect(failure).toMatchObject({
      code: 'parse_failed',
      message: expect.stringContaining('is not in UTF-16') as string,
    });
    const empty = await read(Buffer.from(mark));
    expect(empty.failure).not.toMatchObject({
      message: expect.stringContaining('UTF-16') as string,
    });
  });

  test('can be given by the request', async () => {
    const file = Buffer.concat([Buffer.from('a\n'), Buffer.from('93fa967b', 'hex')]);
    expect(await valuesOf(file, { encoding: 'shift_jis' })).toEqual([['日本']]);
    const invalid = await read(file, { encoding: 'utf-8' });
    expect(invalid.rows).toEqual([]);
    expect(invalid.errors).toMatchObject([{ line: 2, column: 'a' }]);
    expect((await read(file, { encoding: 'klingon' })).failure).toMatchObject({
      code: 'invalid_parameter',
    });
    expect(
      (await read(Buffer.from([0x61, 0x0a, 0x00, 0xd8]), { encoding: 'utf-16le' })).failure,
    ).toMatchObject({
      code: 'parse_failed',
    });
  });
});

describe('formulas', () => {
  test('lose only the apostrophe of the formula guard', async () => {
    const cells = ["'=1", "'+1", "'-1", "'@x", "'\tx", "''=1", "'plain", "'", '=1', "a'=1"];
    const file = `a,b\n${cells.map((cell) => `"${cell}",1`).join('\n')}\n`;
    const { rows, warnings } = await read(file);
    expect(rows.map(({ values }) => values['a'])).toEqual([
      '=1',
      '+1',
      '-1',
      '@x',
      '\tx',
      "'=1",
      "'plain",
      "'",
      '=1',
      "a'=1",
    ]);
    expect(warnings).toEqual([expect.stringContaining('6 cells')]);
    const raw = await read(file, { formulas: 'raw' });
    expect(raw.rows.map(({ values }) => values['a'])).toEqual(cells);
    expect(raw.warnings).toEqual([]);
  });
});

/** The result of csv-parse, except for empty lines and NULL, which it does not support. */
function parseWithCsvParse(file: string): readonly (readonly (string | null)[])[] {
  return parse(file, {
    bom: true,
    delimiter: ',',
    recordDelimiter: ['\r\n', '\n', '\r'],
    relaxQuotes: true,
    relaxColumnCount: true,
    skipEmptyLines: true,
    cast: (text, { quoting }) => (text === '' && !quoting ? null : text),
  });
}

const field = fc.oneof(
  fc.string({ maxLength: 8 }),
  fc.string({ unit: 'grapheme', maxLength: 6 }),
  fc.constantFrom('', ' ', ',', '"', '\n', '\r\n', '\r', '""', "'=", 'NULL'),
);
const fieldText = fc.tuple(field, fc.boolean()).map(([text, quoted]) => {
  const needsQuotes = quoted || /[",\r\n]/.test(text);
  return needsQuotes ? `"${text.replaceAll('"', '""')}"` : text;
});
const file = fc
  .tuple(
    fc.array(fc.tuple(fieldText, fieldText, fieldText), { minLength: 1, maxLength: 12 }),
    fc.constantFrom('\n', '\r\n', '\r'),
    fc.boolean(),
  )
  .map(([rows, lineEnd, endsWithLine]) => {
    const lines = ['a,b,c', ...rows.map((row) => row.join(','))];
    return lines.join(lineEnd) + (endsWithLine ? lineEnd : '');
  });

describe('any file', () => {
  test('is read as csv-parse reads it', async () => {
    await fc.assert(
      fc.asyncProperty(file, async (text) => {
        const [, ...expected] = parseWithCsvParse(text);
        expect(await valuesOf(text, { formulas: 'raw', delimiter: ',' })).toEqual(expected);
      }),
    );
  });

  test('is read the same in chunks of any size', async () => {
    const anyText = fc.oneof(file, fc.string({ unit: 'binary', maxLength: 60 }));
    await fc.assert(
      fc.asyncProperty(anyText, fc.integer({ min: 1, max: 9 }), async (text, chunkBytes) => {
        const readAtOnce = await read(text, { delimiter: ',' });
        expect(await read(text, { delimiter: ',', chunkBytes })).toEqual(readAtOnce);
      }),
    );
  });
});
