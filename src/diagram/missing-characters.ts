import type { Schema } from '../model/schema.ts';
import type { FontStack } from './fonts.ts';
import { printable } from '../portable/drawing/printable.ts';

/** Returns the characters of a diagram's names and types that no font of the stack has. */
export function missingCharacters(schema: Schema, fonts: FontStack): readonly number[] {
  const tables = [...schema.tables, ...schema.views];
  const texts = [
    schema.database,
    ...tables.flatMap(({ name, columns }) => [
      name,
      ...columns.flatMap((column) => [column.name, column.nativeType]),
    ]),
  ];
  const characters = new Set(texts.flatMap((text) => [...printable(text)]));
  return [...characters]
    .filter((character) => !drawsNothing.test(character))
    .map((character) => character.codePointAt(0) ?? 0)
    .filter((character) => fonts.fontFor(character, 'text') === undefined)
    .toSorted((a, b) => a - b);
}

/** Joiners and variation selectors have no glyph of their own. */
const drawsNothing = /\p{Default_Ignorable_Code_Point}/u;
