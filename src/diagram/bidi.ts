/** A subset of the Unicode bidirectional algorithm (UAX #9) for single lines whose base direction is left to right. */

export interface DirectionRun {
  /** In logical order. */
  readonly text: string;
  readonly isRightToLeft: boolean;
}

export const rightToLeft =
  /[\p{Script=Arabic}\p{Script=Hebrew}\p{Script=Syriac}\p{Script=Thaana}\p{Script=Nko}\p{Script=Adlam}]/u;
const letter = /\p{L}/u;
const digit = /\p{Nd}/u;
const mark = /\p{M}|\u200d|\ufe0f/u;

type Direction = 'ltr' | 'rtl' | 'digit' | 'neutral';

/** Splits a line into runs of one direction and returns them from left to right. */
export function visualOrder(text: string): readonly DirectionRun[] {
  if (!rightToLeft.test(text)) return [{ text, isRightToLeft: false }];
  const characters = [...text];
  const directions = withResolvedDirections(characters.map(directionOf));
  const levels = levelsOf(withBrackets(characters, directions));
  return inVisualOrder(levelRuns(characters, levels));
}

function directionOf(character: string): Direction | undefined {
  if (mark.test(character)) return undefined;
  if (digit.test(character)) return 'digit';
  if (rightToLeft.test(character)) return 'rtl';
  return letter.test(character) ? 'ltr' : 'neutral';
}

/** Combining marks take the direction of their base character. Digits after left-to-right letters become left-to-right. */
function withResolvedDirections(given: readonly (Direction | undefined)[]): readonly Direction[] {
  const out: Direction[] = [];
  let strong: Direction = 'ltr';
  for (const direction of given) {
    const own: Direction = direction ?? out.at(-1) ?? 'neutral';
    if (own === 'ltr' || own === 'rtl') strong = own;
    out.push(own === 'digit' && strong === 'ltr' ? 'ltr' : own);
  }
  return out;
}

/** Brackets become right-to-left if their content has no left-to-right letters and right-to-left text or a number precedes them. */
function withBrackets(
  characters: readonly string[],
  directions: readonly Direction[],
): readonly Direction[] {
  const out = [...directions];
  const open: number[] = [];
  for (const [i, character] of characters.entries()) {
    if ('([{<'.includes(character)) open.push(i);
    const start = ')]}>'.includes(character) ? open.pop() : undefined;
    if (start === undefined || mirrors[character] !== characters[start]) continue;
    const inside = directions.slice(start + 1, i);
    const before = directions.slice(0, start).findLast((direction) => direction !== 'neutral');
    const followsRightToLeft = before === 'rtl' || before === 'digit';
    const becomesRightToLeft =
      followsRightToLeft && inside.includes('rtl') && !inside.includes('ltr');
    if (becomesRightToLeft) [out[start], out[i]] = ['rtl', 'rtl'];
  }
  return out;
}

/** Embedding levels: 0 is left-to-right, 1 is right-to-left, 2 is a number within right-to-left text. */
function levelsOf(directions: readonly Direction[]): readonly number[] {
  return directions.map((direction, i) => {
    if (direction === 'ltr') return 0;
    if (direction === 'digit') return 2;
    return direction === 'rtl' || isBetweenRightToLeft(directions, i) ? 1 : 0;
  });
}

function isBetweenRightToLeft(directions: readonly Direction[], at: number): boolean {
  const before = directions.slice(0, at).findLast((direction) => direction !== 'neutral');
  const after = directions.slice(at).find((direction) => direction !== 'neutral');
  return [before, after].every((direction) => direction === 'rtl' || direction === 'digit');
}

interface LevelRun {
  readonly text: string;
  readonly level: number;
}

function levelRuns(characters: readonly string[], levels: readonly number[]): readonly LevelRun[] {
  const out: LevelRun[] = [];
  for (const [i, character] of characters.entries()) {
    const level = levels[i] ?? 0;
    const last = out.at(-1);
    if (last?.level === level) out[out.length - 1] = { text: last.text + character, level };
    else out.push({ text: character, level });
  }
  return out;
}

/** Reverses the order of consecutive runs above level 0. */
function inVisualOrder(given: readonly LevelRun[]): readonly DirectionRun[] {
  const out: LevelRun[] = [];
  let reversed: LevelRun[] = [];
  for (const run of given) {
    if (run.level > 0) reversed.unshift(run);
    else {
      out.push(...reversed, run);
      reversed = [];
    }
  }
  return [...out, ...reversed].map(({ text, level }) => ({ text, isRightToLeft: level === 1 }));
}

const mirrors: Readonly<Record<string, string>> = {
  '(': ')',
  ')': '(',
  '[': ']',
  ']': '[',
  '{': '}',
  '}': '{',
  '<': '>',
  '>': '<',
};

/** Replaces brackets by their mirror images, as right-to-left text shows them. */
export function mirrored(text: string): string {
  return text.replace(/[()[\]{}<>]/g, (bracket) => mirrors[bracket] ?? bracket);
}
