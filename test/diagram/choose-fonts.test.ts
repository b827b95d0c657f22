/**
 * Fonts for characters that the bundled ones do not have: named fonts, system fonts, and a warning
 * if none has a character.
 */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { chooseFonts } from '../../src/diagram/choose-fonts.ts';
import { createFontStack } from '../../src/diagram/fonts.ts';
import { findSystemFonts } from '../../src/diagram/system-fonts.ts';
import { schemaOf, tableOf } from './schemas.ts';
import type { Schema } from '../../src/model/schema.ts';

const schemaNamed = (name: string): Schema => schemaOf([tableOf(name, [])]);
const codeOf = (character: string): number => character.codePointAt(0) ?? 0;

/** A character that the bundled fonts do not have and a font of the system has, with that font's file. */
function findUnbundledCharacter():
  | { readonly character: string; readonly path: string }
  | undefined {
  const bundled = createFontStack();
  for (const character of '漢한กक აԱ') {
    const [font] = bundled.fontFor(codeOf(character), 'text')
      ? []
      : findSystemFonts([codeOf(character)]);
    if (font !== undefined) return { character, path: font.path };
  }
  return undefined;
}

test('characters of the bundled fonts need no other font', () => {
  const { fonts, warnings } = chooseFonts(schemaNamed('Größe αβγ Жук سلام שלום ✓ 😀'), []);
  expect(warnings).toEqual([]);
  expect(fonts.files).toHaveLength(createFontStack().files.length);
});

test('a character that no font has is reported once', () => {
  const { warnings } = chooseFonts(schemaNamed('a\u{f0000}\u{f0000}b'), []);
  expect(warnings).toEqual([
    'No font was found for the characters U+F0000: they are drawn as boxes.',
  ]);
});

test('system fonts are searched', ({ skip }) => {
  const found = findUnbundledCharacter();
  if (found === undefined) return skip('no font of the system has what the bundled ones lack');
  const { fonts, warnings } = chooseFonts(schemaNamed(`t${found.character}`), []);
  expect(warnings).toEqual([]);
  expect(fonts.fontFor(codeOf(found.character), 'text')?.path).toBe(found.path);
});

test('a named font has precedence over system fonts', ({ skip }) => {
  const found = findUnbundledCharacter();
  if (found === undefined) return skip('no font of the system has what the bundled ones lack');
  const { fonts, warnings } = chooseFonts(schemaNamed(`t${found.character}`), [found.path]);
  expect(warnings).toEqual([]);
  expect(fonts.fontFor(codeOf(found.character), 'text')?.path).toBe(found.path);
  expect(fonts.files).toHaveLength(createFontStack().files.length + 1);
});

test('a named file that is not a font is reported', () => {
  const folder = mkdtempSync(join(tmpdir(), 'studio-fonts-'));
  try {
    const path = join(folder, 'a.ttf');
    writeFileSync(path, 'no font');
    expect(() => chooseFonts(schemaNamed('t'), [path])).toThrow(`The font ${path} cannot be read.`);
  } finally {
    rmSync(folder, { recursive: true });
  }
});
