/**
 * A studio on the smallest database: a folder of CSV files with only the members that reading needs.
 * Pages and files are compared with the cells that were generated.
 */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import * as fc from 'fast-check';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createApp } from '../../../src/http/app.ts';
import { listen } from '../../../src/http/node.ts';
import { createStudio } from '../../../src/studio/studio.ts';
import { form } from '../../contract/requests.ts';
import { plainAssignment } from '../../../src/model/write-dialect.ts';
import { csvDialect } from './dialect.ts';
import { csvFolder } from './register.ts';
import type { DatabaseKind, Dialect } from '../../../src/model/database.ts';
import type { HttpServer } from '../../../src/http/node.ts';
import type { Studio } from '../../../src/studio/studio.ts';

interface Book {
  readonly id: number;
  readonly title: string;
  readonly pages: number | null;
  readonly author_id: number;
}

/** ASCII letters, which JavaScript and the database order alike. */
const word = fc.string({ unit: fc.constantFrom(...'abcXYZ %_-'), minLength: 1, maxLength: 6 });

const libraries = fc.array(
  fc.record({
    title: word.filter((text) => text.trim() === text),
    pages: fc.option(fc.integer({ min: -3, max: 12 })),
    author_id: fc.integer({ min: 1, max: 3 }),
  }),
  { minLength: 1, maxLength: 40 },
);

const [generated = []] = fc.sample(libraries, 1);
const books: readonly Book[] = generated.map((book, i) => ({ id: i + 1, ...book }));

const folder = mkdtempSync(join(tmpdir(), 'studio-csv-'));
let studio: Studio;
let server: HttpServer;

beforeAll(async () => {
  // Exports run in child processes, which must know the database too.
  process.env['NODE_OPTIONS'] = `--import ${new URL('register.ts', import.meta.url).href}`;
  const lines = books.map(({ id, title, pages, author_id: author }) =>
    [id, title, pages ?? '', author].join(','),
  );
  writeFileSync(join(folder, 'book.csv'), ['id,title,pages,author_id', ...lines, ''].join('\n'));
  writeFileSync(join(folder, 'author.csv'), 'id,name\n1,Ada\n2,Bo\n3,Cy\n');
  studio = await createStudio({ url: `csv:${folder}` });
  server = await listen({ app: createApp(studio), host: '127.0.0.1', port: 0 });
});

afterAll(async () => {
  await server.close();
  await studio.close();
  rmSync(folder, { recursive: true, force: true });
});

function ask(path: string, init: RequestInit = {}): Promise<Response> {
  return fetch(new URL(`/studio/api${path}`, server.address), init);
}

async function get(path: string): Promise<Response> {
  const response = await ask(path);
  if (!response.ok) throw new Error(`${path}: ${await response.text()}`);
  return response;
}

const json = async (path: string): Promise<unknown> => (await get(path)).json();

test('lists the tables, and says that nothing but reading is possible', async () => {
  expect(await json('/schema')).toMatchObject({
    driver: 'csv',
    capabilities: { write: false, load: false, script: false, sql: false, ddl: false, gorm: false },
    tables: [
      { name: 'author', row_count: 3 },
      { name: 'book', row_count: books.length, primary_key: ['id'] },
    ],
  });
  expect(await json('/config')).toMatchObject({ read_only: true, disable_sql: true });
});

const requests = fc.record({
  sort: fc.constantFrom<keyof Book>('id', 'title', 'pages', 'author_id'),
  descending: fc.boolean(),
  pageSize: fc.integer({ min: 3, max: 15 }),
  from: fc.option(fc.integer({ min: -3, max: 12 })),
  search: fc.option(word),
});

type Request = typeof requests extends fc.Arbitrary<infer R> ? R : never;

/** By the column, with NULLs last, and then by the key, in the same direction. */
function expectedRows({ sort, descending, from, search }: Request): readonly Book[] {
  const sign = descending ? -1 : 1;
  const compare = (a: Book, b: Book): number => {
    const [x, y] = [a[sort], b[sort]];
    if (x === y) return sign * (a.id - b.id);
    if (x === null || y === null) return x === null ? 1 : -1;
    return x < y ? -sign : sign;
  };
  return books
    .filter(({ pages }) => from === null || (pages !== null && pages >= from))
    .filter(({ title }) => search === null || title.toLowerCase().includes(search.toLowerCase()))
    .toSorted(compare);
}

function queryOf({ sort, descending, pageSize, from, search }: Request): URLSearchParams {
  const query = new URLSearchParams({ sort_by: sort, page_size: String(pageSize), count: 'exact' });
  if (descending) query.set('sort_order', 'desc');
  if (from !== null) query.set('filter_pages__gte', String(from));
  if (search !== null) query.set('search', search);
  return query;
}

interface Page {
  readonly data: readonly Book[];
  readonly total: number;
  readonly next_cursor?: string;
}

test('pages by number and by cursor have the generated rows', async () => {
  await fc.assert(
    fc.asyncProperty(requests, async (request) => {
      const rows = expectedRows(request);
      const query = queryOf(request);
      const walked: Book[] = [];
      for (let page = 1, cursor: string | undefined; ; page++) {
        if (cursor !== undefined) query.set('cursor', cursor);
        const response = (await json(`/tables/book/rows?${query}`)) as Page;
        expect(response.total).toBe(rows.length);
        const numbered = new URLSearchParams([...queryOf(request), ['page', String(page)]]);
        expect((await json(`/tables/book/rows?${numbered}`)) as Page).toMatchObject({
          data: response.data,
        });
        walked.push(...response.data);
        cursor = response.next_cursor;
        if (cursor === undefined) break;
      }
      expect(walked).toEqual(rows);
    }),
    { numRuns: 15 },
  );
});

test('finds single rows and the rows that they are related to', async () => {
  for (const book of books) {
    expect(await json(`/tables/book/rows/${book.id}`)).toMatchObject(book);
    const related = (await json(`/tables/book/rows/${book.id}/relations/Author`)) as Page;
    expect(related.data.map(({ id }) => id)).toEqual([book.author_id]);
  }
});

test('exports the generated rows as JSON and CSV, and the structure as documents', async () => {
  expect(await json('/tables/book/export')).toEqual(books);
  const csv = await (await get('/tables/book/export?format=csv&formulas=raw')).text();
  const cells = csv.trim().split(/\r?\n/).slice(1);
  expect(cells.map((line) => Number(line.split(',')[0]))).toEqual(books.map(({ id }) => id));
  for (const format of ['json', 'yaml', 'dbml', 'mermaid'])
    expect(await (await get(`/export/schema?format=${format}`)).text()).toContain('book');
  const inserts = await (await get('/export/data?format=sql&dialect=postgres')).text();
  expect(inserts).toContain('INSERT INTO "book"');
});

const post = { method: 'POST' };
const body = (value: object) => ({
  headers: { 'Content-Type': 'application/json' },
  body: JSON.stringify(value),
});

test.each<readonly [path: string, init: RequestInit, code: string, capability: string]>([
  ['/tables/book/rows', { ...post, ...body({ id: 99 }) }, 'read_only', 'write'],
  ['/tables/book/rows/1', { method: 'PUT', ...body({ pages: 1 }) }, 'read_only', 'write'],
  ['/tables/book/rows/1', { method: 'DELETE' }, 'read_only', 'write'],
  ['/tables/book/rows/bulk-delete', { ...post, ...body({ ids: ['1'] }) }, 'read_only', 'write'],
  ['/tables/book/changes', { ...post, ...body({ delete: ['1'] }) }, 'read_only', 'write'],
  ['/import/data', { ...post, ...form('a.json', '{"book":[]}') }, 'read_only', 'write'],
  ['/import/schema', { ...post, ...form('a.sql', 'CREATE TABLE t (x int)') }, 'read_only', 'write'],
  ['/import/models', { ...post, ...form('a.go', 'package a') }, 'read_only', 'write'],
  ['/sql', { ...post, ...body({ query: 'SELECT 1' }) }, 'sql_disabled', 'sql'],
  ['/export/schema?format=sql', {}, 'unsupported', 'ddl'],
  ['/export/data?format=sql', {}, 'unsupported', 'script'],
  ['/tables/book/export?format=sql', {}, 'unsupported', 'script'],
  ['/export/models', {}, 'unsupported', 'ddl'],
])('answers %s with the error of what is missing', async (path, init, code, capability) => {
  const response = await ask(path, init);
  expect({ status: response.status, ...((await response.json()) as object) }).toMatchObject({
    status: 403,
    code,
    capability,
    error: expect.stringMatching(/^The studio cannot .* a database of the kind "csv"\.$/),
  });
});

test('tsc accepts a capability only as a whole', () => {
  // @ts-expect-error -- `write` has more members than this one.
  const partial: Dialect = { ...csvDialect, write: { assignment: plainAssignment } };
  // @ts-expect-error -- The dialect has no `load`.
  const loading: DatabaseKind<'load'> = csvFolder;
  expect([partial.name, loading.dialect.name]).toEqual(['csv', 'csv']);
});
