/** Collations of MySQL in MariaDB. */
import { expect, test } from 'vitest';
import { collationsOf } from '../../../src/databases/mysql/language/collations.ts';
import { createTestDatabase, isMysql, useMariadb } from '../../servers/mariadb.ts';
import { importDumpFile } from '../importing.ts';

// Skips the tests if there is no server.
useMariadb();

const names = ['ai_ci', 'as_ci', 'as_cs', 'bin'].flatMap((end) => [
  `utf8mb4_0900_${end}`,
  `utf8mb4_de_pb_0900_${end}`,
  `utf8mb4_ja_0900_${end}`,
]);

test.skipIf(await isMysql())(
  'of dumps become collations that compare in the same way',
  async () => {
    const database = await createTestDatabase();
    try {
      const tables = names.map(
        (name, i) =>
          `CREATE TABLE \`t${i}\` (\`id\` int PRIMARY KEY, \`v\` varchar(20) COLLATE ${name}, \`w\` varchar(20) DEFAULT NULL) ENGINE=InnoDB DEFAULT CHARSET=utf8mb4 COLLATE=${name};\nINSERT INTO \`t${i}\` VALUES (1,'a','a'),(2,'a ','a '),(3,'A','A'),(4,'á','á');\n`,
      );
      const { warnings } = await importDumpFile(database.url, tables.join(''));
      expect(warnings.filter((warning) => warning.includes('becomes'))).toHaveLength(names.length);
      const equals: Readonly<Record<string, number>> = { ai_ci: 3, as_ci: 2, as_cs: 1, bin: 1 };
      for (const [i, name] of names.entries())
        for (const column of ['v', 'w']) {
          const [row] = await database.query(
            `SELECT count(*) AS n FROM t${i} WHERE ${column} = 'a'`,
          );
          const expected = equals[/(?:a[is]_c[is]|bin)$/.exec(name)?.[0] ?? ''];
          expect(Number(row?.['n']), `${name} ${column}`).toBe(expected);
        }
    } finally {
      await database.drop();
    }
  },
);

test.each([
  [true, '10.6.18-MariaDB', 'utf8mb4_0900_ai_ci', 'utf8mb4_unicode_520_nopad_ci'],
  [true, '11.8.2-MariaDB', 'utf8mb4_0900_as_cs', 'utf8mb4_uca1400_nopad_as_cs'],
  [true, '10.11.6-MariaDB', 'utf8mb4_general_ci', 'utf8mb4_general_ci'],
  [false, '8.4.2', 'utf8mb4_uca1400_ai_ci', 'utf8mb4_0900_ai_ci'],
  [false, '8.4.2', 'utf8mb4_uca1400_swedish_nopad_as_cs', 'utf8mb4_0900_as_cs'],
  [false, '8.4.2', 'utf8mb3_uca1400_ai_ci', 'utf8mb3_unicode_520_ci'],
  [false, '5.7.44', 'utf8mb4_uca1400_as_ci', 'utf8mb4_unicode_520_ci'],
  [false, '8.4.2', 'utf8mb4_general_nopad_ci', 'utf8mb4_general_ci'],
  [false, '8.4.2', 'latin1_swedish_nopad_ci', 'latin1_swedish_ci'],
  [false, '8.4.2', 'utf8mb4_nopad_bin', 'utf8mb4_bin'],
  [false, '8.4.2', 'utf8mb4_0900_ai_ci', 'utf8mb4_0900_ai_ci'],
])(
  'of another server have a nearest one (MariaDB: %s, %s, %s)',
  (isMariadb, version, name, nearest) => {
    // prettier-ignore
    expect(collationsOf({ isMariadb, version })(name)).toBe(nearest);
  },
);
