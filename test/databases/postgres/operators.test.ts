/**
 * Types outside of the search path, together with their operators, and types ordered by operators
 * with other names.
 */
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createApp } from '../../../src/http/app.ts';
import { createStudio } from '../../../src/studio/studio.ts';
import { usePostgres } from '../../servers/postgres.ts';
import type { Studio } from '../../../src/studio/studio.ts';

const server = usePostgres();
let studio: Studio;

beforeAll(async () => {
  await server().query(`
    CREATE SCHEMA away; CREATE EXTENSION citext SCHEMA away; CREATE EXTENSION ltree SCHEMA away;
    CREATE EXTENSION hstore;
    CREATE DOMAIN folded AS away.citext;
    CREATE TABLE letters (k folded PRIMARY KEY, n int, c away.citext);
    INSERT INTO letters SELECT (ARRAY['a','B','c','D','_'])[1 + i % 5] || i, i,
      (ARRAY['a','A','b','B','_',NULL])[1 + i % 6] FROM generate_series(1, 30) AS i;
    CREATE TABLE paths (k away.ltree PRIMARY KEY, h hstore);
    INSERT INTO paths SELECT ('a.b' || i)::away.ltree, hstore('x', (i % 4)::text) FROM generate_series(1, 9) AS i`);
  studio = await createStudio({ url: server().url });
});

afterAll(() => studio?.close());

interface Page {
  readonly data: readonly Readonly<Record<string, unknown>>[];
  readonly total: number;
  readonly next_cursor?: string;
}

async function get<T>(path: string): Promise<T> {
  const response = await createApp(studio).fetch(
    new Request(`http://localhost/studio/api/tables/${path}`),
  );
  expect(response.status, path).toBe(200);
  return (await response.json()) as T;
}

test.each([
  ['letters', '', 30],
  ['letters', '&sort_by=c', 30],
  ['letters', '&sort_by=k&sort_order=desc', 30],
  ['paths', '', 9],
  ['paths', '&sort_by=h', 9],
])('cursors over %s%s return every row once', async (table, query, rows) => {
  const keys: unknown[] = [];
  let cursor: string | undefined;
  do {
    const from = cursor === undefined ? '' : `&cursor=${encodeURIComponent(cursor)}`;
    const page = await get<Page>(`${table}/rows?page_size=3${query}${from}`);
    keys.push(...page.data.map(({ k }) => k));
    cursor = page.next_cursor;
  } while (cursor !== undefined);
  expect(new Set(keys).size).toBe(rows);
  expect(keys).toHaveLength(rows);
});

test.each([
  ['letters', 'filter_c=a', "c OPERATOR(away.=) 'a'"],
  ['letters', 'filter_c__in=a&filter_c__in=B', "c OPERATOR(away.=) 'a' OR c OPERATOR(away.=) 'b'"],
  ['letters', 'filter_c__ne=A', "c OPERATOR(away.<>) 'a'"],
  ['letters', 'filter_k__gt=C', "k OPERATOR(away.>) 'c'::away.citext"],
  ['paths', 'filter_k=a.b3', "k OPERATOR(away.=) 'a.b3'"],
  ['paths', 'filter_k__in=a.b3&filter_k__in=a.b4', "k::text IN ('a.b3', 'a.b4')"],
])("%s: %s gives the result of the type's own operator", async (table, filter, where) => {
  const [row] = await server().query(`SELECT count(*)::int AS n FROM ${table} WHERE ${where}`);
  expect((await get<Page>(`${table}/rows?${filter}`)).total).toBe(row?.['n']);
});

test('a row is found by its key as the type compares it', async () => {
  expect(await get('letters/rows/b1')).toMatchObject({ n: 1 });
  expect(await get('paths/rows/a.b3')).toMatchObject({ k: 'a.b3' });
});
