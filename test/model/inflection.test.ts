import { readFileSync } from 'node:fs';

import { expect, test } from 'vitest';

import { plural, singular } from '../../src/model/inflection.ts';

/** word → [plural, singular], as jinzhu/inflection 1.0.0 returns them. */
type Golden = Readonly<Record<string, readonly [plural: string, singular: string]>>;

const file = new URL('../fixtures/gorm-names/inflections.json', import.meta.url);
const golden = JSON.parse(readFileSync(file, 'utf8')) as Golden;

test('plurals and singulars are those of jinzhu/inflection', () => {
  const words = Object.keys(golden);
  expect(Object.fromEntries(words.map((word) => [word, [plural(word), singular(word)]]))).toEqual(
    golden,
  );
});

test('case is kept', () => {
  expect([plural('BlogPost'), plural('CITY'), singular('People')]).toEqual([
    'BlogPosts',
    'CITIES',
    'Person',
  ]);
});
