/** The typefaces that drawings are measured and painted with. */
import { fileURLToPath } from 'node:url';
import { openSync } from 'fontkit';
import type { Font } from 'fontkit';
import type { Face, TextStyle } from './drawing.ts';
import type { Measure } from './measure.ts';

/** One font of a file. */
export interface FontFile {
  readonly path: string;
  /** Which one it is of a collection. */
  readonly nameWithin?: string;
  readonly font: Font;
}

/** The fonts that a text's characters are looked for in, the first that has one wins. */
export interface FontStack {
  /** Undefined when no font has it. */
  fontFor(character: number, face: Face): FontFile | undefined;
  /** All of them. */
  readonly files: readonly FontFile[];
}

/** From src as from dist: the fonts lie in one place only. */
const folder = new URL('../../src/diagram/fonts/', import.meta.url);

const faces: Readonly<Record<Face, string>> = {
  text: 'inter-regular.ttf',
  bold: 'inter-semibold.ttf',
  mono: 'jetbrains-mono.ttf',
};

/** For what a face does not have itself. */
const fallbacks = [
  'inter-regular.ttf',
  'noto-sans-arabic.ttf',
  'noto-sans-hebrew.ttf',
  'noto-sans-symbols-2.ttf',
  'noto-emoji.ttf',
];

const open = memoize((name: string) => openFont(fileURLToPath(new URL(name, folder))));

/** The bundled fonts, then others. */
export function createFontStack(others: readonly FontFile[] = []): FontStack {
  const behind = [...fallbacks.map(open), ...others];
  const find = memoize((key: string) => {
    const [face, character] = key.split(' ');
    const first = open(faces[face as Face]);
    return [first, ...behind].find(({ font }) => canDraw(font, Number(character)));
  });
  return {
    fontFor: (character, face) => find(`${face} ${character}`),
    files: [...new Set([...Object.values(faces).map(open), ...behind])],
  };
}

/** The glyphs of some fonts cannot be read, though they say that they have them. */
function canDraw(font: Font, character: number): boolean {
  try {
    return (
      font.hasGlyphForCodePoint(character) && font.glyphForCodePoint(character).advanceWidth >= 0
    );
  } catch {
    return false;
  }
}

/** Of a collection the first font: the others are of other regions or weights. */
export function openFont(path: string): FontFile {
  const opened = openSync(path);
  if ('glyphForCodePoint' in opened) return { path, font: opened };
  const [font] = (opened as unknown as { readonly fonts: readonly Font[] }).fonts;
  if (font === undefined) throw new Error(`${path} holds no font.`);
  return { path, nameWithin: font.postscriptName, font };
}

/** Adds up what the characters take by themselves: kerning and joining make a text hardly wider. */
export function measureWith(stack: FontStack): Measure {
  const widths = {
    text: memoize((character: number) => advance(stack, character, 'text')),
    bold: memoize((character: number) => advance(stack, character, 'bold')),
    mono: memoize((character: number) => advance(stack, character, 'mono')),
  };
  return (text, { face, size }: TextStyle) => {
    let width = 0;
    for (const character of text) width += widths[face](character.codePointAt(0) ?? 0);
    return width * size;
  };
}

/** Of a font's size. A character that no font has is most likely as wide as high: Chinese, say. */
function advance(stack: FontStack, character: number, face: Face): number {
  const font = stack.fontFor(character, face)?.font;
  return font === undefined ? 1 : font.glyphForCodePoint(character).advanceWidth / font.unitsPerEm;
}

function memoize<Key, T>(make: (key: Key) => T): (key: Key) => T {
  const made = new Map<Key, { readonly value: T }>();
  return (key) => {
    const known = made.get(key) ?? { value: make(key) };
    made.set(key, known);
    return known.value;
  };
}
