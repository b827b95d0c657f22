import type { DialectHint } from '../../../sql/ddl/ddl-reader.ts';

export const sqliteDialectHints: readonly DialectHint[] = [
  { pattern: /\bAUTOINCREMENT\b/gi, weight: 10 },
  { pattern: /^[ \t]*PRAGMA\b/gim, weight: 10 },
  { pattern: /\bINTEGER\s+(?:NOT\s+NULL\s+)?PRIMARY\s+KEY\b/gi, weight: 3 },
  { pattern: /\bWITHOUT\s+ROWID\b|\)\s*STRICT\b/gi, weight: 10 },
  { pattern: /\bsqlite_\w+/gi, weight: 8 },
  { pattern: /\bCREATE\s+VIRTUAL\s+TABLE\b/gi, weight: 10 },
  { pattern: /\bstrftime\s*\(|\bdatetime\s*\(\s*'now'/gi, weight: 6 },
  {
    pattern:
      /\bINSERT\s+OR\s+(?:REPLACE|IGNORE)\b|\bON\s+CONFLICT\s+(?:REPLACE|IGNORE|FAIL|ABORT|ROLLBACK)\b/gi,
    weight: 6,
  },
  { pattern: /\browid\b/gi, weight: 5 },
  { pattern: /\bBLOB\b/gi, weight: 2 },
  { pattern: /\[\w[^\]\n,]*\]/g, weight: 2 },
  { pattern: /\]\s+INTEGER\b|\bIF\s+(?:NOT\s+)?EXISTS\s+\[/gi, weight: 3 },
  { pattern: /\bIF\s+(?:NOT\s+)?EXISTS\b/gi, weight: 1 },
  { pattern: /\bsqlite\b/gi, weight: 3 },
  { pattern: /\bCOLLATE\s+NOCASE\b/gi, weight: 5 },
  { pattern: /\bBEGIN\s+TRANSACTION\s*;/gi, weight: 2 },
];
