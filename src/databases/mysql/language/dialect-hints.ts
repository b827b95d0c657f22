import type { DialectHint, DumpTool } from '../../../sql/ddl/ddl-reader.ts';

export const mysqlDumpTools: readonly DumpTool[] = [
  {
    name: 'mysqldump or mariadb-dump',
    begin: /^-- (?:MySQL|MariaDB) dump \d/m,
    end: /^-- Dump completed/m,
    lastComment: '-- Dump completed',
  },
];

export const mysqlDialectHints: readonly DialectHint[] = [
  { pattern: /`/g, weight: 3 },
  { pattern: /\bAUTO_INCREMENT\b/gi, weight: 10 },
  { pattern: /\bENGINE\s*=/gi, weight: 10 },
  { pattern: /\b(?:TINY|SMALL|MEDIUM|BIG)?INT(?:EGER)?\s*(?:\(\d+\)\s*)?UNSIGNED\b/gi, weight: 6 },
  { pattern: /\b(?:CHARSET|CHARACTER\s+SET)\b/gi, weight: 5 },
  { pattern: /\/\*!\d{5}|\/\*M!/g, weight: 8 },
  { pattern: /^[ \t]*DELIMITER\s/gim, weight: 6 },
  { pattern: /\b(?:MEDIUM|LONG|TINY)(?:TEXT|BLOB)\b/gi, weight: 6 },
  { pattern: /\bENUM\s*\(/gi, weight: 5 },
  { pattern: /\bON\s+UPDATE\s+(?:CURRENT_TIMESTAMP|NOW)\b/gi, weight: 8 },
  { pattern: /^[ \t]*(?:UNIQUE\s+|FULLTEXT\s+)?KEY\s/gim, weight: 5 },
  { pattern: /\bINSERT\s+IGNORE\b|\b(?:UN)?LOCK\s+TABLES\b/gi, weight: 6 },
  { pattern: /\bmysql\b|\bmariadb\b/gi, weight: 3 },
  { pattern: /\bIF\s+(?:NOT\s+)?EXISTS\b/gi, weight: 1 },
  { pattern: /\bDATETIME\b/gi, weight: 1 },
  { pattern: /\bCOMMENT\s*=?\s*'/gi, weight: 3 },
];
