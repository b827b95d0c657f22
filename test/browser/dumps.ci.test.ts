import { readFileSync } from 'node:fs';
import BetterSqlite3 from 'better-sqlite3';
import { expect, test } from 'vitest';
import { choose } from './import-files.ts';
import { inBrowser, seriousAxeFindings } from './studio-page.ts';

const shelves =
  'CREATE TABLE shelves (id INTEGER PRIMARY KEY, opened DATE);\n' +
  "INSERT INTO shelves VALUES (1, '2020-01-31'), (2, NULL);\n";

inBrowser('a file with structure and rows', ({ open, file }) => {
  const rows = (sql: string): readonly unknown[] => {
    const database = new BetterSqlite3(file(), { readonly: true });
    try {
      return database.prepare(sql).raw().all();
    } finally {
      database.close();
    }
  };

  test('is recognized, checked without a change, and imported', async () => {
    const page = await open('/import');
    await choose(page, { name: 'shelves.sql', content: shelves });
    const detected = page.getByRole('button', { name: /^Schema and data.*Detected automatically/ });
    await detected.waitFor();
    expect(await page.locator(':focus').innerText()).toMatch(/^Schema and data/);
    await page.keyboard.press('Enter');
    await page.getByText('rows to insert').waitFor();
    expect(await page.locator('.stat').first().innerText()).toMatch(/^2\s/);
    expect(await page.getByRole('region', { name: 'SQL' }).innerText()).toContain('CREATE TABLE');
    expect(await seriousAxeFindings(page)).toEqual([]);
    expect(rows(`SELECT name FROM sqlite_schema WHERE name = 'shelves'`)).toEqual([]);
    await page.getByRole('button', { name: 'Import', exact: true }).click();
    await page.getByText('The import is done.').waitFor();
    expect(rows('SELECT * FROM shelves')).toEqual([
      [1, '2020-01-31'],
      [2, null],
    ]);
    await page.getByRole('link', { name: 'Open shelves' }).click();
    await page.getByRole('gridcell', { name: '2020-01-31' }).waitFor();
  });

  test('is checked again when the order of its dates is chosen', async () => {
    const page = await open('/import');
    const content = shelves.replaceAll('shelves', 'dated').replace('2020-01-31', '1/31/2020');
    await choose(page, { name: 'dated.sql', content: `SET IDENTITY_INSERT x ON\nGO\n${content}` });
    await page.getByRole('button', { name: /^Schema and data/ }).click();
    await page
      .getByText(/, or set .Date order./)
      .first()
      .waitFor();
    await page.getByLabel('Date order').selectOption('MDY');
    await page.getByText('rows to insert').waitFor();
  });

  test('is exported, and creates the same tables and rows', async () => {
    const page = await open('/export');
    await page.getByRole('button', { name: /^Schema and data/ }).click();
    await page.getByText('Target database').waitFor();
    const [saved] = await Promise.all([
      page.waitForEvent('download'),
      page.getByRole('button', { name: 'Export', exact: true }).last().click(),
    ]);
    expect(saved.suggestedFilename()).toMatch(/-dump\.sql$/);
    const copy = new BetterSqlite3(':memory:');
    copy.exec(readFileSync(await saved.path(), 'utf8'));
    for (const table of ['users', 'tags', 'profiles'])
      expect(copy.prepare(`SELECT * FROM ${table} ORDER BY 1`).raw().all()).toEqual(
        rows(`SELECT * FROM ${table} ORDER BY 1`),
      );
  });
});
