import type { DialectHint, DumpTool } from '../../../sql/ddl/ddl-reader.ts';

export const postgresDumpTools: readonly DumpTool[] = [
  {
    name: 'pg_dump',
    begin: /^-- PostgreSQL database dump$/m,
    end: /^-- PostgreSQL database dump complete$/m,
    lastComment: '-- PostgreSQL database dump complete',
  },
];

export const postgresDialectHints: readonly DialectHint[] = [
  { pattern: /^-- PostgreSQL database dump/gm, weight: 50 },
  { pattern: /'?::\s*[a-z_"]/gi, weight: 4 },
  { pattern: /\b(?:BIG|SMALL)?SERIAL\b/gi, weight: 6 },
  {
    pattern:
      /\bcharacter varying\b|\btimestamp(?:\(\d\))? with(?:out)? time zone\b|\bTIMESTAMPTZ\b/gi,
    weight: 6,
  },
  { pattern: /\bBYTEA\b|\bJSONB\b|\bTSVECTOR\b|\bCITEXT\b/gi, weight: 6 },
  { pattern: /\bnextval\s*\(|\bpg_catalog\b|\bregclass\b|\bsearch_path\b/gi, weight: 6 },
  { pattern: /\bAS\s+ENUM\s*\(/gi, weight: 10 },
  { pattern: /\bALTER\s+TABLE\s+ONLY\b|\bOWNER\s+TO\b/gi, weight: 8 },
  { pattern: /\bCREATE\s+(?:EXTENSION|DOMAIN)\b/gi, weight: 8 },
  { pattern: /\bGENERATED\s+(?:ALWAYS|BY\s+DEFAULT)\s+AS\s+IDENTITY\b/gi, weight: 6 },
  { pattern: /\bCOMMENT\s+ON\s+(?:TABLE|COLUMN|SCHEMA|EXTENSION)\b/gi, weight: 4 },
  { pattern: /\$\$|\$[a-z_]+\$/gi, weight: 4 },
  { pattern: /^\\(?:c|connect|i|ir|restrict|unrestrict|set|echo)\b/gim, weight: 10 },
  { pattern: /\bpublic\./gi, weight: 3 },
  { pattern: /\bIF\s+(?:NOT\s+)?EXISTS\b/gi, weight: 1 },
  { pattern: /\bpostgres(?:ql)?\b/gi, weight: 3 },
  { pattern: /^COPY\s[^;]*\sFROM\s+stdin/gim, weight: 20 },
  { pattern: /\bUSING\s+(?:gin|gist|btree|brin|hash)\b/gi, weight: 4 },
  { pattern: /\w\[\]/g, weight: 4 },
  { pattern: /\bBOOLEAN\b|\bUUID\b/gi, weight: 1 },
];
