/** Filters, orders and cursors of every type follow the rules of the server and use an index. */
import { afterAll, beforeAll, expect, test } from 'vitest';

import { openPostgres } from '../../../src/databases/postgres/database.ts';
import { filterConditions, searchCondition } from '../../../src/sql/conditions.ts';
import { rangesAfter } from '../../../src/sql/keyset.ts';
import { render } from '../../../src/sql/render.ts';
import { selectRows } from '../../../src/sql/select.ts';
import { usePostgres } from '../../servers/postgres.ts';
import type { Table } from '../../../src/model/schema.ts';
import type { Fragment } from '../../../src/model/fragment.ts';
import type { OrderTerm } from '../../../src/sql/select.ts';
import type { Database } from '../registered-databases.ts';

const server = usePostgres();
let database: Database;
let table: Table;

/** Columns with an index each: type, expression of n, and a filter that finds the row with n = 7. */
const columns: Readonly<Record<string, readonly [type: string, value: string, filter: string]>> = {
  small: ['smallint', 'n % 30000', '7'],
  big: ['bigint', 'n + 9007199254740993', '9007199254741000'],
  exact: ['numeric(20,10)', 'n / 8.0', '0.875'],
  single: ['real', 'n / 10.0', '0.7'],
  double: ['double precision', 'n / 10.0', '0.7'],
  cash: ['money', '(n / 100.0)::numeric::money', '0.07'],
  label: ['text', "'t' || n", 't7'],
  unpadded: ['text COLLATE nocase', "'L' || n", 'l7'],
  code: ['varchar(10)', "'v' || n", 'v7'],
  padded: ['char(8)', "'c' || n", 'c7'],
  mail: ['citext', "'Mail' || n", 'mAIL7'],
  caseless: ['caseless', "'O' || n", 'o7'],
  folded: ['folded', "'Fold' || n", 'fOLD7'],
  uid: ['uuid', "lpad(n::text, 32, '0')::uuid", '00000000000000000000000000000007'],
  day: ['date', "'2026-01-01'::date + n", '2026-01-08'],
  clock: ['time', "'00:00'::time + n * interval '1 s'", '00:00:07'],
  moment: ['timestamp', "'2026-01-01'::timestamp + n * interval '1 s'", '2026-01-01T00:00:07'],
  instant: [
    'timestamptz(3)',
    "'2026-01-01Z'::timestamptz + n * interval '1 s'",
    '2026-01-01T02:00:07+02:00',
  ],
  span: ['interval', "n * interval '1 s'", '7 s'],
  doc: ['jsonb', "jsonb_build_object('n', n)", '{"n":7.0}'],
  bytes: ['bytea', "decode(lpad(to_hex(n), 4, '0'), 'hex')", String.raw`\x0007`],
  flags: ['bit(16)', 'n::bit(16)', '0000000000000111'],
  host: ['inet', "'10.0.0.0'::inet + n", '10.0.0.7'],
  net: ['cidr', "set_masklen(('10.0.0.0'::inet + n)::cidr, 32)", '10.0.0.7/32'],
  range: ['int4range', 'int4range(n, n + 1)', '[7,8)'],
  list: ['int[]', 'ARRAY[n, 0]', '[7, 0]'],
  names: ['citext[]', "ARRAY['N' || n]::citext[]", '["n7"]'],
  domain: ['positive', 'n + 1', '8'],
  path: ['ltree', "('Top.n' || n)::ltree", 'Top.n7'],
};

beforeAll(async () => {
  const names = Object.keys(columns);
  const definitions = names.map((name) => `"${name}" ${columns[name]?.[0]} NOT NULL`);
  const values = names.map((name) => columns[name]?.[1]);
  await server().query(`
    CREATE EXTENSION citext; CREATE EXTENSION ltree;
    CREATE DOMAIN positive AS int CHECK (value > 0);
    CREATE COLLATION nocase (provider = icu, locale = 'und-u-ks-level2', deterministic = false);
    CREATE DOMAIN caseless AS text COLLATE nocase; CREATE DOMAIN folded AS citext; CREATE DOMAIN letter AS "char";
    CREATE TYPE mood AS ENUM ('sad', 'ok', 'happy');
    CREATE TABLE items (id int PRIMARY KEY, ${definitions.join(', ')}, mood mood, truth boolean, maybe int, shape point, plain json, markup xml, letter letter DEFAULT 'x');
    INSERT INTO items SELECT n, ${values.join(', ')}, CASE n WHEN 7 THEN 'happy' ELSE 'sad' END::mood, n = 7,
      CASE WHEN n % 2 = 0 THEN n END, point(n, n), json_build_object('n', n), xmlelement(name x, n)
      FROM generate_series(0, 4999) n;
    ${[...names, 'mood', 'truth'].map((name) => `CREATE INDEX ON items ("${name}");`).join(' ')}
    CREATE INDEX ON items (maybe, id);
    ANALYZE items`);
  database = await openPostgres({ url: server().url, readOnly: true, create: false });
  table = (await database.introspect()).tables[0]!;
});

afterAll(() => database?.close());

async function ids(
  where: readonly Fragment[],
  order: readonly OrderTerm[] = [],
): Promise<readonly unknown[]> {
  const select = selectRows(database.dialect, {
    table,
    expressions: ['id'],
    where,
    order,
    limit: 3,
    offset: 0,
  });
  return (await database.run(render(database.dialect, select))).rows.map(([id]) => id);
}

function filter(name: string, value: string): readonly Fragment[] {
  return filterConditions(database.dialect, table, [{ name, value }]);
}

async function planOf(
  where: readonly Fragment[],
  order: readonly OrderTerm[] = [],
): Promise<string> {
  const select = selectRows(database.dialect, {
    table,
    expressions: ['id'],
    where,
    order,
    limit: 3,
    offset: 0,
  });
  const { text, params } = render(database.dialect, select);
  return (await database.run({ text: `EXPLAIN ${text}`, params })).rows.join('\n');
}

function term(name: string, descending = false): OrderTerm {
  return { column: table.columns.find((column) => column.name === name)!, descending };
}

test.for(Object.entries(columns))(
  '%s: equality finds the row and uses the index',
  async ([name, [, , value]]) => {
    const where = filter(name, value);
    expect(await ids(where)).toEqual([7]);
    expect(await planOf(where)).toMatch(/Index|Bitmap/);
  },
);

test.for(Object.entries(columns))(
  '%s: the cursor of a row finds its position and uses the index',
  async ([name]) => {
    const { dialect } = database;
    const column = term(name).column;
    const selected = dialect.sortKey(column).cursor?.selected ?? {
      expression: dialect.selectExpression(dialect.quoteName(name), column),
      column,
    };
    const text = `SELECT ${selected.expression} FROM items ORDER BY "${name}" OFFSET 2500 LIMIT 1`;
    const { rows } = await database.run({ text, params: [], columns: [selected.column] });
    const order = [term(name)];
    const [after] = rangesAfter(dialect, order, rows[0]!);
    const expected = await database.run({
      text: `SELECT id FROM items ORDER BY "${name}" OFFSET 2501 LIMIT 3`,
      params: [],
    });
    expect(await ids(after!, order)).toEqual(expected.rows.map(([id]) => id));
    expect(await planOf(after!, order)).toMatch(/Index (?:Only )?Scan/);
  },
);

test('rows before a page are skipped without formatting their values', async () => {
  const { dialect } = database;
  const expressions = table.columns.map((column) =>
    dialect.selectExpression(dialect.quoteName(column.name), column),
  );
  const page = { table, expressions, where: [], order: [term('id')], limit: 3, offset: 2500 };
  const { text, params } = render(dialect, selectRows(dialect, page));
  const explained = await database.run({ text: `EXPLAIN (VERBOSE) ${text}`, params });
  const plan = explained.rows.join('\n');
  const [above = '', below = ''] = plan.split(/^ *-> +Limit/m);
  expect(above).toContain('::text');
  expect(below).not.toContain('::text');
  const { rows } = await database.run({ text, params });
  expect(rows.map(([id]) => id)).toEqual([2500, 2501, 2502]);
});

test('enums and booleans use their index', async () => {
  expect(await ids(filter('mood', 'happy'))).toEqual([7]);
  expect(await planOf(filter('mood', 'happy'))).toMatch(/Index|Bitmap/);
  expect(await ids(filter('truth', 'true'))).toEqual([7]);
  expect(await planOf(filter('truth', '1'))).toMatch(/Index|Bitmap/);
});

test('lists of values find their rows', async () => {
  for (const [name, [, , value]] of Object.entries(columns)) {
    expect([name, await ids(filter(`${name}__in`, JSON.stringify([value, value])))]).toEqual([
      name,
      [7],
    ]);
  }
});

test('descending order is served by the index, also where a later column may be NULL', async () => {
  expect(await planOf([], [term('label', true)])).toMatch(/Index (?:Only )?Scan Backward/);
  const where = filter('maybe__null', 'false');
  const filled = { ...term('maybe', true), column: { ...term('maybe').column, nullable: false } };
  expect(await planOf(where, [filled, term('id', true)])).toMatch(/Index (?:Only )?Scan Backward/);
  expect(await ids([], [term('maybe', true), term('id')])).toEqual([4998, 4996, 4994]);
});

test('types without = compare as text', async () => {
  expect(await ids(filter('shape', '(7,7)'))).toEqual([7]);
  expect(await ids(filter('plain', '{"n" : 7}'))).toEqual([7]);
  expect(await ids(filter('markup', '<x>7</x>'))).toEqual([7]);
});

test('patterns match literally except for their wildcards, on every type', async () => {
  await server().query(
    String.raw`CREATE TABLE texts (id int PRIMARY KEY, t text); INSERT INTO texts VALUES (1, '50%'), (2, '50 percent'), (3, 'a_b\c'), (4, 'AXB')`,
  );
  const texts = (await database.introspect()).tables.find(({ name }) => name === 'texts')!;
  const found = async (name: string, value: string): Promise<unknown> => {
    const where = filterConditions(database.dialect, texts, [{ name, value }]);
    const select = selectRows(database.dialect, {
      table: texts,
      expressions: ['id'],
      where,
      order: [],
    });
    return (await database.run(render(database.dialect, select))).rows.flat();
  };
  expect(await found('t', String.raw`50\%%`)).toEqual([1]);
  expect(await found('t', '50%')).toEqual([1, 2]);
  expect(await found('t__contains', String.raw`_b\C`)).toEqual([3]);
  expect(await found('t__like', 'a_b%')).toEqual([3]);
  expect(await found('t__ilike', 'a_b%')).toEqual([3, 4]);
  expect(await ids(filter('day', '2026-01-08%'))).toEqual([7]);
  expect(await ids(filter('exact', '0.875%'))).toEqual([7]);
  expect(await ids(filter('mail', 'mAIL7%'))).toContain(7);
  expect(await ids(filter('padded__ends', '7'))).toContain(7);
  expect(await ids(filter('host__starts', '10.0.0.7/'))).toEqual([7]);
});

test('search covers text, uuid and enum columns', async () => {
  expect(await ids([searchCondition(database.dialect, table, 'HAPP')])).toEqual([7]);
  expect(await ids([searchCondition(database.dialect, table, 'mail4711')])).toEqual([4711]);
  expect(await ids([searchCondition(database.dialect, table, "x' OR '1'='1")])).toEqual([]);
});

test.for([
  ['small', '40000'],
  ['small', '1.5'],
  ['big', '9223372036854775808'],
  ['exact', 'ten'],
  ['double', '1e400'],
  ['double', ''],
  ['single', '1e39'],
  ['uid', 'no-uuid'],
  ['mood', 'glad'],
  ['truth', 'maybe'],
  ['doc', '{'],
  ['bytes', String.raw`\xzz`],
  ['flags', '012'],
  ['list', '1'],
  ['label', 'a\0b'],
  ['domain', 'x'],
] as const)('%s = %j is rejected before it is sent', ([name, value]) => {
  expect(() => filter(name, value)).toThrow(expect.objectContaining({ code: 'invalid_parameter' }));
});

test.for([
  ['day', '2026-02-30'],
  ['instant', 'yesterdayish'],
  ['host', 'localhost'],
  ['span', 'long'],
  ['range', '(1'],
  ['list', '{1'],
  ['cash', '1e30'],
  ['path', 'a b'],
  ['clock', '25:00'],
] as const)('%s = %j is rejected by the server as an invalid parameter', async ([name, value]) => {
  const error = await ids(filter(name, value)).catch((reason: unknown) => reason);
  expect(database.dialect.translateError(error)).toMatchObject({ code: 'invalid_parameter' });
});

test('long values are shortened in previews, with their size', async () => {
  await server()
    .query(`CREATE TABLE long (id int PRIMARY KEY, t text, v varchar, c citext, j json, b jsonb, x xml, y bytea, a int[], s bit varying);
    INSERT INTO long SELECT 1, r, r, r, to_json(r), to_jsonb(r), xmlelement(name x, r), r::bytea, array_agg(n), repeat('10', 5000)::varbit
      FROM (SELECT repeat('é', 5000) AS r) AS q, generate_series(1, 5000) n GROUP BY r`);
  const long = (await database.introspect()).tables.find(({ name }) => name === 'long')!;
  const { dialect } = database;
  for (const column of long.columns.slice(1)) {
    const name = dialect.quoteName(column.name);
    const preview = dialect.preview(name, column, 10)!;
    const text = `SELECT CASE WHEN ${preview.bytes} > 100 THEN ${preview.head} ELSE ${dialect.selectExpression(name, column)} END, ${preview.bytes} FROM long`;
    const { rows } = await database.run({ text, params: [], columns: [column, long.columns[0]!] });
    const [head, bytes] = rows[0]!;
    expect([column.name, head instanceof Uint8Array ? head.length : String(head).length]).toEqual([
      column.name,
      10,
    ]);
    expect(Number(bytes)).toBeGreaterThan(column.name === 's' ? 1000 : 9999);
  }
});
