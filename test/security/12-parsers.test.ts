/**
 * Parsers take a text or refuse it, in time in proportion to its length (security.md 12). The same
 * texts at length: `node scripts/fuzz.ts`. The work of the lexer is counted in test/sql/lexer.test.ts.
 */
import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { fuzzedReaders, nearly, takesOrRefuses } from './fuzzing.ts';

describe.each(Object.entries(fuzzedReaders))('%s', (_name, fuzzed) => {
  test('takes what is right', async () => {
    for (const seed of fuzzed.seeds) await takesOrRefuses(fuzzed, seed);
  });

  test('takes or refuses what is nearly right, and never fails otherwise', async () => {
    await fc.assert(
      fc.asyncProperty(nearly(fuzzed), (text) => takesOrRefuses(fuzzed, text)),
      { numRuns: 60 },
    );
  });

  // Quadratic work on this much would outlast the test many times over.
  test.each(['(', '[', '{', '"', "'", '/*', '--', '<a>', '- ', '\\', ',', 'a ', '\n', '`', '$a$'])(
    'ends soon on %j, repeated',
    async (part) => {
      await takesOrRefuses(fuzzed, part.repeat(Math.floor(20_000 / part.length)));
    },
  );
});

/** Shapes that are long in one direction: each was, or could be, work of the square of their length. */
const many = 200_000;
const repeated = (part: (i: number) => string, times = many): string =>
  Array.from({ length: times }, (_, i) => part(i)).join('');

const longShapes: Readonly<Record<string, readonly [reader: string, text: () => string]>> = {
  'a row of many keys': ['JSON rows', () => `[{${repeated((i) => `"k${i}":1,`)}"z":1}]`],
  'a line of many keys': ['NDJSON', () => `{${repeated((i) => `"k${i}":1,`)}"z":1}`],
  'a header of many names': ['CSV', () => `${repeated((i) => `k${i},`)}z\n1\n`],
  'many aliases': [
    'YAML',
    () => `a: &a {name: x}\ntables:\n${repeated(() => '  - <<: *a\n', 20_000)}`,
  ],
  'many anchors': ['YAML', () => repeated((i) => `k${i}: &a${i} x\n`, 20_000)],
  'a long text': ['XML of workbooks', () => `<a>${'x'.repeat(16_000_000)}</a>`],
  'a long comment': ['XML of workbooks', () => `<a><!--${'x'.repeat(16_000_000)}--></a>`],
  'a long value': ['XML of workbooks', () => `<a b="${'>'.repeat(16_000_000)}"/>`],
  'many values that look like a name': [
    'XML of workbooks',
    () => `<c ${repeated(() => 'x=" b=" ')}/>`,
  ],
};

test.each(Object.entries(longShapes))('ends soon on %s', async (_shape, [reader, text]) => {
  const fuzzed = fuzzedReaders[reader];
  if (fuzzed === undefined) throw new Error(`There is no reader "${reader}".`);
  await takesOrRefuses(fuzzed, text());
});

test('every reader is among them', () => {
  expect(Object.keys(fuzzedReaders).length).toBe(4 * 4 + 9);
});
