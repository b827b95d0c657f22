/** Shapes text: turns it into glyphs with positions. */
import type { Glyph } from 'fontkit';
import { mirrored } from '../bidi.ts';
import type { Face, Point } from '../../portable/drawing/drawing.ts';
import type { FontFile, FontStack } from '../fonts.ts';
import { textRuns } from '../text-runs.ts';
import type { TextRun } from '../text-runs.ts';

/** The origin relative to the text's start, in units of the font size. `y` points upward. */
export interface SetGlyph extends Point {
  readonly file: FontFile;
  readonly glyph: Glyph;
}

export interface SetText {
  readonly glyphs: readonly SetGlyph[];
  readonly width: number;
}

export type Typesetter = (text: string, face: Face) => SetText;

/** Caches shaped texts: type names and column names repeat often. */
export function createTypesetter(fonts: FontStack): Typesetter {
  const set = new Map<string, SetText>();
  const kern = kerning();
  return (text, face) => {
    const key = `${face} ${text}`;
    const cached = set.get(key);
    if (cached !== undefined) return cached;
    const runs = isSimple.test(text)
      ? [setSimple(text, (character) => fonts.fontFor(character, face), kern)]
      : textRuns(text, face, fonts).map(setRun);
    const shaped = joined(runs);
    set.set(key, shaped);
    return shaped;
  };
}

/** Scripts with one glyph per character that need no shaping. */
const isSimple =
  /^[\p{Script=Latin}\p{Script=Greek}\p{Script=Cyrillic}\u0020-\u007e\u2026\u00b7]*$/u;

function setSimple(
  text: string,
  fontFor: (character: number) => FontFile | undefined,
  kern: Kern,
): SetText {
  const glyphs: SetGlyph[] = [];
  let x = 0;
  let before = '';
  for (const character of text) {
    const code = character.codePointAt(0) ?? 0;
    const file = fontFor(code) ?? fontFor(0x20);
    if (file === undefined) continue;
    if (glyphs.at(-1)?.file === file) x += kern({ file, pair: before + character, text });
    const glyph = file.font.glyphForCodePoint(code);
    glyphs.push({ file, glyph, x, y: 0 });
    x += glyph.advanceWidth / file.font.unitsPerEm;
    before = character;
  }
  return { glyphs, width: x };
}

interface KernRequest {
  readonly file: FontFile;
  readonly pair: string;
  /** The text that contains the pair. */
  readonly text: string;
}

/** Returns the kerning between two characters, in units of the font size. */
type Kern = (request: KernRequest) => number;

/** Font lookups take longer than drawing, so one lookup caches all pairs of a text. */
function kerning(): Kern {
  const cached = new Map<FontFile, Map<string, number>>();
  return ({ file, pair, text }) => {
    const pairs = cached.get(file) ?? new Map<string, number>();
    cached.set(file, pairs);
    if (!pairs.has(pair)) cachePairs(pairs, file, text);
    // The layout has no kerning for pairs that a ligature replaces.
    if (!pairs.has(pair)) pairs.set(pair, 0);
    return pairs.get(pair) ?? 0;
  };
}

function cachePairs(pairs: Map<string, number>, { font }: FontFile, text: string): void {
  const characters = [...text];
  const { positions, glyphs } = font.layout(text);
  if (glyphs.length !== characters.length) return;
  for (const [i, glyph] of glyphs.slice(0, -1).entries()) {
    const kern = (positions[i]?.xAdvance ?? 0) - glyph.advanceWidth;
    const pair = `${characters[i]}${characters[i + 1]}`;
    if (!pairs.has(pair)) pairs.set(pair, kern / font.unitsPerEm);
  }
}

/** Uses the font's own shaping. */
function setRun({ text, file, isRightToLeft }: TextRun): SetText {
  const { font } = file;
  const { glyphs, positions } = font.layout(isRightToLeft ? mirrored(text) : text);
  let x = 0;
  const set = glyphs.map((glyph, i) => {
    const { xAdvance = 0, xOffset = 0, yOffset = 0 } = positions[i] ?? {};
    const at = { x: (x + xOffset) / font.unitsPerEm, y: yOffset / font.unitsPerEm };
    x += xAdvance;
    return { file, glyph, ...at };
  });
  return { glyphs: set, width: x / font.unitsPerEm };
}

function joined(runs: readonly SetText[]): SetText {
  const [first] = runs;
  if (runs.length === 1 && first !== undefined) return first;
  let width = 0;
  const glyphs = runs.flatMap((run) => {
    const start = width;
    width += run.width;
    return run.glyphs.map((glyph) => ({ ...glyph, x: glyph.x + start }));
  });
  return { glyphs, width };
}
