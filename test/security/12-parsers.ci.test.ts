/**
 * Parsers accept or reject any text in time proportional to its length (SECURITY.md 12). `node
 * scripts/fuzz.ts` runs the same tests for long. test/sql/lexer.test.ts counts the work of the
 * lexer.
 */
import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { fuzzedReaders, almostValid, acceptsOrRejects } from './fuzzing.ts';

describe.each(Object.entries(fuzzedReaders))('the parser: %s', (_name, fuzzed) => {
  test('accepts valid input', async () => {
    for (const seed of fuzzed.seeds) await acceptsOrRejects(fuzzed, seed);
  });

  test('accepts or rejects almost valid input, and throws no other error', async () => {
    await fc.assert(
      fc.asyncProperty(almostValid(fuzzed), (text) => acceptsOrRejects(fuzzed, text)),
      { numRuns: 60 },
    );
  });

  // Quadratic work on texts of this length would exceed the timeout of the test many times.
  test.each(['(', '[', '{', '"', "'", '/*', '--', '<a>', '- ', '\\', ',', 'a ', '\n', '`', '$a$'])(
    'takes bounded time on repeated %j',
    async (part) => {
      await acceptsOrRejects(fuzzed, part.repeat(Math.floor(20_000 / part.length)));
    },
  );
});

/** How often the repeated part of a long input occurs. */
const repetitions = 200_000;
const repeated = (part: (i: number) => string, times = repetitions): string =>
  Array.from({ length: times }, (_, i) => part(i)).join('');

/** Inputs with very many or very long parts of one kind, which a careless parser reads in quadratic time. */
const longInputs: Readonly<Record<string, readonly [reader: string, text: () => string]>> = {
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

test.each(Object.entries(longInputs))(
  'takes bounded time on %s',
  async (_shape, [reader, text]) => {
    const fuzzed = fuzzedReaders[reader];
    if (fuzzed === undefined) throw new Error(`There is no reader "${reader}".`);
    await acceptsOrRejects(fuzzed, text());
  },
);

test('every reader is tested: four for each of four databases, and nine of files', () => {
  expect(Object.keys(fuzzedReaders).length).toBe(4 * 4 + 9);
});
