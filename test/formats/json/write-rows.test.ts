import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { writeJsonTable, writeJsonTables } from '../../../src/formats/json/write-rows.ts';
import { writeNdjsonTable, writeNdjsonTables } from '../../../src/formats/ndjson/write-rows.ts';
import { int, nullable, rowsOf, tablesOf, textOf } from '../writing.ts';

const columns = [nullable('id', int), nullable('v')];
const tableOfTwoRows = () =>
  rowsOf('t', columns, [
    [1, 'a'],
    [2, null],
  ]);

describe('a document of rows', () => {
  test('has one row per line', async () => {
    const tables = tablesOf(
      rowsOf('none', columns, []),
      tableOfTwoRows(),
      rowsOf('"x"', columns, [[3, '']]),
    );
    expect(await textOf(writeJsonTables(tables))).toBe(
      [
        '{',
        '"none": [],',
        '"t": [',
        '{"id":1,"v":"a"},',
        '{"id":2,"v":null}',
        '],',
        String.raw`"\"x\"": [`,
        '{"id":3,"v":""}',
        ']',
        '}',
        '',
      ].join('\n'),
    );
  });

  test('can be empty', async () => {
    expect(await textOf(writeJsonTables(tablesOf()))).toBe('{}\n');
    expect(await textOf(writeJsonTable(rowsOf('t', columns, [])))).toBe('[]\n');
  });

  test('of any rows parses to the same rows', async () => {
    const row = fc.tuple(fc.option(fc.maxSafeInteger()), fc.option(fc.string({ unit: 'binary' })));
    await fc.assert(
      fc.asyncProperty(fc.array(row, { maxLength: 8 }), async (rows) => {
        const expected = rows.map(([id, v]) => ({ id, v }));
        const document = await textOf(writeJsonTables(tablesOf(rowsOf('t', columns, rows))));
        expect(JSON.parse(document)).toEqual({ t: expected });
        const lines = await textOf(writeNdjsonTable(rowsOf('t', columns, rows)));
        const parsed = lines
          .split('\n')
          .slice(0, -1)
          .map((line) => JSON.parse(line) as unknown);
        expect(parsed).toEqual(expected);
      }),
    );
  });
});

describe('lines of rows', () => {
  test('name their table', async () => {
    expect(await textOf(writeNdjsonTables(tablesOf(tableOfTwoRows())))).toBe(
      '{"table":"t","row":{"id":1,"v":"a"}}\n{"table":"t","row":{"id":2,"v":null}}\n',
    );
  });

  test('stay single lines if stored JSON has line breaks', async () => {
    const rows = rowsOf('t', [nullable('j', { kind: 'json' })], [['{\n  "a": "\\n"\r\n}']]);
    expect(await textOf(writeNdjsonTable(rows))).toBe('{"j":{   "a": "\\n"  }}\n');
  });
});
