import { rightToLeft, visualOrder } from './bidi.ts';
import type { Stretch } from './bidi.ts';
import type { Face } from './drawing.ts';
import type { FontFile, FontStack } from './fonts.ts';

/** A part of a line that one font can draw. */
export interface TextRun {
  readonly text: string;
  readonly file: FontFile;
  readonly isRightToLeft: boolean;
}

const segmenter = new Intl.Segmenter();

/** From left to right as they are seen. What no font has is drawn by the face's own, as a box. */
export function textRuns(text: string, face: Face, stack: FontStack): readonly TextRun[] {
  return visualOrder(text).flatMap((stretch) => runsOf(stretch, face, stack));
}

function runsOf(
  { text, isRightToLeft }: Stretch,
  face: Face,
  stack: FontStack,
): readonly TextRun[] {
  const runs: TextRun[] = [];
  // Signs beside right-to-left letters are of their font, or they would not be turned around with them.
  const [letter] = isRightToLeft ? (rightToLeft.exec(text) ?? []) : [];
  const theirs =
    letter === undefined ? undefined : fontOf(letter.codePointAt(0) ?? space, face, stack);
  for (const { segment } of segmenter.segment(text)) {
    const character = segment.codePointAt(0) ?? space;
    const last = runs.at(-1);
    const isTheirs = theirs?.font.hasGlyphForCodePoint(character) === true;
    const file = isTheirs ? theirs : fontOf(character, face, stack);
    if (file === undefined) continue;
    if (last?.file === file) runs[runs.length - 1] = { ...last, text: last.text + segment };
    else runs.push({ text: segment, file, isRightToLeft });
  }
  return isRightToLeft ? runs.toReversed() : runs;
}

const space = 0x20;

/** Of a sign of several characters the first decides: accents, joiners and selectors come along. */
function fontOf(character: number, face: Face, stack: FontStack): FontFile | undefined {
  return stack.fontFor(character, face) ?? stack.fontFor(space, face);
}
