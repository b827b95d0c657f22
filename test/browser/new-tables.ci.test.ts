import BetterSqlite3 from 'better-sqlite3';
import { expect, test } from 'vitest';
import { writeZipOf } from '../formats/write-zip.ts';
import { choose } from './import-files.ts';
import { inBrowser, seriousAxeFindings } from './studio-page.ts';
import type { Page } from 'playwright-core';

function rowsOf(file: string, sql: string): readonly unknown[] {
  const database = new BetterSqlite3(file, { readonly: true });
  try {
    return database.prepare(sql).raw().all();
  } finally {
    database.close();
  }
}

const people = 'No,Full name,Born,Score,Code\n1,Ada,1815-12-10,1.50,007\n2,Grace,,2.25,011\n';

async function checkNewTable(page: Page): Promise<void> {
  await page.getByLabel('Target table').selectOption({ label: 'New table' });
  await page.getByRole('button', { name: 'Check', exact: true }).click();
  await page.getByRole('region', { name: 'Tables to create' }).waitFor();
}

inBrowser('a table from a file', ({ open, file }) => {
  test('is proposed with types and key, changed, checked again, created and filled', async () => {
    const page = await open('/import');
    await choose(page, { name: 'people.csv', content: people });
    await checkNewTable(page);
    const editor = page.getByRole('region', { name: 'Tables to create' });
    expect(await editor.getByLabel('Table name').inputValue()).toBe('people');
    expect(await editor.getByLabel('No in the primary key').isChecked()).toBe(true);
    expect(await editor.getByLabel('NULL allowed in Born').isChecked()).toBe(true);
    expect(await seriousAxeFindings(page)).toEqual([]);
    expect(await page.getByRole('region', { name: 'SQL' }).innerText()).toContain('CREATE TABLE');

    await editor.getByLabel('Table name').fill('persons');
    await editor.getByLabel('Column for Full name').fill('name');
    await editor.getByLabel('Type of Score').selectOption({ label: 'Text' });
    await editor.getByRole('button', { name: 'Skip Code' }).click();
    const go = page.getByRole('button', { name: 'Import 2 rows' });
    expect(await go.getAttribute('aria-disabled')).toBe('true');
    await editor.getByRole('button', { name: 'Check again' }).click();
    await page.getByText('"persons"').waitFor();
    await go.click();
    await page.getByRole('link', { name: 'Open persons' }).click();
    await page.getByRole('gridcell', { name: 'Ada' }).waitFor();
    expect(rowsOf(file(), 'SELECT * FROM persons')).toEqual([
      [1, 'Ada', '1815-12-10', '1.50'],
      [2, 'Grace', null, '2.25'],
    ]);
    expect(rowsOf(file(), `SELECT name FROM sqlite_schema WHERE name = 'people'`)).toEqual([]);
  });

  test('is proposed again when the file is read in another way', async () => {
    const page = await open('/import');
    await choose(page, { name: 'pairs.csv', content: 'a;b\n1;2\n' });
    await checkNewTable(page);
    const editor = page.getByRole('region', { name: 'Tables to create' });
    await editor.getByLabel('Column for a').fill('changed');
    await editor.getByRole('button', { name: 'Check again' }).click();
    await page.getByText('"changed"').waitFor();
    await page.getByRole('button', { name: 'Back' }).click();
    await page.getByLabel('Delimiter').selectOption(',');
    await page.getByRole('button', { name: 'Check', exact: true }).click();
    await editor.getByLabel('Column for a;b').waitFor();
    expect(await editor.getByLabel('Column for').count()).toBe(1);
  });

  test('can be changed further when the check rejects it', async () => {
    const page = await open('/import');
    await choose(page, { name: 'codes.csv', content: people });
    await checkNewTable(page);
    const editor = page.getByRole('region', { name: 'Tables to create' });
    await editor.getByLabel('NULL allowed in Born').uncheck();
    await editor.getByRole('button', { name: 'Check again' }).click();
    await page.getByText('error found').waitFor();
    await editor.getByLabel('NULL allowed in Born').check();
    await editor.getByRole('button', { name: 'Check again' }).click();
    await page.getByRole('button', { name: 'Import 2 rows' }).waitFor();
    expect(rowsOf(file(), `SELECT name FROM sqlite_schema WHERE name = 'codes'`)).toEqual([]);
  });

  test('gets another name if its own exists already, for each file of a zip too', async () => {
    const page = await open('/import');
    await choose(page, { name: 'tags.csv', content: 'a,b\n1,2\n' });
    await checkNewTable(page);
    const editor = page.getByRole('region', { name: 'Tables to create' });
    await editor.getByText('A table or view with this name exists already.').waitFor();
    expect(await seriousAxeFindings(page)).toEqual([]);
    await editor.getByLabel('Table name').fill('other_tags');
    expect(await editor.getByText('exists already').count()).toBe(0);
    await editor.getByRole('button', { name: 'Check again' }).click();
    await page.getByRole('button', { name: 'Import 1 row' }).click();
    await page.getByText('The import is done.').waitFor();
    expect(rowsOf(file(), 'SELECT * FROM other_tags')).toEqual([[1, 2]]);

    await page.getByRole('button', { name: 'Import another file' }).click();
    const zip = await writeZipOf([
      { name: 'tags.csv', content: 'a,b\n3,4\n' },
      { name: 'users.csv', content: 'c\n5\n' },
    ]);
    await choose(page, { name: 'both.zip', content: Buffer.from(zip) });
    for (const part of ['tags', 'users'])
      await page.getByLabel(new RegExp(`^Table for ${part}`)).selectOption('New table');
    await page.getByRole('button', { name: 'Check', exact: true }).click();
    await expect.poll(() => editor.getByText('exists already').count()).toBe(2);
    await editor.getByLabel('Table name').nth(0).fill('same');
    await editor.getByLabel('Table name').nth(1).fill('same');
    await expect.poll(() => editor.getByText('has this name, too').count()).toBe(2);
    await editor.getByLabel('Table name').nth(0).fill('zip_tags');
    await editor.getByLabel('Table name').nth(1).fill('zip_users');
    await editor.getByRole('button', { name: 'Check again' }).click();
    await page.getByRole('button', { name: 'Import 2 rows' }).click();
    await page.getByText('The import is done.').waitFor();
    expect(rowsOf(file(), 'SELECT a, b, c FROM zip_tags, zip_users')).toEqual([[3, 4, 5]]);
  });
});
