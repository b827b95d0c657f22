import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { closeSync, existsSync, openSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import Sqlite from 'better-sqlite3';
import { describe, expect, onTestFinished, test } from 'vitest';
import { helpText } from '../../src/cli/help.ts';
import { mainFile, makeFolder, run, serve } from './command.ts';

describe('the command', () => {
  test('prints help and exits with status 0', async () => {
    expect(await run(['--help'])).toEqual({ status: 0, stdout: helpText(), stderr: '' });
    expect(await run(['schema', '--help'])).toMatchObject({
      status: 0,
      stdout: helpText('schema'),
    });
  });

  test('prints the version of the package', async () => {
    const manifest = readFileSync(new URL('../../package.json', import.meta.url), 'utf8');
    const { version } = JSON.parse(manifest) as { version: string };
    expect(await run(['--version'])).toEqual({ status: 0, stdout: `${version}\n`, stderr: '' });
  });

  test.each([['--prot=1'], ['--port=x'], ['shcema'], ['schema'], ['a.db', 'b.db']])(
    'exits with status 2 on wrong usage and refers to --help: %s',
    async (...args) => {
      const { status, stdout, stderr } = await run(args);
      expect([status, stdout]).toEqual([2, '']);
      expect(stderr).toMatch(/^database-studio: .+\nSee database-studio --help\.\n$/);
    },
  );
});

test.each([
  ['missing.db', 'does not exist. Add --create to create it.'],
  ['missing/new.db', 'does not exist, nor does its folder.'],
])('a database file that is not there: %s', async (path, reason) => {
  const folder = makeFolder();
  const { status, stderr } = await run([join(folder, path)]);
  expect(status).toBe(1);
  expect(stderr).toContain(reason);
  const script = join(import.meta.dirname, 'usage.test.ts');
  const imported = await run([
    'import',
    'dump',
    join(folder, 'missing/new.db'),
    script,
    '--create',
  ]);
  expect(imported.stderr).toContain('does not exist, nor does its folder.\n');
});

describe('schema', () => {
  function makeDatabase(folder: string): string {
    const path = join(folder, 'shop.db');
    const database = new Sqlite(path);
    database.exec(`CREATE TABLE customers (id INTEGER PRIMARY KEY, name TEXT NOT NULL);
      CREATE TABLE orders (id INTEGER PRIMARY KEY, customer_id INTEGER REFERENCES customers (id))`);
    database.close();
    return path;
  }

  test('prints the response of GET schema', async () => {
    const path = makeDatabase(makeFolder());
    const { url } = await serve([path]);
    const response = await (await fetch(`${url}/api/schema`)).text();
    expect(await run(['schema', path])).toEqual({ status: 0, stdout: `${response}\n`, stderr: '' });
    expect(await run(['schema'], { env: { DATABASE_URL: path } })).toMatchObject({
      stdout: `${response}\n`,
    });
  });

  test('of a missing database exits with status 1 and prints nothing to stdout', async () => {
    const { status, stdout, stderr } = await run(['schema', './missing.db']);
    expect([status, stdout]).toEqual([1, '']);
    expect(stderr).toMatch(/^database-studio: .*missing\.db.*\n$/);
    expect(stderr).not.toContain('--create');
  });

  test('a diagram uses the named fonts, and reports missing ones', async () => {
    const path = makeDatabase(makeFolder());
    const args = ['export', 'schema', path, '--format', 'png', '--out', 'picture.png', '--font'];
    expect(await run([...args, 'missing.ttf'])).toMatchObject({
      status: 1,
      stderr: 'database-studio: There is no font file "missing.ttf".\n',
    });
    expect(await run([...args, path])).toMatchObject({
      status: 1,
      stderr: `database-studio: The font ${path} cannot be read.\n`,
    });
  });

  test.runIf(existsSync('/dev/full'))(
    'exits with status 1 if its output cannot be written',
    async () => {
      const output = openSync('/dev/full', 'w');
      onTestFinished(() => closeSync(output));
      const child = spawn(process.execPath, [mainFile, 'schema', makeDatabase(makeFolder())], {
        stdio: ['ignore', output, 'pipe'],
      });
      let stderr = '';
      child.stderr?.on('data', (chunk: Buffer) => (stderr += chunk.toString()));
      const [status] = (await once(child, 'close')) as [number];
      expect([status, stderr]).toEqual([
        1,
        'database-studio: The output cannot be written (ENOSPC).\n',
      ]);
    },
  );
});
