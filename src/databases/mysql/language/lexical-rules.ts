import type { LexicalRules } from '../../../portable/lexer/lexer.ts';

/** https://dev.mysql.com/doc/refman/8.4/en/language-structure.html, plus MariaDB's `/*M!` and the mysql client's DELIMITER. */
export const mysqlLexicalRules: LexicalRules = {
  nameQuotes: [{ open: '`', close: '`', doubled: true }],
  stringQuotes: ["'", '"'],
  backslashEscapes: true,
  prefixes: [
    { letters: 'N', quotes: "'" },
    { letters: 'X', quotes: "'" },
    { letters: 'B', quotes: "'" },
  ],
  continuedStrings: false,
  dollarQuotes: false,
  nestedComments: false,
  hashComments: true,
  dashesNeedBlank: true,
  lineEnds: String.raw`\n`,
  versionedComments: ['/*!', '/*M!'],
  skippedComments: {},
  hints: true,
  parameters: ['?'],
  variables: true,
  blanks: String.raw`\t\n\v\f\r `,
  nameStart: String.raw`A-Za-z_$\u0080-\uffff`,
  nameRest: String.raw`\w$\u0080-\uffff`,
  allowsEmptyExponent: false,
  clientLines: ['DELIMITER'],
};
