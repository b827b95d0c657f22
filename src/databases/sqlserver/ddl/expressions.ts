import {
  callFromTemplates,
  commonTemplates,
  commonFunctions,
} from '../../../sql/expression/calls.ts';
import { sqlserverDdl } from '../dialect/ddl.ts';
import { sqlserverLexicalRules } from '../language/lexical-rules.ts';
import type { ExpressionSyntax } from '../../../sql/expression/syntax.ts';

export const sqlserverExpressions: ExpressionSyntax = {
  lexical: sqlserverLexicalRules,
  quoteName: (name) => sqlserverDdl.quoteName(name),
  quoteText: (text) => sqlserverDdl.quoteText(text),
  constants: { CURRENT_TIMESTAMP: 'now' },
  functions: {
    ...commonFunctions,
    getdate: 'now',
    getutcdate: 'now',
    sysdatetime: 'now',
    sysutcdatetime: 'now',
    sysdatetimeoffset: 'now',
    newid: 'uuid',
    newsequentialid: 'uuid',
    trim: 'trim',
    len: 'characters',
    isnull: 'coalesce',
  },
  call: callFromTemplates({ ...commonTemplates, uuid: 'NEWID()', characters: 'LEN(%)' }),
  concat: (left, right) => `${left} + ${right}`,
  bytes: (hex) => `0x${hex}`,
  bits: (digits) => `'${digits}'`,
  pipes: 'nothing',
  plusConcatenates: true,
  booleans: 'bit',
  qualifiesFunctions: false,
  integerDivision: true,
  likeIsCaseSensitive: false,
  checksMayUseTime: true,
  comparesAnything: true,
  ignoresCase: ({ collation = '' }) => !/_CS_|_CS$|_BIN2?$/i.test(collation.replace(/_UTF8$/i, '')),
};
