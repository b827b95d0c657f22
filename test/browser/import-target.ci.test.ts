/** The table that the import page chooses for a file. */
import { expect, test } from 'vitest';
import { choose, drop } from './import-files.ts';
import { changeFile, inBrowser } from './studio-page.ts';

inBrowser('the target of an import', ({ open, url, file }) => {
  test('into an open table keeps it as the target', async () => {
    changeFile(file(), 'CREATE TABLE bare_notes (id INTEGER PRIMARY KEY, note TEXT)');
    const page = await open('/tables/users');
    const target = page.getByLabel('Target table');
    await page.locator('.sheet').waitFor();
    await drop(page, { selector: '.sheet', names: ['tags.csv'], content: 'a,b\n1,2\n' });
    await expect.poll(() => target.inputValue()).toBe('users');
    await page.getByText('0 of 2 columns mapped').waitFor();

    await page.reload();
    await page.goto(`${url()}/tables/bare_notes`);
    await page.locator('.no-rows').getByRole('link', { name: 'Import' }).click();
    await choose(page, { name: 'tags.csv', content: 'ident,text\n1,2\n' });
    await expect.poll(() => target.inputValue()).toBe('bare_notes');
    await page.getByLabel('Column for text').selectOption('note');
    await page.getByRole('button', { name: 'Check', exact: true }).click();
    await page.getByRole('button', { name: 'Import 1 row' }).waitFor();
  });

  test.for([
    ['people.csv', 'ident,full name\n1,Ada\n'],
    ['people.json', '[{"ident":1,"full name":"Ada"}]'],
  ] as const)('of %s without a matching table is into a new one', async ([name, content]) => {
    const page = await open('/import');
    await choose(page, { name, content });
    if (name.endsWith('.json')) await page.getByRole('button', { name: /^Data/ }).click();
    await page.getByRole('region', { name: 'First rows' }).getByText('Ada').waitFor();
    const target = page.getByLabel('Target table').locator('option:checked');
    expect(await target.innerText()).toBe('New table');
    await page.getByRole('button', { name: 'Check', exact: true }).click();
    await page.getByRole('region', { name: 'Tables to create' }).waitFor();
    await page.getByRole('button', { name: 'Back' }).click();
    await page.getByLabel('Target table').selectOption('tags');
    await page.getByText('0 of 2 columns mapped').waitFor();
  });
});
