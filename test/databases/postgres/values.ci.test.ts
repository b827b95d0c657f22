import { afterAll, beforeAll, expect, test } from 'vitest';

import { openPostgres } from '../../../src/databases/postgres/database.ts';
import { parseExactJson } from '../../../src/model/values/exact-json.ts';
import { param, sql } from '../../../src/model/fragment.ts';
import { rowEncoder } from '../../../src/model/values/json-cells.ts';
import { readJsonValue } from '../../../src/model/values/read-json-value.ts';
import { render } from '../../../src/sql/render.ts';
import { usePostgres } from '../../servers/postgres.ts';
import type { Column, Table } from '../../../src/model/schema.ts';
import type { Database } from '../registered-databases.ts';

const server = usePostgres();
let database: Database;

beforeAll(async () => {
  await server().query(`
    CREATE EXTENSION citext; CREATE EXTENSION hstore; CREATE EXTENSION ltree;
    CREATE SCHEMA app;
    CREATE TYPE mood AS ENUM ('sad', 'it''s "ok"', 'NULL');
    CREATE TYPE app.point3 AS (x int, y int, "z z" text);
    CREATE DOMAIN positive AS integer CHECK (value > 0);
    CREATE DOMAIN short_name AS varchar(5);
    CREATE TYPE float_range AS RANGE (subtype = float8);`);
  database = await openPostgres({ url: server().url, readOnly: false, create: false });
});

afterAll(() => database?.close());

/** A type, a literal of it, and the cell in JSON. */
const cells: readonly (readonly [type: string, literal: string, json: string])[] = [
  ['boolean', 'true', 'true'],
  ['boolean', 'false', 'false'],
  ['smallint', '-32768', '-32768'],
  ['integer', '2147483647', '2147483647'],
  ['bigint', '42', '42'],
  ['bigint', '9007199254740993', '"9007199254740993"'],
  ['bigint', '-9223372036854775808', '"-9223372036854775808"'],
  ['oid', '4294967295', '4294967295'],
  ['numeric', '10.50', '10.50'],
  ['numeric', '0.10000000000000000555', '"0.10000000000000000555"'],
  [
    'numeric',
    `'1${'0'.repeat(300)}.${'3'.repeat(200)}'`,
    `"1${'0'.repeat(300)}.${'3'.repeat(200)}"`,
  ],
  ['numeric', "'NaN'", '"NaN"'],
  ['numeric', "'Infinity'", '"Infinity"'],
  ['numeric', "'-Infinity'", '"-Infinity"'],
  ['numeric(10,2)', '10.5', '10.50'],
  ['numeric(5,-2)', '12345', '12300'],
  ['numeric(3,5)', '0.00123', '0.00123'],
  ['real', '0.1', '0.1'],
  ['real', '1e30', '1e+30'],
  ['double precision', '0.1', '0.1'],
  ['double precision', "'0.1'::float8 + '0.2'::float8", '0.30000000000000004'],
  ['double precision', "'-0'", '-0'],
  ['double precision', '5e-324', '5e-324'],
  ['double precision', '1.7976931348623157e308', '1.7976931348623157e+308'],
  ['double precision', "'NaN'", '"NaN"'],
  ['double precision', "'-Infinity'", '"-Infinity"'],
  ['money', "'1234567.89'", '1234567.89'],
  ['money', "'-0.05'", '-0.05'],
  ['money', "'92233720368547758.07'", '"92233720368547758.07"'],
  ['text', "E'tab\\t, quote \" and \\\\ and 😀'", JSON.stringify('tab\t, quote " and \\ and 😀')],
  ['text', "''", '""'],
  ['varchar(3)', "'abc'", '"abc"'],
  ['char(5)', "'ab'", '"ab   "'],
  ['"char"', "'x'", '"x"'],
  ['name', "'some_name'", '"some_name"'],
  ['citext', "'MiXed'", '"MiXed"'],
  ['short_name', "'abcde'", '"abcde"'],
  ['positive', '7', '7'],
  ['mood', "'it''s \"ok\"'", JSON.stringify('it\'s "ok"')],
  ['uuid', "'A0EEBC99-9C0B-4EF8-BB6D-6BB9BD380A11'", '"a0eebc99-9c0b-4ef8-bb6d-6bb9bd380a11"'],
  ['date', "'2026-01-31'", '"2026-01-31"'],
  ['date', "'infinity'", '"infinity"'],
  ['date', "'0044-03-15 BC'", '"0044-03-15 BC"'],
  ['date', "'12026-01-31'", '"12026-01-31"'],
  ['time', "'13:05:00.25'", '"13:05:00.25"'],
  ['time', "'24:00:00'", '"24:00:00"'],
  ['time with time zone', "'13:05:00.25+02'", '"13:05:00.25+02:00"'],
  ['time with time zone', "'13:05:00+05:30'", '"13:05:00+05:30"'],
  ['time with time zone', "'13:05:00+00'", '"13:05:00Z"'],
  ['timestamp', "'2026-01-31 13:05:00.25'", '"2026-01-31T13:05:00.25"'],
  ['timestamp', "'2026-01-31 13:05:00.123456'", '"2026-01-31T13:05:00.123456"'],
  ['timestamp', "'-infinity'", '"-infinity"'],
  ['timestamp', "'0044-03-15 12:00:00 BC'", '"0044-03-15 12:00:00 BC"'],
  ['timestamp', "'12026-01-31 12:00:00'", '"12026-01-31 12:00:00"'],
  ['timestamptz', "'2026-01-31 13:05:00.25Z'", '"2026-01-31T13:05:00.25Z"'],
  ['timestamptz', "'2026-01-31 13:05:00.123456+05:30'", '"2026-01-31T07:35:00.123456Z"'],
  ['timestamptz', "'infinity'", '"infinity"'],
  ['timestamptz', "'0044-03-15 12:00:00Z BC'", '"0044-03-15 12:00:00+00 BC"'],
  ['timestamptz(0)', "'2026-01-31 13:05:00.6Z'", '"2026-01-31T13:05:01Z"'],
  ['interval', "'1 year 2 months -3 days 04:05:06.789'", '"1 year 2 mons -3 days +04:05:06.789"'],
  ['json', `'{"b":1.50,  "a":[1e400,"x"],"a":null}'`, '{"b":1.50,  "a":[1e400,"x"],"a":null}'],
  ['json', "'null'", '{"$json":null}'],
  [
    'jsonb',
    `'{"b":1.50,"a":12345678901234567890.12}'`,
    '{"a": 12345678901234567890.12, "b": 1.50}',
  ],
  ['jsonb', `'"text"'`, '"text"'],
  ['jsonb', "'null'", '{"$json":null}'],
  ['bytea', String.raw`'\x00ff'`, '{"$base64":"AP8="}'],
  ['bytea', "''", '{"$base64":""}'],
  ['bit(3)', "B'101'", '"101"'],
  ['bit varying', "B'0011'", '"0011"'],
  ['int[]', "'{1,NULL,3}'", '[1,null,3]'],
  ['int[]', "'{}'", '[]'],
  ['int[]', "'{{1,2},{3,4}}'", '[[1,2],[3,4]]'],
  ['int[]', "'[2:3]={1,2}'", '"[2:3]={1,2}"'],
  ['bigint[]', "'{9007199254740993,1}'", '["9007199254740993",1]'],
  ['numeric[]', "'{10.50,NaN}'", '[10.50,"NaN"]'],
  ['float8[]', "'{1e300,Infinity,-0}'", '[1e+300,"Infinity",-0]'],
  ['boolean[]', "'{t,f,NULL}'", '[true,false,null]'],
  [
    'text[]',
    `ARRAY['a,b', '"q"', '\\', 'NULL', NULL, '', '{}']`,
    String.raw`["a,b","\"q\"","\\","NULL",null,"","{}"]`,
  ],
  ['citext[]', "'{A,b}'", '["A","b"]'],
  ['mood[]', "ARRAY['sad', 'NULL']::mood[]", '["sad","NULL"]'],
  ['positive[]', "'{1,2}'", '[1,2]'],
  ['timestamptz[]', "ARRAY['2026-01-31 13:05Z'::timestamptz]", '["2026-01-31T13:05:00Z"]'],
  ['jsonb[]', `ARRAY['{"a": 1.0}'::jsonb, 'null']`, '[{"a": 1.0},{"$json":null}]'],
  [
    'jsonb[]',
    `ARRAY['[1]'::jsonb, '"1"', '{"$json": 1}']`,
    '[{"$json":[1]},"1",{"$json":{"$json": 1}}]',
  ],
  ['json[]', `ARRAY[ARRAY['[]'::json], ARRAY['"a"'::json]]`, '[[{"$json":[]}],["a"]]'],
  ['bytea[]', String.raw`ARRAY['\xff'::bytea]`, '[{"$base64":"/w=="}]'],
  ['money[]', "ARRAY['1234.5'::money]", '[1234.50]'],
  ['box[]', "ARRAY['((1,1),(0,0))'::box, '((2,2),(0,0))']", '["(1,1),(0,0)","(2,2),(0,0)"]'],
  ['inet', "'192.168.0.1/24'", '"192.168.0.1/24"'],
  ['cidr', "'10.0.0.0/8'", '"10.0.0.0/8"'],
  ['macaddr', "'08:00:2b:01:02:03'", '"08:00:2b:01:02:03"'],
  ['point', "'(1.5,-2)'", '"(1.5,-2)"'],
  ['polygon', "'((0,0),(1,1),(1,0))'", '"((0,0),(1,1),(1,0))"'],
  ['int4range', "'[1,5)'", '"[1,5)"'],
  ['float_range', "'[0.5,)'", '"[0.5,)"'],
  ['int4multirange', "'{[1,3),[5,7)}'", '"{[1,3),[5,7)}"'],
  ['tsvector', "'''fat'':2 ''rat'':3'", JSON.stringify("'fat':2 'rat':3")],
  ['tsquery', "'fat & rat'", JSON.stringify("'fat' & 'rat'")],
  ['xml', '\'<a b="1">x</a>\'', JSON.stringify('<a b="1">x</a>')],
  ['hstore', "'a=>1, b=>NULL'", JSON.stringify('"a"=>"1", "b"=>NULL')],
  ['ltree', "'Top.Science'", '"Top.Science"'],
  ['app.point3', "ROW(1, 2, 'a b')", '"(1,2,\\"a b\\")"'],
  ['pg_lsn', "'16/B374D848'", '"16/B374D848"'],
];

let tables = 0;

async function tableOf(type: string): Promise<Table> {
  const name = `t${tables++}`;
  await server().query(`CREATE TABLE ${name} (id serial PRIMARY KEY, v ${type})`);
  const schema = await database.introspect();
  return schema.tables.find((table) => table.name === name)!;
}

async function jsonOf(table: Table): Promise<readonly string[]> {
  const { dialect } = database;
  const column = table.columns[1]!;
  const text = `SELECT ${dialect.selectExpression('"v"', column)} FROM ${dialect.tableName(table)} ORDER BY id`;
  const { rows } = await database.run({ text, params: [], columns: [column] });
  const encode = rowEncoder([column]);
  return rows.map((row) => encode(row).slice('{"v":'.length, -1));
}

async function insertJson(table: Table, column: Column, json: string): Promise<void> {
  const value = readJsonValue({ node: parseExactJson(json), text: json }, column);
  const { dialect } = database;
  const insert = dialect.write.insertRow({
    table: dialect.tableName(table),
    columns: ['"v"'],
    values: [param(value, column.type)],
    assignedColumns: [column],
    returningColumns: [],
    returning: [],
  });
  await database.run(render(dialect, insert));
}

test.for(cells)(
  '%s %s is %s in JSON, and is stored again as the same value',
  async ([type, literal, json]) => {
    const table = await tableOf(type);
    await server().query(`INSERT INTO ${table.name} (v) VALUES (${literal})`);
    expect(await jsonOf(table)).toEqual([json]);
    await insertJson(table, table.columns[1]!, json);
    const [same] = await server().query(
      `SELECT count(DISTINCT v::text) AS texts, count(*) AS rows, count(DISTINCT pg_column_size(v)) AS sizes FROM ${table.name}`,
    );
    expect(same).toEqual({ texts: '1', rows: '2', sizes: '1' });
  },
);

test('NULL is null in every type', async () => {
  for (const type of new Set(cells.map(([name]) => name))) {
    const table = await tableOf(type);
    await insertJson(table, table.columns[1]!, 'null');
    expect(await jsonOf(table)).toEqual(['null']);
  }
});

test('raw SQL returns the same values without known columns', async () => {
  const text = `SELECT '{a,b}'::citext[] AS texts, 'sad'::mood AS mood, '2026-01-31 13:05Z'::timestamptz AS at,
    '{2,1}'::positive[] AS numbers, true AS yes, 12345678901234567890::numeric AS big, ROW(1, 'x') AS row`;
  const { columns, rows } = await database.run({ text, params: [] });
  expect(rowEncoder(columns)(rows[0]!)).toBe(
    '{"texts":["a","b"],"mood":"sad","at":"2026-01-31T13:05:00Z","numbers":[2,1],"yes":true,"big":"12345678901234567890","row":"(1,x)"}',
  );
  expect(columns.map((column) => column.nativeType)).toEqual([
    'citext[]',
    'mood',
    'timestamp with time zone',
    'positive[]',
    'boolean',
    'numeric',
    'record',
  ]);
});

test('text that PostgreSQL cannot store is rejected, not changed', async () => {
  for (const text of ['a\0b', 'half \ud83d']) {
    const insert = database.run({
      text: 'INSERT INTO t0 (id) VALUES (length($1))',
      params: [text],
    });
    await expect(insert).rejects.toMatchObject({ code: 'invalid_value' });
    const select = database.run({ text: 'SELECT length($1)', params: [text] });
    await expect(select).rejects.toMatchObject({ code: 'invalid_parameter' });
  }
});

test('bigint, float and boolean parameters are exact', async () => {
  const query = sql`SELECT ${param(2n ** 63n - 1n)}::bigint::text, ${param(-0)}::float8::text, ${param(true)}::boolean::text, ${param(NaN)}::float8::text`;
  const { rows } = await database.run(render(database.dialect, query));
  expect(rows).toEqual([['9223372036854775807', '-0', 'true', 'NaN']]);
});
