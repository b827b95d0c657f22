import { execFileSync } from 'node:child_process';
import { expect, test } from 'vitest';
import { createTestDatabase, useMariadb } from '../../servers/mariadb.ts';
import { mysqlUnderTest } from '../kit/databases-under-test/mysql.ts';
import { exportAll, exportOne } from '../exporting.ts';
import { importFile } from '../importing.ts';

const database = useMariadb();

const structure = `
  CREATE TABLE natives (
    id bigint unsigned AUTO_INCREMENT PRIMARY KEY,
    flag bit(1), bits bit(12), tiny tinyint(1), yr year, tall bigint unsigned, amount decimal(65,30), single float, twin double,
    day date, clock time(6), moment datetime(6), zoned timestamp(6) NULL,
    feeling enum('glad','o''clock'), several set('a','b''','c'), words longtext, latin varchar(50) CHARACTER SET latin1,
    raw longblob, fixed binary(4), document json, spot point, area geometry,
    made varchar(50) AS (concat(yr, '!')) STORED
  );
  CREATE TABLE counted (id int AUTO_INCREMENT PRIMARY KEY, v text)`;

const rows = String.raw`
  SET SESSION sql_mode = 'NO_AUTO_VALUE_ON_ZERO,ALLOW_INVALID_DATES', time_zone = '+00:00';
  INSERT INTO natives (id, flag, bits, tiny, yr, tall, amount, single, twin) VALUES
    (0, b'1', b'101', 2, 1901, 18446744073709551615, 12345678901234567890123456789012345.5, 0.1, 0.1),
    (1, b'0', b'0', 0, 0, 0, -0.000000000000000000000000000001, -3.4028235e38, 1.7976931348623157e308),
    (18446744073709551614, NULL, NULL, -1, NULL, NULL, NULL, 1e-45, 5e-324);
  INSERT INTO natives (id, day, clock, moment, zoned) VALUES
    (2, '0000-00-00', '-838:59:59', '0000-00-00', '2026-01-31 13:05:00.123456'),
    (3, '2026-02-30', '100:00:00.5', '2026-01-31 00:00:00.000001', '1970-01-01 00:00:01');
  INSERT INTO natives (id, feeling, several, words, latin, raw, fixed, document, spot, area) VALUES
    (4, 'o''clock', 'a,c', CONCAT('\\\\ '' " ', CHAR(0), CHAR(13, 10), CHAR(26), '\\\\n%_ 😀'), 'é', X'00ff275c0d0a1a', X'01', '{"a": 1.50,\n "a":  2}', POINT(1.5, -2), ST_GeomFromText('LINESTRING(0 0,1 1)')),
    (5, NULL, '', '', '', '', X'00000000', 'null', NULL, NULL);
  INSERT INTO counted VALUES (0, 'zero'), (7, 'seven')`;

test.each(['', 'NO_BACKSLASH_ESCAPES', 'ANSI_QUOTES,NO_ZERO_DATE'])(
  'values of every type are the same after a SQL export and import in mode %s',
  async (mode) => {
    const source = database();
    await source.query(`DROP TABLE IF EXISTS natives, counted; ${structure}; ${rows}`);
    const script = await exportAll(source.url, { format: 'sql' });
    const document = await exportAll(source.url);
    const copy = await createTestDatabase();
    try {
      await copy.query(structure);
      const [command, ...args] = mysqlUnderTest.client(copy.url);
      execFileSync(
        command,
        [`--init-command=SET SESSION sql_mode = '${mode}', time_zone = '+05:00'`, ...args],
        {
          input: script.bytes,
        },
      );
      expect((await exportAll(copy.url, { format: 'sql' })).text).toBe(script.text);
      expect((await exportAll(copy.url)).text).toBe(document.text);
    } finally {
      await copy.drop();
    }
  },
);

test('an ENUM value outside its labels reads as an empty text, which an import accepts only as a label', async () => {
  const source = database();
  const structure = "CREATE TABLE feelings (id int PRIMARY KEY, e enum('a','b'), f enum('','a'))";
  await source.query(`DROP TABLE IF EXISTS feelings; ${structure};
    SET SESSION sql_mode = ''; INSERT INTO feelings VALUES (1, 'x', 'x')`);
  const { text } = await exportOne(source.url, { table: 'feelings' });
  expect(JSON.parse(text)).toEqual([{ id: 1, e: '', f: '' }]);
  const copy = await createTestDatabase();
  try {
    await copy.query(structure);
    const back = (rows: string): Promise<unknown> =>
      importFile(copy.url, ['feelings.json', rows], { table: 'feelings' });
    await expect(back(text)).rejects.toMatchObject({ code: 'import_failed' });
    await back('[{"id": 1, "f": ""}]');
    expect(await copy.query('SELECT f + 0 AS f FROM feelings')).toEqual([{ f: 1 }]);
  } finally {
    await copy.drop();
  }
});

test('an export of tables without transactions is marked as not consistent', async () => {
  const { url, query } = database();
  expect((await exportAll(url)).head.consistent).toBe(true);
  await query('CREATE TABLE plain (id int PRIMARY KEY) ENGINE = MyISAM');
  expect((await exportAll(url)).head.consistent).toBe(false);
  expect((await exportAll(url, { tables: ['counted'] })).head.consistent).toBe(true);
});

/** With a parameter, rows arrive as values, and the studio formats the cells. */
const filters = [{ name: 'id__gte', value: '0' }];

test('CSV from protocol bytes equals CSV from values', async () => {
  const { query, url } = database();
  await query(`DROP TABLE IF EXISTS natives, counted; ${structure}; ${rows}`);
  await query(String.raw`
    SET SESSION sql_mode = 'ALLOW_INVALID_DATES';
    INSERT INTO natives (id, moment) VALUES (10, '2026-00-00'), (11, '2026-00-10 10:00:00.5'), (12, '2026-01-00 10:00:00');
    CREATE TABLE cells (id int PRIMARY KEY AUTO_INCREMENT, t longtext, l varchar(20) CHARACTER SET latin1, f double, g float, df double(20,2), gf float(7,2),
      zf int(8) ZEROFILL, bz bigint(20) unsigned ZEROFILL, dz decimal(12,2) ZEROFILL, y year, c time(6), c0 time, m datetime(6), m0 datetime, z timestamp(3) NULL, b longblob, bx bit(64));
    INSERT INTO cells (t) VALUES (''), (' '), ('\\.'), ('\\N'), ('a,b'), ('a"b'), ('a\nb'), ('a\rb'), ('=1'), ('''=1'), ('''''@'), ('''x'), ('+1'), ('-1'), ('\t1'), ('\r1'), ('\n1'),
      ('é'), ('😀'), ('@'), (''''), (''''''), ('='), ('=\n'), ('="",1'), ('"'), (',='), (CHAR(0)), (NULL),
      (REPEAT('x', 250)), (REPEAT('x', 251)), (REPEAT('é,', 40000)), (CONCAT('=', REPEAT('"', 70000))), (REPEAT('y', 16777200)), (CONCAT('-', REPEAT('z', 10000000)));
    UPDATE cells SET b = t WHERE LENGTH(t) > 10000000;
    INSERT INTO cells (l) VALUES ('é'), (CONCAT('=', CHAR(0xe9 USING latin1)));
    INSERT INTO cells (f, g) VALUES (0, 0), (-0e0, -0e0), (1e-4, 1e-4), (9.9e-5, 9.9e-5), (1e-5, 1e-5), (1e-6, 1e-6), (9.9e-7, 9.9e-7), (1e-7, 1e-7), (1e-15, 1e-15), (1e-16, 1e-16), (-1e-300, -1e-30),
      (123456789012345678, 1e38), (1e14, 1e14), (1e15, 1e15), (1e16, 1e16), (999999999999999.9, 1e17), (1e20, 1e20), (1e21, 1e21), (1.5e21, 1.5e21), (1e22, 1e22), (1e100, -1.5), (1.7976931348623157e308, 3.4028234e38),
      (5e-324, 1e-45), (9007199254740993, 16777216), (0.1, 0.1), (1e5, 1e5), (0.05, 0.05), (-0.5, -0.5);
    INSERT INTO cells (df, gf) VALUES (1.1, 1.1), (-0e0, 0), (123456789012345678, 99999.99), (0.01, -0.01), (100, 100);
    INSERT INTO cells (zf, bz, dz, y) VALUES (0, 0, 0, 0), (7, 7, 7.5, 1901), (99999999, 18446744073709551615, 0.05, 2155), (123456789, 100, 1, 2000);
    INSERT INTO cells (c, c0, m, m0, z) VALUES ('-838:59:59', '-01:00:00', '2026-01-31 13:05:00.250', '2026-01-31 10:00:00', '2026-01-31 13:05:00.100'),
      ('838:59:59', '00:00:00', '2026-10-20 00:00:00', '9999-12-31 23:59:59', '1970-01-01 00:00:01'), ('00:00:00.5', '10:10:10', '0001-01-01 00:00:00.000001', '0001-01-01', NULL);
    INSERT INTO cells (b, bx) VALUES ('', 0), (X'00ff275c', 18446744073709551615), (REPEAT(X'fb0a', 40000), 1);
    INSERT INTO cells (f, g) WITH RECURSIVE n AS (SELECT 1 AS i UNION ALL SELECT i + 1 FROM n WHERE i < 1000)
      SELECT (RAND() - 0.5) * POW(10, i % 600 - 300), (RAND() - 0.5) * POW(10, i % 70 - 35) FROM n`);
  for (const table of ['natives', 'cells']) {
    for (const formulas of ['guarded', 'raw']) {
      const input = { table, format: 'csv', formulas };
      const byBytes = await exportOne(url, input);
      const byValues = await exportOne(url, { ...input, query: { filters } });
      expect(byBytes.rows).toBe(byValues.rows);
      expect(linesOf(byBytes.text)).toEqual(linesOf(byValues.text));
      expect(byBytes.bytes.equals(byValues.bytes)).toBe(true);
    }
  }
});

/** Shortened, so that a failure is readable. */
function linesOf(text: string): readonly string[] {
  return text.split('\n').map((line) => line.slice(0, 1000));
}

test.each(['t', 'f', 'b', 'c'])('a single column is the same in both ways: %s', async (column) => {
  const input = { table: 'cells', columns: [column], format: 'csv' };
  const byValues = await exportOne(database().url, { ...input, query: { filters } });
  expect((await exportOne(database().url, input)).bytes.equals(byValues.bytes)).toBe(true);
});
