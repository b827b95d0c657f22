/** The built package works where only its dependencies are installed. */
import { chmodSync, existsSync, mkdirSync, readdirSync, statSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { copyPackage } from './copy-package.ts';
import { makeFolder, waitForUrl, run, start } from './command.ts';

const root = join(import.meta.dirname, '..', '..');
const isBuilt = existsSync(join(root, 'dist', 'LICENSES.txt'));

function install(): string {
  const folder = makeFolder();
  copyPackage(folder);
  return join(folder, 'bin', 'database-studio.js');
}

const dbml = `Table authors {
  id int [pk]
  name varchar [not null]
}
Table books {
  id int [pk]
  author_id int [ref: > authors.id]
}
`;

const go = `package models

type Author struct {
	ID   uint
	Name string
}
`;

describe.skipIf(!isBuilt)('the built package by itself', () => {
  test('reads and writes files of all formats', async () => {
    const file = install();
    const folder = makeFolder();
    const flags = ['--allow-ddl', '--port', '0'];
    const url = await waitForUrl(start([join(folder, 'new.db'), '--create', ...flags], { file }));
    const send = async (path: string, name: string, text: string): Promise<unknown> => {
      const body = new FormData();
      body.append('file', new Blob([text]), name);
      const response = await fetch(`${url}/api/${path}`, { method: 'POST', body });
      return { status: response.status, ...((await response.json()) as object) };
    };
    expect(await send('import/schema', 'library.dbml', dbml)).toMatchObject({
      status: 200,
      tables_created: ['authors', 'books'],
    });
    expect(await send('import/models', 'models.go', go)).toMatchObject({ status: 200 });
    const rows = await send('import/data?table=authors', 'authors.csv', 'id,name\n1,Ada\n');
    expect(rows).toMatchObject({ status: 200, rows_imported: 1 });
    const formats = [
      ...['sql', 'json', 'yaml', 'dbml', 'mermaid', 'svg', 'png', 'pdf'].map(
        (format) => `export/schema?format=${format}`,
      ),
      ...['csv', 'json', 'ndjson', 'sql', 'xlsx'].map((format) => `export/data?format=${format}`),
      'export/models',
      'openapi.json',
      'tables/authors/rows',
    ];
    for (const path of formats) {
      const response = await fetch(`${url}/api/${path}`);
      expect(response.status, path).toBe(200);
      expect((await response.arrayBuffer()).byteLength, path).toBeGreaterThan(20);
    }
    expect(await (await fetch(`${url}/`)).text()).toContain('<script');
  });

  test.each(['postgres', 'mysql', 'sqlserver'])('has the driver of %s', async (scheme) => {
    const { stderr, status } = await run([`${scheme}://user:word@127.0.0.1:1/name`], {
      file: install(),
    });
    expect(stderr).toContain('no server listens at this address');
    expect(status).toBe(1);
  });

  test('can be imported as a library', async () => {
    const file = join(dirname(install()), '..', 'try.mjs');
    writeFileSync(
      file,
      `import { createStudio } from './dist/index.js';
const studio = await createStudio({ url: ':memory:' }).catch((error) => error);
console.log(studio.constructor.name);
await studio.close?.();`,
    );
    expect(await run([], { file })).toMatchObject({ status: 0, stderr: '' });
  });
});

describe.skipIf(!isBuilt || process.platform === 'win32')('compiled code', () => {
  const filesIn = (folder: string): number =>
    readdirSync(folder, { recursive: true, withFileTypes: true }).filter((one) => one.isFile())
      .length;

  async function runWithCache(cache: string, env: Record<string, string> = {}): Promise<void> {
    const outcome = await run(['--version'], {
      file: install(),
      env: { XDG_CACHE_HOME: cache, ...env },
    });
    expect(outcome).toMatchObject({ status: 0, stderr: '' });
  }

  test('is kept in a folder of the user alone', async () => {
    const cache = makeFolder();
    await runWithCache(cache);
    const folder = join(cache, 'database-studio', 'compiled-code');
    expect(statSync(folder).mode & 0o777).toBe(0o700);
    expect(filesIn(folder)).toBeGreaterThan(0);
  });

  test.each([
    ['database-studio', 0o777],
    ['database-studio', 0o720],
    ['database-studio/compiled-code', 0o702],
  ])('is neither read nor written where others can write (%s, mode %o)', async (part, mode) => {
    const cache = makeFolder();
    const folder = join(cache, 'database-studio', 'compiled-code');
    mkdirSync(folder, { recursive: true, mode: 0o700 });
    chmodSync(join(cache, part), mode);
    await runWithCache(cache);
    expect(filesIn(cache)).toBe(0);
  });

  test('is kept where NODE_COMPILE_CACHE says, or not at all if it is empty', async () => {
    const [cache, own] = [makeFolder(), makeFolder()];
    await runWithCache(cache, { NODE_COMPILE_CACHE: own });
    expect(filesIn(cache)).toBe(0);
    expect(filesIn(own)).toBeGreaterThan(0);
    await runWithCache(cache, { NODE_COMPILE_CACHE: '' });
    expect(filesIn(cache)).toBe(0);
  });

  test('is not kept where the folder cannot be made', async () => {
    const file = join(makeFolder(), 'a-file');
    writeFileSync(file, '');
    await runWithCache(file);
  });
});
