import * as fc from 'fast-check';
import { describe, expect, test, vi } from 'vitest';

import { tokenize } from '../../src/portable/lexer/lexer.ts';
import { languageNames, languages, variations } from './languages.ts';
import type { LexicalRules, TokenKind } from '../../src/portable/lexer/lexer.ts';
import type { LanguageName } from './languages.ts';

/**
 * For each construct, a text that is a single token of the given kind in a dialect that has the
 * construct, and something else in the other dialects.
 */
const constructs = {
  'double quotes make names': ['"a;""b -- c"', 'quoted-name'],
  'double quotes make strings': ['"a;""b -- c"', 'string'],
  'backticks make names': ['`a;``b -- c`', 'quoted-name'],
  'brackets make names': ['[a; "b -- c]', 'quoted-name'],
  'a doubled bracket is one': ['[a;]] b]', 'quoted-name'],
  'single quotes make strings': ["'a;''b -- c'", 'string'],
  'backslashes escape': [String.raw`'a;\'b -- c'`, 'string'],
  'E makes escape strings': [String.raw`e'a;\'b -- c'`, 'string'],
  'N makes national strings': ["N'a;''b'", 'string'],
  'X makes binary strings': ["x'00ff'", 'string'],
  'B makes bit strings': ["b'01'", 'string'],
  'U& makes strings': [String.raw`U&'\0044;'`, 'string'],
  'U& makes names': [String.raw`u&"\0044;"`, 'quoted-name'],
  'dollars make strings': ['$$ ; \' " $$', 'string'],
  'dollars with a tag make strings': ["$a_1$ ; ' $$ $b$ $a_1$", 'string'],
  'block comments': ["/* ; ' */", 'comment'],
  'block comments nest': ["/* /* ' */ ; */", 'comment'],
  'dashes begin comments': ['-- ; \' "', 'comment'],
  'dashes need no blank': ['--; \' "', 'comment'],
  'hashes begin comments': ['# ; \' "', 'comment'],
  'a carriage return stays in a comment': ['-- a\rb', 'comment'],
  'optimizer hints': ['/*+ MAX_EXECUTION_TIME(1) */', 'hint'],
  'question marks are parameters': ['?', 'parameter'],
  'numbered question marks are parameters': ['?12', 'parameter'],
  'numbered dollars are parameters': ['$12', 'parameter'],
  'colons name parameters': [':a1', 'parameter'],
  'at signs name parameters': ['@a1', 'parameter'],
  'dollars name parameters': ['$a1', 'parameter'],
  'at signs name variables': ['@a1', 'variable'],
  'double at signs name variables': ['@@a1', 'variable'],
  'dollars stand in names': ['a$b$c', 'word'],
  'names begin with a hash': ['#temp', 'word'],
  'no-break spaces are space': ['\u00a0\u3000', 'space'],
  'no-break spaces are letters': ['\u00a0\u3000', 'word'],
  'GO is a line': ['go 12', 'meta-line'],
  'DELIMITER is a line': ['delimiter $$', 'meta-line'],
  'backslashes make lines': [String.raw`\connect "a;b"`, 'meta-line'],
} as const satisfies Record<string, readonly [string, TokenKind]>;

type Construct = keyof typeof constructs;

const inAllDialects = [
  'single quotes make strings',
  'block comments',
  'dashes begin comments',
  'dollars stand in names',
];

const constructsOfDialect: Record<LanguageName, readonly Construct[]> = {
  sqlite: [
    'double quotes make names',
    'backticks make names',
    'brackets make names',
    'X makes binary strings',
    'dashes need no blank',
    'a carriage return stays in a comment',
    'question marks are parameters',
    'numbered question marks are parameters',
    'numbered dollars are parameters',
    'colons name parameters',
    'at signs name parameters',
    'dollars name parameters',
    'no-break spaces are letters',
  ],
  postgres: [
    'double quotes make names',
    'E makes escape strings',
    'N makes national strings',
    'X makes binary strings',
    'B makes bit strings',
    'U& makes strings',
    'U& makes names',
    'dollars make strings',
    'dollars with a tag make strings',
    'block comments nest',
    'dashes need no blank',
    'numbered dollars are parameters',
    'no-break spaces are letters',
    'backslashes make lines',
  ],
  mysql: [
    'double quotes make strings',
    'backticks make names',
    'backslashes escape',
    'N makes national strings',
    'X makes binary strings',
    'B makes bit strings',
    'hashes begin comments',
    'a carriage return stays in a comment',
    'optimizer hints',
    'question marks are parameters',
    'at signs name variables',
    'double at signs name variables',
    'no-break spaces are letters',
    'DELIMITER is a line',
  ],
  sqlserver: [
    'double quotes make names',
    'brackets make names',
    'a doubled bracket is one',
    'N makes national strings',
    'block comments nest',
    'dashes need no blank',
    'a carriage return stays in a comment',
    'at signs name variables',
    'double at signs name variables',
    'names begin with a hash',
    'no-break spaces are space',
    'GO is a line',
  ],
};

function tokenTexts(text: string, rules: LexicalRules): string[] {
  return tokenize(text, rules).map(
    ({ kind, start, end, unterminated }) =>
      `${kind} ${text.slice(start, end)}${unterminated ? ' …' : ''}`,
  );
}

function codeTokens(text: string, rules: LexicalRules): string[] {
  return tokenTexts(text, rules).filter((token) => !/^(?:space|comment)/.test(token));
}

describe.each(languageNames)('%s', (name) => {
  const { lexical } = languages[name];

  test.each(Object.entries(constructs))(
    '%s, only in dialects that have the construct',
    (construct, [text, kind]) => {
      const expected =
        inAllDialects.includes(construct) ||
        constructsOfDialect[name].some((each) => each === construct);
      const [first, ...rest] = tokenize(text, lexical);
      const isSingleToken =
        first?.kind === kind && first.unterminated === undefined && rest.length === 0;
      expect(isSingleToken).toBe(expected);
    },
  );

  test.each(["'a", "'a''", '/* a', '/*+ a'])('%s is an unterminated token', (text) => {
    expect(tokenize(text, lexical)).toMatchObject([
      { start: 0, end: text.length, unterminated: true },
    ]);
  });

  test('a word ends at its last letter', () => {
    expect(codeTokens('a.b"c"', lexical)).toHaveLength(4);
    expect(tokenTexts('x=-1.5e3*.5', lexical)).toEqual([
      'word x',
      'operator =',
      'operator -',
      'number 1.5e3',
      'operator *',
      'number .5',
    ]);
  });

  test('a number ends at its last digit, whatever character follows', () => {
    expect(tokenTexts('1DELETE', lexical)).toEqual(['number 1', 'word DELETE']);
    expect(tokenTexts('0xDELETE', lexical)).toEqual(['number 0xDE', 'word LETE']);
  });

  test('a byte order mark is space', () => {
    expect(tokenTexts('\ufeffSELECT', lexical)).toEqual(['space \ufeff', 'word SELECT']);
  });
});

describe('postgres', () => {
  const { lexical } = languages.postgres;

  test('a string continues after a line break, with the escapes of its first part', () => {
    const text = String.raw`E'a' -- x` + '\n' + String.raw`'\'; b'`;
    expect(codeTokens(text, lexical)).toEqual([`string E'a'`, String.raw`string '\'; b'`]);
  });

  test('a string on the same line is another token', () => {
    expect(codeTokens(String.raw`E'a' '\' b`, lexical)).toEqual([
      `string E'a'`,
      String.raw`string '\'`,
      'word b',
    ]);
  });

  test('a block comment prevents the continuation of a string', () => {
    const text = `E'a' /* x */\n` + String.raw`'\' b`;
    expect(codeTokens(text, lexical)).toEqual([`string E'a'`, String.raw`string '\'`, 'word b']);
  });

  test('operators of JSON are operators', () => {
    expect(codeTokens(`a ? 'b' @> c #>> d ->> e::jsonb`, lexical)).toEqual([
      'word a',
      'operator ?',
      `string 'b'`,
      'operator @',
      'operator >',
      'word c',
      'operator #',
      'operator >',
      'operator >',
      'word d',
      'operator ->>',
      'word e',
      'operator ::',
      'word jsonb',
    ]);
  });

  test('rows of COPY are one token up to their end marker', () => {
    const text = "COPY a (b) FROM stdin;\n1\t';\n\\.x\n\n\\.\nSELECT 1;";
    expect(codeTokens(text, lexical).slice(7)).toEqual([
      'delimiter ;',
      "copy-data 1\t';\n\\.x\n\n",
      'meta-line \\.',
      'word SELECT',
      'number 1',
      'delimiter ;',
    ]);
  });

  test('COPY without rows has no token for them', () => {
    expect(codeTokens('COPY a FROM stdin;\n\\.\n', lexical)).toContain('meta-line \\.');
    expect(codeTokens('COPY a TO stdout;\nSELECT 1;', lexical)).toContain('word SELECT');
    expect(codeTokens('SELECT 1 FROM stdin;\nSELECT 2;', lexical)).toContain('number 2');
  });

  test('rows of COPY without an end marker are unterminated', () => {
    expect(tokenTexts('COPY a FROM stdin;\n1\n', lexical).at(-1)).toBe('copy-data 1\n …');
  });

  test('backslashes escape where standard_conforming_strings is off', () => {
    const { lexical: lexicalWithBackslashes } = variations.postgresBackslashStrings;
    expect(codeTokens(String.raw`'a\' b'`, lexicalWithBackslashes)).toEqual([
      String.raw`string 'a\' b'`,
    ]);
  });
});

describe('mysql', () => {
  const { lexical } = languages.mysql;

  test('the content of a versioned comment is code', () => {
    expect(codeTokens(`/*!50001 DROP '*/' /* x */ */ a`, lexical)).toEqual([
      'versioned-open /*!50001',
      'word DROP',
      `string '*/'`,
      'versioned-close */',
      'word a',
    ]);
    expect(codeTokens('/*!DROP*/ /*M!100100 b */', lexical)).toEqual([
      'versioned-open /*!',
      'word DROP',
      'versioned-close */',
      'versioned-open /*M!100100',
      'word b',
      'versioned-close */',
    ]);
  });

  test('a versioned comment without an end is unterminated', () => {
    expect(codeTokens('/*!50001 a', lexical)).toEqual(['versioned-open /*!50001 …', 'word a']);
  });

  test('a delimiter in a versioned comment does not end the statement', () => {
    expect(codeTokens('/*! ; */ ;', lexical)).toEqual([
      'versioned-open /*!',
      'punctuation ;',
      'versioned-close */',
      'delimiter ;',
    ]);
  });

  test('two dashes before anything but white space are two minus signs', () => {
    expect(codeTokens('1--1\n--\n2', lexical)).toEqual([
      'number 1',
      'operator -',
      'operator -',
      'number 1',
      'number 2',
    ]);
  });

  test('DELIMITER changes what ends a statement, in the middle of a word too', () => {
    expect(codeTokens('DELIMITER $$\na; END$$ b\ndelimiter ;\nc;', lexical)).toEqual([
      'meta-line DELIMITER $$',
      'word a',
      'punctuation ;',
      'word END',
      'delimiter $$',
      'word b',
      'meta-line delimiter ;',
      'word c',
      'delimiter ;',
    ]);
    expect(codeTokens('DELIMITER //\na / b // c', lexical).slice(1)).toEqual([
      'word a',
      'operator /',
      'word b',
      'delimiter //',
      'word c',
    ]);
  });

  test('double quotes make names under ANSI_QUOTES', () => {
    const { lexical: lexicalOfAnsiQuotes } = variations.mysqlAnsiQuotes;
    expect(codeTokens(String.raw`"a\" b`, lexicalOfAnsiQuotes)).toEqual([
      String.raw`quoted-name "a\"`,
      'word b',
    ]);
  });

  test('backslashes are letters under NO_BACKSLASH_ESCAPES', () => {
    const { lexical: lexicalWithoutBackslashes } = variations.mysqlNoBackslashEscapes;
    expect(codeTokens(String.raw`'a\' b`, lexicalWithoutBackslashes)).toEqual([
      String.raw`string 'a\'`,
      'word b',
    ]);
  });
});

describe('sqlserver', () => {
  const { lexical } = languages.sqlserver;

  test('GO must be alone on its line', () => {
    expect(codeTokens('a\n  GO 5 -- x\ngo', lexical)).toEqual([
      'word a',
      'meta-line GO 5 -- x',
      'meta-line go',
    ]);
    expect(codeTokens('go a\n/**/ GO\nGOTO x', lexical)).not.toContain('meta-line GO');
  });

  test('an exponent may be empty', () => {
    expect(codeTokens('1eDELETE', lexical)).toEqual(['number 1e', 'word DELETE']);
  });

  test('double quotes make strings where QUOTED_IDENTIFIER is off', () => {
    expect(codeTokens('"a;"', variations.sqlserverQuotedStrings.lexical)).toEqual(['string "a;"']);
  });
});

/** Parts of realistic and of hostile texts. */
const fragment = fc.constantFrom(
  "'",
  '"',
  '`',
  '[',
  ']',
  '\\',
  '$',
  '$$',
  '$a$',
  ';',
  '--',
  '-- ',
  '#',
  '/*',
  '*/',
  '/*!',
  '/*!40101 ',
  '/*+',
  '(',
  ')',
  '\n',
  '\r\n',
  '\r',
  ' ',
  '\t',
  'GO\n',
  '\nDELIMITER //\n',
  '//',
  '\\.',
  '\\connect\n',
  "E'",
  "U&'",
  'COPY a FROM stdin;\n',
  'BEGIN',
  'END',
  'CASE',
  'SELECT',
  'é',
  '\u00a0',
  '😀',
  '\ud800',
  '\0',
  '?',
  ':a',
  '@b',
  '1e',
  '0x',
);
const anyText = fc.oneof(
  fc.array(fragment, { maxLength: 60 }).map((fragments) => fragments.join('')),
  fc.string(),
);

const anyRules = fc.constantFrom(
  ...[...Object.values(languages), ...Object.values(variations)].map((l) => l.lexical),
);

test('the tokens of any text cover it without gaps, and none is empty', () => {
  fc.assert(
    fc.property(anyText, anyRules, (text, rules) => {
      let endOfPrevious = 0;
      for (const { start, end } of tokenize(text, rules)) {
        expect(start).toBe(endOfPrevious);
        expect(end).toBeGreaterThan(start);
        endOfPrevious = end;
      }
      expect(endOfPrevious).toBe(text.length);
    }),
    { numRuns: 1000 },
  );
});

test('only the last token and versioned comments can be unterminated', () => {
  fc.assert(
    fc.property(anyText, anyRules, (text, rules) => {
      const tokens = tokenize(text, rules);
      for (const { kind, end, unterminated } of tokens) {
        if (unterminated && kind !== 'versioned-open') expect(end).toBe(text.length);
      }
    }),
  );
});

/** Functions that quote a text so that the dialect reads it as one token. */
const quoteFunctions: Record<LanguageName, Record<string, (text: string) => string>> = {
  sqlite: {
    string: (text) => `'${text.replaceAll("'", "''")}'`,
    name: (text) => `"${text.replaceAll('"', '""')}"`,
    backticks: (text) => `\`${text.replaceAll('`', '``')}\``,
    brackets: (text) => `[${text.replaceAll(']', '')}]`,
    comment: (text) => `/*${text.replaceAll('*/', '')}*/`,
  },
  postgres: {
    string: (text) => `'${text.replaceAll("'", "''")}'`,
    escaped: (text) => `E'${text.replaceAll(/['\\]/g, String.raw`\$&`)}'`,
    unicode: (text) => `U&'${text.replaceAll("'", "''")}'`,
    dollars: (text) => `$x$${text.replaceAll('$', '')}$x$`,
    name: (text) => `"${text.replaceAll('"', '""')}"`,
    comment: (text) => `/*${text.replaceAll(/[*/]/g, '')}*/`,
    nested: (text) => `/*a/*${text.replaceAll(/[*/]/g, '')}*/b*/`,
  },
  mysql: {
    string: (text) => `'${text.replaceAll(/['\\]/g, String.raw`\$&`)}'`,
    doubled: (text) => `"${text.replaceAll('\\', '').replaceAll('"', '""')}"`,
    name: (text) => `\`${text.replaceAll('`', '``')}\``,
    comment: (text) => `/* ${text.replaceAll('*/', '')}*/`,
  },
  sqlserver: {
    string: (text) => `'${text.replaceAll("'", "''")}'`,
    national: (text) => `N'${text.replaceAll("'", "''")}'`,
    name: (text) => `"${text.replaceAll('"', '""')}"`,
    brackets: (text) => `[${text.replaceAll(']', ']]')}]`,
    comment: (text) => `/*${text.replaceAll(/[*/]/g, '')}*/`,
  },
};

describe.each(languageNames)('in %s', (name) => {
  test.each(Object.entries(quoteFunctions[name]))(
    'no text in a %s is tokenized as code',
    (_, quote) => {
      fc.assert(
        fc.property(anyText, (text) => {
          const quoted = quote(text);
          const tokens = tokenize(`SELECT ${quoted} FROM a`, languages[name].lexical);
          expect(tokens).toHaveLength(7);
          expect(tokens[2]).toMatchObject({ start: 7, end: 7 + quoted.length });
          expect(tokens[2]?.unterminated).toBeUndefined();
        }),
      );
    },
  );
});

/**
 * Counts the characters that `indexOf` and regular expressions scan while the action runs, including
 * `RegExp.test`, which calls `exec`. A failed match of a sticky pattern counts as one.
 */
function countScannedCharacters(action: () => void): number {
  let count = 0;
  // oxlint-disable typescript/unbound-method -- both are called with their own `this`
  const { indexOf } = String.prototype;
  const { exec } = RegExp.prototype;
  // oxlint-enable typescript/unbound-method
  const spies = [
    vi.spyOn(String.prototype, 'indexOf').mockImplementation(function (
      this: string,
      target,
      from = 0,
    ) {
      const index = indexOf.call(this, target, from);
      count += (index < 0 ? this.length : index) - from + 1;
      return index;
    }),
    vi.spyOn(RegExp.prototype, 'exec').mockImplementation(function (this: RegExp, text) {
      const from = this.lastIndex;
      const match = exec.call(this, text);
      const end = match === null ? text.length : match.index + match[0].length;
      count += match === null && this.sticky ? 1 : end - from + 1;
      return match;
    }),
  ];
  action();
  for (const spy of spies) spy.mockRestore();
  return count;
}

const hostile = [
  "'",
  '$a',
  '$a$',
  '/*',
  '/*!',
  '*/',
  '--',
  '[',
  '(',
  'E',
  '\\',
  '\n\\.',
  'GO\n',
  'x ',
  "E'a'\n",
  ' \n',
];

describe.each(languageNames)('in %s', (name) => {
  const { lexical } = languages[name];

  test.each(hostile)('the work for repeated %j is proportional to its length', (text) => {
    const prefixes = ['', 'COPY a FROM stdin;\n', 'DELIMITER //\n'];
    for (const prefix of prefixes) {
      const tokenizeRepeated = (times: number): number =>
        countScannedCharacters(() => tokenize(prefix + text.repeat(times), lexical));
      expect(tokenizeRepeated(2000)).toBeLessThan(tokenizeRepeated(1000) * 2.5);
    }
  });
});
