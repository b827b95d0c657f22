import {
  callFromTemplates,
  commonTemplates,
  commonFunctions,
} from '../../../sql/expression/calls.ts';
import { sqliteDdl } from '../dialect/ddl.ts';
import { sqliteLexicalRules } from '../language/lexical-rules.ts';
import type { ExpressionSyntax } from '../../../sql/expression/syntax.ts';

/** A random UUID (version 4). SQLite has no function for it. */
const randomUuid =
  "lower(hex(randomblob(4)) || '-' || hex(randomblob(2)) || '-4' || substr(hex(randomblob(2)), 2) || '-' || " +
  "substr('89AB', 1 + (random() & 3), 1) || substr(hex(randomblob(2)), 2) || '-' || hex(randomblob(6)))";

export const sqliteExpressions: ExpressionSyntax = {
  lexical: sqliteLexicalRules,
  quoteName: (name) => sqliteDdl.quoteName(name),
  quoteText: (text) => sqliteDdl.quoteText(text),
  constants: {
    CURRENT_TIMESTAMP: 'now',
    CURRENT_DATE: 'today',
    CURRENT_TIME: 'timeOfDay',
  },
  functions: {
    ...commonFunctions,
    datetime: 'now',
    date: 'today',
    time: 'timeOfDay',
    trim: 'trim',
    length: 'characters',
    substr: 'substring',
    ceil: 'ceiling',
    ifnull: 'coalesce',
  },
  call: callFromTemplates({ ...commonTemplates, uuid: randomUuid, substring: 'substr(%)' }),
  concat: (left, right) => `${left} || ${right}`,
  bytes: (hex) => `X'${hex}'`,
  bits: (digits) => `'${digits}'`,
  pipes: 'concat',
  plusConcatenates: false,
  booleans: 'number',
  qualifiesFunctions: false,
  integerDivision: true,
  likeIsCaseSensitive: false,
  checksMayUseTime: false,
  exactNumbers: false,
  mixedComparison: 'by-class',
  times: {
    toIso: (text) => text,
    takesNumbers: false,
    separator: ' ',
    digits: 9,
    padsFractions: false,
    takesOffsets: true,
    takesDurations: true,
    takesZeroDates: true,
    storesTexts: true,
  },
  trailingBlanks: 'compared',
  ignoresCase: ({ collation }) => collation?.toUpperCase() === 'NOCASE',
};
