import { expect, test } from 'vitest';
import { usePostgres } from '../../servers/postgres.ts';
import { importDumpFile } from '../importing.ts';

const database = usePostgres();

const dialect = { dialect: 'mysql' };

test('TINYINT(1) becomes a number where rows have others than 0 and 1, and else a boolean', async () => {
  const tables = Array.from({ length: 4 }, (_, i) => `CREATE TABLE t${i} (id int PRIMARY KEY, yes tinyint(1) DEFAULT '1', n tinyint(1), five tinyint(1) DEFAULT 5, rating tinyint(1), CHECK (rating BETWEEN 1 AND 5)) ENGINE=InnoDB; INSERT INTO t${i} VALUES (1, 1, ${i - 1}, 1, 1), (2, 0, NULL, NULL, 1);`); // prettier-ignore
  const { warnings } = await importDumpFile(database().url, tables.join('\n'), dialect);
  const numbers = warnings.filter((warning) => warning.includes('others than 0 and 1'));
  expect(numbers).toEqual([
    't0.n of the type TINYINT(1) become numbers, not booleans: rows have others than 0 and 1.',
    't3.n of the type TINYINT(1) become numbers, not booleans: rows have others than 0 and 1.',
  ]);
  const rows = await database().query(
    'SELECT t0.yes, t0.n AS a, t1.n AS b, t3.n AS c FROM t0, t1, t3 WHERE t0.id = 1 AND t1.id = 1 AND t3.id = 1',
  );
  expect(rows).toEqual([{ yes: true, a: -1, b: false, c: 2 }]);
});

test('after some attempts all of them become numbers', async () => {
  const tables = Array.from({ length: 6 }, (_, i) => `CREATE TABLE v${i} (yes tinyint(1), n tinyint(1)) ENGINE=InnoDB; INSERT INTO v${i} VALUES (1, ${i + 3});`); // prettier-ignore
  await importDumpFile(database().url, tables.join('\n'), dialect);
  expect(await database().query('SELECT v0.n AS a, v5.n AS b, v5.yes FROM v0, v5')).toEqual([
    { a: 3, b: 8, yes: 1 },
  ]);
});

test('another error of the rows stays the error', async () => {
  const text = 'CREATE TABLE u (id int PRIMARY KEY, n tinyint(1)) ENGINE=InnoDB; INSERT INTO u VALUES (1, 2), (1, 0);'; // prettier-ignore
  await expect(importDumpFile(database().url, text, dialect)).rejects.toThrow('line 1');
  expect(await database().query("SELECT 1 FROM pg_class WHERE relname = 'u'")).toEqual([]);
});
