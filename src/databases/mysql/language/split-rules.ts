import { words } from '../../../portable/lexer/words.ts';
import type { BlockWord, SplitRules } from '../../../portable/lexer/split.ts';

/** IF and REPEAT are statements only at the beginning of a statement; elsewhere they are functions: `IF(a, b, c)`. */
const statementStarts = words(`
  ; BEGIN THEN ELSE DO LOOP REPEAT ROW :
`);

const opens = (word: string): BlockWord => ({ word, after: statementStarts });

/** For scripts without DELIMITER lines. The window has room for DEFINER and versioned comments. */
export const mysqlSplitRules: SplitRules = {
  bodies: {
    verbs: ['CREATE'],
    objects: ['PROCEDURE', 'FUNCTION', 'TRIGGER', 'EVENT', 'PACKAGE'],
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
  ignoresDelimiterInParentheses: false,
  compoundVerbs: ['BEGIN', 'DECLARE', 'IF', 'CASE', 'LOOP', 'WHILE', 'REPEAT', 'FOR'],
};
