/** The tools, resources and prompts of the MCP server, through the protocol's own client. */
import { once } from 'node:events';
import { join } from 'node:path';
import BetterSqlite3 from 'better-sqlite3';
import { describe, expect, onTestFinished, test } from 'vitest';
import { makeFolder, start } from '../cli/command.ts';
import { connectAgent, startAgent } from './agent.ts';
import { freePort } from '../servers/free-port.ts';

function makeLibrary(): string {
  const file = join(makeFolder(), 'library.db');
  const database = new BetterSqlite3(file);
  database.exec(`
    CREATE TABLE authors (id INTEGER PRIMARY KEY, name TEXT NOT NULL, email TEXT);
    CREATE TABLE books (id INTEGER PRIMARY KEY, author_id INTEGER NOT NULL REFERENCES authors ON DELETE CASCADE, title TEXT);
    CREATE TABLE copies (book_id INTEGER, number INTEGER, shelf TEXT, PRIMARY KEY (book_id, number));
    CREATE VIEW titles AS SELECT title FROM books;
    INSERT INTO authors VALUES (1, 'Ada', 'ada@example.org'), (2, 'Grace', NULL);
    INSERT INTO books VALUES (1, 1, 'Notes'), (2, 2, 'Compilers'), (3, 2, 'COBOL');
    INSERT INTO copies VALUES (1, 1, 'A'), (1, 2, 'B');`);
  database.close();
  return file;
}

function rowsOf(file: string, query: string): readonly unknown[] {
  const database = new BetterSqlite3(file, { readonly: true });
  onTestFinished(() => void database.close());
  return database.prepare(query).all();
}

function change(file: string, statement: string): void {
  const database = new BetterSqlite3(file);
  database.exec(statement);
  database.close();
}

describe('reading', () => {
  test('finds, describes and reads tables', async () => {
    const agent = await startAgent([makeLibrary()]);
    expect(await agent.call('search_schema')).toContain('books (3 rows): id, author_id, title');
    expect(await agent.call('search_schema', { query: 'email' })).toContain(
      '1 of 4 tables and views\nauthors (2 rows)',
    );
    expect(await agent.call('describe_tables', { tables: ['books', 'nothing'] })).toMatch(
      /author_id INTEGER; not null; references authors\.id[^]*There is no table "nothing"\.$/,
    );
    expect(
      await agent.rows('read_rows', {
        table: 'books',
        filters: [{ column: 'title', operator: 'in', value: ['COBOL', 'Notes'] }],
        sort: [{ column: 'title', order: 'desc' }],
      }),
    ).toEqual([
      { id: 1, author_id: 1, title: 'Notes' },
      { id: 3, author_id: 2, title: 'COBOL' },
    ]);
    expect(await agent.rows('read_row', { table: 'copies', id: [1, 2] })).toEqual([
      { book_id: 1, number: 2, shelf: 'B' },
    ]);
    const [relation = ''] = /(?<=- )\w+(?=: has_many books)/i.exec(
      await agent.call('describe_tables', { tables: ['authors'] }),
    ) ?? [''];
    expect(
      await agent.rows('read_related_rows', { table: 'authors', id: 2, relation, limit: 1 }),
    ).toHaveLength(1);
  });

  test('runs statements that read, and no others', async () => {
    const file = makeLibrary();
    const agent = await startAgent([file]);
    const sql = 'SELECT count(*) AS n FROM books WHERE author_id = ?';
    expect(await agent.rows('run_query', { sql, params: [2] })).toEqual([{ n: 2 }]);
    expect(await agent.call('explain_query', { sql, params: [2] })).toContain('SCAN books');
    for (const statement of [
      'DELETE FROM books',
      'INSERT INTO books (author_id) VALUES (1) RETURNING id',
      'PRAGMA user_version = 7',
      "ATTACH 'other.db' AS other",
      'SELECT 1; DELETE FROM books',
      'CREATE TABLE t (id INTEGER)',
    ])
      expect(await agent.callFailing('run_query', { sql: statement })).toMatch(/\(\w+\)$/);
    expect(rowsOf(file, 'SELECT count(*) AS n FROM books')).toEqual([{ n: 3 }]);
  });

  test('returns a part of a result that is too long, and says so', async () => {
    const file = makeLibrary();
    change(file, `UPDATE books SET title = replace(hex(zeroblob(20000)), '00', 'x')`);
    const agent = await startAgent([file]);
    const sql = 'SELECT title FROM books UNION ALL SELECT title FROM books';
    const result = JSON.parse(await agent.call('run_query', { sql })) as Record<string, unknown>;
    expect(result['rows']).toHaveLength(2);
    expect(result['left_out']).toMatch(/^4 rows, since/);
    expect(JSON.stringify(await agent.rows('read_rows', { table: 'books' }))).toContain('$cut');
  });

  test('has the structure and the rows as resources, and prompts', async () => {
    const { client } = await startAgent([makeLibrary()]);
    const { resources } = await client.listResources();
    const uris = resources.map(({ uri }) => uri);
    expect(uris).toContain('studio:///schema.sql');
    expect(uris).toContain('studio:///tables/books.csv');
    const { contents } = await client.readResource({ uri: 'studio:///tables/authors.csv' });
    expect(contents[0]).toMatchObject({
      text: 'id,name,email\n1,Ada,ada@example.org\n2,Grace,\n',
    });
    for (const uri of uris) expect((await client.readResource({ uri })).contents).toHaveLength(1);
    const prompt = await client.getPrompt({
      name: 'answer_question',
      arguments: { question: 'Who?' },
    });
    expect(JSON.stringify(prompt.messages)).toContain('Who?');
  });
});

describe('writing', () => {
  test('is not offered by default', async () => {
    const { client } = await startAgent([makeLibrary()]);
    const { tools } = await client.listTools();
    expect(tools.every(({ annotations }) => annotations?.readOnlyHint === true)).toBe(true);
    expect(tools.map(({ name }) => name)).not.toContain('preview_changes');
  });

  test('happens by a confirmed preview, once', async () => {
    const file = makeLibrary();
    const agent = await startAgent(['--allow-writes', file]);
    const preview = await agent.call('preview_changes', {
      table: 'authors',
      create: [{ name: 'Barbara' }],
      update: [{ id: 1, values: { name: 'Ada L.' } }],
      delete: [2],
    });
    expect(preview).toContain('DELETE FROM');
    expect(preview).toContain('"table":"books","action":"delete","rows":2');
    expect(rowsOf(file, 'SELECT name FROM authors')).toEqual([{ name: 'Ada' }, { name: 'Grace' }]);
    const { confirmation } = JSON.parse(preview) as { confirmation: string };
    await agent.call('apply_changes', { confirmation });
    const stored = [{ name: 'Ada L.' }, { name: 'Barbara' }];
    expect(rowsOf(file, 'SELECT name FROM authors ORDER BY name')).toEqual(stored);
    expect(rowsOf(file, 'SELECT count(*) AS n FROM books')).toEqual([{ n: 1 }]);
    expect(await agent.callFailing('apply_changes', { confirmation })).toContain('not valid');
    expect(rowsOf(file, 'SELECT name FROM authors ORDER BY name')).toEqual(stored);
    // Raw SQL stays read-only.
    const sql = 'DELETE FROM authors';
    expect(await agent.callFailing('run_query', { sql })).toContain('read-only');
  });

  test('fails if a row has changed since the preview', async () => {
    const file = makeLibrary();
    const agent = await startAgent(['--allow-writes', file]);
    for (const lists of [
      { update: [{ id: [1, 1], values: { shelf: 'C' } }] },
      { delete: [[1, 1]] },
    ]) {
      const preview = await agent.call('preview_changes', { table: 'copies', ...lists });
      const { confirmation } = JSON.parse(preview) as { confirmation: string };
      change(file, `UPDATE copies SET shelf = shelf || 'X' WHERE number = 1`);
      expect(await agent.callFailing('apply_changes', { confirmation })).toContain('(row_changed)');
    }
    expect(rowsOf(file, 'SELECT shelf FROM copies')).toEqual([{ shelf: 'AXX' }, { shelf: 'B' }]);
  });
});

describe('rows that foreign keys delete', () => {
  test('are those of the preview, or nothing is deleted', async () => {
    const file = makeLibrary();
    const agent = await startAgent(['--allow-writes', file]);
    const preview = async (): Promise<string> => {
      const text = await agent.call('preview_changes', { table: 'authors', delete: [2] });
      return (JSON.parse(text) as { confirmation: string }).confirmation;
    };
    const confirmation = await preview();
    change(file, `INSERT INTO books VALUES (4, 2, 'FLOW-MATIC')`);
    expect(await agent.callFailing('apply_changes', { confirmation })).toMatch(
      /would now delete 3 rows of table "books", and not 2 as expected.*\(cascades_changed\)/,
    );
    expect(rowsOf(file, 'SELECT count(*) AS n FROM books')).toEqual([{ n: 4 }]);
    await agent.call('apply_changes', { confirmation: await preview() });
    expect(rowsOf(file, 'SELECT id FROM books')).toEqual([{ id: 1 }]);
  });
});

describe('masked columns', () => {
  test('are neither shown nor compared, and there is no SQL', async () => {
    const agent = await startAgent([makeLibrary(), '--mask', '*.email', '--mask', 'books.title']);
    expect(await agent.rows('read_rows', { table: 'authors' })).toEqual([
      { id: 1, name: 'Ada', email: '(masked)' },
      { id: 2, name: 'Grace', email: null },
    ]);
    const table = 'authors';
    const filters = [{ column: 'email', operator: 'starts', value: 'a' }];
    expect(await agent.callFailing('read_rows', { table, filters })).toContain('is masked');
    const sort = [{ column: 'email' }];
    expect(await agent.callFailing('read_rows', { table, sort })).toContain('is masked');
    expect(await agent.callFailing('read_rows', { table, search: 'ada@' })).toContain('masked');
    const { tools } = await agent.client.listTools();
    expect(tools.map(({ name }) => name)).not.toContain('run_query');
  });

  test('must exist, unless a * may stand for columns of other databases', async () => {
    const library = makeLibrary();
    for (const mask of ['authors.emial', 'main.authors.email', 'password']) {
      const { child, text } = start(['mcp', library, '--mask', mask]);
      const [status] = (await once(child, 'close')) as [number];
      expect(status).toBe(1);
      expect(text.stderr).toContain(`--mask ${mask}: there is no such column`);
    }
    const agent = await startAgent([library, '--mask', '*password*', '--mask', 'EMAIL']);
    expect(JSON.stringify(await agent.rows('read_rows', { table: 'authors' }))).toContain(
      '"(masked)"',
    );
  });
});

describe('numbers', () => {
  test('that lose digits as JSON numbers are rejected instead of being another value', async () => {
    const file = makeLibrary();
    change(
      file,
      'INSERT INTO authors (id, name) VALUES (9007199254740992, 1), (9007199254740993, 2)',
    );
    const agent = await startAgent([file, '--allow-writes']);
    const id = Number('9007199254740993');
    const table = 'authors';
    const filters = [{ column: 'id', operator: 'eq', value: id }];
    const update = [{ id: 1, values: { email: { nested: [id] } } }];
    for (const [tool, input] of [
      ['read_row', { table, id }],
      ['read_row', { table: 'copies', id: [1, id] }],
      ['read_rows', { table, filters }],
      ['run_query', { sql: 'SELECT name FROM authors WHERE id = ?', params: [id] }],
      ['preview_changes', { table, delete: [id] }],
      ['preview_changes', { table, update }],
    ] as const)
      expect(await agent.callFailing(tool, input)).toContain('send it as a string');
    expect(await agent.rows('read_row', { table, id: '9007199254740993' })).toMatchObject([
      { id: '9007199254740993', name: '2' },
    ]);
  });
});

describe('over HTTP', () => {
  async function serve(flags: readonly string[]): Promise<string> {
    const port = await freePort();
    const { child, text } = start(['mcp', makeLibrary(), '--http', '--port', `${port}`, ...flags]);
    while (!text.stderr.includes('/mcp'))
      await new Promise((resolve) => child.stderr.once('data', resolve));
    return `http://127.0.0.1:${port}/mcp`;
  }

  test('serves clients that send the token', async () => {
    const url = await serve(['--token', 'secret']);
    const agent = await connectAgent(url, { authorization: 'Bearer secret' });
    expect(await agent.call('search_schema')).toContain('books');
    await expect(connectAgent(url, { authorization: 'Bearer other' })).rejects.toThrow();
    expect((await fetch(url, { method: 'POST', body: '{}' })).status).toBe(401);
    const headers = { authorization: 'Bearer secret' };
    const root = url.replace('/mcp', '/');
    expect((await fetch(root, { headers })).status).toBe(404);
  });

  test('rejects pages of other sites and foreign host names', async () => {
    const url = await serve([]);
    const post = (headers: Record<string, string>) =>
      fetch(url, {
        method: 'POST',
        body: '{}',
        headers: { 'content-type': 'application/json', ...headers },
      });
    expect((await post({ origin: 'https://evil.example' })).status).toBe(403);
    expect((await post({ 'sec-fetch-site': 'cross-site' })).status).toBe(403);
  });
});
