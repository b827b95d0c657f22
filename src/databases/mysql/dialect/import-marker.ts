/** The table with which an import's own transaction proves that its rows are committed. */
import { createHash } from 'node:crypto';
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

export function importMarker(journal: string): ImportMarker {
  const table = prefix + createHash('sha256').update(journal).digest('hex').slice(0, 16);
  const insert = (outcome: string): string =>
    `INSERT INTO ${table} (id, outcome) VALUES (1, '${outcome}')`;
  return {
    create: [
      // Of an earlier attempt of the same import. Fails if the user could not drop the table in the end.
      `DROP TABLE IF EXISTS ${table}`,
      `CREATE TABLE ${table} (id INT NOT NULL PRIMARY KEY, outcome VARCHAR(9) NOT NULL) ENGINE=InnoDB COMMENT='${comment}'`,
      `INSERT INTO ${table} (id, outcome) SELECT id, outcome FROM ${table} WHERE id = 0`,
      `DELETE FROM ${table} WHERE id = 0`,
    ],
    commit: insert('committed'),
    withdraw: `DELETE FROM ${table} WHERE id = 1`,
    prevent: insert('undone'),
    isCommitted: `SELECT COUNT(*) FROM ${table} WHERE outcome = 'committed'`,
    drop: `DROP TABLE IF EXISTS ${table}`,
    isDecidedError: (error) => serverError(error)?.errno === duplicateKey,
  };
}
