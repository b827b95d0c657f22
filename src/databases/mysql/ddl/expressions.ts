import {
  callFromTemplates,
  commonTemplates,
  commonFunctions,
} from '../../../sql/expression/calls.ts';
import { mysqlDdl } from '../dialect/ddl.ts';
import { mysqlLexicalRules } from '../language/lexical-rules.ts';
import { withDashes } from '../../../sql/expression/time-literal.ts';
import type { ExpressionSyntax } from '../../../sql/expression/syntax.ts';

export const mysqlExpressions: ExpressionSyntax = {
  lexical: mysqlLexicalRules,
  quoteName: (name) => mysqlDdl.quoteName(name),
  quoteText: (text) => mysqlDdl.quoteText(text),
  constants: {
    CURRENT_TIMESTAMP: 'now',
    LOCALTIMESTAMP: 'now',
    LOCALTIME: 'now',
    UTC_TIMESTAMP: 'now',
    CURRENT_DATE: 'today',
    UTC_DATE: 'today',
    CURRENT_TIME: 'timeOfDay',
    UTC_TIME: 'timeOfDay',
  },
  functions: {
    ...commonFunctions,
    now: 'now',
    sysdate: 'now',
    curdate: 'today',
    curtime: 'timeOfDay',
    uuid: 'uuid',
    lcase: 'lower',
    ucase: 'upper',
    trim: 'trim',
    char_length: 'characters',
    character_length: 'characters',
    substr: 'substring',
    mid: 'substring',
    ceil: 'ceiling',
    ifnull: 'coalesce',
  },
  call: callFromTemplates({
    ...commonTemplates,
    uuid: 'uuid()',
    characters: 'char_length(%)',
    trimmedCharacters: 'char_length(rtrim(%))',
  }),
  concat: (left, right) => `concat(${left}, ${right})`,
  bytes: (hex) => `X'${hex}'`,
  bits: (digits) => `b'${digits}'`,
  pipes: 'or',
  plusConcatenates: false,
  booleans: 'number',
  qualifiesFunctions: false,
  integerDivision: false,
  likeIsCaseSensitive: false,
  checksMayUseTime: false,
  exactNumbers: true,
  mixedComparison: 'converts',
  times: {
    toIso: (text, kind) => (kind === 'time' ? withColons(text) : toIsoDate(text)),
    takesNumbers: true,
    separator: ' ',
    digits: 0,
    padsFractions: true,
    takesOffsets: false,
    takesDurations: true,
    takesZeroDates: true,
    storesTexts: false,
  },
  trailingBlanks: 'ignored',
  ignoresCase: ({ collation }, options) =>
    !/_(?:bin|cs)$|^binary$|_as_cs/i.test(
      collation ?? options['COLLATE'] ?? options['CHARACTER SET'] ?? '',
    ),
};

/** `10203` and `1:2:3` as `01:02:03`. */
function withColons(text: string): string | undefined {
  const digits = /^(\d{1,6})(\.\d+)?$/.exec(text);
  if (digits !== null)
    return digits[1]!.padStart(6, '0').replace(/(..)(..)(..)/, '$1:$2:$3') + (digits[2] ?? '');
  return padded(text, /^(-?)(\d{1,3}):(\d{1,2})(?::(\d{1,2}))?(\.\d+)?$/, ':');
}

/** `20200102`, `20200102030405` and `2020-1-2 3:4:5` in ISO 8601. */
function toIsoDate(text: string): string | undefined {
  const digits = /^(\d{8})(\d\d)(\d\d)(\d\d)(\.\d+)?$/.exec(text);
  if (digits !== null) {
    const [, day = '', hours, minutes, seconds, fraction = ''] = digits;
    return `${withDashes(day)} ${hours}:${minutes}:${seconds}${fraction}`;
  }
  const [, day = text, clock] = /^(\S+?)[T ]\s*(\d.*)$/.exec(text) ?? [];
  const iso = padded(day, /^()(\d{4})[-/](\d{1,2})[-/](\d{1,2})()$/, '-') ?? withDashes(day);
  if (clock === undefined) return iso;
  return `${iso} ${padded(clock, /^()(\d{1,2}):(\d{1,2})(?::(\d{1,2}))?(\.\d+)?$/, ':') ?? clock}`;
}

/** The parts of a match with at least two digits each: sign, three numbers, fraction. */
function padded(text: string, pattern: RegExp, separator: string): string | undefined {
  const match = pattern.exec(text);
  if (match === null) return undefined;
  const [, sign = '', first = '', second = '', third = '0', fraction = ''] = match;
  const numbers = [first, second, third].map((digits) => digits.padStart(2, '0'));
  return sign + numbers.join(separator) + fraction;
}
