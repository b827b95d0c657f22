import {
  callFromTemplates,
  commonTemplates,
  commonFunctions,
} from '../../../sql/expression/calls.ts';
import { mysqlDdl } from '../dialect/ddl.ts';
import { mysqlLexicalRules } from '../language/lexical-rules.ts';
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
    CURRENT_TIME: 'clock',
    UTC_TIME: 'clock',
  },
  functions: {
    ...commonFunctions,
    now: 'now',
    sysdate: 'now',
    curdate: 'today',
    curtime: 'clock',
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
  call: callFromTemplates({ ...commonTemplates, uuid: 'uuid()', characters: 'char_length(%)' }),
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
  comparesAnything: true,
  ignoresCase: ({ collation }, options) =>
    !/_(?:bin|cs)$|^binary$|_as_cs/i.test(
      collation ?? options['COLLATE'] ?? options['CHARACTER SET'] ?? '',
    ),
};
