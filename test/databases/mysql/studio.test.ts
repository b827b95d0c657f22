/** Responses of a studio that only MySQL has. The kit tests the common ones. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest';

import { createApp } from '../../../src/http/app.ts';
import { createStudio } from '../../../src/studio/studio.ts';
import { useMariadb } from '../../servers/mariadb.ts';
import type { Studio } from '../../../src/studio/studio.ts';

const server = useMariadb();
let studio: Studio;

beforeAll(async () => {
  await server().query(`
  CREATE TABLE words (
    id int PRIMARY KEY AUTO_INCREMENT,
    ignoring varchar(50) COLLATE utf8mb4_unicode_ci,
    exact varchar(50) COLLATE utf8mb4_bin,
    old varchar(50) CHARACTER SET latin1,
    short_unicode varchar(50) CHARACTER SET utf8mb3,
    kind enum('Red','green'),
    n int
  );
  INSERT INTO words (ignoring, exact, old, short_unicode, kind, n) VALUES
    ('Café', 'CAFÉ', 'Café', 'КОТ', 'Red', 3), ('100% sure!', 'a_b', 'it''s', 'x\\\\y', 'green', NULL), (NULL, NULL, NULL, NULL, NULL, 1), ('😀 smile', '😁 grin', 'z', 'z', NULL, 2);
  CREATE TABLE floats (id int PRIMARY KEY AUTO_INCREMENT, f float, d double, p decimal(30,10), big bigint unsigned);
  INSERT INTO floats (f, d, p, big) VALUES (0.1, 0.1, 12345678901234567890.0123456789, 18446744073709551615);
  CREATE TABLE made_keys (id char(36) NOT NULL DEFAULT (uuid()) PRIMARY KEY, name varchar(20));
  CREATE TABLE moved_keys (id int PRIMARY KEY, name varchar(20));
  CREATE TRIGGER moves BEFORE INSERT ON moved_keys FOR EACH ROW SET NEW.id = NEW.id + 100;
  CREATE TABLE no_key (a int, b timestamp DEFAULT CURRENT_TIMESTAMP, c varchar(5) DEFAULT 'dflt');
  CREATE TABLE changing (id int PRIMARY KEY AUTO_INCREMENT, note varchar(20), seen datetime(6) DEFAULT CURRENT_TIMESTAMP(6) ON UPDATE CURRENT_TIMESTAMP(6), doubled varchar(40) AS (concat(note, note)));
  CREATE TABLE moments (at timestamp(6) NOT NULL PRIMARY KEY, v int);
  CREATE TABLE flags (mask bit(8) PRIMARY KEY, yes bit(1));
  CREATE TABLE spots (id int PRIMARY KEY, spot point, shape geometry);
  INSERT INTO moments VALUES ('2026-01-31 13:05:00.25', 1), ('2026-01-31 13:05:00.5', 2), ('2026-02-01', 3);
  INSERT INTO flags VALUES (b'1', b'1'), (b'10000000', b'0'), (b'0', NULL)`);
  studio = await createStudio({ url: server().url });
});

afterAll(() => studio?.close());

interface StudioResponse {
  readonly status: number;
  readonly text: string;
  readonly body: {
    readonly data: readonly Record<string, unknown>[];
    readonly total: number;
    readonly next_cursor?: string;
  } & Record<string, unknown>;
}

async function ask(
  path: string,
  init: { readonly method?: string; readonly body?: unknown } = {},
): Promise<StudioResponse> {
  const { method = 'GET', body } = init;
  const request = new Request(`http://localhost/studio/api/${path}`, {
    method,
    ...(body === undefined
      ? {}
      : { headers: { 'Content-Type': 'application/json' }, body: JSON.stringify(body) }),
  });
  const response = await createApp(studio).fetch(request);
  const text = await response.text();
  return { status: response.status, text, body: JSON.parse(text) as StudioResponse['body'] };
}

async function idsWhere(parameters: string): Promise<unknown> {
  const { body } = await ask(`tables/words/rows?${parameters}`);
  return body.data.map(({ id }) => id);
}

describe('search', () => {
  test.each([
    ['café', [1]],
    ['CAFÉ', [1]],
    ['cafe', []],
    ['кот', [1]],
    ['%', [2]],
    ['!', [2]],
    ['_', [2]],
    ['\\', [2]],
    ["IT'S", [2]],
    ['RED', [1]],
    ['😀', [4]],
    ['😁', [4]],
    ['日本', []],
  ])('for %s finds %j', async (term, ids) => {
    expect(await idsWhere(`search=${encodeURIComponent(term)}`)).toEqual(ids);
  });
});

describe('filters', () => {
  test.each([
    ['ignoring=CAFE', [1]],
    ['exact=café', []],
    ['exact=CAFÉ', [1]],
    ['ignoring=c%25', [1]],
    ['exact=c%25', []],
    ['exact__ilike=c%25', [1]],
    ['ignoring=100\\%25%25', [2]],
    ['ignoring__ends=!', [2]],
    ['exact__starts=A_', [2]],
    ['kind=red', [1]],
    ['kind__in=["green","RED"]', [1, 2]],
    ['n__lt=3', [3, 4]],
    ['n=2%25', [4]],
  ])('%s finds %j', async (filter, ids) => {
    expect(
      await idsWhere(`filter_${filter.replaceAll('["', '%5B%22').replaceAll('"]', '%22%5D')}`),
    ).toEqual(ids);
  });

  test.each(['kind=blue', 'n=abc', 'n=', 'n=99999999999'])(
    '%s is an invalid value of its column',
    async (filter) => {
      expect(await ask(`tables/words/rows?filter_${filter}`)).toMatchObject({
        status: 400,
        body: { code: 'invalid_parameter' },
      });
    },
  );

  test('text that the character set cannot encode is an invalid value too', async () => {
    expect(await ask(`tables/words/rows?filter_old=${encodeURIComponent('日本')}`)).toMatchObject({
      status: 400,
      body: { code: 'invalid_parameter' },
    });
  });

  test.each(['f=0.1', 'd=0.1', 'p=12345678901234567890.0123456789', 'big=18446744073709551615'])(
    '%s is compared exactly',
    async (filter) => {
      expect((await ask(`tables/floats/rows?filter_${filter}`)).body.data).toHaveLength(1);
    },
  );

  test.each([
    'p=12345678901234567890.0123456788',
    'big=18446744073709551614',
    'd=0.10000000149011612',
  ])('%s finds nothing', async (filter) => {
    expect((await ask(`tables/floats/rows?filter_${filter}`)).body.data).toHaveLength(0);
  });
});

test('NULLs sort last in both directions', async () => {
  expect(await idsWhere('sort_by=n')).toEqual([3, 4, 1, 2]);
  expect(await idsWhere('sort_by=n&sort_order=desc')).toEqual([1, 4, 3, 2]);
  expect(await idsWhere('sort_by=kind&sort_by=n&sort_order=asc&sort_order=desc')).toEqual([
    1, 2, 4, 3,
  ]);
});

test.each(['moments', 'flags'])(
  'a cursor walks every row of %s by its kind of key',
  async (table) => {
    const seenRows: unknown[] = [];
    let cursor = '';
    do {
      const { body } = await ask(`tables/${table}/rows?page_size=1${cursor}`);
      seenRows.push(...body.data);
      cursor = body.next_cursor === undefined ? '' : `&cursor=${body.next_cursor}`;
    } while (cursor !== '');
    expect(seenRows).toEqual((await ask(`tables/${table}/rows`)).body.data);
    expect(seenRows).toHaveLength(3);
  },
);

test('a row can be addressed by a timestamp with any offset, and by bits', async () => {
  expect(
    await ask(`tables/moments/rows/${encodeURIComponent('2026-01-31T15:05:00.5+02:00')}`),
  ).toMatchObject({ body: { v: 2 } });
  expect(await ask('tables/flags/rows/10000000')).toMatchObject({
    body: { mask: '10000000', yes: false },
  });
  expect(await ask('tables/flags/rows/2')).toMatchObject({ status: 400 });
});

test('a row is returned as stored: auto-increment, defaults, generated columns and ON UPDATE', async () => {
  const created = await ask('tables/changing/rows', { method: 'POST', body: { note: 'x' } });
  expect(created).toMatchObject({
    status: 201,
    body: { data: { id: 1, note: 'x', doubled: 'xx' } },
  });
  const changed = await ask('tables/changing/rows/1', { method: 'PUT', body: { note: 'y' } });
  expect(changed).toMatchObject({
    status: 200,
    body: { data: { id: 1, note: 'y', doubled: 'yy' } },
  });
  const seenAtOf = (response: StudioResponse): unknown =>
    (response.body.data as unknown as Record<string, unknown>)['seen'];
  expect(String(seenAtOf(changed)) > String(seenAtOf(created))).toBe(true);
});

test('a key set by a default is returned if the database supports RETURNING', async ({ skip }) => {
  if (!server().isMariadb) skip('MySQL has no RETURNING');
  const { status, body } = await ask('tables/made_keys/rows', {
    method: 'POST',
    body: { name: 'x' },
  });
  expect(status).toBe(201);
  expect(body.data).toMatchObject({ id: expect.stringMatching(/^[\da-f-]{36}$/), name: 'x' });
  const without = await ask('tables/no_key/rows', { method: 'POST', body: { a: 1 } });
  expect(without).toMatchObject({
    status: 201,
    body: { data: { a: 1, b: expect.stringMatching(/Z$/), c: 'dflt' } },
  });
});

test('a row is never confused with the row whose key the request had', async () => {
  const add = (id: number, name: string): Promise<StudioResponse> =>
    ask('tables/moved_keys/rows', { method: 'POST', body: { id, name } });
  const responses = [
    await add(1, 'a'),
    await add(-99, 'b'),
    await add(101, 'c'),
    await add(1, 'd'),
  ];
  expect(responses.map(({ status }) => status)).toEqual([201, 201, 201, 409]);
  const { isMariadb } = server();
  for (const [i, key] of [101, 1, 201].entries()) {
    const { body } = responses[i]!;
    const name = 'abc'[i];
    if (isMariadb) expect(body).toEqual({ message: 'created', data: { id: key, name } });
    else {
      expect(body).toMatchObject({ data: { id: key - 100, name } });
      expect(body['warning']).toMatch(/as it was sent/);
    }
  }
  expect((await ask('tables/moved_keys/rows')).body.data).toEqual([
    { id: 1, name: 'b' },
    { id: 101, name: 'a' },
    { id: 201, name: 'c' },
  ]);
});

test('a text that is not a geometry is rejected, and the row is unchanged', async () => {
  const put = (body: unknown): Promise<StudioResponse> =>
    ask('tables/spots/rows/1', { method: 'PUT', body });
  const spot = { id: 1, spot: 'POINT(1 2)', shape: 'LINESTRING(0 0,1 1)' };
  expect(await ask('tables/spots/rows', { method: 'POST', body: spot })).toMatchObject({
    status: 201,
    body: { data: spot },
  });
  const expectedRejection = { status: 422, body: { code: 'invalid_value' } };
  for (const text of ['nonsense', '', 'POINT(1)', 'POLYGON((0 0,1 1))']) {
    expect(await put({ shape: text })).toMatchObject(expectedRejection);
    const row = { id: 2, shape: text };
    expect(await ask('tables/spots/rows', { method: 'POST', body: row })).toMatchObject(
      expectedRejection,
    );
    const changes = { update: [{ id: 1, values: { shape: text } }] };
    expect(await ask('tables/spots/changes', { method: 'POST', body: changes })).toMatchObject(
      expectedRejection,
    );
  }
  expect((await ask('tables/spots/rows')).body.data).toEqual([spot]);
  expect(await put({ spot: null })).toMatchObject({ body: { data: { ...spot, spot: null } } });
});

test('raw SQL returns type names of the server', async () => {
  const query =
    "SELECT id, f, p, big, 1 = 1 AS yes, CAST('2026-01-31' AS date) AS day, NULL AS nothing FROM floats";
  const { text, body } = await ask('sql', { method: 'POST', body: { query } });
  expect(body).toMatchObject({
    column_types: [
      'int',
      'float',
      'decimal(30,10)',
      'bigint unsigned',
      expect.any(String),
      'date',
      'null',
    ],
  });
  expect(text).toContain(
    '"f":0.10000000149011612,"p":"12345678901234567890.0123456789","big":"18446744073709551615"',
  );
});

test("raw SQL that the server rejects has the server's message", async () => {
  expect(
    await ask('sql', { method: 'POST', body: { query: 'SELECT nothing FROM floats' } }),
  ).toMatchObject({
    status: 400,
    body: { code: 'invalid_parameter', error: expect.stringContaining('nothing') },
  });
});
