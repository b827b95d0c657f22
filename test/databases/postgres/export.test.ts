import { expect, test } from 'vitest';
import { createTestDatabase, usePostgres } from '../../servers/postgres.ts';
import { exportAll, exportOne } from '../exporting.ts';

const database = usePostgres();

const structure = `
  CREATE TYPE mood AS ENUM ('glad', 'o''clock');
  CREATE DOMAIN positive AS integer CHECK (VALUE > 0);
  CREATE TABLE natives (
    id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    numbers numeric, amount money, single real, twin double precision, small smallint,
    flags bit(3), loose_flags varbit, span interval, address inet, period tstzrange, spot point, document xml,
    at_noon time, zoned_noon timetz, day date, moment timestamp, zoned timestamptz,
    texts text[], grid integer[], bounded integer[], bytes bytea[], documents jsonb[], moneys money[], boxes box[],
    plain json, packed jsonb, raw bytea, feeling mood, one_up positive, "char" "char", padded char(5),
    made text GENERATED ALWAYS AS (id::text || '!') STORED
  );
  CREATE SCHEMA other;
  CREATE TABLE other."Odd ""name" (k text, v json);
  CREATE TABLE parents (id integer PRIMARY KEY, v text);
  CREATE TABLE children (extra text) INHERITS (parents);
  CREATE TABLE parted (id integer, v text) PARTITION BY RANGE (id);
  CREATE TABLE parted_low PARTITION OF parted FOR VALUES FROM (0) TO (10);
  CREATE TABLE parted_high PARTITION OF parted FOR VALUES FROM (10) TO (20)`;

const rows = String.raw`
  INSERT INTO natives (numbers, amount, single, twin, small, flags, loose_flags, span, address, period, spot, document) VALUES
    (10.500, 1234.5, 0.1, 0.1, -3, B'101', B'', '1 day -02:03:04.5', '::1/64', '[2026-01-01,)', '(1.5,-2)', '<a b="c">&amp;</a>'),
    ('NaN', -0.01, '-0', '-0', 0, NULL, B'0110', '-1 year', '10.0.0.1', 'empty', NULL, NULL),
    ('Infinity', NULL, '-Infinity', 'NaN', NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL),
    (-99999999999999999999999999999999.00000000000000000000000001, NULL, 3.4028235e38, 5e-324, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL);
  INSERT INTO natives (at_noon, zoned_noon, day, moment, zoned) VALUES
    ('12:00:00.000001', '12:00+02', 'infinity', '-infinity', '2026-01-31 13:05:00.123456+02'),
    ('24:00', '12:00-03:30', '0044-03-15 BC', '0044-03-15 01:02:03 BC', '12026-01-01'),
    (NULL, NULL, '2026-01-31', '2026-01-31 13:05', 'infinity');
  INSERT INTO natives (texts, grid, bounded, bytes, documents, moneys, boxes, plain, packed, raw, feeling, one_up, "char", padded) VALUES
    ('{"a,b","",NULL,"NULL","\\","\"",é}', '{{1,2},{3,4}}', '[2:3]={7,8}', '{"\\x00ff",NULL}', '{"{\"a\": [1]}",NULL,"null"}',
     '{1.50,-2}', '{(1,1),(0,0);(2,2),(1,1)}', E'{\n "b": 1.50,\r\n "a": "x\\u0041", "b": 2}', '{"b":1.50,"a":null}', '\x00275c0a', 'o''clock', 1, 'x', 'ab'),
    ('{}', NULL, NULL, NULL, NULL, NULL, NULL, 'null', '"text"', '', 'glad', NULL, NULL, '');
  INSERT INTO other."Odd ""name" VALUES ('b', '{"x":1}'), ('a', '2'), ('a', '1'), (NULL, NULL);
  INSERT INTO parents VALUES (1, 'own'); INSERT INTO children VALUES (2, 'inherited', 'x');
  INSERT INTO parted SELECT i, 'v' || i FROM generate_series(1, 15) i`;

test('values of every type are the same after a SQL export and import', async () => {
  await database().query(`${structure}; ${rows}`);
  const { url } = database();
  const script = await exportAll(url, { format: 'sql' });
  const document = await exportAll(url);
  const copy = await createTestDatabase();
  try {
    await copy.query(structure);
    await copy.query(
      "SET standard_conforming_strings = off; SET DateStyle = 'German'; " + script.text,
    );
    expect((await exportAll(copy.url, { format: 'sql' })).text).toBe(script.text);
    expect((await exportAll(copy.url)).text).toBe(document.text);
    const [one] = await copy.query('INSERT INTO natives (small) VALUES (1) RETURNING id');
    expect(one).toEqual({ id: '10' });
  } finally {
    await copy.drop();
  }
});

test('a row belongs to one table, also with inheritance or partitions', async () => {
  const document = JSON.parse((await exportAll(database().url)).text) as Record<string, object[]>;
  expect(document['parents']).toEqual([{ id: 1, v: 'own' }]);
  expect(document['children']).toEqual([{ id: 2, v: 'inherited', extra: 'x' }]);
  expect(document['parted']).toHaveLength(15);
  expect(Object.keys(document)).not.toContain('parted_low');
});

test('rows without a key have a stable order', async () => {
  const { text } = await exportOne(database().url, { table: 'other.Odd "name', format: 'csv' });
  const { text: all } = await exportAll(database().url, { tables: ['other.Odd "name'] });
  expect(all).toContain(
    '[\n{"k":"a","v":1},\n{"k":"a","v":2},\n{"k":"b","v":{"x":1}},\n{"k":null,"v":null}\n]',
  );
  expect(text.split('\n')).toHaveLength(6);
});

test('rows by COPY equal rows by a cursor', async () => {
  const all = await exportOne(database().url, { table: 'natives' });
  // With a parameter there is no COPY.
  const filters = [{ name: 'id__gt', value: '0' }];
  const filtered = await exportOne(database().url, { table: 'natives', query: { filters } });
  expect(filtered.text).toBe(all.text);
});

test('CSV by the database equals CSV by the studio, byte by byte', async () => {
  await database().query(String.raw`
    CREATE TABLE cells (id integer PRIMARY KEY, t text, v varchar(50), b boolean, i bigint, n numeric, m money, f double precision, g real,
      d date, c time, s timestamp, z timestamptz, y bytea, j json, k jsonb, u uuid, l interval, x bit(3), a inet, e mood);
    INSERT INTO cells (id, t, v) SELECT 10000 + i, v, v FROM unnest(ARRAY['', ' ', '\.', '\N', 'a,b', 'a"b', E'a\nb', E'a\rb', '=1', '''=1', '''''@',
      '''x', '+1', '-1', E'\t1', E'\r1', E'\n1', 'é', '😀', '@', '''', '=', E'=\n']) WITH ORDINALITY v(v, i);
    INSERT INTO cells (id, f, g) SELECT i, f, f::real FROM (SELECT i, (random() - 0.5) * 10::float8 ^ (i % 60 - 30) AS f FROM generate_series(1, 3000) i) AS r;
    INSERT INTO cells (id, f, g) SELECT 20000 + i, f, CASE WHEN abs(f) > 1e38 THEN NULL WHEN abs(f) < 1e-37 THEN 0 ELSE f END FROM unnest(ARRAY[0, '-0', 1e-4, 9.9e-5, 1e-5, 1e-6, 9.9e-7, 1e-7, 1e-9, 1e-10,
      123456789012345678, 1e14, 1e15, 1e16, 1e20, 1e21, 1.5e21, 1e22, 1e100, 1.7976931348623157e308, 5e-324, 1e5, 1e6, 1e7, 16777216, 0.1]::float8[]) WITH ORDINALITY v(f, i);
    INSERT INTO cells (id, f, g) VALUES (30000, 'NaN', 'Infinity'), (30010, '-Infinity', 'NaN');
    INSERT INTO cells (id, b, i, n, m, d, c, s, z, y, j, k, u, l, x, a, e) VALUES
      (40000, true, -9223372036854775808, -1.500, -12.5, '2026-01-31', '13:05:00.25', '2026-01-31 13:05:00.250', '2026-01-31 13:05:00.000001+02', '\x00ff', '{"a": 1}', '-5', gen_random_uuid(), '-1 day', B'101', '::1', 'o''clock'),
      (40010, false, 0, 'NaN', 0, '-infinity', '24:00', '-infinity', 'infinity', '', 'null', '"x"', NULL, '1 year', NULL, '10.0.0.0/8', 'glad'),
      (40020, NULL, NULL, '-Infinity', NULL, '0044-03-15 BC', NULL, '0044-03-15 BC', '0001-01-01 BC', NULL, E'[1,\n2]', NULL, NULL, NULL, NULL, NULL, NULL),
      (40030, NULL, NULL, NULL, NULL, '9999-12-31', NULL, '9999-12-31 23:59:59.999999', '9999-12-31 23:59:59.999999', NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL),
      (40040, NULL, NULL, NULL, NULL, '10000-01-01', NULL, '10000-01-01', '10000-01-01', NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL),
      (40050, NULL, NULL, NULL, NULL, '0001-01-01', NULL, '0001-01-01', '0001-01-01', NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL)`);
  // With a parameter there is no COPY, and the studio formats the cells.
  const filters = [{ name: 'id__gt', value: '0' }];
  const columns = ['id', ...'tvbinmfgdcszyjkulxae'];
  for (const formulas of ['guarded', 'raw']) {
    const input = { table: 'cells', columns, format: 'csv', formulas };
    const byDatabase = await exportOne(database().url, input);
    const byStudio = await exportOne(database().url, { ...input, query: { filters } });
    expect(byDatabase.rows).toBe(byStudio.rows);
    expect(byDatabase.text.split('\n')).toEqual(byStudio.text.split('\n'));
  }
});

test.each(['t', 'f', 'g', 'y'])('a single column is the same in both ways: %s', async (column) => {
  const input = { table: 'cells', columns: [column], format: 'csv' };
  const filters = [{ name: 'id__gt', value: '0' }];
  const byStudio = await exportOne(database().url, { ...input, query: { filters } });
  expect((await exportOne(database().url, input)).text).toBe(byStudio.text);
});
