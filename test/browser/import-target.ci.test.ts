/** The table that the import page chooses for a file. */
import { expect, test } from 'vitest';
import { buildWorkbook } from '../formats/build-workbook.ts';
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

  const row = (...texts: readonly string[]): string =>
    `<row>${texts.map((text) => `<c t="inlineStr"><is><t>${text}</t></is></c>`).join('')}</row>`;

  test('of a sheet is that of the sheet that is shown', async () => {
    const content = await buildWorkbook({
      sheets: {
        Leute: row('Name', 'Geb', 'Betrag') + row('Ada', '1815-12-10', '1'),
        tags: row('name', 'color') + row('sea', 'blue'),
      },
    });
    const page = await open('/import');
    await choose(page, { name: 'sheets.xlsx', content });
    const target = page.getByLabel('Target table').locator('option:checked');
    const first = page.getByRole('region', { name: 'First rows' });
    const show = async (sheet: string, text: string): Promise<void> => {
      await page.getByLabel('Sheet').selectOption(sheet);
      await first.getByText(text).waitFor();
    };
    await show('Leute', 'Ada');
    await expect.poll(() => target.innerText()).toBe('New table');
    await show('tags', 'sea');
    await expect.poll(() => target.innerText()).toBe('tags');
    await page.getByLabel('Column for color').selectOption('Skip column');
    await show('Leute', 'Ada');
    await expect.poll(() => target.innerText()).toBe('New table');

    await page.getByLabel('Target table').selectOption('users');
    await show('tags', 'sea');
    await expect.poll(() => target.innerText()).toBe('tags');
    await page.getByText('1 of 2 columns mapped').waitFor();
    await page.getByLabel('Sheet').selectOption('Leute');
    await expect.poll(() => target.innerText()).toBe('users');
  });

  test('of all sheets stays where it exists if the others get new tables', async () => {
    const content = await buildWorkbook({
      sheets: {
        Leute: row('Name', 'Geb') + row('Ada', '1815-12-10'),
        tags: row('name', 'color') + row('sea', 'blue'),
      },
    });
    const page = await open('/import');
    await choose(page, { name: 'sheets.xlsx', content });
    await page.getByLabel('Sheet').selectOption('All sheets');
    const targets = ['Leute', 'tags'].map((sheet) =>
      page.getByLabel(`Table for ${sheet}`).locator('option:checked'),
    );
    const names = (): Promise<string[]> => Promise.all(targets.map((target) => target.innerText()));
    await targets[1]?.waitFor({ state: 'attached' });
    await page.getByLabel('Create new tables').check();
    await expect.poll(names).toEqual(['New table', 'tags']);
    await page.getByLabel('Create new tables').uncheck();
    await expect.poll(names).toEqual(['Skip', 'tags']);
  });
});
