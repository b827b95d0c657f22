import { expect, test } from 'vitest';
import { inBrowser, seriousAxeFindings } from './studio-page.ts';

inBrowser('a table', ({ open }) => {
  const cells = '[role="gridcell"]';

  test('shows its rows, and its URL contains the view', async () => {
    const page = await open('/tables/users');
    await page.locator(cells).first().waitFor();
    expect(await page.locator('.status').innerText()).toContain('160 rows');
    await page.getByRole('columnheader', { name: 'email' }).getByRole('button').click();
    await page.waitForURL(/sort_by=email&sort_order=asc/);
    await page.getByRole('columnheader', { name: 'email', exact: false }).first().waitFor();
    await page.getByLabel('Search text columns').fill('tamsin');
    await page.waitForURL(/search=tamsin/);
    const rows = async (): Promise<number> =>
      Number(/^\d+/.exec(await page.locator('.status').innerText())?.[0]);
    await expect.poll(rows).toBeLessThan(10);
    await page.goBack();
    await page.getByText('160 rows').waitFor();
  });

  test('can be filtered by column, condition and value', async () => {
    const page = await open('/tables/users');
    await page.getByRole('button', { name: 'Filter', exact: true }).click();
    await page.getByLabel('Column', { exact: true }).selectOption('role');
    await page.getByLabel('Condition', { exact: true }).selectOption('eq');
    await page.getByLabel('Value', { exact: true }).fill('publisher');
    await page.keyboard.press('Enter');
    await page.waitForURL(/filter_role__eq=publisher/);
    await page.locator('.fchip').getByText('publisher').waitFor();
    await expect.poll(() => page.locator('.status').innerText()).not.toContain('160 rows');
    await page.getByRole('button', { name: 'Remove filter on role' }).click();
    await page.getByText('160 rows').waitFor();
  });

  test('wraps its filters and sorts, so that each can be read and removed', async () => {
    const filters = ['email__contains=a', 'role__ne=author', 'given_name__contains=a', 'id__gt=3'];
    const sorts = ['email', 'role', 'given_name', 'family_name'];
    const query = [
      ...filters.map((filter) => `filter_${filter}`),
      ...sorts.map((column) => `sort_by=${column}`),
    ].join('&');
    const page = await open(`/tables/users?${query}&filter_full_name__ne=${'long+'.repeat(60)}`, {
      viewport: { width: 1024, height: 700 },
    });
    const buttons = page.locator('.fchip .x');
    await expect.poll(() => buttons.count()).toBe(9);
    for (const button of await buttons.all()) {
      const { width, height, x } = (await button.boundingBox())!;
      expect(Math.min(width, height)).toBeGreaterThan(15);
      expect(x + width).toBeLessThan(1024);
    }
    const values = await page
      .locator('.fchip .val')
      .evaluateAll((all) => all.map((value) => value.clientWidth));
    expect(Math.min(...values)).toBeGreaterThan(10);
    for (let i = 9; i > 0; i--) await buttons.first().click();
    expect(await buttons.count()).toBe(0);
  });

  test('opens a record by the button of its row, and edits the rows that are checked', async () => {
    const page = await open('/tables/tags?sort_by=id', {
      permissions: ['clipboard-read', 'clipboard-write'],
    });
    const select = (row: number) =>
      page.getByRole('checkbox', { name: `Select row ${row}`, exact: true });
    const bar = page.getByRole('region', { name: 'Selected rows' });
    await page.getByRole('button', { name: 'Open row 2', exact: true }).click();
    await page.waitForURL(/open=tags/);
    await page.getByRole('button', { name: 'Close record' }).click();
    await select(1).click();
    await select(3).click();
    await select(5).click({ modifiers: ['Shift'] });
    await bar.getByText('4 rows').waitFor();
    expect(await seriousAxeFindings(page)).toEqual([]);
    await bar.getByRole('button', { name: 'Copy' }).click();
    await page.getByRole('menuitem', { name: 'Cells' }).click();
    const copied = (): Promise<string> => page.evaluate('navigator.clipboard.readText()');
    await expect.poll(async () => (await copied()).split('\n').length).toBe(4);
    await bar.getByRole('button', { name: 'Edit' }).click();
    const form = page.getByRole('dialog', { name: 'Edit selected rows' });
    await form.getByLabel('Column').selectOption('color');
    await form.getByLabel('Value').fill('#123456');
    await page.keyboard.press('Enter');
    const changes = page.getByRole('region', { name: 'Unsaved changes' });
    await changes.getByText('4 edited').waitFor();
    await bar.getByRole('button', { name: 'Duplicate' }).click();
    await changes.getByText('4 new').waitFor();
    await page.getByRole('checkbox', { name: 'Select all rows on this page' }).click();
    await bar.getByText('42 rows').waitFor();
    await bar.getByRole('button', { name: 'Clear selection' }).click();
    await select(2).click();
    await bar.getByRole('button', { name: 'Delete' }).click();
    await changes.getByText('1 deleted').waitFor();
    expect(await bar.count()).toBe(0);
  });

  test('shows the content of JSON documents, and a type in words for each column of a view', async () => {
    const page = await open('/tables/profiles');
    await page
      .locator('.json.v')
      .getByText(/^\{"\w+":/)
      .first()
      .waitFor();
    await page.goto(page.url().replace('profiles', 'book_sales'));
    await page.getByRole('columnheader').first().waitFor();
    const types = await page.locator('.th .ty').allInnerTexts();
    for (const type of types) expect(type).toMatch(/^\w/);
  });

  test('can be navigated by keyboard', async () => {
    const page = await open('/tables/users');
    await page.locator(cells).first().waitFor();
    await page.getByRole('grid').focus();
    for (const key of ['ArrowDown', 'ArrowRight', 'Shift+ArrowDown'])
      await page.keyboard.press(key);
    expect(await page.locator('.c.sel').count()).toBe(2);
    await page.keyboard.press('Control+End');
    expect(await page.getByRole('grid').getAttribute('aria-activedescendant')).toBe('cell-49-10');
    await page.locator('#cell-49-10').waitFor();
  });

  test('renders few cells, however many rows there are', async () => {
    const page = await open('/tables/comments?page_size=500');
    await page.locator(cells).first().waitFor();
    expect(await page.locator(cells).count()).toBeLessThan(600);
  });

  test('that does not exist is reported', async () => {
    const page = await open('/tables/nothing');
    await page.getByText('Page not found').waitFor();
  });

  test.for([
    ['light', '/tables/posts'],
    ['dark', '/tables/posts'],
    ['light', '/'],
  ] as const)('%s %s: axe finds no serious problem', async ([colorScheme, path]) => {
    const page = await open(path, { colorScheme });
    await page.locator('.status, .home-table').first().waitFor();
    expect(await seriousAxeFindings(page)).toEqual([]);
  });
});
