/** INSERT statements of MySQL that number their rows: the import stores what the server's client stores. */
import * as fc from 'fast-check';
import { createPool } from 'mysql2/promise';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { useMariadb } from '../../servers/mariadb.ts';
import { importFile } from '../importing.ts';
import type { Pool, RowDataPacket } from 'mysql2/promise';

const mariadb = useMariadb();
let pool: Pool;

beforeAll(() => {
  pool = createPool({ uri: mariadb().url, multipleStatements: true, connectionLimit: 1 });
});
afterAll(() => pool.end());

// Without DEFAULT, which MariaDB stores as 0 under NO_AUTO_VALUE_ON_ZERO.
const keys = fc.constantFrom('0', "'0'", '0.0', 'NULL', '0', '1000', '2000');
const insert = fc.oneof(
  fc.tuple(keys, fc.integer({ min: 1, max: 3 })).map(([key, count]) => {
    const rows = Array.from({ length: count }, (_, i) => `(${key}, ${i})`);
    return `INSERT INTO z (id, n) VALUES ${rows.join(', ')};`;
  }),
  keys.map((key) => `INSERT INTO z SET n = 0, id = ${key};`),
);
const setting = fc.constantFrom(
  "SET sql_mode = 'NO_AUTO_VALUE_ON_ZERO';",
  "SET SESSION sql_mode = 'STRICT_ALL_TABLES,NO_AUTO_VALUE_ON_ZERO';",
  "SET sql_mode = CONCAT(@@sql_mode, ',NO_AUTO_VALUE_ON_ZERO');",
  "SET sql_mode = '';",
  '/*!40101 SET @OLD_SQL_MODE=@@SQL_MODE, SQL_MODE="NO_AUTO_VALUE_ON_ZERO" */;',
  '/*!40101 SET SQL_MODE=IFNULL(@OLD_SQL_MODE, "") */;',
);
const scripts = fc
  .tuple(fc.array(fc.oneof(insert, setting), { maxLength: 6 }), insert)
  .map(([statements, last]) => [...statements, last].join('\n'));

async function storedRows(): Promise<readonly (readonly [id: number, n: number])[]> {
  const [rows] = await pool.query<RowDataPacket[]>('SELECT id, n FROM z ORDER BY id');
  return rows.map(({ id, n }) => [Number(id), Number(n)]);
}

/**
 * The rows in the order of their keys. Generated keys are not compared, because their gaps differ: InnoDB
 * reserves a number for each row of a statement, even if the row has an explicit key, and the import
 * writes the rows of several statements in one.
 * https://dev.mysql.com/doc/refman/8.4/en/innodb-auto-increment-handling.html
 */
function withoutGaps(rows: Awaited<ReturnType<typeof rowsAfter>>): unknown {
  return rows?.map(([id, n]) => [id % 1000 === 0 ? id : 'generated', n]);
}

/** The rows that the action leaves; undefined if it fails. */
async function rowsAfter(
  action: () => Promise<unknown>,
): Promise<Awaited<ReturnType<typeof storedRows>> | undefined> {
  await pool.query(
    'DROP TABLE IF EXISTS z; CREATE TABLE z (id int AUTO_INCREMENT PRIMARY KEY, n int)',
  );
  await pool.query("SET @OLD_SQL_MODE = NULL, sql_mode = 'STRICT_TRANS_TABLES'");
  try {
    await action();
  } catch {
    return undefined;
  }
  return storedRows();
}

test('keys of 0 are stored as the client stores them', async () => {
  const check = async (script: string): Promise<void> => {
    const rowsOfClient = await rowsAfter(() => pool.query(script));
    const imported = await rowsAfter(() => importFile(mariadb().url, ['z.sql', script]));
    expect(withoutGaps(imported), script).toEqual(withoutGaps(rowsOfClient));
    const repeated = await rowsAfter(async () => {
      const dryRun = { fields: { dry_run: 'true' } };
      await importFile(mariadb().url, ['z.sql', script], dryRun);
      const failing = `${script}\nINSERT INTO z (id, n) VALUES (3000, 1), (3000, 2);`;
      await expect(importFile(mariadb().url, ['z.sql', failing])).rejects.toThrow();
      await importFile(mariadb().url, ['z.sql', script]);
    });
    expect(repeated, script).toEqual(imported);
  };
  await fc.assert(fc.asyncProperty(scripts, check), { numRuns: 60 });
});

test('0 in files without a numbering of their own is 0', async () => {
  for (const [name, content] of [
    ['z.csv', 'id,n\n0,1\n'],
    ['z.json', '{"z":[{"id":0,"n":1}]}'],
  ] as const) {
    const fields = name === 'z.csv' ? { table: 'z' } : {};
    expect(await rowsAfter(() => importFile(mariadb().url, [name, content], fields))).toEqual([
      [0, 1],
    ]);
  }
});
