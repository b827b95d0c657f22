/** Dates of data files of other databases are stored in SQLite as ISO 8601, or rejected. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import Sqlite from 'better-sqlite3';
import * as fc from 'fast-check';
import { afterAll, expect, test } from 'vitest';
import { importFile } from '../importing.ts';

const folder = mkdtempSync(join(tmpdir(), 'studio-dates-'));
const path = join(folder, 'd.sqlite');
const database = new Sqlite(path);
database.exec(
  "CREATE TABLE k (id INTEGER PRIMARY KEY, d DATE CHECK (d < '2030-01-01'), t TIMESTAMP, n INTEGER)",
);

afterAll(() => {
  database.close();
  rmSync(folder, { recursive: true });
});

async function store(dialect: string, values: string): Promise<unknown> {
  database.exec('DELETE FROM k');
  const script = `INSERT INTO k (id, d, t, n) VALUES (1, ${values});`;
  await importFile(path, ['k.sql', script], { dialect });
  return database.prepare('SELECT d, t, n FROM k').raw().get();
}

const days = fc
  .date({ min: new Date('1000-01-01'), max: new Date('2029-12-31'), noInvalidDate: true })
  .map((date) => date.toISOString().slice(0, 10));

test('a date has the same value in every form that its dialect reads without settings', async () => {
  const forms = fc.constantFrom<readonly [dialect: string, write: (day: string) => string]>(
    ['sqlserver', (day) => `'${day.replaceAll('-', '')}'`],
    ['sqlserver', (day) => `'${day}'`],
    ['mysql', (day) => `'${day.replaceAll('-', '')}'`],
    ['mysql', (day) => day.replaceAll('-', '')],
    ['mysql', (day) => `'${day.replaceAll('-0', '-')}'`],
    ['postgres', (day) => `'${day.replaceAll('-', '')}'`],
    // A year of four digits comes before month and day, whatever the settings are.
    ['postgres', (day) => `'${day.replaceAll('-0', '-').replaceAll('-', '/')}'`],
    ['mysql', (day) => `'${day.replaceAll('-0', '-').replaceAll('-', '/')}'`],
  );
  await fc.assert(
    fc.asyncProperty(forms, days, async ([dialect, write], day) => {
      const stored = await store(dialect, `${write(day)}, '${day}T10:11:12', 20200131`);
      expect(stored).toEqual([day, `${day}T10:11:12`, 20200131]);
    }),
    { numRuns: 30 },
  );
});

test('a date in the order that the request or the script names has its value', async () => {
  type Parts = readonly [year: string, month: string, day: string];
  const orders = fc.constantFrom<readonly [order: string, write: (parts: Parts) => string]>(
    ['DMY', ([year, month, day]) => `${day}.${month}.${year}`],
    ['MDY', ([year, month, day]) => `${Number(month)}/${Number(day)}/${year}`],
    ['MDY', ([year, month, day]) => `${year}/${month}/${day}`],
    ['YMD', ([year, month, day]) => `${year}/${Number(month)}/${Number(day)}`],
  );
  await fc.assert(
    fc.asyncProperty(orders, days, fc.boolean(), async ([order, write], day, isSetByScript) => {
      const date = write(day.split('-') as unknown as Parts);
      database.exec('DELETE FROM k');
      const isOfScript = isSetByScript && order === 'MDY';
      const setting = isOfScript ? 'SET DATEFORMAT mdy\nGO\n' : '';
      const script = `${setting}INSERT INTO k (id, d, t) VALUES (1, '${date}', '${date} 9:05:06');`;
      const options = isOfScript ? {} : { date_order: order };
      await importFile(path, ['k.sql', script], { dialect: 'sqlserver', ...options });
      expect(database.prepare('SELECT d, t FROM k').raw().get()).toEqual([day, `${day} 09:05:06`]);
    }),
    { numRuns: 40 },
  );
});

test('a check holds for what is stored', async () => {
  await expect(store('sqlserver', "'20310101', NULL, NULL")).rejects.toThrow('check');
  expect(database.prepare('SELECT count(*) FROM k').pluck().get()).toBe(0);
});

test.each(["'01/02/2020', NULL, 1", "NULL, 'Jan 31 2020 1:02PM', 1"])(
  'a date that depends on settings is rejected: %s',
  async (values) => {
    await expect(store('sqlserver', values)).rejects.toThrow('no certain meaning');
  },
);

test.each(['infinity', '-Infinity'])('%s is rejected with advice', async (text) => {
  await expect(store('postgres', `'${text}', NULL, 1`)).rejects.toThrow(
    `"${text}" is no date outside of PostgreSQL`,
  );
});

test("a file of SQLite's own dialect is stored as SQLite stores it", async () => {
  expect(await store('sqlite', "'20200131', 1580428800, 1")).toEqual([20200131, 1580428800, 1]);
});
