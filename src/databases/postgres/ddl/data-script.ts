import { postgresCounter } from '../language/counter-statement.ts';
import { postgresSettings } from '../language/script-settings.ts';
import type { DataScriptRules, ExactCast } from '../../../sql/data-script.ts';

const time: ExactCast = { kind: 'time', digits: 6, maxDigits: 6 };
const timestamp: ExactCast = { kind: 'timestamp', digits: 6, maxDigits: 6 };
const decimal: ExactCast = { kind: 'decimal', takesSizes: true };

export const postgresDataScript: DataScriptRules = {
  dialectHints: [
    { pattern: /^-- .* for postgres, by Database Studio/gm, weight: 1000 },
    { pattern: /^-- PostgreSQL database dump/gm, weight: 50 },
    { pattern: /^COPY\s[^;]*\sFROM\s+stdin/gim, weight: 30 },
    {
      pattern: /^SET\s+(?:LOCAL|client_encoding|standard_conforming_strings|search_path)\b/gim,
      weight: 20,
    },
    { pattern: /^\\(?:c|connect|restrict|encoding|set|\.)(?![\w])/gm, weight: 30 },
    { pattern: /\bpg_catalog\./g, weight: 20 },
    { pattern: /\bINTO\s+"?public"?\./gi, weight: 10 },
    { pattern: /'::[a-z]/g, weight: 5 },
    { pattern: /\(E'|, ?E'/g, weight: 5 },
  ],
  settingsOf: postgresSettings,
  counterOf: postgresCounter,
  skippedComments: {},
  isTemporary: (parts) => /^pg_temp(?:_\d+)?$/i.test(parts.at(-2) ?? ''),
  decimalLiteralsAreDoubles: false,
  hasMoney: true,
  nameParts: 2,
  bitStringsAreBytes: false,
  nativeTypeText: () => undefined,
  proofs: {
    comments: [
      /^-- .* for postgres, by Database Studio/,
      /^-- PostgreSQL database (?:cluster )?dump/,
    ],
    code: [
      /^COPY\s[^;]*\sFROM\s+stdin/im,
      /^\s*SET\s+(?:client_encoding|standard_conforming_strings|search_path|client_min_messages)\b/im,
      /^\\(?:c|connect|restrict|unrestrict|encoding|set|\.)(?!\w)/m,
      /\bpg_catalog\s*\./i,
      /\bINTO\s+"?public"?\s*\./i,
      /''\s*::\s*\w/,
      /\bE''/,
      /\bOVERRIDING\s+(?:SYSTEM|USER)\s+VALUE\b/i,
    ],
  },
  defaultAxisOrder: undefined,
  hexIsNumber: true,
  digitGroups: true,
  hexStrings: 'bits',
  stringsAreBytes: false,
  castForms: ['CAST', '::'],
  stringPrefixes:
    /^(?:DATE|TIMESTAMPTZ|TIMETZ|TIMESTAMP|TIME|INTERVAL|UUID|JSONB?|BYTEA|INET|CIDR|BIT|POINT)$/,
  textConcatenation: '||',
  adjacentStrings: 'over-lines',
  casts: 'by-type',
  bytesAsText: undefined,
  exactCasts: {
    DATE: { kind: 'date' },
    TIME: time,
    'TIME WITHOUT TIME ZONE': time,
    TIMETZ: { ...time, zone: 'required' },
    'TIME WITH TIME ZONE': { ...time, zone: 'required' },
    TIMESTAMP: timestamp,
    'TIMESTAMP WITHOUT TIME ZONE': timestamp,
    TIMESTAMPTZ: { ...timestamp, zone: 'required' },
    'TIMESTAMP WITH TIME ZONE': { ...timestamp, zone: 'required' },
    NUMERIC: decimal,
    DECIMAL: decimal,
    'DOUBLE PRECISION': { kind: 'float', bits: 64 },
    FLOAT8: { kind: 'float', bits: 64 },
    REAL: { kind: 'float', bits: 32 },
    FLOAT4: { kind: 'float', bits: 32 },
    UUID: { kind: 'uuid', letters: 'lower' },
  },
  functions: {
    NOW: 'timestamp',
    CURRENT_TIMESTAMP: 'timestamp',
    LOCALTIMESTAMP: 'timestamp',
    CONCAT: 'concat-without-nulls',
    REPLACE: 'replace',
    CHR: 'characters',
    UNISTR: 'unistr',
    DECODE: 'decode',
    ST_GEOMFROMTEXT: 'geometry',
    ST_GEOMETRYFROMTEXT: 'geometry',
  },
  bareFunctions: {
    CURRENT_TIMESTAMP: 'timestamp',
    LOCALTIMESTAMP: 'timestamp',
    CURRENT_DATE: 'date',
    CURRENT_TIME: 'time',
    LOCALTIME: 'time',
  },
};
