/** Unsaved changes outlive a database server that is stopped and a session that ends, and are saved once. */
import mysql from 'mysql2/promise';
import type { Page } from 'playwright-core';
import { expect, test } from 'vitest';
import { startPostgres } from '../servers/embedded-postgres.ts';
import { queryServer } from '../servers/postgres-cluster.ts';
import { startMariadb } from '../servers/start-mariadb.ts';
import { inBrowser } from './studio-page.ts';
import type { ServedDatabase } from './studio-page.ts';

interface Stoppable extends ServedDatabase {
  readonly stop: () => Promise<void>;
  readonly start: () => Promise<void>;
  /** Lines of a query, read by the database's own client. */
  readonly read: (query: string) => Promise<readonly string[]>;
}

const rowsOf = `SELECT body, amount FROM notes ORDER BY id`;
const statements = (key: string): readonly string[] => [
  `CREATE TABLE notes (id ${key} PRIMARY KEY, body VARCHAR(80), amount DECIMAL(10, 2))`,
  "INSERT INTO notes (body, amount) VALUES ('one', 1.50), ('two', 2), ('three', NULL)",
];

const lines = (rows: readonly object[]): readonly string[] =>
  rows.map((row) => Object.values(row).map(String).join(' '));

async function onPostgres(): Promise<Stoppable> {
  const server = await startPostgres();
  for (const statement of statements('SERIAL')) await queryServer(server, statement);
  return {
    url: `postgres://${server.user}:${server.password}@127.0.0.1:${server.port}/postgres`,
    drop: () => server.remove(),
    stop: () => server.stop(),
    start: () => server.start(),
    read: async (query) => lines(await queryServer(server, query)),
  };
}

async function onMariadb(): Promise<Stoppable> {
  const server = await startMariadb();
  const { port, user, password } = server;
  const run = async (query: string, database?: string): Promise<readonly object[]> => {
    const options = { host: '127.0.0.1', port, user, password };
    const connection = await mysql.createConnection(
      database === undefined ? options : { ...options, database },
    );
    try {
      const [rows] = await connection.query(query);
      return Array.isArray(rows) ? rows : [];
    } finally {
      await connection.end();
    }
  };
  await run('CREATE DATABASE kept');
  for (const statement of statements('INT AUTO_INCREMENT')) await run(statement, 'kept');
  return {
    url: `mysql://${user}:${password}@127.0.0.1:${port}/kept`,
    drop: () => server.remove(),
    stop: () => server.stop(),
    start: () => server.start(),
    read: async (query) => lines(await run(query, 'kept')),
  };
}

const waitOptions = { timeout: 20_000 };
const bar = (page: Page) => page.getByRole('region', { name: 'Unsaved changes' });

async function logIn(page: Page): Promise<void> {
  await page.getByLabel('User').click();
  await page.keyboard.type('ada');
  await page.keyboard.press('Tab');
  await page.keyboard.type('lovelace');
  await page.keyboard.press('Enter');
}

/** One edited, one new and one deleted row. */
async function stage(page: Page, text: string): Promise<void> {
  await page.locator('#cell-0-1').click();
  await page.keyboard.type(`edited ${text}`);
  await page.keyboard.press('Enter');
  await page.getByRole('button', { name: 'Add row', exact: true }).click();
  await page.locator('#cell-0-1').click();
  await page.keyboard.type(`new ${text}`);
  await page.keyboard.press('Enter');
  await page.locator('#cell-3-1').click();
  await page.keyboard.press('Delete');
  await bar(page).getByText('3 changes').waitFor();
}

for (const [name, start] of [
  ['postgres', onPostgres],
  ['mariadb', onMariadb],
] as const) {
  let database: Stoppable;
  inBrowser(
    `unsaved changes on ${name}`,
    ({ open }) => {
      const openNotes = async (): Promise<Page> => {
        const page = await open('/tables/notes?sort_by=id');
        page.removeAllListeners('console');
        page.on('dialog', (dialog) => void dialog.accept());
        await logIn(page);
        await page.locator('#cell-2-1').waitFor();
        return page;
      };
      const expectSavedOnce = async (text: string, before: readonly string[]): Promise<void> => {
        const [, amount] = before[0]!.split(/ (?=\S+$)/);
        const after = [
          `edited ${text} ${amount}`,
          before[1]!,
          ...before.slice(3),
          `new ${text} null`,
        ];
        await expect.poll(() => database.read(rowsOf), waitOptions).toEqual(after);
      };

      test('come back after reloads while the database is stopped', waitOptions, async () => {
        const before = await database.read(rowsOf);
        const page = await openNotes();
        await stage(page, 'before');
        await database.stop();
        for (let count = 1; count <= 2; count++) {
          await page.reload();
          await page.getByText('Your unsaved changes are preserved').waitFor();
        }
        await database.start();
        await page.getByRole('button', { name: 'Try again' }).click();
        await bar(page).getByText('3 changes').waitFor();
        expect(await page.locator('#cell-1-1').innerText()).toBe('edited before');
        await page.keyboard.press('Control+s');
        await expectSavedOnce('before', before);
      });

      test('are saved after the database is there again', waitOptions, async () => {
        const before = await database.read(rowsOf);
        const page = await openNotes();
        await stage(page, 'meanwhile');
        await database.stop();
        await page.keyboard.press('Control+s');
        await bar(page).getByText('Nothing was saved').waitFor();
        await database.start();
        await page.keyboard.press('Control+s');
        await bar(page).getByText('Saved 3 changes').waitFor();
        await expectSavedOnce('meanwhile', before);
      });

      test('are saved after a log-in over the page', waitOptions, async () => {
        const before = await database.read(rowsOf);
        const page = await openNotes();
        await stage(page, 'later');
        await page.context().clearCookies();
        await page.keyboard.press('Control+s');
        const dialog = page.getByRole('dialog', { name: 'Log in again' });
        await dialog.waitFor();
        expect(await database.read(rowsOf)).toEqual(before);
        await logIn(page);
        await dialog.waitFor({ state: 'detached' });
        await bar(page).getByText('3 changes').waitFor();
        await page.keyboard.press('Control+s');
        await bar(page).getByText('Saved 3 changes').waitFor();
        await expectSavedOnce('later', before);
      });
    },
    {
      app: { credentials: { account: { user: 'ada', password: 'lovelace' } } },
      database: async () => (database = await start()),
    },
  );
}
