import {
  callFromTemplates,
  commonTemplates,
  commonFunctions,
} from '../../../sql/expression/calls.ts';
import { postgresDdl } from '../dialect/ddl.ts';
import { postgresLexicalRules } from '../language/lexical-rules.ts';
import { withDashes } from '../../../sql/expression/time-literal.ts';
import type { ExpressionSyntax } from '../../../sql/expression/syntax.ts';

export const postgresExpressions: ExpressionSyntax = {
  lexical: postgresLexicalRules,
  quoteName: (name) => postgresDdl.quoteName(name),
  quoteText: (text) => postgresDdl.quoteText(text),
  constants: {
    CURRENT_TIMESTAMP: 'now',
    LOCALTIMESTAMP: 'now',
    CURRENT_DATE: 'today',
    CURRENT_TIME: 'timeOfDay',
    LOCALTIME: 'timeOfDay',
  },
  functions: {
    ...commonFunctions,
    now: 'now',
    transaction_timestamp: 'now',
    statement_timestamp: 'now',
    clock_timestamp: 'now',
    timezone: 'now',
    gen_random_uuid: 'uuid',
    uuidv4: 'uuid',
    uuid_generate_v1: 'uuid',
    uuid_generate_v1mc: 'uuid',
    uuid_generate_v4: 'uuid',
    trim: 'trim',
    btrim: 'trim',
    length: 'characters',
    char_length: 'characters',
    character_length: 'characters',
    substr: 'substring',
    ceil: 'ceiling',
  },
  call: callFromTemplates({
    ...commonTemplates,
    uuid: 'gen_random_uuid()',
    characters: 'char_length(%)',
    trimmedCharacters: 'char_length(rtrim(%))',
  }),
  concat: (left, right) => `${left} || ${right}`,
  bytes: (hex) => String.raw`'\x${hex}'::bytea`,
  bits: (digits) => `B'${digits}'`,
  pipes: 'concat',
  plusConcatenates: false,
  booleans: 'typed',
  qualifiesFunctions: true,
  integerDivision: true,
  likeIsCaseSensitive: true,
  checksMayUseTime: true,
  exactNumbers: true,
  mixedComparison: 'fails',
  times: {
    toIso: (text) => (text === 'epoch' ? '1970-01-01 00:00:00' : toIsoDate(text)),
    takesNumbers: false,
    separator: ' ',
    digits: 6,
    padsFractions: false,
    takesOffsets: true,
    takesDurations: false,
    takesZeroDates: false,
    storesTexts: false,
  },
  trailingBlanks: 'ignored in char columns',
  // A user-defined collation may ignore case.
  ignoresCase: ({ nativeType, collation }) =>
    nativeType.endsWith('citext') || (collation === undefined ? false : undefined),
};

/** A year of four digits at the beginning is followed by month and day, whatever DateStyle is. */
function toIsoDate(text: string): string {
  const [date, year, , month = '', day = ''] =
    /^(\d{4})([-/.])(\d{1,2})\2(\d{1,2})(?!\d)/.exec(text) ?? [];
  if (date === undefined) return withDashes(text);
  return `${year}-${month.padStart(2, '0')}-${day.padStart(2, '0')}${text.slice(date.length)}`;
}
