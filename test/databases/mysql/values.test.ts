import { beforeAll, describe, expect, test } from 'vitest';

import { parseExactJson } from '../../../src/model/values/exact-json.ts';
import { param, sql } from '../../../src/model/fragment.ts';
import { cellEncoder } from '../../../src/model/values/json-cells.ts';
import { readJsonValue } from '../../../src/model/values/read-json-value.ts';
import { render } from '../../../src/sql/render.ts';
import { comparable } from '../../../src/sql/select.ts';
import { tableOf, useDatabase } from './open-test-database.ts';
import type { Column } from '../../../src/model/schema.ts';

/** A column's type, the JSON that is written, and the JSON that is read if it differs. */
const cases: readonly (readonly [
  type: string,
  ...values: readonly (string | readonly [string, string])[],
])[] = [
  ['tinyint', '-128', '127', '0'],
  ['tinyint unsigned', '255'],
  ['tinyint(1)', 'true', 'false', '2', ['1', 'true']],
  ['smallint', '-32768', '32767'],
  ['smallint unsigned', '65535'],
  ['mediumint', '-8388608', '8388607'],
  ['mediumint unsigned', '16777215'],
  ['int', '-2147483648', '2147483647', ['"42"', '42']],
  ['int unsigned', '4294967295'],
  [
    'bigint',
    '9007199254740991',
    '"9007199254740993"',
    '"-9223372036854775808"',
    '"9223372036854775807"',
    '-1',
  ],
  ['bigint unsigned', '"18446744073709551615"', '"9223372036854775808"', '0'],
  ['bit(1)', 'true', 'false'],
  ['bit(4)', '"0101"', '"0000"', '"1111"'],
  ['bit(64)', `"${'1'.repeat(64)}"`, `"1${'0'.repeat(63)}"`, `"${'0'.repeat(63)}1"`],
  ['decimal(10,2)', '10.50', '-0.01', '0.00', ['1e2', '100.00']],
  [
    'decimal(65,30)',
    '"12345678901234567890123456789012345.012345678901234567890123456789"',
    '0.000000000000000000000000000001',
  ],
  ['decimal(20,0) unsigned', '"18446744073709551616"'],
  [
    'float',
    '0.5',
    ['0.1', '0.10000000149011612'],
    '16777216',
    ['1e38', '9.999999680285692e+37'],
    ['-3.4028234663852886e38', '-3.4028234663852886e+38'],
  ],
  [
    'double',
    '0.1',
    '1e-300',
    '1.7976931348623157e+308',
    '-5e-324',
    ['9007199254740993', '9007199254740992'],
  ],
  ['year', '2026', '1901', '2155', '0'],
  ['date', '"2026-01-31"', '"1000-01-01"', '"9999-12-31"'],
  ['time', '"13:05:00"', '"-838:59:59"', '"838:59:59"', '"00:00:00"', '"-00:00:01"'],
  ['time(6)', '"13:05:00.25"', '"-00:00:00.000001"', '"100:00:00.5"'],
  [
    'datetime',
    '"2026-01-31T13:05:00"',
    ['"2026-01-31 13:05:00"', '"2026-01-31T13:05:00"'],
    '"1000-01-01T00:00:00"',
    '"9999-12-31T23:59:59"',
  ],
  [
    'datetime(6)',
    '"2026-01-31T13:05:00.25"',
    '"2026-01-31T13:05:00.000001"',
    '"2026-01-31T13:05:00"',
    '"2026-01-31T00:00:00"',
  ],
  [
    'timestamp null',
    '"2026-01-31T13:05:00Z"',
    ['"2026-01-31T15:05:00+02:00"', '"2026-01-31T13:05:00Z"'],
    ['"2026-01-31T13:05:00"', '"2026-01-31T13:05:00Z"'],
  ],
  [
    'timestamp(6) null',
    '"2026-01-31T13:05:00.25Z"',
    '"2038-01-19T03:14:07.999999Z"',
    ['"2026-03-29T00:30:00.000001-05:30"', '"2026-03-29T06:00:00.000001Z"'],
  ],
  ['char(5)', '"ab"', '""', '"日本語"', ['"ab  "', '"ab"']],
  [
    'varchar(50)',
    '"ab  "',
    '""',
    '"it\'s \\\\ \\"q\\" % _ ` 😀"',
    '"line\\nbreak\\u0000\\u001a"',
    '"NULL"',
    '"?/*1 decimal*/"',
  ],
  ['varchar(20) character set latin1', '"café"'],
  ['varchar(20) character set utf8mb3 collate utf8mb3_bin', '"日本"'],
  ['tinytext', '"x"'],
  ['text', '"x\\ty"'],
  ['mediumtext', '"x"'],
  ['longtext', '"x"'],
  ['binary(4)', '{"$base64":"AAECAw=="}', ['{"$base64":"/w=="}', '{"$base64":"/wAAAA=="}']],
  [
    'varbinary(300)',
    '{"$base64":""}',
    '{"$base64":"AP8B"}',
    `{"$base64":"${Buffer.alloc(300, 254).toString('base64')}"}`,
  ],
  ['tinyblob', '{"$base64":"AP8="}'],
  ['blob', '{"$base64":"AP8="}'],
  ['mediumblob', '{"$base64":"AP8="}'],
  ['longblob', `{"$base64":"${Buffer.alloc(70_000, 1).toString('base64')}"}`],
  ["enum('a','it''s','b,c')", '"a"', '"it\'s"', '"b,c"'],
  ["set('x','y','z')", '"x,z"', '""', ['"z,x"', '"x,z"']],
  [
    'json',
    '{"a": [1, 2.5, "x", null, true]}',
    '{"$json":null}',
    '[]',
    '"text"',
    '12',
    'false',
    '{"n": 9007199254740993}',
  ],
  ['point', '"POINT(1 -2.5)"'],
  ['linestring', '"LINESTRING(0 0,1 1,2 3)"'],
  ['polygon', '"POLYGON((0 0,1 0,1 1,0 0))"'],
  [
    'geometry',
    '"POINT(1 2)"',
    '"GEOMETRYCOLLECTION(POINT(1 2),LINESTRING(0 0,1 1))"',
    '"MULTIPOLYGON(((0 0,1 0,1 1,0 0)),((5 5,6 5,6 6,5 5)))"',
  ],
];

const mariadbOnly: typeof cases = [
  ['uuid', '"123e4567-e89b-12d3-a456-426614174000"'],
  ['inet6', '"2001:db8::1"'],
];

const columns = (all: typeof cases): string => all.map(([type], i) => `c${i} ${type}`).join(', ');
const open = useDatabase(
  ({ isMariadb }) => `
  CREATE TABLE every (id int PRIMARY KEY AUTO_INCREMENT, ${columns(cases)}) ROW_FORMAT=DYNAMIC;
  ${isMariadb ? `CREATE TABLE own (id int PRIMARY KEY AUTO_INCREMENT, ${columns(mariadbOnly)});` : ''}`,
);

const columnsByName = new Map<string, Column>();
beforeAll(async () => {
  const { tables } = await open()
    .database.introspect()
    .catch(() => ({ tables: [] }));
  for (const table of tables)
    for (const column of table.columns) columnsByName.set(`${table.name}.${column.name}`, column);
});

function columnOf(table: string, name: string): Column {
  const column = columnsByName.get(`${table}.${name}`);
  if (column === undefined) throw new Error(`There is no column ${table}.${name}.`);
  return column;
}

async function write(table: string, column: Column, json: string): Promise<bigint> {
  const { database } = open();
  const { dialect } = database;
  const value = readJsonValue({ node: parseExactJson(json), text: json }, column);
  const insert = dialect.write.insertRow({
    table: dialect.quoteName(table),
    columns: [dialect.quoteName(column.name)],
    values: [param(value, column.type)],
    assignedColumns: [column],
    returningColumns: [],
    returning: [],
  });
  const { insertId = 0n } = await database.run(render(dialect, insert));
  return insertId;
}

async function read(table: string, column: Column, id: bigint): Promise<string> {
  const { database } = open();
  const { dialect } = database;
  const expression = dialect.selectExpression(dialect.quoteName(column.name), column);
  const select = sql`SELECT ${expression} FROM ${table} WHERE id = ${param(id)}`;
  const { rows } = await database.run(render(dialect, select, [column]));
  return cellEncoder(column)(rows[0]?.[0] ?? null);
}

/** Whether a filter with the text of the value finds the row. */
async function finds(
  table: string,
  column: Column,
  { id, text }: { id: bigint; text: string },
): Promise<boolean> {
  const { database } = open();
  const { dialect } = database;
  const [value] = dialect.isComparable(column.type) ? dialect.readParameter(text, column) : [text];
  if (value === undefined) throw new Error(`${text} is no value of ${column.nativeType}.`);
  const typed = dialect.isComparable(column.type) ? param(value, column.type) : param(value);
  const { rows } = await database.run(
    render(
      dialect,
      sql`SELECT 1 FROM ${table} WHERE id = ${param(id)} AND ${comparable(dialect, column)} = ${typed}`,
    ),
  );
  return rows.length === 1;
}

function filterText(json: string): string {
  const value: unknown = JSON.parse(json);
  if (typeof value === 'object' && value !== null && '$base64' in value) {
    return Buffer.from(String(value.$base64), 'base64').toString('base64url');
  }
  return typeof value === 'string' ? value : json;
}

describe.each([
  ['every', cases],
  ['own', mariadbOnly],
])('%s', (table, all) => {
  const each = all.flatMap(([type, ...values], i) =>
    values.map((value) => ({
      type,
      name: `c${i}`,
      written: typeof value === 'string' ? value : value[0],
      stored: typeof value === 'string' ? value : value[1],
    })),
  );

  test.for(each)('$type stores $written exactly', async ({ name, written, stored }, { skip }) => {
    if (table === 'own' && !open().server.isMariadb) skip('a type of MariaDB alone');
    const column = columnOf(table, name);
    const id = await write(table, column, written);
    expect(await read(table, column, id)).toBe(stored);
    // JSON is compared as its stored text.
    if (column.type.kind !== 'json')
      expect(await finds(table, column, { id, text: filterText(stored) })).toBe(true);
  });

  test.for(each)(
    '$type stores $written exactly, as raw SQL returns it',
    async ({ name, written, stored }, { skip }) => {
      if (table === 'own' && !open().server.isMariadb) skip('a type of MariaDB alone');
      const column = columnOf(table, name);
      const id = await write(table, column, written);
      const { rows, columns: response } = await open().database.run({
        text: `SELECT ${name} FROM ${table} WHERE id = ${id}`,
        params: [],
      });
      expect(cellEncoder(response[0]!)(rows[0]?.[0] ?? null)).toBe(stored);
    },
  );
});

describe('a geometry of raw SQL', () => {
  test.each([
    'POINT(-0 0)',
    'POINT(0.30000000000000004 123456789012345.67)',
    'LINESTRING(1e15 999999999999999,0.00001 0.000000000000001)',
    'LINESTRING(1e-15 1e-16,1.5e-300 1e300)',
    'MULTIPOINT(1 1,-2.5 2)',
    'MULTILINESTRING((0 0,1 1),(2 2,3 3))',
    'GEOMETRYCOLLECTION EMPTY',
    'GEOMETRYCOLLECTION(POINT(1 2),MULTIPOINT(3 4),GEOMETRYCOLLECTION EMPTY)',
  ])('has the format of the server: %s', async (text) => {
    const query = {
      text: 'SELECT shape, ST_AsText(shape) FROM (SELECT ST_GeomFromText(?) AS shape) AS made',
      params: [text],
    };
    const { rows, columns: response } = await open().database.run(query);
    expect(rows[0]?.[0]).toBe(rows[0]?.[1]);
    expect(response[0]).toMatchObject({ nativeType: 'geometry' });
    const { batches } = await open().database.stream(query);
    for await (const batch of batches) expect(batch).toEqual(rows);
  });

  test('names its reference system, with the longitude first', async () => {
    const geometry = "ST_GeomFromText('POINT(1 2)', 4326)";
    const order = open().server.isMariadb ? '' : ", 'axis-order=long-lat'";
    const text = `SELECT ${geometry}, CONCAT('SRID=4326;', ST_AsText(${geometry}${order}))`;
    const { rows } = await open().database.run({ text, params: [] });
    expect(rows[0]?.[0]).toBe(rows[0]?.[1]);
  });
});

test('values that ISO 8601 cannot express are returned as the database formats them', async () => {
  const { server, database } = open();
  await server.query(`
    CREATE TABLE zero (id int PRIMARY KEY, d date, dt datetime(3), ts timestamp NULL, t time);
    SET SESSION sql_mode = '';
    INSERT INTO zero VALUES (1, '0000-00-00', '0000-00-00', '0000-00-00', '838:59:59'), (2, '2026-00-00', '2026-01-00 12:00:00.5', NULL, '-12:00')`);
  const { rows } = await database.run({
    text: 'SELECT d, dt, ts, t FROM zero ORDER BY id',
    params: [],
  });
  expect(rows).toEqual([
    ['0000-00-00', '0000-00-00 00:00:00', '0000-00-00 00:00:00', '838:59:59'],
    ['2026-00-00', '2026-01-00 12:00:00.500', null, '-12:00:00'],
  ]);
});

test('timestamps are in UTC, whatever the time zone of the server', async () => {
  const { server, database } = open();
  await server.query(`
    SET SESSION time_zone = '+05:00';
    CREATE TABLE moments (ts timestamp NULL, dt datetime);
    INSERT INTO moments VALUES ('2026-01-31 13:00:00', '2026-01-31 13:00:00')`);
  const { rows } = await database.run({ text: 'SELECT ts, dt FROM moments', params: [] });
  expect(rows).toEqual([['2026-01-31T08:00:00Z', '2026-01-31T13:00:00']]);
});

test('0 is a value, not a request for the next number', async () => {
  const { database } = open();
  const { dialect } = database;
  await database.run({
    text: 'CREATE TABLE numbered (id int PRIMARY KEY AUTO_INCREMENT, t text)',
    params: [],
  });
  const insert = sql`INSERT INTO numbered (id) VALUES (${param(0n)})`;
  await database.run(render(dialect, insert));
  expect((await database.run({ text: 'SELECT id FROM numbered', params: [] })).rows).toEqual([[0]]);
});

test('text that UTF-8 cannot represent is rejected', async () => {
  const { database } = open();
  await expect(database.run({ text: 'SELECT ?', params: ['\ud800'] })).rejects.toMatchObject({
    code: 'invalid_value',
  });
});

test.each(['"POINT(1"', '"garbage"', '""', '"LINESTRING(0 0,1 1)"'])(
  'an invalid point is rejected, and not stored as NULL: %s',
  async (json) => {
    const { dialect } = open().database;
    const column = columnOf('every', `c${cases.findIndex(([type]) => type === 'point')}`);
    const rejection = await write('every', column, json).catch((error: unknown) => error);
    expect(dialect.translateError(rejection)).toMatchObject({ code: 'invalid_value' });
    expect(await read('every', column, await write('every', column, 'null'))).toBe('null');
  },
);

test('numbers out of range are rejected, not truncated', async () => {
  const { database } = open();
  const rejection = await database
    .run({ text: 'INSERT INTO every (c0) VALUES (?)', params: [1000n] })
    .catch((error: unknown) => error);
  expect(database.dialect.translateError(rejection)).toMatchObject({
    code: 'invalid_value',
    details: { column: 'c0' },
  });
});

test('a preview of a long value has its size and its beginning', async () => {
  const { database } = open();
  const { dialect } = database;
  await database.run({
    text: 'CREATE TABLE long_values (t longtext, b longblob, j json)',
    params: [],
  });
  await database.run({
    text: "INSERT INTO long_values VALUES (REPEAT('é', 5000), REPEAT('a', 5000), CONCAT('[', REPEAT('1, ', 2000), '1]'))",
    params: [],
  });
  const { columns: all } = tableOf(await database.introspect(), 'long_values');
  const expressions = all.flatMap((column) => {
    const { bytes, head } = dialect.preview(dialect.quoteName(column.name), column, 3)!;
    const name = dialect.quoteName(column.name);
    return [bytes, `CASE WHEN ${bytes} > 4096 THEN ${head} ELSE ${name} END`];
  });
  const { rows } = await database.run({
    text: `SELECT ${expressions.join(', ')} FROM long_values`,
    params: [],
  });
  expect(rows[0]).toEqual([10_000, 'ééé', 5000, Buffer.from('aaa'), 6003, '[1,']);
});
