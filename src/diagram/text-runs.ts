import { rightToLeft, visualOrder } from './bidi.ts';
import type { DirectionRun } from './bidi.ts';
import type { Face } from '../portable/drawing/drawing.ts';
import type { FontFile, FontStack } from './fonts.ts';

/** Consecutive text of a line in one font and one direction. */
export interface TextRun {
  readonly text: string;
  readonly file: FontFile;
  readonly isRightToLeft: boolean;
}

const segmenter = new Intl.Segmenter();

/** Returns the runs in visual order. Characters without a font use the face's own font, which draws a box. */
export function textRuns(text: string, face: Face, stack: FontStack): readonly TextRun[] {
  return visualOrder(text).flatMap((directionRun) => runsOf(directionRun, face, stack));
}

function runsOf(
  { text, isRightToLeft }: DirectionRun,
  face: Face,
  stack: FontStack,
): readonly TextRun[] {
  const runs: TextRun[] = [];
  // Punctuation next to right-to-left letters needs the same font: only a shared run is reordered with them.
  const [letter] = isRightToLeft ? (rightToLeft.exec(text) ?? []) : [];
  const rightToLeftFont =
    letter === undefined ? undefined : fontOf(letter.codePointAt(0) ?? space, face, stack);
  for (const { segment } of segmenter.segment(text)) {
    const character = segment.codePointAt(0) ?? space;
    const last = runs.at(-1);
    const isInRightToLeftFont = rightToLeftFont?.font.hasGlyphForCodePoint(character) === true;
    const file = isInRightToLeftFont ? rightToLeftFont : fontOf(character, face, stack);
    if (file === undefined) continue;
    if (last?.file === file) runs[runs.length - 1] = { ...last, text: last.text + segment };
    else runs.push({ text: segment, file, isRightToLeft });
  }
  return isRightToLeft ? runs.toReversed() : runs;
}

const space = 0x20;

/** The first code point of a grapheme selects the font. Accents, joiners and selectors follow it. */
function fontOf(character: number, face: Face, stack: FontStack): FontFile | undefined {
  return stack.fontFor(character, face) ?? stack.fontFor(space, face);
}
