/** Files that libSQL has written, with what SQLite does not have. */
import { expect, onTestFinished, test } from 'vitest';
import { createStudio } from '../../../src/index.ts';
import { makeFile, openRaw } from './fixture.ts';

/** Changes what the file says of its structure, as another program would have written it. */
function rewriteStructure(path: string, text: string): void {
  const raw = openRaw(path);
  raw.unsafeMode(true);
  raw.pragma('writable_schema = ON');
  raw.exec(text);
  raw.close();
}

async function get(path: string, route: string): Promise<{ status: number; body: unknown }> {
  const studio = await createStudio({ url: path });
  onTestFinished(() => studio.close());
  const response = await studio.fetch(new Request(`http://localhost/studio/api${route}`));
  return { status: response.status, body: await response.json() };
}

/** The vectors of the index are in tables of libSQL; its own B-tree is empty, like that of `unused`. */
function makeFileWithVectorIndex(): string {
  const path = makeFile(`CREATE TABLE films (id INTEGER PRIMARY KEY, title TEXT, e F32_BLOB(2));
    INSERT INTO films VALUES (1, 'a', x'0000803f00000040'), (2, 'b', NULL);
    CREATE TABLE plain (id INTEGER PRIMARY KEY); INSERT INTO plain VALUES (7);
    CREATE TABLE unused (e); CREATE INDEX near ON unused (e)`);
  rewriteStructure(
    path,
    `UPDATE sqlite_schema SET tbl_name = 'films',
       sql = 'CREATE INDEX near ON films (libsql_vector_idx(e))' WHERE name = 'near'`,
  );
  return path;
}

test('SQLite counts no rows of a table with a vector index, which the next test relies on', () => {
  const raw = openRaw(makeFileWithVectorIndex());
  expect(raw.prepare('SELECT COUNT(*) FROM films').pluck().get()).toBe(0);
  expect(raw.prepare('SELECT * FROM films').all()).toHaveLength(2);
});

test('a table with a vector index cannot be read, and others can', async () => {
  const path = makeFileWithVectorIndex();
  expect(await get(path, '/tables/films/rows')).toMatchObject({
    status: 409,
    body: {
      code: 'table_unreadable',
      error: expect.stringContaining('the index "near" is one of libSQL'),
    },
  });
  expect(await get(path, '/tables/plain/rows')).toMatchObject({
    status: 200,
    body: { data: [{ id: 7 }], total: 1 },
  });
});

test('a structure that SQLite does not know is named, and the file is not called damaged', async () => {
  const path = makeFile('CREATE TABLE r (a INTEGER)');
  rewriteStructure(path, `UPDATE sqlite_schema SET sql = sql || ' RANDOM ROWID'`);
  const opened = get(path, '/schema').catch((error: unknown) => error);
  expect(JSON.stringify(await opened)).toMatch(
    /SQLite cannot read the structure of .*: the statement of .*"r.*" has an error, near .*rowid/i,
  );
});
