import { standardText } from '../../portable/presentation.ts';
import { sqlserverLexicalRules } from './language/lexical-rules.ts';
import { sqlserverSplitRules } from './language/split-rules.ts';
import type { DatabasePresentation } from '../../portable/presentation.ts';

export const sqlserverPresentation: DatabasePresentation = {
  name: 'sqlserver',
  title: 'SQL Server',
  lexicalRules: sqlserverLexicalRules,
  splitRules: sqlserverSplitRules,
  editorGrammar: 'MSSQL',
  explainPrefix: undefined,
  parameters: { placeholder: (position) => `@p${position}`, areVariables: true },
  literals: {
    name: (name) => `[${name.replaceAll(']', ']]')}]`,
    text: (text) => `N${standardText(text)}`,
    bytes: (hex) => `0x${hex}`,
    boolean: (value) => (value ? '1' : '0'),
  },
};
