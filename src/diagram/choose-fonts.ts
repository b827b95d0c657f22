import type { Schema } from '../model/schema.ts';
import { createFontStack } from './fonts.ts';
import type { FontStack } from './fonts.ts';
import { missingCharacters } from './missing-characters.ts';
import { findSystemFonts, openFonts } from './system-fonts.ts';

export interface ChosenFonts {
  readonly fonts: FontStack;
  /** A sentence about characters that none of them has. */
  readonly warnings: readonly string[];
}

/** The bundled fonts and those named by their files; the system's for characters that these do not have. */
export function chooseFonts(schema: Schema, paths: readonly string[]): ChosenFonts {
  const named = openFonts(paths);
  const first = createFontStack(named);
  const missing = missingCharacters(schema, first);
  if (missing.length === 0) return { fonts: first, warnings: [] };
  const fonts = createFontStack([...named, ...findSystemFonts(missing)]);
  const left = missingCharacters(schema, fonts);
  return { fonts, warnings: left.length === 0 ? [] : [warningOf(left)] };
}

const mostTold = 8;

function warningOf(missing: readonly number[]): string {
  const told = missing.slice(0, mostTold).map(codeOf).join(', ');
  const more = missing.length > mostTold ? ` and ${missing.length - mostTold} more` : '';
  return `No font was found for the characters ${told}${more}: they are drawn as boxes.`;
}

function codeOf(character: number): string {
  return `U+${character.toString(16).toUpperCase().padStart(4, '0')}`;
}
