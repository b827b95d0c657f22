/** The pages by task in docs/tasks: their examples run on the shop of examples/shop.sql. */
import { copyFileSync, existsSync, readFileSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, onTestFinished, test } from 'vitest';
import { makeFolder, run } from '../cli/command.ts';
import * as mariadb from '../servers/mariadb.ts';
import * as postgres from '../servers/postgres.ts';
import { isRunnable, readBlocks } from './page-blocks.ts';
import { PageRunner, installInto } from './run-page.ts';
import { freePort } from '../servers/free-port.ts';
import type { TestContext } from 'vitest';

const root = join(import.meta.dirname, '..', '..');
const folder = join(root, 'docs', 'tasks');
const names = readdirSync(folder).filter((name) => name.endsWith('.md'));
const isBuilt = existsSync(join(root, 'dist', 'LICENSES.txt'));
const shop = join(root, 'examples', 'shop.sql');

const read = (name: string): string => readFileSync(join(folder, name), 'utf8');

/** The URLs of the servers in the pages. */
const servers = [
  ['postgres://ada:secret@localhost/shop', postgres.createTestDatabase],
  ['mysql://ada:secret@localhost/shop', mariadb.createTestDatabase],
] as const;

/** Creates the tables and rows of the shop. */
async function fill(url: string, cwd: string): Promise<void> {
  const flags = ['--state-dir', cwd];
  const tables = ['import', 'schema', url, shop, '--data', 'skip', ...flags];
  const rows = ['import', 'data', url, shop, '--ddl', 'skip', ...flags];
  const create = url.includes('://') ? [] : ['--create'];
  for (const args of [[...tables, ...create], rows])
    expect(await run(args, { cwd })).toMatchObject({ status: 0 });
}

/** A database for each server that the page names. Without the server, the page is skipped. */
async function databasesOf(page: string, context: TestContext): Promise<Map<string, string>> {
  const replacements = new Map<string, string>();
  const examples = readBlocks(page)
    .filter(isRunnable)
    .map(({ text }) => text)
    .join('');
  for (const [shown, create] of servers) {
    if (!examples.includes(shown)) continue;
    const database = await create().catch((error: unknown) => {
      if (process.env['CI']) throw error;
      return context.skip(`no server for ${shown}: ${String(error)}`);
    });
    onTestFinished(() => database.drop());
    await fill(database.url, makeFolder());
    replacements.set(shown, database.url);
  }
  return replacements;
}

describe.skipIf(!isBuilt || process.platform === 'win32')('the examples of', () => {
  test.for(names)('docs/tasks/%s', async (name, context) => {
    const page = read(name);
    const work = makeFolder();
    const replacements = await databasesOf(page, context);
    for (const port of ['4555', '4556', '3000']) replacements.set(port, String(await freePort()));
    installInto(work);
    copyFileSync(shop, join(work, 'shop.sql'));
    await fill(join(work, 'shop.db'), work);
    const runner = new PageRunner(work, replacements);
    for (const block of readBlocks(page)) await runner.run(block);
  });
});
