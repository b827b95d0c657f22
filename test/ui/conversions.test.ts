/** The conversion that the import page offers for a text that SQLite would store as it is. */
import { expect, test } from 'vitest';
import { previewCells } from '../../ui/src/importing/cell-preview.ts';
import { defaultChoices } from '../../ui/src/importing/import-choices.ts';
import type { Column } from '../../ui/src/api/responses.ts';

function conversionOf(kind: string, texts: readonly string[], at: number): unknown {
  const sample = texts.map((text) => [text]);
  const [preview] =
    previewCells({
      head: { columns: ['c'], rows: sample, sample },
      choices: defaultChoices,
      columnOf: () => ({ name: 'c', type: kind, kind, is_nullable: true }) as Column,
      storesAnyText: true,
    }) ?? [];
  return preview?.(texts[at] ?? null).conversion;
}

test.each([
  ['decimal', ['1,234.5', 'abc'], 0, { text: '1234.5', choices: { decimal: 'point' } }],
  ['decimal', ['1,5', 'abc', '3,25'], 0, { text: '1.5', choices: { decimal: 'comma' } }],
  ['decimal', ['1,5', 'abc', '3,25'], 1, undefined],
  ['decimal', ['1,234', 'abc'], 0, undefined],
  ['date', ['2020-01-02', '31.12.2020'], 1, { text: '2020-12-31', choices: { dateOrder: 'DMY' } }],
  ['date', ['2020-01-02', '01.02.2020'], 1, undefined],
  [
    'timestamp',
    ['2024-01-02 01:02:03+00'],
    0,
    { text: '2024-01-02 01:02:03+00:00', choices: { dateOrder: 'YMD' } },
  ],
  ['boolean', ['ja', 'vielleicht'], 0, { text: 'true', choices: { trueWords: 'ja' } }],
  ['boolean', ['vielleicht', 'Nein'], 1, { text: 'false', choices: { falseWords: 'Nein' } }],
])('into a column of kind %s, of %j', (kind, texts, at, expected) => {
  expect(conversionOf(kind, texts, at)).toEqual(expected);
});
