/** Rows without values at the end of a CSV file, which spreadsheet programs write for cells that were once filled. */
import { array, assert, asyncProperty, constantFrom, integer } from 'fast-check';
import { expect, test } from 'vitest';
import { readCsv } from '../../../src/formats/csv/read.ts';
import { previewCsv } from '../../../ui/src/file-preview/preview-csv.ts';
import { countRows } from '../../../ui/src/file-preview/count-rows.ts';
import { readAll, sourceOf } from '../run-reader.ts';
import type { ReadFile } from '../run-reader.ts';

function read(text: string, chunkBytes = Infinity): Promise<ReadFile> {
  const source = sourceOf(text, { name: 'f.csv', chunkBytes });
  return readAll('any', (context) =>
    readCsv(source, context, { formulas: 'guarded', delimiter: ',' }),
  );
}

const blank = ',,';
/** A row of three fields, a blank one, one of empty texts, an empty line, and one that ends with a delimiter. */
const lines = constantFrom('1,x,', blank, blank, blank, '"",,', '', ',,,');

interface Expected {
  readonly rows: readonly { readonly number: number; readonly line: number }[];
  readonly warnings: readonly string[];
}

/** What is to be read of a file with these lines below the header. */
function expectedOf(below: readonly string[]): Expected {
  const all = below
    .map((text, i) => ({ text, line: i + 2 }))
    .filter(({ text }) => text !== '')
    .map(({ text, line }, i) => ({ isBlank: /^,+$/.test(text), number: i + 1, line }));
  const end = all.findLastIndex(({ isBlank }) => !isBlank) + 1;
  const leftOut = all.slice(end);
  const [first] = leftOut;
  const warning =
    leftOut.length === 1
      ? `f.csv: the last row, in line ${first?.line}, has no values and was left out.`
      : `f.csv: the last ${leftOut.length} rows, from line ${first?.line} on, have no values and were left out.`;
  return {
    rows: all.slice(0, end).map(({ number, line }) => ({ number, line })),
    warnings: first === undefined ? [] : [warning],
  };
}

test('leaves out rows without values at the end, and keeps those before other rows', async () => {
  await assert(
    asyncProperty(
      array(lines, { maxLength: 12 }),
      constantFrom('\n', '\r\n'),
      integer({ min: 1, max: 40 }),
      async (below, lineBreak, chunkBytes) => {
        const text = ['a,b,c', ...below].map((line) => line + lineBreak).join('');
        const file = await read(text, chunkBytes);
        const { rows, warnings } = expectedOf(below);
        expect(file.errors).toEqual([]);
        expect(file.rows.map(({ number, line }) => ({ number, line }))).toEqual(rows);
        expect(file.warnings).toEqual(warnings);
        expect(await countRows(new Blob([text]), 'csv', { delimiter: ',' })).toBe(rows.length);
        const shown = previewCsv(
          { bytes: new TextEncoder().encode(text), isWhole: true },
          { delimiter: ',' },
        );
        expect(shown.head.sample).toHaveLength(rows.length);
      },
    ),
    { numRuns: 300 },
  );
});

test('counts many rows without values, and gives them back in batches', async () => {
  const many = `a,b,c\n1,2,3\n${`${blank}\n`.repeat(20_000)}`;
  const left = await read(many, 4096);
  expect(left.rows).toHaveLength(1);
  expect(left.warnings).toEqual([
    'f.csv: the last 20000 rows, from line 3 on, have no values and were left out.',
  ]);
  const followed = await read(`${many}4,5,6\n`, 4096);
  expect(followed.rows).toHaveLength(20_002);
  expect(followed.rows.at(-1)).toMatchObject({ number: 20_002, line: 20_003 });
});

test('keeps the empty lines of a single column, which are its values', async () => {
  const { rows, warnings } = await read('a\n1\n\n\n');
  expect(rows).toHaveLength(3);
  expect(warnings).toEqual([]);
});

test('keeps all rows of a file with more runs of such rows than it counts', async () => {
  const { rows } = await read(`a,b,c\n${`${blank}\n\n`.repeat(3000)}1,2,3\n`);
  expect(rows).toHaveLength(3001);
  expect(rows.map(({ line }) => line)).toEqual([
    ...Array.from({ length: 3000 }, (_, i) => 2 + 2 * i),
    6002,
  ]);
});
