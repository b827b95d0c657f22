/** Texts for a terminal: generated with the characters that terminals obey. */
import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { errorLine, importText } from '../../src/cli/import-text.ts';
import { pageText, tableText } from '../../src/cli/table-text.ts';
import { cutToWidth, printableLines, printableText, widthOf } from '../../src/cli/terminal-text.ts';

/** What a terminal obeys, by code: C0, DEL, C1, and what changes the direction of a text. */
function controlsIn(text: string): readonly number[] {
  return Array.from(text, (character) => character.codePointAt(0)!).filter(
    (code) =>
      code < 0x20 ||
      (code >= 0x7f && code <= 0x9f) ||
      [0x200e, 0x200f, 0x2028, 0x2029, 0xfeff].includes(code) ||
      (code >= 0x202a && code <= 0x202e) ||
      (code >= 0x2066 && code <= 0x2069) ||
      (code >= 0xd800 && code <= 0xdfff),
  );
}

const hostile = fc
  .array(
    fc.oneof(
      fc.constantFrom('\u001b[31m', '\u009b2J', '\u007f', '\b', '\r', '\n', '\u202e', '\ud800'),
      fc.integer({ min: 0, max: 0x9f }).map((code) => String.fromCharCode(code)),
      fc.string({ unit: 'binary', maxLength: 5 }),
      fc.constantFrom('日本', '한국', '👩‍👩‍👧', '🇩🇪', 'é'),
    ),
    { maxLength: 40 },
  )
  .map((parts) => parts.join(''));

describe('printable text', () => {
  test('has no character that a terminal obeys', () => {
    fc.assert(
      fc.property(hostile, (text) => {
        expect(controlsIn(printableText(text))).toEqual([]);
        expect(controlsIn(printableLines(text).replaceAll('\n', ''))).toEqual([]);
      }),
    );
  });

  test('shows such a character as JSON escapes it', () => {
    expect(printableText('a\tb\nc\u001b[0m\u007f\u009b\u202e\ud800')).toBe(
      String.raw`a\tb\nc\u001b[0m\u007f\u009b\u202e\ud800`,
    );
    expect(printableText('👩‍👩‍👧 ❤️ क्‍ष')).toBe('👩‍👩‍👧 ❤️ क्‍ष');
  });
});

describe('a grid', () => {
  test('has no control character of names or values, and no line wider than the terminal', () => {
    const width = fc.integer({ min: 40, max: 200 });
    const names = fc.uniqueArray(hostile, { minLength: 1, maxLength: 12 });
    fc.assert(
      fc.property(names, fc.array(hostile, { maxLength: 12 }), width, (columns, values, limit) => {
        const row = Object.fromEntries(columns.map((name, i) => [name, values[i] ?? null]));
        const rows = [row, row];
        const grids = [
          tableText(JSON.stringify({ columns, rows }), limit),
          pageText(JSON.stringify({ data: rows, total: 2 }), limit),
        ];
        for (const lines of grids.map((grid) => grid.split('\n'))) {
          expect(lines.flatMap(controlsIn)).toEqual([]);
          // A name is shown up to 60 characters even if a value then exceeds the width.
          const isBlock = lines[0] === 'row 1';
          expect(Math.max(...lines.map(widthOf))).toBeLessThanOrEqual(
            isBlock ? Math.max(limit, 75) : limit,
          );
        }
      }),
    );
  });

  test('is aligned by what terminals show', () => {
    const text = tableText(
      JSON.stringify({
        columns: ['id', 't', 'x'],
        rows: ['日本', 'ｶﾅ', 'é', '👩‍👩‍👧', 'ＡＢ', '한', 'ab'].map((t, id) => ({ id, t, x: 1 })),
      }),
    );
    // As `wcswidth` counts.
    const cells = [4, 2, 1, 2, 4, 2, 2];
    expect(text.split('\n').slice(2, -2)).toEqual(
      ['日本', 'ｶﾅ', 'é', '👩‍👩‍👧', 'ＡＢ', '한', 'ab'].map(
        (t, id) => `${id}  | ${t}${' '.repeat(4 - cells[id]!)} | 1`,
      ),
    );
  });

  test('that is too wide is a line for each column', () => {
    const row = Object.fromEntries(
      Array.from({ length: 9 }, (_, i) => [`column_${i}`, 'x'.repeat(90)]),
    );
    const lines = pageText(JSON.stringify({ data: [row], total: 1 }), 60).split('\n');
    expect(lines[0]).toBe('row 1');
    expect(lines[1]).toBe(`column_0 | ${'x'.repeat(48)}…`);
    expect(lines).toHaveLength(12);
  });

  test('shows what the API marks without its marks', () => {
    const row =
      '{"n":{"$int":"9007199254740993"},"b":{"$base64":"AAEC"},"j":{"$json":{"$int":"1"}},"c":{"$cut":9000,"head":"abc"},"d":{"a":1}}';
    expect(pageText(`{"data":[${row}],"total":1}`).split('\n')[2]).toBe(
      '9007199254740993 | 0x000102 | {"$int":"1"} | abc… | {"a":1}',
    );
  });

  test('has up to 10,000 rows', () => {
    const rows = Array.from({ length: 10_000 }, (_, id) => ({ id }));
    expect(tableText(JSON.stringify({ columns: ['id'], rows })).split('\n')).toHaveLength(10_004);
  });
});

describe('a cut text', () => {
  test('is as wide as allowed at most, and has no half character', () => {
    fc.assert(
      fc.property(hostile, fc.integer({ min: 1, max: 30 }), (text, width) => {
        const printed = printableText(text);
        const cut = cutToWidth(printed, width);
        expect(widthOf(cut)).toBeLessThanOrEqual(width);
        expect(cut.isWellFormed()).toBe(true);
        if (cut !== printed) expect(printed.startsWith(cut.slice(0, -1))).toBe(true);
      }),
    );
  });
});

test('errors of an import name what is in the file without control characters', () => {
  const error = { message: 'no\u001b[31m', table: 't\u009b', line: 2, value: '\u007f' };
  const text = printableLines(importText({ errors: [error], warnings: ['w\u001b'] }));
  expect(controlsIn(text.replaceAll('\n', ''))).toEqual([]);
  expect(printableLines(errorLine(error))).toContain(String.raw`no\u001b[31m`);
});
