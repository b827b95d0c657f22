import { portableGeometryText } from '../dialect/geometry-text.ts';
import { isSpatial } from '../dialect/types.ts';
import { isVector, vectorText } from '../dialect/vector.ts';
import { mysqlCounter } from '../language/counter-statement.ts';
import { mysqlSettings } from '../language/script-settings.ts';
import { skippedEverywhere } from '../language/skipped-comments.ts';
import type { DataScriptRules } from '../../../sql/data-script.ts';

export const mysqlDataScript: DataScriptRules = {
  dialectHints: [
    { pattern: /^-- .* for mysql, by Database Studio/gm, weight: 1000 },
    { pattern: /^-- (?:MySQL|MariaDB) dump/gm, weight: 50 },
    { pattern: /\/\*(?:!|M!)\d{5}/g, weight: 20 },
    { pattern: /\bINTO\s+`/gi, weight: 10 },
    { pattern: /^(?:UN)?LOCK TABLES/gm, weight: 10 },
    { pattern: /\b_binary '/g, weight: 10 },
    {
      pattern: /^\s*SET\s+(?:NAMES|@|(?:FOREIGN_KEY|UNIQUE)_CHECKS|SESSION|SQL_MODE)/gim,
      weight: 8,
    },
    { pattern: /\bENGINE\s*=|\bAUTO_INCREMENT\b/gi, weight: 10 },
    { pattern: /^#/gm, weight: 3 },
  ],
  settingsOf: mysqlSettings,
  counterOf: mysqlCounter,
  skippedComments: skippedEverywhere,
  isTemporary: () => false,
  decimalLiteralsAreDoubles: false,
  hasMoney: false,
  nameParts: 1,
  bitStringsAreBytes: true,
  nativeTypeText: (bytes, { type }) => {
    if (isVector(type)) return vectorText(bytes);
    return isSpatial(type) ? portableGeometryText(bytes) : undefined;
  },
  proofs: {
    comments: [
      /^-- .* for mysql, by Database Studio/,
      /^-- (?:MySQL|MariaDB) dump/,
      /^-- phpMyAdmin SQL Dump/,
      /^\/\*M?!\d{5}/,
    ],
    code: [
      /^\s*(?:UN)?LOCK\s+TABLES\b/im,
      /^\s*SET\s+(?:NAMES\s+\w|@|(?:FOREIGN_KEY|UNIQUE)_CHECKS\b|(?:SESSION\s+)?SQL_MODE\b)/im,
      /\b_(?:binary|utf8mb4|utf8|latin1)\s*''/i,
      /\)\s*ENGINE\s*=/i,
      /\bAUTO_INCREMENT\b/i,
      /\bINSERT\s+IGNORE\s+INTO\b/i,
      /^\s*DELIMITER\s/im,
    ],
  },
  defaultAxisOrder: 'srid-defined',
  hexIsNumber: false,
  digitGroups: false,
  hexStrings: 'number',
  stringsAreBytes: true,
  castForms: ['CAST', 'CONVERT'],
  stringPrefixes: /^(?:DATE|TIME|TIMESTAMP|_(?:BINARY|ASCII|LATIN\d|UTF\w+|UCS2))$/,
  textConcatenation: undefined,
  adjacentStrings: 'anywhere',
  casts: 'by-type',
  bytesAsText: 'utf8',
  exactCasts: {
    DATE: { kind: 'date' },
    TIME: { kind: 'time', maxDigits: 6 },
    DATETIME: { kind: 'timestamp', maxDigits: 6 },
    DECIMAL: { kind: 'decimal', precision: 10, scale: 0, takesSizes: true },
    DOUBLE: { kind: 'float', bits: 64 },
    FLOAT: { kind: 'float', bits: 32 },
  },
  functions: {
    NOW: 'timestamp',
    CURRENT_TIMESTAMP: 'timestamp',
    LOCALTIME: 'timestamp',
    LOCALTIMESTAMP: 'timestamp',
    SYSDATE: 'timestamp',
    UTC_TIMESTAMP: 'timestamp',
    CURRENT_DATE: 'date',
    CURDATE: 'date',
    UTC_DATE: 'date',
    CURRENT_TIME: 'time',
    CURTIME: 'time',
    UTC_TIME: 'time',
    CONCAT: 'concat',
    REPLACE: 'replace',
    CHAR: 'ascii-characters',
    UNHEX: 'unhex',
    HEX: 'hex',
    FROM_BASE64: 'base64',
    STRING_TO_VECTOR: 'vector',
    TO_VECTOR: 'vector',
    VEC_FROMTEXT: 'vector',
    ST_GEOMFROMTEXT: 'geometry',
    ST_GEOMETRYFROMTEXT: 'geometry',
    GEOMFROMTEXT: 'geometry',
  },
  bareFunctions: {
    CURRENT_TIMESTAMP: 'timestamp',
    LOCALTIME: 'timestamp',
    LOCALTIMESTAMP: 'timestamp',
    UTC_TIMESTAMP: 'timestamp',
    CURRENT_DATE: 'date',
    UTC_DATE: 'date',
    CURRENT_TIME: 'time',
    UTC_TIME: 'time',
  },
};
