/**
 * A text field converts every line end to a line feed. Edits nevertheless keep the stored line ends
 * of other lines.
 */
import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { readEdited } from '../../ui/src/editing/cell-editor/typed-text.ts';
import type { Column } from '../../ui/src/api/responses.ts';

const line = fc.string({ unit: fc.constantFrom('a', 'b', ' '), minLength: 1, maxLength: 3 });
const end = fc.constantFrom('\n', '\r\n', '\r');
const lines = fc.array(fc.tuple(line, end), { maxLength: 5 });
const column = { name: 't', kind: 'text' } as Column;

const joined = (parts: readonly (readonly [string, string])[]): string =>
  parts.map(([words, ends]) => `${words}${ends}`).join('');
const shown = (text: string): string => text.replaceAll(/\r\n?/g, '\n');

function edit(stored: string, text: string): unknown {
  return readEdited(text, { text: stored, isOneLine: false }, { column, replaced: stored });
}

test('an insertion within a line keeps all line ends', () => {
  fc.assert(
    fc.property(lines, line, lines, (before, middle, after) => {
      const [start, rest] = [joined(before), joined(after)];
      const stored = `${start}${middle}${rest}`;
      const text = `${shown(start)}${middle}X${shown(rest)}`;
      expect(edit(stored, text)).toEqual({ value: `${start}${middle}X${rest}` });
    }),
  );
});

test('after lines are inserted and deleted, the text is that of the field, with the stored line ends', () => {
  fc.assert(
    fc.property(lines, lines, lines, (before, middle, after) => {
      const unique = middle.map(([words, ends], i) => [`${words}${i}!`, ends] as const);
      const [start, rest] = [joined(before), `end${joined(after)}`];
      const [without, withLines] = [`${start}${rest}`, `${start}${joined(unique)}${rest}`];
      expect(edit(withLines, shown(without))).toEqual({ value: without });
      const { value } = edit(without, shown(withLines)) as { value: string };
      expect(shown(value)).toBe(shown(withLines));
      expect(value.startsWith(start)).toBe(true);
      expect(value.endsWith(rest)).toBe(true);
    }),
  );
});
