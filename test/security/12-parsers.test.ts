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
    async (piece) => {
      await takesOrRefuses(fuzzed, piece.repeat(Math.floor(20_000 / piece.length)));
    },
  );
});

test('every reader is among them', () => {
  expect(Object.keys(fuzzedReaders).length).toBe(4 * 4 + 9);
});
