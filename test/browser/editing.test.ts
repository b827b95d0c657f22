import BetterSqlite3 from 'better-sqlite3';
import { expect, test } from 'vitest';
import type { Page } from 'playwright-core';
import { inBrowser, seriousFindings } from './studio-page.ts';

inBrowser('editing', ({ open, file }) => {
  const stored = (query: string): unknown => {
    const database = new BetterSqlite3(file(), { readonly: true });
    try {
      return database.prepare(query).pluck().all();
    } finally {
      database.close();
    }
  };
  const type = async (page: Page, cell: string, text: string): Promise<void> => {
    await page.locator(cell).click();
    await page.keyboard.type(text);
    await page.keyboard.press('Enter');
  };

  test('stages what is typed, undoes and redoes it, and saves it all at once', async () => {
    const page = await open('/tables/tags?sort_by=id');
    const [first, second] = stored('SELECT id FROM tags ORDER BY id LIMIT 2') as number[];
    await type(page, '#cell-0-1', 'typed');
    await type(page, '#cell-1-1', 'typed too');
    const bar = page.getByRole('region', { name: 'Unsaved changes' });
    await bar.getByText('2 edited').waitFor();
    await page.keyboard.press('Control+z');
    await bar.getByText('1 edited').waitFor();
    await page.keyboard.press('Control+Shift+z');
    await bar.getByText('2 edited').waitFor();
    expect(stored("SELECT count(*) FROM tags WHERE name LIKE 'typed%'")).toEqual([0]);
    expect(await seriousFindings(page)).toEqual([]);
    await page.keyboard.press('Control+s');
    await page.getByText('Saved 2 changes').waitFor();
    expect(stored(`SELECT name FROM tags WHERE id IN (${first}, ${second}) ORDER BY id`)).toEqual([
      'typed',
      'typed too',
    ]);
    await expect.poll(() => page.locator('#cell-0-1').innerText()).toBe('typed');
  });

  test('adds and deletes rows with the rest', async () => {
    const page = await open('/tables/tags?sort_by=id&sort_order=desc');
    await page.locator('#cell-0-0').waitFor();
    const [last] = stored('SELECT max(id) FROM tags') as number[];
    await page.getByRole('button', { name: 'Row', exact: true }).click();
    await type(page, '#cell-0-1', 'made here');
    await type(page, '#cell-0-2', '#123456');
    await page.locator('#cell-1-1').click();
    await page.keyboard.press('Delete');
    await page.getByText('1 deleted').waitFor();
    await page.getByRole('button', { name: 'Review' }).click();
    await page.getByRole('dialog').getByText('made here').waitFor();
    await page.getByRole('dialog').getByRole('button', { name: 'Save' }).click();
    await page.getByText('Saved 2 changes').waitFor();
    expect(stored("SELECT color FROM tags WHERE name = 'made here'")).toEqual(['#123456']);
    expect(stored(`SELECT count(*) FROM tags WHERE id = ${last}`)).toEqual([0]);
  });

  test('a refusal marks its cell and loses nothing', async () => {
    const page = await open('/tables/tags?sort_by=name');
    page.removeAllListeners('console');
    const taken = (stored('SELECT name FROM tags ORDER BY name LIMIT 1') as string[])[0] ?? '';
    await type(page, '#cell-2-1', taken);
    await type(page, '#cell-3-1', 'a fine name');
    await page.getByRole('button', { name: 'Save' }).click();
    await page.getByText('Nothing was saved').waitFor();
    await page.locator('#cell-2-1.bad').waitFor();
    await page.getByText('2 changes').waitFor();
    expect(stored("SELECT count(*) FROM tags WHERE name = 'a fine name'")).toEqual([0]);
  });

  test('exact numbers stay exact, and what is no number is not taken', async () => {
    const page = await open(
      '/tables/order_items?filter_order_id__eq=9007199254778289&sort_by=line_number',
    );
    const price = 4;
    await type(page, `#cell-0-${price}`, '12,5');
    await page.getByText('This is not a number.').waitFor();
    await page.keyboard.press('Escape');
    await type(page, `#cell-0-${price}`, '1234.50');
    await page.keyboard.press('Control+s');
    await page.getByText('Saved 1 change').waitFor();
    expect(
      stored(
        'SELECT unit_price FROM order_items WHERE order_id = 9007199254778289 ORDER BY line_number LIMIT 1',
      ),
    ).toEqual([1234.5]);
  });

  test('a generated column says why it cannot be edited', async () => {
    const page = await open('/tables/users');
    await page.locator('#cell-0-5').dblclick();
    await page.getByText('The database computes this column.').waitFor();
  });
});

inBrowser(
  'a read-only studio',
  ({ open }) => {
    test('says why nothing can be changed', async () => {
      const page = await open('/tables/tags');
      await page.locator('#cell-0-1').dblclick();
      await page.getByText('The studio was started read-only.').waitFor();
      await page.getByText('Read-only').first().waitFor();
    });
  },
  { studio: { readOnly: true } },
);
