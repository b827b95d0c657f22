import type { SplitRules } from '../../../sql/split.ts';

/** Only triggers hold statements; CASE … END stands in them too. */
export const sqliteSplitRules: SplitRules = {
  bodies: { verbs: ['CREATE'], objects: ['TRIGGER'], window: 3 },
  blocksAnywhere: false,
  bodiesFillBatch: false,
  opensBlock: [{ word: 'BEGIN' }, { word: 'CASE' }],
  closesBlock: [{ word: 'END' }],
  ignoresDelimiterInParentheses: false,
};
