/** Edits in a text field, which turns every line end into a line feed, leave the other line ends as they are stored. */
import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { readEdited } from '../../ui/src/editing/typed-text.ts';
import type { Column } from '../../ui/src/api/answers.ts';

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

test('an insertion within a line leaves all line ends', () => {
  fc.assert(
    fc.property(lines, line, lines, (before, middle, after) => {
      const [start, rest] = [joined(before), joined(after)];
      const stored = `${start}${middle}${rest}`;
      const text = `${shown(start)}${middle}X${shown(rest)}`;
      expect(edit(stored, text)).toEqual({ value: `${start}${middle}X${rest}` });
    }),
  );
});

test('inserted and deleted lines leave the text that a field would show, with stored line ends', () => {
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
