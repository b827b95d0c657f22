/** Keys of databases that distinguish letter case and trailing blanks, in MariaDB, whose default collations do not. */
import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import {
  collationsOf,
  exactCollationOf,
} from '../../../src/databases/mysql/language/collations.ts';
import { createTestDatabase, isMysql, useMariadb } from '../../servers/mariadb.ts';
import { importDumpFile } from '../importing.ts';

// Skips the tests if there is no server.
useMariadb();

const word = fc
  .array(fc.constantFrom('a', 'A', 'á', 'ß', 'ss', ' ', 'e\u0301', '名'), { maxLength: 4 })
  .map((parts) => parts.join(''));
const words = fc.uniqueArray(word, { minLength: 1, maxLength: 12 });

/** Each script has a primary key, a unique index and foreign keys to both, also through another table. */
function scriptOf(list: readonly string[], text: string): string {
  const rows = list.map((value) => `('${value}', '${value}')`).join();
  return `CREATE TABLE a (k ${text} NOT NULL PRIMARY KEY, u ${text} NOT NULL UNIQUE);
CREATE TABLE b (k ${text} NOT NULL PRIMARY KEY REFERENCES a (k), u ${text} REFERENCES a (u));
CREATE TABLE c (k ${text} REFERENCES b (k), free ${text});
INSERT INTO a VALUES ${rows};
INSERT INTO b VALUES ${rows};
INSERT INTO c VALUES ${rows};
`;
}

test.each(['postgres', 'sqlite'])('keep the rows of %s', { timeout: 120_000 }, async (dialect) => {
  await fc.assert(
    fc.asyncProperty(words, async (list) => {
      const database = await createTestDatabase();
      try {
        const script = scriptOf(list, 'varchar(30)');
        const { warnings } = await importDumpFile(database.url, script, { dialect });
        expect(warnings).toEqual([]);
        // The bytes of a key find one row.
        const [row] = await database.query(
          'SELECT count(*) AS n FROM a JOIN b ON b.k = a.k AND b.u = a.u JOIN c ON c.k = b.k',
        );
        // Servers without a collation that compares trailing blanks would have rejected the rows.
        expect(Number(row?.['n'])).toBe(list.length);
      } finally {
        await database.drop();
      }
    }),
    { numRuns: 8 },
  );
});

test('that reference an existing table have its collation', async () => {
  const database = await createTestDatabase();
  try {
    await database.query(
      "CREATE TABLE a (k varchar(30) PRIMARY KEY) ENGINE=InnoDB COLLATE utf8mb4_general_ci; INSERT INTO a VALUES ('x')",
    );
    const script = `CREATE TABLE b (k varchar(30) PRIMARY KEY REFERENCES a (k));
CREATE TABLE c (k varchar(30) REFERENCES b (k));
INSERT INTO b VALUES ('x');
INSERT INTO c VALUES ('x');
`;
    await importDumpFile(database.url, script, { dialect: 'postgres' });
    expect(await database.query('SELECT k FROM c')).toEqual([{ k: 'x' }]);
  } finally {
    await database.drop();
  }
});

test.skipIf(await isMysql())('have a collation of the server', async () => {
  const database = await createTestDatabase();
  try {
    const script = 'CREATE TABLE public.a (w character varying(30) UNIQUE, v text);\n';
    await importDumpFile(database.url, script, { dialect: 'postgres' });
    const rows = await database.query(
      "SELECT collation_name AS c FROM information_schema.columns WHERE table_schema = DATABASE() AND column_name = 'w'",
    );
    expect(rows).toEqual([{ c: 'utf8mb4_nopad_bin' }]);
  } finally {
    await database.drop();
  }
});

test.each([
  [true, '10.6.18-MariaDB', 'utf8mb4_nopad_bin'],
  [true, '10.1.48-MariaDB', 'utf8mb4_bin'],
  [false, '8.4.2', 'utf8mb4_0900_bin'],
  [false, '8.0.16', 'utf8mb4_bin'],
  [false, '5.7.44', 'utf8mb4_bin'],
])('have a collation of each version (MariaDB: %s, %s)', (isMariadb, version, name) => {
  expect(exactCollationOf({ isMariadb, version })).toBe(name);
  expect(collationsOf({ isMariadb, version })(name)).toBe(name);
});
