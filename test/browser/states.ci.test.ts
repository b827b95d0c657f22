import { expect, test } from 'vitest';
import { changeFile, inBrowser, seriousAxeFindings } from './studio-page.ts';

inBrowser('states', ({ open, file, url }) => {
  test('a filter that matches nothing says so, and can be removed', async () => {
    const page = await open('/tables/tags?search=nothing-is-called-so');
    await page.getByText('No rows match').waitFor();
    expect(await seriousAxeFindings(page)).toEqual([]);
    await page.getByRole('button', { name: 'Clear filters and search' }).click();
    await page.locator('[role="gridcell"]').first().waitFor();
  });

  test('an empty table offers to add its first row', async () => {
    changeFile(file(), 'CREATE TABLE bare (id INTEGER PRIMARY KEY, note TEXT)');
    const page = await open('/');
    await page.getByLabel('Reload structure').click();
    await page.getByRole('link', { name: /^bare/ }).first().click();
    await page.getByText('bare has no rows yet').waitFor();
    await page.locator('.no-rows').getByRole('button', { name: 'Add row' }).click();
    await page.locator('.gr.new').waitFor();
  });

  test('a page past the end goes to the last one', async () => {
    const page = await open('/tables/tags?page=900');
    await page.locator('[role="gridcell"]').first().waitFor();
    await expect.poll(() => page.url()).not.toContain('page=900');
  });

  test('a page past the end links to the first where the total is not known', async () => {
    const page = await open('/');
    await page.route('**/api/tables/tags/rows**', async (route) => {
      const response = await route.fetch();
      const body = (await response.json()) as Record<string, unknown>;
      await route.fulfill({ response, json: { ...body, total: 40, total_exact: false } });
    });
    await page.goto(`${url()}/tables/tags?page=900`);
    await page.getByRole('button', { name: 'Go to first page' }).click();
    await page.locator('[role="gridcell"]').first().waitFor();
  });

  test('soft-deleted rows are struck through, and can be restored', async () => {
    const page = await open('/tables/posts?show_deleted=true&filter_deleted_at__null=false');
    await page.locator('.gr.gone').first().waitFor();
    await page.locator('#cell-0-3').click({ button: 'right' });
    await page.getByRole('menuitem', { name: 'Restore row' }).click();
    await page.keyboard.press('Control+s');
    await page.getByText('Saved 1 change').waitFor();
  });

  test('a server that does not respond is reported, and the request can be repeated', async () => {
    const page = await open('/tables/tags');
    await page.locator('[role="gridcell"]').first().waitFor();
    page.removeAllListeners('console');
    await page.route('**/api/tables/**', (route) => route.abort());
    await page.getByLabel('Reload rows').click();
    await page.getByText('The studio server does not respond.').waitFor();
    await page.unroute('**/api/tables/**');
    await page.getByRole('button', { name: 'Try again' }).click();
    await page.getByRole('alert').waitFor({ state: 'detached' });
  });

  test('labels that could not be read are reported with the reason', async () => {
    const page = await open('/');
    await page.route('**/api/tables/order_items/rows**', async (route) => {
      const response = await route.fetch();
      const body = (await response.json()) as Record<string, unknown>;
      const reason = '"books" cannot be read. Another transaction held a lock for too long.';
      await route.fulfill({ response, json: { ...body, label_errors: { isbn: reason } } });
    });
    await page
      .getByRole('link', { name: /^order_items/ })
      .first()
      .click();
    const note = page.getByText('Labels of isbn unavailable');
    await note.waitFor();
    expect(await note.getAttribute('title')).toContain('isbn: "books" cannot be read.');
  });

  test('scrolling all rows reads pages as they come into view', async () => {
    const page = await open('/tables/comments?page_size=all');
    await page.locator('[role="gridcell"]').first().waitFor();
    const grid = page.getByRole('grid');
    await grid.focus();
    await page.keyboard.press('Control+End');
    const total = Number(await grid.getAttribute('aria-rowcount')) - 1;
    const last = page.locator(`#cell-${total - 1}-0`);
    await expect.poll(() => last.innerText()).toMatch(/\d/);
    expect(await page.locator('[role="gridcell"]').count()).toBeLessThan(900);
  });
});
