import type { SplitRules } from '../../../portable/lexer/split.ts';

/** Only triggers contain statements. CASE … END counts as a block because it shares the END. */
export const sqliteSplitRules: SplitRules = {
  bodies: { verbs: ['CREATE'], objects: ['TRIGGER'], window: 3 },
  blocksAnywhere: false,
  bodiesFillBatch: false,
  opensBlock: [{ word: 'BEGIN' }, { word: 'CASE' }],
  closesBlock: [{ word: 'END' }],
  ignoresDelimiterInParentheses: false,
};
