import { standardText } from '../../portable/presentation.ts';
import { postgresLexicalRules } from './language/lexical-rules.ts';
import { postgresSplitRules } from './language/split-rules.ts';
import type { DatabasePresentation, LiteralColumn } from '../../portable/presentation.ts';

export const postgresPresentation: DatabasePresentation = {
  name: 'postgres',
  title: 'PostgreSQL',
  lexicalRules: postgresLexicalRules,
  splitRules: postgresSplitRules,
  editorGrammar: 'PostgreSQL',
  explainPrefix: 'EXPLAIN ',
  parameters: { placeholder: (position) => `$${position}` },
  literals: { bytes: (hex) => `'\\x${hex}'`, negativeZero: "'-0'", array: arrayLiteral },
};

/** An amount of money in an array is parsed by the server's locale. A number is not. */
function arrayLiteral(text: string, { type }: LiteralColumn): string {
  const literal = standardText(text);
  return type === 'money[]' ? `${literal}::numeric[]::money[]` : literal;
}
