/** `GET /openapi.json?tables=true` of SQLite files with many tables, and with hostile names. */
import BetterSqlite3 from 'better-sqlite3';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { createStudio } from '../../src/index.ts';
import type { CreateStudioOptions } from '../../src/index.ts';

interface Document {
  readonly info: { readonly description: string };
  readonly tags: readonly { readonly name: string }[];
  readonly paths: Readonly<Record<string, Readonly<Record<string, Operation>>>>;
  readonly components: Readonly<Record<string, Readonly<Record<string, object>>>>;
}

interface Operation {
  readonly operationId: string;
  readonly tags: readonly string[];
}

type Send = (path: string) => Promise<Response>;

async function serve(
  sql: string,
  options: Omit<CreateStudioOptions, 'url' | 'database'> = {},
): Promise<Send> {
  const folder = await mkdtemp(join(tmpdir(), 'openapi-'));
  const url = join(folder, 'tables.db');
  new BetterSqlite3(url).exec(sql).close();
  const studio = await createStudio({ ...options, url });
  onTestFinished(async () => {
    await studio.close();
    await rm(folder, { recursive: true });
  });
  return (path) => studio.fetch(new Request(`http://localhost/studio/api${path}`));
}

async function documentOf(send: Send): Promise<{ text: string; document: Document }> {
  const response = await send('/openapi.json?tables=true');
  expect(response.status).toBe(200);
  const text = await response.text();
  return { text, document: JSON.parse(text) as Document };
}

const rowPath = /^\/tables\/[^{][^/]*\/rows$/;
const rowPathsOf = ({ paths }: Document): string[] =>
  Object.keys(paths).filter((path) => rowPath.test(path));

function operationsOf({ paths }: Document): readonly Operation[] {
  return Object.values(paths).flatMap((item) => Object.values(item));
}

/** Fails for references to what the document does not have, and for what nothing references. */
function expectComplete(text: string, { components }: Document): void {
  const references = [...text.matchAll(/"\$ref":"#\/components\/(\w+)\/([^"]+)"/g)];
  const usedComponents = new Set(references.map(([, section, name]) => `${section}/${name}`));
  const defined = ['schemas', 'parameters', 'responses'].flatMap((section) =>
    Object.keys(components[section] ?? {}).map((name) => `${section}/${name}`),
  );
  expect([...usedComponents].toSorted()).toEqual(defined.toSorted());
  for (const name of defined) expect(name).toMatch(/^\w+\/[\w.-]+$/);
}

test('a database of 600 tables has a document of 500, which names how many it leaves out', async () => {
  const columns = Array.from({ length: 15 }, (_, i) => `c${i} TEXT NOT NULL DEFAULT ''`).join(', ');
  const create = Array.from(
    { length: 600 },
    (_, i) => `CREATE TABLE t${i + 1000} (id INTEGER PRIMARY KEY, ${columns});`,
  );
  const { text, document } = await documentOf(await serve(create.join('\n')));
  expect(rowPathsOf(document)).toHaveLength(500);
  expect(document.info.description).toContain('leaves out 100 tables and views');
  expect(text.length).toBeLessThan(7_000_000);
  expectComplete(text, document);
});

test('wide tables are left out as soon as the document would be too long, and short ones are not', async () => {
  const columns = Array.from({ length: 1900 }, (_, i) => `c${i} TEXT`).join(', ');
  const create = Array.from({ length: 30 }, (_, i) => `CREATE TABLE t${i} (${columns});`);
  const { text, document } = await documentOf(
    await serve(`${create.join('\n')} CREATE TABLE z (a);`),
  );
  expect(rowPathsOf(document).length).toBeGreaterThan(10);
  expect(rowPathsOf(document).length).toBeLessThan(31);
  expect(rowPathsOf(document)).toContain('/tables/z/rows');
  expect(document.info.description).toMatch(/leaves out \d+ tables/);
  expect(text.length).toBeLessThan(7_000_000);
});

test('any names give distinct paths, operations and schemas, and the paths lead to the rows', async () => {
  const names = [
    'a b',
    'a_b',
    'a-b',
    'a/b',
    '{id}',
    '.',
    '..',
    '~',
    'ü',
    'sql',
    '%',
    '__proto__',
    'A_B2',
    'constructor',
  ];
  const create = names.map((name) => `CREATE TABLE "${name}" ("__proto__" TEXT, "a b" INT);`);
  const send = await serve(create.join('\n'));
  const { text, document } = await documentOf(send);
  const paths = rowPathsOf(document);
  expect(paths).toHaveLength(names.length);
  for (const path of paths) {
    const response = await send(path);
    expect(response.status, path).toBe(200);
    expect(await response.json(), path).toMatchObject({ data: [], total: 0 });
  }
  const operations = operationsOf(document);
  expect(new Set(operations.map(({ operationId }) => operationId)).size).toBe(operations.length);
  expect(new Set(document.tags.map(({ name }) => name)).size).toBe(document.tags.length);
  expectComplete(text, document);
  for (const [name, schema] of Object.entries(document.components['schemas'] ?? {})) {
    if (!name.startsWith('rows.')) continue;
    const { properties } = schema as { properties: object };
    expect(Object.keys(properties)).toEqual(['__proto__', 'a b']);
  }
});

test('a read-only studio and a view have no operations that write', async () => {
  const sql = `CREATE TABLE t (id INTEGER PRIMARY KEY); CREATE VIEW v AS SELECT * FROM t;`;
  const methodsOf = ({ paths }: Document, path: string) => Object.keys(paths[path] ?? {});
  const writable = await documentOf(await serve(sql));
  expect(methodsOf(writable.document, '/tables/t/rows')).toEqual(['get', 'post']);
  expect(methodsOf(writable.document, '/tables/t/rows/{id}')).toEqual(['get', 'put', 'delete']);
  expect(methodsOf(writable.document, '/tables/v/rows')).toEqual(['get']);
  expect(methodsOf(writable.document, '/tables/v/rows/{id}')).toEqual([]);
  const readOnly = await documentOf(await serve(sql, { readOnly: true }));
  expect(methodsOf(readOnly.document, '/tables/t/rows')).toEqual(['get']);
  expectComplete(readOnly.text, readOnly.document);
});
