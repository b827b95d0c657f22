import type { DataScript } from '../../sql/data-script.ts';

export const mysqlDataScript: DataScript = {
  signs: [
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
  pointsAreDoubles: false,
  nameParts: 1,
  bitStringsAreBytes: true,
};
