import { execFileSync } from 'node:child_process';
import { expect, test } from 'vitest';
import { createTestDatabase, useMariadb } from '../../servers/mariadb.ts';
import { mysqlSubject } from '../kit/subjects/mysql.ts';
import { exportAll } from '../exporting.ts';

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
  'values of every type go through a script, whatever the mode: %s',
  async (mode) => {
    const source = database();
    await source.query(`DROP TABLE IF EXISTS natives, counted; ${structure}; ${rows}`);
    const script = await exportAll(source.url, { format: 'sql' });
    const document = await exportAll(source.url);
    const copy = await createTestDatabase();
    try {
      await copy.query(structure);
      const [command, ...args] = mysqlSubject.client(copy.url);
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

test('tables of an engine without transactions are of no one moment', async () => {
  const { url, query } = database();
  expect((await exportAll(url)).head.consistent).toBe(true);
  await query('CREATE TABLE plain (id int PRIMARY KEY) ENGINE = MyISAM');
  expect((await exportAll(url)).head.consistent).toBe(false);
  expect((await exportAll(url, { tables: ['counted'] })).head.consistent).toBe(true);
});
