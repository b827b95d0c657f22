import { standardText } from '../../portable/presentation.ts';
import { sqliteLexicalRules } from './language/lexical-rules.ts';
import { sqliteSplitRules } from './language/split-rules.ts';
import type { DatabasePresentation } from '../../portable/presentation.ts';

export const sqlitePresentation: DatabasePresentation = {
  name: 'sqlite',
  title: 'SQLite',
  isFile: true,
  lexicalRules: sqliteLexicalRules,
  splitRules: sqliteSplitRules,
  editorGrammar: 'SQLite',
  explainPrefix: 'EXPLAIN QUERY PLAN ',
  parameters: { placeholder: (position) => `?${position}` },
  // https://sqlite.org/datatype3.html
  storesAnyText: true,
  literals: {
    negativeZero: '-0.0',
    keepsAnyText: true,
    // A statement ends at a zero character.
    text: (text) => text.split('\0').map(standardText).join(' || char(0) || '),
  },
};
