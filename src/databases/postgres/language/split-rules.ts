import type { SplitRules } from '../../../sql/split.ts';

/** As psql splits: BEGIN ATOMIC bodies, and rules with their commands in parentheses. */
export const postgresSplitRules: SplitRules = {
  bodies: { verbs: ['CREATE'], objects: ['FUNCTION', 'PROCEDURE'], window: 4 },
  blocksAnywhere: false,
  bodiesFillBatch: false,
  opensBlock: [{ word: 'BEGIN', before: ['ATOMIC'] }, { word: 'CASE' }],
  closesBlock: [{ word: 'END' }],
  ignoresDelimiterInParentheses: true,
};
