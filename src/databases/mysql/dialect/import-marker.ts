/** The table with which an import's own transaction proves that its rows are committed. */
import { createHash } from 'node:crypto';
import { textOf } from './definitions.ts';
import { serverError } from './errors.ts';
import type { ImportMarker } from '../../../model/ddl-dialect.ts';

const prefix = 'studio_import_';
const pattern = new RegExp(`^${prefix}[0-9a-f]{16}$`);
const comment =
  'database-studio: shows whether an import has committed its rows. May be dropped when no import is running.';

const duplicateKey = 1062;

/** Users do not see it in the studio, and no export contains it. */
export function isImportMarker(table: string): boolean {
  return pattern.test(table);
}

export const findMarkers =
  "SELECT TABLE_NAME FROM information_schema.TABLES WHERE TABLE_SCHEMA = DATABASE() AND TABLE_TYPE = 'BASE TABLE'" +
  ` AND TABLE_NAME REGEXP '${pattern.source}'`;

export function markerName(journal: string): string {
  return prefix + hash(journal, 16);
}

export function importMarker(table: string): ImportMarker {
  const insert = (outcome: string): string =>
    `INSERT INTO ${table} (id, outcome) VALUES (1, '${outcome}')`;
  return {
    create: [
      // Of an earlier attempt of the same import. Fails if the user could not drop the table in the end.
      `DROP TABLE IF EXISTS ${table}`,
      `CREATE TABLE ${table} (id BIGINT NOT NULL PRIMARY KEY, outcome VARCHAR(9) NOT NULL, retained VARCHAR(64) CHARACTER SET utf8mb4, keeper VARCHAR(64)) ENGINE=InnoDB COMMENT='${comment}'`,
      `INSERT INTO ${table} (id, outcome) SELECT id, outcome FROM ${table} WHERE id = 0`,
      `DELETE FROM ${table} WHERE id = 0`,
    ],
    commit: insert('committed'),
    withdraw: `DELETE FROM ${table} WHERE id = 1`,
    prevent: insert('undone'),
    isCommitted: `SELECT COUNT(*) FROM ${table} WHERE outcome = 'committed'`,
    isUndone: `SELECT COUNT(*) FROM ${table} WHERE outcome = 'undone'`,
    countOutcomes: `SELECT COUNT(*) FROM ${table} WHERE retained IS NULL`,
    retain: (names, keeper) =>
      `INSERT IGNORE INTO ${table} (id, outcome, retained, keeper) VALUES ${names.map((name) => retainedRow(name, keeper)).join(', ')}`,
    release: (keeper) => `DELETE FROM ${table} WHERE keeper = '${keeper}'`,
    retainedNames: `SELECT retained FROM ${table} WHERE retained IS NOT NULL`,
    drop: `DROP TABLE IF EXISTS ${table}`,
    isDecidedError: (error) => serverError(error)?.errno === duplicateKey,
  };
}

/** The id differs from that of the outcome. */
function retainedRow(name: string, keeper: string): string {
  const id = 2 + Number.parseInt(hash(`${keeper} ${name}`, 12), 16);
  return `(${id}, 'retained', ${textOf(name)}, '${keeper}')`;
}

function hash(text: string, digits: number): string {
  return createHash('sha256').update(text).digest('hex').slice(0, digits);
}
