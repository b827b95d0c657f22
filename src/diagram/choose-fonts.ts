import type { Schema } from '../model/schema.ts';
import { createFontStack } from './fonts.ts';
import type { FontStack } from './fonts.ts';
import { missingCharacters } from './missing-characters.ts';
import { findSystemFonts, openFonts } from './system-fonts.ts';

export interface FontSelection {
  readonly fonts: FontStack;
  /** Names the characters that no font can draw. */
  readonly warnings: readonly string[];
}

/** Opens the bundled fonts and the given files. System fonts are added only for characters that those lack. */
export function chooseFonts(schema: Schema, paths: readonly string[]): FontSelection {
  const namedFonts = openFonts(paths);
  const first = createFontStack(namedFonts);
  const missing = missingCharacters(schema, first);
  if (missing.length === 0) return { fonts: first, warnings: [] };
  const fonts = createFontStack([...namedFonts, ...findSystemFonts(missing)]);
  const stillMissing = missingCharacters(schema, fonts);
  return { fonts, warnings: stillMissing.length === 0 ? [] : [warningOf(stillMissing)] };
}

const maxListed = 8;

function warningOf(missing: readonly number[]): string {
  const listedCodes = missing.slice(0, maxListed).map(codeOf).join(', ');
  const more = missing.length > maxListed ? ` and ${missing.length - maxListed} more` : '';
  return `No font was found for the characters ${listedCodes}${more}: they are drawn as boxes.`;
}

function codeOf(character: number): string {
  return `U+${character.toString(16).toUpperCase().padStart(4, '0')}`;
}
