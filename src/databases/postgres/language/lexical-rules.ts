import type { LexicalRules } from '../../../portable/lexer/lexer.ts';

/** https://www.postgresql.org/docs/current/sql-syntax-lexical.html, and the lines of psql's commands and of COPY. */
export const postgresLexicalRules: LexicalRules = {
  nameQuotes: [{ open: '"', close: '"', doubled: true }],
  stringQuotes: ["'"],
  backslashEscapes: false,
  prefixes: [
    { letters: 'E', quotes: "'", backslashEscapes: true },
    { letters: 'U&', quotes: `'"`, backslashEscapes: false },
    { letters: 'N', quotes: "'" },
    { letters: 'B', quotes: "'", backslashEscapes: false },
    { letters: 'X', quotes: "'", backslashEscapes: false },
  ],
  continuedStrings: true,
  dollarQuotes: true,
  nestedComments: true,
  hashComments: false,
  dashesNeedBlank: false,
  lineEnds: String.raw`\r\n`,
  versionedComments: [],
  skippedComments: {},
  hints: false,
  parameters: ['$1'],
  variables: false,
  blanks: String.raw`\t\n\v\f\r `,
  nameStart: String.raw`A-Za-z_\u0080-\uffff`,
  nameRest: String.raw`\w$\u0080-\uffff`,
  allowsEmptyExponent: false,
  clientLines: ['backslash', 'copy-data'],
};
