/** Files of rejected rows over HTTP: who may download them, how large they get, and what is left of them. */
import { existsSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import Sqlite from 'better-sqlite3';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { createApp } from '../../src/http/app.ts';
import { createStudio } from '../../src/studio/studio.ts';
import type { App, AppOptions } from '../../src/http/app.ts';
import type { Studio } from '../../src/studio/studio.ts';

const account = { user: 'ada', password: 'right' };
const token = 'a-token-of-a-program';
const secret = 'Zk3vN0q8Rr5uXyB1tC7wE2sD4fG6hJ9k';

let folder: string;
let studio: Studio;

beforeEach(async () => {
  folder = mkdtempSync(join(tmpdir(), 'studio-rejected-'));
  const path = join(folder, 'a.db');
  const database = new Sqlite(path);
  database.exec('CREATE TABLE t (id INTEGER PRIMARY KEY CHECK (id > 0), note TEXT)');
  database.close();
  studio = await createStudio({ url: path, maxUploadBytes: 100_000 });
});

afterEach(async () => {
  await studio.close();
  rmSync(folder, { recursive: true });
});

function open(options: AppOptions = {}): App {
  return createApp(studio, { anyHost: true, ...options });
}

type Headers = Readonly<Record<string, string>>;

function call(app: App, path: string, init: RequestInit): Promise<Response> {
  const address = `http://localhost:4555/studio/api${path}`;
  return app.fetch(new Request(address, init), { address: '192.0.2.1' });
}

interface Imported {
  readonly warnings: readonly string[];
  readonly rows_imported: number;
  readonly rejected_rows?: number;
  readonly rejected_file?: string;
}

async function importRejected(
  app: App,
  { headers = {}, rows = '-1,first\n5,"two\nlines"\n' }: { headers?: Headers; rows?: string } = {},
): Promise<Imported> {
  const body = new FormData();
  body.append('file', new Blob([`id,note\n${rows}`]), 'Übung/my rows.csv');
  const path = '/import/data?table=t&on_error=skip&on_conflict=skip&keep_rejected=true';
  const response = await call(app, path, { method: 'POST', headers, body });
  expect(response.status).toBe(200);
  return (await response.json()) as Imported;
}

async function download(
  app: App,
  id: string | undefined,
  headers: Headers = {},
): Promise<Response> {
  return call(app, `/import/rejected/${id}`, { headers });
}

async function logIn(app: App): Promise<Headers> {
  const headers = { 'Content-Type': 'application/json' };
  const body = JSON.stringify(account);
  const response = await call(app, '/login', { method: 'POST', headers, body });
  return { Cookie: response.headers.get('set-cookie')?.split(';')[0] ?? '' };
}

describe('a file of rejected rows', () => {
  test('is a download that browsers do not display', async () => {
    const app = open();
    const { rejected_file: id, rejected_rows: count } = await importRejected(app);
    expect(count).toBe(1);
    const { status, headers } = await download(app, id);
    expect(status).toBe(200);
    expect(headers.get('content-type')).toBe('text/csv; charset=utf-8');
    expect(headers.get('content-disposition')).toBe('attachment; filename="my rows-rejected.csv"');
    expect(headers.get('content-security-policy')).toContain("default-src 'none'");
    const text = await (await download(app, id)).text();
    expect(text).toMatch(/^import_error,id,note\n"Line 2: id: .+",-1,first\n$/);
  });

  test.each([
    ['in memory', {}],
    ['signed', { secret }],
  ])('is for the session of the import: %s', async (_kind, options) => {
    const app = open({ credentials: { account, token }, ...options });
    const [one, other] = [await logIn(app), await logIn(app)];
    const basic = {
      Authorization: `Basic ${Buffer.from(`${account.user}:${account.password}`).toString('base64')}`,
    };
    const bearer = { Authorization: `Bearer ${token}` };
    const clients = [one, other, basic, bearer];
    for (const client of clients) {
      const { rejected_file: id } = await importRejected(app, { headers: client });
      for (const headers of clients)
        expect((await download(app, id, headers)).status).toBe(headers === client ? 200 : 404);
      expect((await download(app, id)).status).toBe(401);
    }
    const { rejected_file: id } = await importRejected(app, { headers: one });
    await call(app, '/logout', { method: 'POST', headers: one });
    expect((await download(app, id, one)).status).toBe(401);
  });

  test('has no body for HEAD, and can be canceled', async () => {
    const app = open();
    const rows = `${Array.from({ length: 2000 }, (_, i) => `-${i},${'x'.repeat(20)}`).join('\n')}\n`;
    const { rejected_file: id, warnings } = await importRejected(app, { rows });
    expect(warnings.filter((warning) => warning.includes('limit'))).toEqual([
      'The rejected rows could not be written: They exceed the limit of 100,000 bytes.',
    ]);
    expect(id).toBeUndefined();
    const { rejected_file: small } = await importRejected(app);
    const head = await call(app, `/import/rejected/${small}`, { method: 'HEAD' });
    expect([head.status, await head.text()]).toEqual([200, '']);
    expect(Number(head.headers.get('content-length'))).toBeGreaterThan(20);
    await (await download(app, small)).body?.cancel();
    expect((await download(app, small)).status).toBe(200);
  });

  test('is absent if no row is rejected, and is removed with the studio', async () => {
    const app = open();
    const none = await importRejected(app, { rows: '7,x\n' });
    expect(none).toMatchObject({ rows_imported: 1, rejected_rows: 0 });
    expect(none.rejected_file).toBeUndefined();
    const { rejected_file: id = '' } = await importRejected(app);
    const { path } = studio.rejectedFiles.find(id, '');
    expect(existsSync(path)).toBe(true);
    await studio.close();
    expect(existsSync(dirname(path))).toBe(false);
  });

  test.each([
    ['on_error=abort', 'a.csv', /only skipped with on_error=skip/],
    ['on_error=skip', 'a.sql', /not for a\.sql, which is SQL/],
  ])('cannot be asked for with %s of %s', async (query, name, sentence) => {
    const body = new FormData();
    body.append('file', new Blob(['id\n1\n']), name);
    const path = `/import/data?table=t&keep_rejected=1&${query}`;
    const response = await call(open(), path, { method: 'POST', body });
    expect([response.status, await response.text()]).toEqual([
      400,
      expect.stringMatching(sentence),
    ]);
  });
});
