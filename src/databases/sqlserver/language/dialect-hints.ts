import type { DialectHint } from '../../../sql/ddl/ddl-reader.ts';

/** `id int identity`, also without the first number and the step. */
export const identityColumn =
  /\b(?:(?:tiny|small|big)?int|integer|(?:numeric|decimal)(?:\s*\([\d\s,]{1,9}\))?)\]?\s{1,9}(?:(?:not\s{1,9})?null\s{1,9}|primary\s{1,9}key\s{1,9})?identity\b/i;

export const sqlserverDialectHints: readonly DialectHint[] = [
  { pattern: /^[ \t]*GO[ \t]*;?[ \t]*\r?$/gim, weight: 10 },
  { pattern: /^[ \t]*:(?:setvar|on[ \t]+error)\b/gim, weight: 20 },
  { pattern: /\[\w[^\]\n,]*\]/g, weight: 2 },
  { pattern: /\bIDENTITY\s*\(\s*\d+\s*,\s*\d+\s*\)/gi, weight: 8 },
  { pattern: new RegExp(identityColumn.source, 'gi'), weight: 8 },
  { pattern: /\bN?VARCHAR\s*\(\s*MAX\s*\)/gi, weight: 8 },
  { pattern: /\b(?:NON)?CLUSTERED\b/gi, weight: 8 },
  { pattern: /\bUNIQUEIDENTIFIER\b|\bDATETIME2\b|\bDATETIMEOFFSET\b/gi, weight: 6 },
  { pattern: /\b(?:GETDATE|NEWID|SYSDATETIME|GETUTCDATE|OBJECT_ID)\s*\(/gi, weight: 6 },
  { pattern: /\bdbo\s*\.|\[dbo\]/gi, weight: 6 },
  { pattern: /\bsp_addextendedproperty\b|\bsysobjects\b|\bsys\.\w+/gi, weight: 6 },
  { pattern: /\bWITH\s+(?:NO)?CHECK\s+ADD\b|\bON\s+\[?PRIMARY\]?/gi, weight: 6 },
  { pattern: /\bSET\s+(?:ANSI_NULLS|QUOTED_IDENTIFIER|NOCOUNT)\b/gi, weight: 6 },
  { pattern: /\b(?:nvarchar|ntext|smallmoney|money|bit)\b/gi, weight: 1 },
  { pattern: /\bSQL Server\b|\bT-?SQL\b/gi, weight: 3 },
  { pattern: /\bBIT\s+(?:NOT\s+NULL\s+)?DEFAULT\s+\(?[01]/gi, weight: 6 },
  { pattern: /\bAS\b[^\n;]*\bPERSISTED\b/gi, weight: 5 },
];
