/**
 * The same requests on the same data return the same JSON on every database, except for
 * `differences.ts`.
 */
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { parseJsonWithTokens } from '../../src/contract/number-token.ts';
import { buildDemo } from '../../src/demo/build.ts';
import { demoSchema } from '../../src/demo/schema.ts';
import { createApp } from '../../src/http/app.ts';
import { deriveRelations } from '../../src/model/relations.ts';
import { createStudio } from '../../src/studio/studio.ts';
import {
  collationOfBytes,
  differences,
  tablesWithOwnLabels,
  kindsWithOwnOrder,
} from './differences.ts';
import { databasesUnderTest } from './kit/databases-under-test.ts';
import type { App } from '../../src/http/app.ts';
import type { ColumnKind, Table } from '../../src/model/schema.ts';
import type { Studio } from '../../src/studio/studio.ts';
import type { KitDatabase, DatabaseUnderTest } from './kit/database-under-test.ts';
import { openDatabase } from './registered-databases.ts';

interface RunningStudio {
  readonly native: KitDatabase;
  readonly studio: Studio;
  readonly app: App;
}

async function serveDemo(underTest: DatabaseUnderTest): Promise<RunningStudio> {
  const testDatabase = await underTest.makeDatabase();
  const collation = collationOfBytes[underTest.name];
  if (collation !== undefined) await testDatabase.run(collation);
  const database = await openDatabase({ url: testDatabase.url, readOnly: false, create: true });
  await buildDemo(database).finally(() => database.close());
  const studio = await createStudio({ url: testDatabase.url });
  return { native: testDatabase, studio, app: createApp(studio) };
}

async function end(served: RunningStudio | undefined): Promise<void> {
  await served?.studio.close();
  await served?.native.drop();
}

interface RequestCase {
  readonly method?: string;
  readonly path: string;
  readonly body?: unknown;
}

async function ask({ app }: RunningStudio, { method = 'GET', path, body }: RequestCase) {
  const init =
    body === undefined
      ? { method }
      : { method, headers: { 'Content-Type': 'application/json' }, body: JSON.stringify(body) };
  const response = await app.fetch(new Request(`http://localhost/studio/api${path}`, init));
  const text = await response.text();
  return { status: response.status, body: text === '' ? null : parseJsonWithTokens(text) };
}

// The parts of responses that must be equal.

const kindOf = new Map<string, ColumnKind>(
  [...demoSchema.tables, ...demoSchema.views].flatMap((table) =>
    table.columns.map((column) => [`${table.name}.${column.name}`, column.type.kind] as const),
  ),
);

function normalizeRow(table: string, row: unknown): unknown {
  if (typeof row !== 'object' || row === null) return row;
  const members = Object.entries(row).filter(([name]) => name !== '_rowid_');
  return Object.fromEntries(
    members.map(([name, value]) => {
      const kind = kindOf.get(`${table}.${name}`);
      const found = differences.find(({ kinds }) => kind !== undefined && kinds.includes(kind));
      return [name, found === undefined ? value : found.normalize(value)];
    }),
  );
}

/**
 * Cursors are opaque, entity tags depend on the text, and errors contain the database's own type
 * names.
 */
function comparableParts(
  table: string,
  { status, body }: Awaited<ReturnType<typeof ask>>,
): unknown {
  if (typeof body !== 'object' || body === null) return { status, body };
  if ('code' in body) return { status, code: body.code };
  if (!('data' in body)) return { status, row: normalizeRow(table, body) };
  // Only some databases can move a row of a table without a key.
  const {
    next_cursor: next,
    etags: _etags,
    paging: _paging,
    ...rest
  } = body as Record<string, unknown>;
  const data = Array.isArray(body.data)
    ? body.data.map((row) => normalizeRow(table, row))
    : normalizeRow(table, body.data);
  return { status, ...rest, data, hasNext: next !== undefined };
}

// Requests: made from the demo's structure and its first rows.

const relations = deriveRelations(demoSchema);
const encode = encodeURIComponent;

function sortable(table: Table): readonly string[] {
  const columns = table.columns.filter(({ type }) => kindsWithOwnOrder[type.kind] === undefined);
  return columns.map(({ name }) => name);
}

function listRequests(table: Table): readonly string[] {
  const base = `/tables/${encode(table.name)}/rows?page_size=7`;
  const sorts = sortable(table).flatMap((name) =>
    ['asc', 'desc'].map((order) => `${base}&sort_by=${encode(name)}&sort_order=${order}`),
  );
  const nulls = table.columns.map(({ name }) => `${base}&filter_${encode(name)}__null=false`);
  return [
    base,
    `${base}&page=2`,
    `${base}&page=1000`,
    `${base}&count=none`,
    `${base}&search=the`,
    ...sorts,
    ...nulls,
  ].filter((path) => !table.columns.every(({ nullable }) => nullable) || path.includes('sort_by'));
}

function filterRequests(table: Table, row: Readonly<Record<string, unknown>>): readonly string[] {
  const base = `/tables/${encode(table.name)}/rows?page_size=5&filter_`;
  return sortable(table).flatMap((name) => {
    const value = row[name];
    if (value === null || typeof value === 'object') return [];
    const encodedValue = encode(String(value));
    return ['', '__ne', '__gt', '__lte', '__in'].map(
      (operator) => `${base}${encode(name)}${operator}=${encodedValue}`,
    );
  });
}

function idOf(table: Table, row: Readonly<Record<string, unknown>>): string | undefined {
  const parts = table.primaryKey?.columns.map((name) => encode(String(row[name])));
  return parts?.join(',');
}

function rowRequests(
  table: Table,
  row: Readonly<Record<string, unknown>>,
): readonly (readonly [string, string])[] {
  const id = idOf(table, row);
  if (id === undefined || /^(?:%7E)*\.{0,2}$/.test(id)) return [];
  const path = `/tables/${encode(table.name)}/rows/${id}`;
  const related = (relations.get(table.name) ?? []).map(
    (relation) =>
      [
        relation.table,
        `${path}/relations/${relation.name}?page_size=5&labels=${tablesWithOwnLabels[relation.table] === undefined}`,
      ] as const,
  );
  return [[table.name, path], ...related];
}

const nonsense = [
  '/tables/nope/rows',
  '/tables/users/rows?sort_by=nope',
  '/tables/users/rows?filter_nope=1',
  '/tables/users/rows?filter_id=x',
  '/tables/users/rows?filter_id__foo=1',
  '/tables/users/rows?page=x',
  '/tables/users/rows?cursor=x',
  '/tables/users/rows/x',
  '/tables/users/rows/1,2',
  '/tables/users/rows/123456789',
  '/tables/order_items/rows/1',
  '/tables/users/rows/1/relations/nope',
  '/tables/published_posts/rows/1',
  '/tables/users/rows?filter_email=%25press%25&page_size=3',
  '/tables/users/rows?filter_email__contains=PRESS&page_size=3',
  '/tables/users/rows?search=h%C3%B6lz',
  '/tables/users/rows?search=100%25',
  '/tables/users/rows?sort_by=manager_id&sort_order=desc&sort_by=email&page_size=9',
  '/tables/comments/rows?sort_by=parent_id&page_size=20&page=70',
];

/**
 * These run in order, and depend on each other. Ids are explicit, because a failed insert leaves a
 * gap in auto-increment values on servers.
 */
const writes: readonly (readonly [string, RequestCase])[] = [
  ['tags', { method: 'POST', path: '/tables/tags/rows', body: { name: 'differential, é/ü' } }],
  ['tags', { method: 'POST', path: '/tables/tags/rows', body: { name: 'differential, é/ü' } }],
  ['tags', { method: 'POST', path: '/tables/tags/rows', body: { nope: 1 } }],
  ['tags', { method: 'POST', path: '/tables/tags/rows', body: {} }],
  ['tags', { method: 'PUT', path: '/tables/tags/rows/1', body: { name: 'renamed' } }],
  ['tags', { method: 'PUT', path: '/tables/tags/rows/1', body: {} }],
  ['tags', { method: 'PUT', path: '/tables/tags/rows/999999', body: { name: 'x' } }],
  [
    'post_tags',
    { method: 'POST', path: '/tables/post_tags/rows', body: { post_id: 1, tag_id: 999_999 } },
  ],
  ['users', { method: 'DELETE', path: '/tables/books/rows/1' }],
  ['posts', { method: 'DELETE', path: '/tables/posts/rows/3' }],
  ['posts', { path: '/tables/posts/rows/3' }],
  [
    'posts',
    { method: 'PUT', path: '/tables/posts/rows/3?show_deleted=true', body: { deleted_at: null } },
  ],
  [
    'readings',
    {
      method: 'POST',
      path: '/tables/readings/rows/bulk-delete',
      body: { ids: ['1', 2, '999999', '1'] },
    },
  ],
  ['readings', { method: 'POST', path: '/tables/readings/rows/bulk-delete', body: { ids: [] } }],
  [
    'tags',
    {
      method: 'POST',
      path: '/tables/tags/changes',
      body: { create: [{ name: 'a1' }, { name: 'a1' }] },
    },
  ],
  ['tags', { path: '/tables/tags/rows?filter_name=a1' }],
  [
    'tags',
    {
      method: 'POST',
      path: '/tables/tags/changes',
      body: {
        create: [{ id: 500, name: 'a2' }],
        update: [{ id: 2, values: { name: 'a3' } }],
        delete: ['38'],
      },
    },
  ],
  ['published_posts', { method: 'POST', path: '/tables/published_posts/rows', body: {} }],
  ['', { method: 'POST', path: '/sql', body: { query: 'select 1 as one; select 2' } }],
  ['', { method: 'POST', path: '/sql', body: { query: 'drop table tags' } }],
  ['', { method: 'POST', path: '/sql', body: { query: '' } }],
];

const [base, ...others] = databasesUnderTest;

describe.each(others)('$name returns the same responses as sqlite', (underTest) => {
  let reference: RunningStudio | undefined;
  let actual: RunningStudio | undefined;
  let unavailableReason: string | undefined;
  beforeAll(async () => {
    try {
      actual = await serveDemo(underTest);
    } catch (error) {
      if (process.env['CI'] !== undefined) throw error;
      unavailableReason = `${underTest.name} cannot be had: ${String(error)}`;
      return;
    }
    reference = await serveDemo(base!);
  }, 120_000);
  beforeEach((context) => {
    if (unavailableReason !== undefined) context.skip(unavailableReason);
  });
  afterAll(() => Promise.all([end(reference), end(actual)]));

  async function compare(table: string, request: RequestCase): Promise<void> {
    const [referenceResponse, actualResponse] = [
      await ask(reference!, request),
      await ask(actual!, request),
    ];
    const name = `${request.method ?? 'GET'} ${request.path}`;
    expect({ name, ...Object(comparableParts(table, actualResponse)) }).toStrictEqual({
      name,
      ...Object(comparableParts(table, referenceResponse)),
    });
  }

  const tables = [...demoSchema.tables, ...demoSchema.views];
  test.each(tables.map((table) => [table.name, table] as const))(
    'lists of %s',
    async (name, table) => {
      for (const path of listRequests(table)) await compare(name, { path });
    },
  );

  test.each(tables.map((table) => [table.name, table] as const))(
    'rows, relations and filters of %s',
    async (name, table) => {
      const page = await ask(reference!, { path: `/tables/${encode(name)}/rows?page_size=2` });
      const rows = (page.body as { readonly data: readonly Readonly<Record<string, unknown>>[] })
        .data;
      for (const row of rows) {
        for (const [of, path] of rowRequests(table, row)) await compare(of, { path });
        for (const path of filterRequests(table, row)) await compare(name, { path });
      }
    },
  );

  test.each(nonsense)('%s', (path) => compare(path.split('/')[2] ?? '', { path }));

  test('writes of rows', async () => {
    for (const [table, request] of writes) await compare(table, request);
  }, 60_000);
});
