import { sqliteCounter } from '../language/counter-statement.ts';
import { sqliteSettings } from '../language/script-settings.ts';
import { namesServer } from '../../../sql/named-server.ts';
import type { DataScriptRules } from '../../../sql/data-script.ts';

export const sqliteDataScript: DataScriptRules = {
  dialectHints: [
    { pattern: /^-- .* for sqlite, by Database Studio/gm, weight: 1000 },
    { pattern: /^PRAGMA\s/gim, weight: 30 },
    { pattern: /\bsqlite_(?:sequence|master|schema|stat\d)\b/g, weight: 20 },
    { pattern: /\bunistr\('|\breplace\('', *'', *char\(1[03]\)\)/g, weight: 20 },
    { pattern: /\b[Xx]''/g, weight: 2 },
  ],
  settingsOf: sqliteSettings,
  counterOf: sqliteCounter,
  skippedComments: {},
  isTemporary: (parts) => parts.length > 1 && parts.at(-2)?.toLowerCase() === 'temp',
  decimalLiteralsAreDoubles: true,
  hasMoney: false,
  hasMoneyLiterals: false,
  booleanWords: undefined,
  zeroIsNextNumber: false,
  nullIsNextNumber: true,
  insertsBySet: false,
  nameParts: 1,
  bitStringsAreBytes: false,
  nativeTypeText: () => undefined,
  proofs: {
    comments: [/^-- .* for sqlite, by Database Studio/, namesServer('SQLite')],
    code: [
      /^[ \t]*PRAGMA\s+\w+/im,
      /\bsqlite_(?:sequence|master|schema|stat\d)\b/i,
      // A string with a line break, exactly as the sqlite3 shell writes it.
      /\breplace\((?:replace\()?'' *,'' *,char\(1[03]\)\)/,
      /\bINSERT\s+OR\s+(?:REPLACE|IGNORE|ROLLBACK|ABORT|FAIL)\b/i,
    ],
  },
  defaultAxisOrder: undefined,
  hexIsNumber: true,
  digitGroups: true,
  hexStrings: 'bytes',
  textLengths: 'characters',
  stringsAreBytes: true,
  castForms: ['CAST'],
  stringPrefixes: undefined,
  textConcatenation: '||',
  adjacentStrings: 'nowhere',
  casts: 'by-class',
  bytesAsText: 'utf8',
  exactCasts: {},
  functions: {
    DATETIME: 'datetime-text',
    DATE: 'date-text',
    TIME: 'time-text',
    CONCAT: 'concat-without-nulls',
    REPLACE: 'replace',
    CHAR: 'characters',
    UNISTR: 'unistr',
    UNHEX: 'unhex',
    HEX: 'hex',
    ZEROBLOB: 'zeroblob',
    JSON: 'json',
  },
  timeFunctions: {
    STRFTIME: 'text-by-strftime',
  },
  bareFunctions: {
    CURRENT_TIMESTAMP: 'timestamp',
    CURRENT_DATE: 'date',
    CURRENT_TIME: 'time',
  },
};
