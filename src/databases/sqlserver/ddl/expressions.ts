import {
  callFromTemplates,
  commonTemplates,
  commonFunctions,
} from '../../../sql/expression/calls.ts';
import { sqlserverDdl } from '../dialect/ddl.ts';
import { sqlserverLexicalRules } from '../language/lexical-rules.ts';
import { withDashes } from '../../../sql/expression/time-literal.ts';
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
    len: 'trimmedCharacters',
    isnull: 'coalesce',
  },
  call: callFromTemplates({
    ...commonTemplates,
    uuid: 'NEWID()',
    characters: "(LEN(% + N'x') - 1)",
    trimmedCharacters: 'LEN(%)',
  }),
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
  exactNumbers: true,
  mixedComparison: 'converts',
  times: {
    // The empty text is the first day of DATETIME.
    toIso: (text, kind) => (text === '' && kind !== 'time' ? '1900-01-01' : withDashes(text)),
    // The default of the option "two digit year cutoff".
    lastTwoDigitYear: 2049,
    takesNumbers: false,
    separator: 'T',
    digits: 7,
    padsFractions: true,
    offset: '+00:00',
    takesOffsets: true,
    takesDurations: false,
    takesZeroDates: false,
    storesTexts: false,
  },
  trailingBlanks: 'ignored',
  ignoresCase: ({ collation = '' }) => !/_CS_|_CS$|_BIN2?$/i.test(collation.replace(/_UTF8$/i, '')),
};
