/** The order in which parts of a line are seen, as Unicode's bidirectional algorithm has it for plain left-to-right lines. */

export interface Stretch {
  /** In the order of reading. */
  readonly text: string;
  readonly isRightToLeft: boolean;
}

export const rightToLeft =
  /[\p{Script=Arabic}\p{Script=Hebrew}\p{Script=Syriac}\p{Script=Thaana}\p{Script=Nko}\p{Script=Adlam}]/u;
const letter = /\p{L}/u;
const digit = /\p{Nd}/u;
const mark = /\p{M}|\u200d|\ufe0f/u;

type Direction = 'left' | 'right' | 'digit' | 'neutral';

/** From left to right as they are seen. */
export function visualOrder(text: string): readonly Stretch[] {
  if (!rightToLeft.test(text)) return [{ text, isRightToLeft: false }];
  const characters = [...text];
  const directions = resolved(characters.map(directionOf));
  const levels = levelsOf(withBrackets(characters, directions));
  return ordered(stretches(characters, levels));
}

function directionOf(character: string): Direction | undefined {
  if (mark.test(character)) return undefined;
  if (digit.test(character)) return 'digit';
  if (rightToLeft.test(character)) return 'right';
  return letter.test(character) ? 'left' : 'neutral';
}

/** Marks go with what they are on; digits after letters from left to right are as those. */
function resolved(given: readonly (Direction | undefined)[]): readonly Direction[] {
  const out: Direction[] = [];
  let strong: Direction = 'left';
  for (const direction of given) {
    const own: Direction = direction ?? out.at(-1) ?? 'neutral';
    if (own === 'left' || own === 'right') strong = own;
    out.push(own === 'digit' && strong === 'left' ? 'left' : own);
  }
  return out;
}

/** Brackets around nothing but right-to-left text, and after such text or its numbers, are part of it. */
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
    const isAfter = before === 'right' || before === 'digit';
    const isPart = isAfter && inside.includes('right') && !inside.includes('left');
    if (isPart) [out[start], out[i]] = ['right', 'right'];
  }
  return out;
}

/** 0 from left to right, 1 from right to left, 2 for numbers within that. */
function levelsOf(directions: readonly Direction[]): readonly number[] {
  return directions.map((direction, i) => {
    if (direction === 'left') return 0;
    if (direction === 'digit') return 2;
    return direction === 'right' || isBetweenRights(directions, i) ? 1 : 0;
  });
}

function isBetweenRights(directions: readonly Direction[], at: number): boolean {
  const before = directions.slice(0, at).findLast((direction) => direction !== 'neutral');
  const after = directions.slice(at).find((direction) => direction !== 'neutral');
  return [before, after].every((direction) => direction === 'right' || direction === 'digit');
}

interface LevelStretch {
  readonly text: string;
  readonly level: number;
}

function stretches(
  characters: readonly string[],
  levels: readonly number[],
): readonly LevelStretch[] {
  const out: LevelStretch[] = [];
  for (const [i, character] of characters.entries()) {
    const level = levels[i] ?? 0;
    const last = out.at(-1);
    if (last?.level === level) out[out.length - 1] = { text: last.text + character, level };
    else out.push({ text: character, level });
  }
  return out;
}

/** What stands between two stretches from left to right is turned around as a whole. */
function ordered(given: readonly LevelStretch[]): readonly Stretch[] {
  const out: LevelStretch[] = [];
  let turned: LevelStretch[] = [];
  for (const stretch of given) {
    if (stretch.level > 0) turned.unshift(stretch);
    else {
      out.push(...turned, stretch);
      turned = [];
    }
  }
  return [...out, ...turned].map(({ text, level }) => ({ text, isRightToLeft: level === 1 }));
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

/** With the signs that brackets have from right to left. */
export function mirrored(text: string): string {
  return text.replace(/[()[\]{}<>]/g, (bracket) => mirrors[bracket] ?? bracket);
}
