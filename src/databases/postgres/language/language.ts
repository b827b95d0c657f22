import { postgresLexicalRules } from './lexical-rules.ts';
import { postgresSplitRules } from './split-rules.ts';
import { postgresStatementRules } from './statement-rules.ts';
import type { Language } from '../../../sql/classify.ts';

export const postgresLanguage: Language = {
  lexical: postgresLexicalRules,
  splitting: postgresSplitRules,
  statements: postgresStatementRules,
};
