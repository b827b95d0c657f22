/** Scripts whose sql_mode is not strict: the import stores the values that the server stores for missing ones. */
import { execFileSync } from 'node:child_process';
import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { createTestDatabase, useMariadb } from '../../servers/mariadb.ts';
import { importDumpFile } from '../importing.ts';
import { onNewDatabase } from '../on-new-database.ts';
import type { TestDatabase } from '../../servers/mariadb.ts';

// Skips the tests if there is no server.
useMariadb();

const onNew = (work: (database: TestDatabase) => Promise<void>): Promise<void> =>
  onNewDatabase(createTestDatabase, work);

function runNatively(url: string, script: string): void {
  const { hostname, port, username, password, pathname } = new URL(url);
  const login = [`-h${hostname}`, `-P${port}`, `-u${username}`, `--password=${password}`];
  execFileSync('mariadb', ['--protocol=tcp', ...login, pathname.slice(1)], { input: script, stdio: 'pipe' }); // prettier-ignore
}

/** Types, and values that the strict mode stores too. */
const types: Readonly<Record<string, readonly string[]>> = {
  int: ['1', "'2'", '-3', "''"],
  'bigint unsigned': ['18446744073709551615', "''"],
  'decimal(9,2)': ['1.25', "''"],
  double: ['2.5', "''"],
  'tinyint(1)': ['1', "''"],
  'varchar(9)': ["'é'", "''"],
  'char(3)': ["'a'", "''"],
  text: ["'b'", "''"],
  'varbinary(9)': ["'x'", "''"],
  date: ["'2026-01-31'"],
  'datetime(2)': ["'2026-01-31 12:00:00.25'"],
  time: ["'12:00:00'"],
  "enum('ä','b')": ["'b'"],
  "set('x','y')": ["'x,y'", "''"],
  'int DEFAULT 7': ['1', "''"],
  'int NULL': ['1', "''", 'NULL'],
};

const column = fc.constantFrom(...Object.keys(types)).map((type) => ({
  type,
  values: types[type]!,
  definition: type.endsWith(' NULL') ? type : `${type} NOT NULL`,
}));

const table = fc.array(column, { minLength: 1, maxLength: 6 }).chain((columns) =>
  fc.record({
    columns: fc.constant(columns),
    inserts: fc.array(
      fc.tuple(...columns.map(({ values }) => fc.option(fc.constantFrom(...values)))),
      { minLength: 1, maxLength: 5 },
    ),
  }),
);

const rowsQuery = 'SELECT * FROM t ORDER BY id';

test('are stored as the server stores them, with a warning for each column', async () => {
  await fc.assert(
    fc.asyncProperty(table, async ({ columns, inserts }) => {
      const definitions = columns.map(({ definition }, i) => `c${i} ${definition}`);
      const statements = inserts.map((values) => {
        const given = values.flatMap((value, i) => (value === null ? [] : [[`c${i}`, value]]));
        const names = given.map(([name]) => name);
        if (names.length === 0) return `INSERT INTO t (id) VALUES (NULL);`;
        return `INSERT INTO t (${names.join(', ')}) VALUES (${given.map(([, value]) => value).join(', ')});`;
      });
      const script = [
        "/*!40101 SET @OLD_SQL_MODE=@@SQL_MODE, SQL_MODE='NO_AUTO_VALUE_ON_ZERO' */;",
        `CREATE TABLE t (id int AUTO_INCREMENT PRIMARY KEY, ${definitions.join(', ')});`,
        ...statements,
        '/*!40101 SET SQL_MODE=@OLD_SQL_MODE */;',
      ].join('\n');
      await onNew(async (native) => {
        runNatively(native.url, script);
        await onNew(async (studio) => {
          const { warnings } = await importDumpFile(studio.url, script);
          expect(await studio.query(rowsQuery), script).toEqual(await native.query(rowsQuery));
          for (const [i, { type }] of columns.entries()) {
            const mustHaveValue = !/ (?:NULL|DEFAULT 7)$/.test(type);
            const isOmitted = inserts.some((values) => values[i] === null);
            expect(warnings.some((text) => text.includes(`"c${i}" no value`))).toBe(mustHaveValue && isOmitted); // prettier-ignore
          }
        });
      });
    }),
    { numRuns: 20 },
  );
}, 120_000);

test('are errors once the mode is strict', async () => {
  await onNew(async ({ url, query }) => {
    await query('CREATE TABLE t (id int PRIMARY KEY, n int NOT NULL)');
    const insert = (id: number): string => `INSERT INTO t (id) VALUES (${id});`;
    const strict = "SET sql_mode = 'STRICT_TRANS_TABLES';";
    const script = `SET sql_mode = '';\n${insert(1)}\n${strict}\n${insert(2)}`;
    await expect(importDumpFile(url, script)).rejects.toThrow('Column "n" must have a value.');
    await expect(importDumpFile(url, insert(1))).rejects.toThrow('Column "n" must have a value.');
    expect(await query(rowsQuery)).toEqual([]);
  });
});
