import { diffArrays } from 'diff';

/** A run of words that both texts have, or that only one of them has. */
export interface TextSegment {
  readonly kind: 'same' | 'added' | 'removed';
  readonly text: string;
}

/** Texts that together have more characters are not compared word by word; they are shown as replaced. */
const maxTotalLength = 200_000;
/** The same holds for texts that differ in more words: the work grows with the square of their number. */
const maxEditLength = 1000;

/** Compares two texts word by word. */
export function compareTexts(before: string, after: string): readonly TextSegment[] {
  const isLong = before.length + after.length > maxTotalLength;
  const changes = isLong
    ? undefined
    : diffArrays(wordsOf(before), wordsOf(after), { maxEditLength });
  return (changes ?? replaced(before, after)).map(({ value, added, removed }): TextSegment => ({
    kind: added ? 'added' : removed ? 'removed' : 'same',
    text: value.join(''),
  }));
}

function replaced(before: string, after: string): ReturnType<typeof diffArrays<string>> {
  return [
    { value: [before], removed: true, added: false, count: 1 },
    { value: [after], removed: false, added: true, count: 1 },
  ];
}

function wordsOf(text: string): string[] {
  return text.match(/[\p{L}\p{M}\p{N}_]+|\s+|[^\p{L}\p{M}\p{N}_\s]/gu) ?? [];
}
