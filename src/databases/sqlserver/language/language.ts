import { sqlserverLexicalRules } from './lexical-rules.ts';
import { sqlserverSplitRules } from './split-rules.ts';
import { sqlserverStatementRules } from './statement-rules.ts';
import type { Language } from '../../../sql/classify.ts';

export const sqlserverLanguage: Language = {
  lexical: sqlserverLexicalRules,
  splitting: sqlserverSplitRules,
  statements: sqlserverStatementRules,
};
