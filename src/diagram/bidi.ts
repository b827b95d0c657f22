/** The order of a line with right-to-left text (UAX #9) whose base direction is left to right. */
import bidiFactory from 'bidi-js';

export interface DirectionRun {
  /** In logical order. */
  readonly text: string;
  readonly isRightToLeft: boolean;
}

// The package declares an ES module, but Node loads its CommonJS file, which exports the function itself.
const bidi = (bidiFactory as unknown as typeof bidiFactory.default)();

/** A character in a block that Unicode reserves for right-to-left scripts. */
export const rightToLeft =
  /[\u0590-\u08ff\ufb1d-\ufdff\ufe70-\ufefe\u{10800}-\u{10fff}\u{1e800}-\u{1efff}]/u;

/** Splits a line into runs of one direction and returns them from left to right. */
export function visualOrder(text: string): readonly DirectionRun[] {
  if (!rightToLeft.test(text)) return [{ text, isRightToLeft: false }];
  const characters = [...text];
  const line = characters.map(oneUnit).join('');
  const embedding = bidi.getEmbeddingLevels(line, 'ltr');
  const runs: { text: string; isRightToLeft: boolean }[] = [];
  for (const i of bidi.getReorderedIndices(line, embedding)) {
    const character = characters[i] ?? '';
    // Embedding levels of right-to-left text are odd.
    const isRightToLeft = (embedding.levels[i] ?? 0) % 2 === 1;
    const last = runs.at(-1);
    if (last?.isRightToLeft !== isRightToLeft) runs.push({ text: character, isRightToLeft });
    else last.text = isRightToLeft ? character + last.text : last.text + character;
  }
  return runs;
}

/** Characters of one UTF-16 code unit, by the types that characters beyond U+FFFF have. */
const units: Readonly<Record<string, string>> = {
  L: 'a',
  R: '\u05d0',
  AL: '\u0627',
  EN: '1',
  AN: '\u0660',
  NSM: '\u0300',
  ON: '!',
  ET: '%',
  BN: '\u200d',
};

/** bidi-js treats each half of a surrogate pair as a left-to-right letter (its issue 9). */
function oneUnit(character: string): string {
  return character.length === 1 ? character : (units[bidi.getBidiCharTypeName(character)] ?? '!');
}

/** Replaces brackets and the like by their mirror images, as right-to-left text shows them. */
export function mirrored(text: string): string {
  return text.replace(
    /[^\p{L}\p{M}\s]/gu,
    (character) => bidi.getMirroredCharacter(character) ?? character,
  );
}
