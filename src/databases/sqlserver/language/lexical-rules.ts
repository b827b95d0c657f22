import type { LexicalRules } from '../../../portable/lexer/lexer.ts';

/** T-SQL with QUOTED_IDENTIFIER ON, plus GO and the commands of sqlcmd. White space includes Unicode spaces. */
export const sqlserverLexicalRules: LexicalRules = {
  nameQuotes: [
    { open: '"', close: '"', doubled: true },
    { open: '[', close: ']', doubled: true },
  ],
  stringQuotes: ["'"],
  backslashEscapes: false,
  prefixes: [{ letters: 'N', quotes: "'" }],
  continuedStrings: false,
  dollarQuotes: false,
  nestedComments: true,
  hashComments: false,
  dashesNeedBlank: false,
  lineEnds: String.raw`\n`,
  versionedComments: [],
  skippedComments: {},
  hints: false,
  parameters: [],
  variables: true,
  blanks: String.raw`\x00-\x20\u0085\u00a0\u1680\u2000-\u200b\u2028\u2029\u202f\u205f\u3000\ufeff`,
  nameStart: String.raw`A-Za-z_#\u00aa-\u167f\u1681-\u1fff\u200c-\u2027\u202a-\u202e\u2030-\u205e\u2060-\u2fff\u3001-\ufefe\uff00-\uffff`,
  nameRest: String.raw`\w#@$\u00aa-\u167f\u1681-\u1fff\u200c-\u2027\u202a-\u202e\u2030-\u205e\u2060-\u2fff\u3001-\ufefe\uff00-\uffff`,
  allowsEmptyExponent: true,
  clientLines: ['GO', 'sqlcmd'],
};
