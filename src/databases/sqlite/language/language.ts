import { sqliteLexicalRules } from './lexical-rules.ts';
import { sqliteSplitRules } from './split-rules.ts';
import { sqliteStatementRules } from './statement-rules.ts';
import type { Language } from '../../../sql/classify.ts';

export const sqliteLanguage: Language = {
  lexical: sqliteLexicalRules,
  splitting: sqliteSplitRules,
  statements: sqliteStatementRules,
};
