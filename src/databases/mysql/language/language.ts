import { mysqlLexicalRules } from './lexical-rules.ts';
import { mysqlSplitRules } from './split-rules.ts';
import { mysqlStatementRules } from './statement-rules.ts';
import type { Language } from '../../../sql/classify.ts';

export const mysqlLanguage: Language = {
  lexical: mysqlLexicalRules,
  splitting: mysqlSplitRules,
  statements: mysqlStatementRules,
};
