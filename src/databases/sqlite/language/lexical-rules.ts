import type { LexicalRules } from '../../../portable/lexer/lexer.ts';

/** https://www.sqlite.org/lang.html and SQLite's tokenizer. `"x"` is never a string, because the driver is built with SQLITE_DQS=0. */
export const sqliteLexicalRules: LexicalRules = {
  nameQuotes: [
    { open: '"', close: '"', doubled: true },
    { open: '`', close: '`', doubled: true },
    { open: '[', close: ']', doubled: false },
  ],
  stringQuotes: ["'"],
  backslashEscapes: false,
  prefixes: [{ letters: 'X', quotes: "'" }],
  continuedStrings: false,
  dollarQuotes: false,
  nestedComments: false,
  hashComments: false,
  dashesNeedBlank: false,
  lineEnds: String.raw`\n`,
  versionedComments: [],
  skippedComments: {},
  hints: false,
  parameters: ['?1', ':name', '@name', '$name'],
  variables: false,
  blanks: String.raw`\t\n\v\f\r `,
  nameStart: String.raw`A-Za-z_\u0080-\uffff`,
  nameRest: String.raw`\w$\u0080-\uffff`,
  allowsEmptyExponent: false,
  clientLines: [],
};
