/** The fonts that measure and render drawings. */
import { fileURLToPath } from 'node:url';
import { openSync } from 'fontkit';
import type { Font } from 'fontkit';
import type { Face, TextStyle } from '../portable/drawing/drawing.ts';
import type { Measure } from './measure.ts';

/** One font of a file. */
export interface FontFile {
  readonly path: string;
  /** The PostScript name of the font within a font collection. */
  readonly nameWithin?: string;
  readonly font: Font;
}

/** An ordered list of fonts. Each character is drawn with the first font that has it. */
export interface FontStack {
  /** Returns undefined if no font has the character. */
  fontFor(character: number, face: Face): FontFile | undefined;
  /** All of them. */
  readonly files: readonly FontFile[];
}

/** The build does not copy the fonts: the path is the same from `src` and from `dist`. */
const folder = new URL('../../src/diagram/fonts/', import.meta.url);

const faces: Readonly<Record<Face, string>> = {
  text: 'inter-regular.ttf',
  bold: 'inter-semibold.ttf',
  mono: 'jetbrains-mono.ttf',
};

/** For characters that a face lacks. */
const fallbacks = [
  'inter-regular.ttf',
  'noto-sans-arabic.ttf',
  'noto-sans-hebrew.ttf',
  'noto-sans-symbols-2.ttf',
  'noto-emoji.ttf',
];

const open = memoize((name: string) => openFont(fileURLToPath(new URL(name, folder))));

/** Creates a stack of the bundled fonts followed by `additionalFonts`. */
export function createFontStack(additionalFonts: readonly FontFile[] = []): FontStack {
  const fallbackFonts = [...fallbacks.map(open), ...additionalFonts];
  const find = memoize((key: string) => {
    const [face, character] = key.split(' ');
    const first = open(faces[face as Face]);
    return [first, ...fallbackFonts].find(({ font }) => canDraw(font, Number(character)));
  });
  return {
    fontFor: (character, face) => find(`${face} ${character}`),
    files: [...new Set([...Object.values(faces).map(open), ...fallbackFonts])],
  };
}

/** Some fonts list characters whose glyphs cannot be read. */
function canDraw(font: Font, character: number): boolean {
  try {
    return (
      font.hasGlyphForCodePoint(character) && font.glyphForCodePoint(character).advanceWidth >= 0
    );
  } catch {
    return false;
  }
}

/** Opens the first font of a collection: the others are for other regions or weights. */
export function openFont(path: string): FontFile {
  const openedFile = openSync(path);
  if ('glyphForCodePoint' in openedFile) return { path, font: openedFile };
  const [font] = (openedFile as unknown as { readonly fonts: readonly Font[] }).fonts;
  if (font === undefined) throw new Error(`${path} holds no font.`);
  return { path, nameWithin: font.postscriptName, font };
}

/** Sums the advance widths of single characters. Kerning and shaping make little difference. */
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

/** In units of the font size. A character without a font is assumed to be full-width, such as Chinese. */
function advance(stack: FontStack, character: number, face: Face): number {
  const font = stack.fontFor(character, face)?.font;
  return font === undefined ? 1 : font.glyphForCodePoint(character).advanceWidth / font.unitsPerEm;
}

function memoize<Key, T>(compute: (key: Key) => T): (key: Key) => T {
  const cache = new Map<Key, { readonly value: T }>();
  return (key) => {
    const cached = cache.get(key) ?? { value: compute(key) };
    cache.set(key, cached);
    return cached.value;
  };
}
