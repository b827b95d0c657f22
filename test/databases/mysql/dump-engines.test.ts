/** Dumps of tables whose storage engines have no transactions: the same tables, or none. */
import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { createTestDatabase, useMariadb } from '../../servers/mariadb.ts';
import { importDumpFile } from '../importing.ts';
import type { TestDatabase } from '../../servers/mariadb.ts';

// Skips the tests if there is no server.
useMariadb();

const engine = fc.constantFrom('InnoDB', 'MyISAM', 'MEMORY', 'CSV');
const table = fc.record({
  engine,
  format: fc.constantFrom('', ' ROW_FORMAT=FIXED'),
  counter: fc.constantFrom('', ' AUTO_INCREMENT=77'),
  rows: fc.integer({ min: 0, max: 4 }),
});
const tables = fc.array(table, { minLength: 1, maxLength: 4 });

type TableModel = typeof table extends fc.Arbitrary<infer T> ? T : never;

function statementsOf({ engine: name, format, counter, rows }: TableModel, i: number): string {
  const hasKey = name !== 'CSV';
  const isFixed = ['MyISAM', 'MEMORY'].includes(name);
  const columns = hasKey
    ? '`i` int(11) NOT NULL AUTO_INCREMENT, `w` varchar(20) NOT NULL, PRIMARY KEY (`i`), KEY `w` (`w`)'
    : '`i` int(11) NOT NULL, `w` varchar(20) NOT NULL';
  const list = Array.from({ length: rows }, (_, n) => `(${n + 1},'x${n}')`).join();
  const options = `${hasKey ? counter : ''} DEFAULT CHARSET=utf8mb4${isFixed ? format : ''}`;
  return `CREATE TABLE \`t${i}\` (${columns}) ENGINE=${name}${options};
${rows === 0 ? '' : `INSERT INTO \`t${i}\` VALUES ${list};`}
`;
}

async function contentOf({ query }: TestDatabase): Promise<unknown> {
  const names = await query('SHOW TABLES');
  const content = [];
  for (const name of names.flatMap((row) => Object.values(row).map(String)).toSorted()) {
    const rows = await query(`SELECT * FROM ${name} ORDER BY i`);
    content.push(await query(`SHOW CREATE TABLE ${name}`), rows);
  }
  return JSON.stringify(content);
}

test('create what the server creates from the same script', { timeout: 120_000 }, async () => {
  await fc.assert(
    fc.asyncProperty(tables, async (models) => {
      const [ours, native] = [await createTestDatabase(), await createTestDatabase()];
      try {
        const script = models.map(statementsOf).join('');
        await native.query(script);
        expect((await importDumpFile(ours.url, script, { dialect: 'mysql' })).warnings).toEqual([]);
        expect(await contentOf(ours)).toBe(await contentOf(native));
      } finally {
        await ours.drop();
        await native.drop();
      }
    }),
    { numRuns: 12 },
  );
});

test.each(['MyISAM', 'MEMORY'])('of %s leave nothing if a row is rejected', async (name) => {
  const database = await createTestDatabase();
  try {
    const script = `CREATE TABLE a (i int PRIMARY KEY) ENGINE=${name};
CREATE TABLE b (i int PRIMARY KEY) ENGINE=InnoDB;
INSERT INTO a VALUES (1),(2);
INSERT INTO b VALUES (1);
INSERT INTO a VALUES (3),(2);
`;
    await expect(importDumpFile(database.url, script, { dialect: 'mysql' })).rejects.toThrow();
    expect(await database.query('SHOW TABLES')).toEqual([]);
    const valid = script.replace('(3),(2)', '(3)');
    await importDumpFile(database.url, valid, { dialect: 'mysql', dry_run: true });
    expect(await database.query('SHOW TABLES')).toEqual([]);
  } finally {
    await database.drop();
  }
});

test('keep the rows in InnoDB, with a warning, if the engine cannot store the table', async () => {
  const database = await createTestDatabase();
  try {
    const script = 'CREATE TABLE a (i int NULL) ENGINE=CSV;\nINSERT INTO a VALUES (1);\n';
    const { warnings } = await importDumpFile(database.url, script, { dialect: 'mysql' });
    expect(warnings).toEqual([expect.stringMatching(/ENGINE.*CSV.*(?:nullable|column)/is)]);
    expect(await database.query('SELECT i FROM a')).toEqual([{ i: 1 }]);
  } finally {
    await database.drop();
  }
});

test('name the foreign keys that the engine ignores', async () => {
  const database = await createTestDatabase();
  try {
    const script = `CREATE TABLE a (i int PRIMARY KEY) ENGINE=MyISAM;
CREATE TABLE b (i int, FOREIGN KEY (i) REFERENCES a (i)) ENGINE=MyISAM;
INSERT INTO b VALUES (5);
`;
    const { warnings } = await importDumpFile(database.url, script, { dialect: 'mysql' });
    expect(warnings).toEqual([
      'b: its foreign keys are left out: the storage engine MyISAM has none.',
    ]);
    expect(await database.query('SELECT i FROM b')).toEqual([{ i: 5 }]);
  } finally {
    await database.drop();
  }
});
