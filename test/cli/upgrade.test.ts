/**
 * The state folder of the previous release, opened by this version. STUDIO_TEST_PREVIOUS names the previous package
 * (.tgz). Without it, the test uses this build as the previous one, so that it runs before the first release.
 */
import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, readdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import Sqlite from 'better-sqlite3';
import mysql from 'mysql2/promise';
import { describe, expect, onTestFinished, test, vi } from 'vitest';
import manifest from '../../package.json' with { type: 'json' };
import { useMariadb } from '../servers/mariadb.ts';
import { makeFolder, run, serve, start } from './command.ts';
import { copyPackage } from './copy-package.ts';

const root = join(import.meta.dirname, '..', '..');
const isBuilt = existsSync(join(root, 'dist', 'LICENSES.txt'));
const tarball = process.env['STUDIO_TEST_PREVIOUS'];

/** The command of the previous version. Its dependencies are those of this one. */
function installPrevious(): string {
  const folder = makeFolder();
  if (tarball === undefined) copyPackage(folder);
  else {
    execFileSync('tar', ['xzf', tarball, '--strip-components=1', '-C', folder]);
    for (const name of Object.keys(manifest.dependencies)) {
      const link = join(folder, 'node_modules', name);
      mkdirSync(dirname(link), { recursive: true });
      symlinkSync(join(root, 'node_modules', name), link, 'junction');
    }
  }
  return join(folder, 'bin', 'database-studio.js');
}

const models = `package models

type Author struct {
	ID    uint
	Books []Book
}

type Book struct {
	ID       uint
	AuthorID uint
}
`;

const account = { user: 'ada', password: 'secret' };
const env = { STUDIO_AUTH: 'ada:secret', STUDIO_SECRET: 'Zk3vN0q8Rr5uXyB1tC7wE2sD4fG6hJ9k' };
const json = { 'Content-Type': 'application/json' };

/** Logs in, and returns the cookie. */
async function logIn(url: string): Promise<string> {
  const init = { method: 'POST', headers: json, body: JSON.stringify(account) };
  const response = await fetch(`${url}/api/login`, init);
  expect(response.ok).toBe(true);
  return response.headers.get('set-cookie')?.split(';')[0] ?? '';
}

const statusOf = async (url: string, cookie: string): Promise<number> =>
  (await fetch(`${url}/api/config`, { headers: { Cookie: cookie } })).status;

async function relationsOf(url: string): Promise<readonly string[]> {
  const { stdout } = await run(['schema', url], { cwd: dirname(url) });
  const { tables } = JSON.parse(stdout) as {
    tables: readonly { readonly relations: readonly { readonly name: string }[] }[];
  };
  return tables.flatMap(({ relations }) => relations.map(({ name }) => name));
}

describe.skipIf(!isBuilt)('this version opens, of the previous one,', () => {
  test('the demo database with its changes, and the sessions that are open', async () => {
    const file = installPrevious();
    const state = makeFolder();
    const flags = ['--state-dir', state];
    const previous = await serve(flags, { file, env });
    const [open, ended] = [await logIn(previous.url), await logIn(previous.url)];
    const tag = { method: 'PUT', headers: { ...json, Cookie: open }, body: '{"name":"changed"}' };
    const changed = await fetch(`${previous.url}/api/tables/tags/rows/1`, tag);
    expect(changed.status).toBe(200);
    const logout = { method: 'POST', headers: { Cookie: ended } };
    expect((await fetch(`${previous.url}/api/logout`, logout)).ok).toBe(true);
    previous.child.kill('SIGTERM');
    expect(await previous.outcome()).toMatchObject({ status: 0 });

    // The name of the cookie has the port.
    const { url } = await serve([...flags, '--port', new URL(previous.url).port], { env });
    expect(await statusOf(url, ended)).toBe(401);
    expect(await statusOf(url, open)).toBe(200);
    const row = await fetch(`${url}/api/tables/tags/rows/1`, { headers: { Cookie: open } });
    expect(await row.json()).toMatchObject({ id: 1, name: 'changed' });
  });

  test('the models that were imported, with relations that have no foreign key', async () => {
    const file = installPrevious();
    // The command of this version finds the state folder in the same place.
    const folder = makeFolder();
    const database = join(folder, 'library.db');
    new Sqlite(database).exec('PRAGMA user_version = 1').close();
    writeFileSync(join(folder, 'models.go'), models);
    const args = ['import', 'models', database, 'models.go', '--foreign-keys', 'skip'];
    expect(await run(args, { file, cwd: folder })).toMatchObject({ status: 0 });
    expect(await relationsOf(database)).toContain('Books');
  });
});

const lockedModels = `package models

type Author struct {
	ID   uint
	Name string
}

type Shelf struct {
	ID    uint
	Label string
}

type Wall struct {
	ID    uint
	Color string
}
`;

/** Each statement of DDL commits by itself here, so that the journal in the state folder undoes imports. */
describe.skipIf(!isBuilt)('this version undoes, from the journal of the previous one,', () => {
  const mariadb = useMariadb();

  /** Keeps statements that change the table waiting, until it is called. */
  async function lockTable(table: string): Promise<() => Promise<void>> {
    const connection = await mysql.createConnection(mariadb().url);
    let isOpen = true;
    const release = async (): Promise<void> => {
      if (isOpen) await connection.end();
      isOpen = false;
    };
    onTestFinished(release);
    await connection.query(`BEGIN`);
    await connection.query(`SELECT * FROM ${table}`);
    return release;
  }

  const waitingStatements = (): Promise<readonly unknown[]> =>
    mariadb().query(
      "SELECT id FROM information_schema.processlist WHERE db = DATABASE() AND state LIKE 'Waiting for table metadata lock%'",
    );

  const structure = async (): Promise<readonly string[]> => {
    const columns = await mariadb().query(
      "SELECT CONCAT(table_name, '.', column_name) AS name FROM information_schema.columns WHERE table_schema = DATABASE() ORDER BY 1",
    );
    return columns.map(({ name }) => String(name));
  };

  test('an import of models that was killed while a statement waited', async () => {
    const file = installPrevious();
    const state = makeFolder();
    const folder = makeFolder();
    await mariadb().query(
      'CREATE TABLE shelves (id BIGINT UNSIGNED AUTO_INCREMENT PRIMARY KEY); CREATE TABLE walls LIKE shelves; INSERT INTO shelves VALUES (1), (2)',
    );
    const before = await structure();
    writeFileSync(join(folder, 'models.go'), lockedModels);
    const release = await lockTable('walls');
    const { url } = mariadb();
    const flags = ['--state-dir', state];
    const args = ['import', 'models', url, 'models.go', ...flags];
    const previous = start(args, { file, cwd: folder });
    await vi.waitFor(async () => expect(await waitingStatements()).toHaveLength(1), {
      timeout: 60_000,
      interval: 50,
    });
    expect(await structure()).toEqual(expect.arrayContaining(['authors.name', 'shelves.label']));
    previous.child.kill('SIGKILL');
    await previous.outcome();

    const { text } = await serve([url, ...flags]);
    await release();
    await vi.waitFor(
      async () => {
        expect(await structure()).toEqual(before);
        expect(text.stderr).toMatch(/Undid an interrupted import; removed: .*\bauthors\./);
      },
      { timeout: 60_000, interval: 50 },
    );
    expect(await mariadb().query('SELECT COUNT(*) AS n FROM shelves')).toEqual([{ n: '2' }]);
    const journals = readdirSync(join(state, 'journals'), { recursive: true, encoding: 'utf8' });
    expect(journals.filter((name) => name.endsWith('.journal'))).toEqual([]);
  });
});
