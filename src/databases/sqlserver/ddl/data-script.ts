import { sqlserverSettings } from '../language/script-settings.ts';
import type { DataScriptRules } from '../../../sql/data-script.ts';

export const sqlserverDataScript: DataScriptRules = {
  dialectHints: [
    { pattern: /^-- .* for sqlserver, by Database Studio/gm, weight: 1000 },
    { pattern: /^GO[ \t]*\r?$/gim, weight: 20 },
    { pattern: /\bIDENTITY_INSERT\b/gi, weight: 20 },
    { pattern: /\bINSERT\s+(?:INTO\s+)?\[/gi, weight: 10 },
    { pattern: /\[dbo\]/gi, weight: 20 },
    { pattern: /[(,]\s*N'/g, weight: 5 },
  ],
  settingsOf: sqlserverSettings,
  decimalLiteralsAreDoubles: false,
  nameParts: 2,
  bitStringsAreBytes: false,
  nativeTypeText: () => undefined,
  proofs: {
    comments: [/^-- .* for sqlserver, by Database Studio/],
    code: [
      /^\s*GO[ \t]*;?[ \t]*\r?$/im,
      /\bIDENTITY_INSERT\b/i,
      /\[dbo\]\s*\./i,
      /^\s*SET\s+(?:NOCOUNT|ANSI_NULLS|QUOTED_IDENTIFIER|XACT_ABORT)\b/im,
    ],
  },
  defaultAxisOrder: undefined,
  hexIsNumber: false,
  digitGroups: false,
  hexStrings: 'bytes',
  stringsAreBytes: true,
  castForms: ['CAST', 'TRY_CAST', 'CONVERT'],
  stringPrefixes: undefined,
  textConcatenation: '+',
  adjacentStrings: 'nowhere',
  casts: 'by-type',
  bytesAsText: 'utf16',
  functions: {
    GETDATE: 'timestamp',
    GETUTCDATE: 'timestamp',
    SYSDATETIME: 'timestamp',
    SYSUTCDATETIME: 'timestamp',
    SYSDATETIMEOFFSET: 'timestamp',
    CONCAT: 'concat-without-nulls',
    CHAR: 'ascii-characters',
    NCHAR: 'utf16-characters',
  },
  bareFunctions: {
    CURRENT_TIMESTAMP: 'timestamp',
  },
};
