import type { SplitRules } from '../../../portable/lexer/split.ts';

/** Splits like psql: semicolons inside BEGIN ATOMIC bodies and inside parentheses (of rules) do not end a statement. */
export const postgresSplitRules: SplitRules = {
  bodies: { verbs: ['CREATE'], objects: ['FUNCTION', 'PROCEDURE'], window: 4 },
  blocksAnywhere: false,
  bodiesFillBatch: false,
  opensBlock: [{ word: 'BEGIN', before: ['ATOMIC'] }, { word: 'CASE' }],
  closesBlock: [{ word: 'END' }],
  ignoresDelimiterInParentheses: true,
};
