import { words } from '../../../sql/words.ts';
import type { BlockWord, SplitRules } from '../../../sql/split.ts';

/** `IF(a, b, c)` and `REPEAT('x', 3)` are functions: the statements stand where a statement begins. */
const statementStarts = words(`
  ; BEGIN THEN ELSE DO LOOP REPEAT ROW :
`);

const opens = (word: string): BlockWord => ({ word, after: statementStarts });

/** For scripts without DELIMITER lines. The window is wide for DEFINER and versioned comments. */
export const mysqlSplitRules: SplitRules = {
  bodies: {
    verbs: ['CREATE'],
    objects: ['PROCEDURE', 'FUNCTION', 'TRIGGER', 'EVENT'],
    window: 16,
  },
  blocksAnywhere: false,
  bodiesFillBatch: false,
  opensBlock: [
    { word: 'BEGIN' },
    { word: 'CASE', notAfter: ['END'] },
    opens('IF'),
    opens('LOOP'),
    opens('WHILE'),
    opens('REPEAT'),
  ],
  closesBlock: [{ word: 'END' }],
  parenthesesHold: false,
};
