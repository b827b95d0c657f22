import type { Page } from 'playwright-core';
import { expect, test } from 'vitest';
import { smallControls } from './small-controls.ts';
import { inBrowser, phone, seriousAxeFindings, storedIn } from './studio-page.ts';

const unusableControls = (page: Page) => smallControls(page, { scope: 'body', minHeight: 32 });

inBrowser('a phone', ({ open, file }) => {
  test('opens the tables in a drawer', async () => {
    const page = await open('/tables/posts', { viewport: phone });
    await page.locator('[role="gridcell"]').first().waitFor();
    expect(await page.getByRole('navigation', { name: 'Database' }).isVisible()).toBe(false);
    await page.getByRole('button', { name: 'Tables' }).click();
    await page.getByRole('link', { name: /^tags/ }).click();
    await page.waitForURL(/tables\/tags$/);
    await expect
      .poll(() => page.getByRole('navigation', { name: 'Database' }).isVisible())
      .toBe(false);
  });

  test('browses, edits and saves a record on a page of its own', async () => {
    const page = await open('/tables/tags?sort_by=id', { viewport: phone });
    await page.locator('#cell-1-0').click();
    const name = page.getByRole('textbox', { name: 'name' });
    await name.fill('from a phone');
    expect(await seriousAxeFindings(page)).toEqual([]);
    await page.getByRole('button', { name: 'Save' }).click();
    await page.getByText('Saved 1 change').waitFor();
    expect(storedIn(file(), "SELECT count(*) FROM tags WHERE name = 'from a phone'")).toEqual([1]);
    await page.getByRole('button', { name: 'Back', exact: true }).click();
    await page.getByText('from a phone').waitFor();
  });

  test('goes from record to record in the order of the rows', async () => {
    const page = await open('/tables/tags?sort_by=id', { viewport: phone });
    const [first, second] = storedIn(file(), 'SELECT name FROM tags ORDER BY id LIMIT 2');
    await page.locator('#cell-0-0').click();
    const name = page.getByRole('textbox', { name: 'name' });
    await expect.poll(() => name.inputValue()).toBe(first);
    const previous = page.getByRole('button', { name: 'Previous record' });
    expect(await previous.getAttribute('aria-disabled')).toBe('true');
    await page.getByRole('button', { name: 'Next record' }).click();
    await expect.poll(() => name.inputValue()).toBe(second);
    await previous.click();
    await expect.poll(() => name.inputValue()).toBe(first);
    expect(await seriousAxeFindings(page)).toEqual([]);
  });

  test('runs a statement and shows its result', async () => {
    const page = await open('/sql', { viewport: phone });
    await page.locator('.sql-editor .cm-content').click();
    await page.keyboard.insertText('select * from tags order by id limit :n ');
    await page.getByRole('textbox', { name: ':n' }).fill('3');
    await page.getByRole('button', { name: 'Run' }).click();
    await page.getByText('3 rows in').first().waitFor();
    await page.locator('#cell-2-0').click();
    expect(await seriousAxeFindings(page)).toEqual([]);
  });

  test('runs a script and finds it again in the history and the saved queries', async () => {
    const page = await open('/sql', { viewport: phone });
    await page.locator('.sql-editor .cm-content').click();
    await page.keyboard.insertText('select id from tags limit 2;\nselect count(*) from tags;');
    await page.getByRole('button', { name: 'Save', exact: true }).click();
    await page.getByRole('button', { name: 'Run all' }).click();
    await page.getByRole('tab', { name: '2', exact: true }).click();
    await page.getByText('1 row in').first().waitFor();
    expect(await unusableControls(page)).toEqual([]);
    await page.getByRole('button', { name: 'New tab' }).click();
    await page.getByRole('button', { name: 'Query history' }).click();
    await page.getByRole('button', { name: /^select count/ }).waitFor();
    expect(await unusableControls(page)).toEqual([]);
    await page.getByRole('tab', { name: /^Saved/ }).click();
    await page.getByRole('button', { name: 'select id from tags limit 2;', exact: true }).click();
    await page.getByText('select count(*) from tags;').waitFor();
    await page.getByRole('button', { name: 'Run', exact: true }).click();
    await page.getByText('rows in').first().waitFor();
    expect(await seriousAxeFindings(page)).toEqual([]);
  });

  test('reads the structure and its source', async () => {
    const page = await open('/tables/posts?view=structure', { viewport: phone });
    const columns = page.getByRole('region', { name: 'Columns' });
    await columns.getByText('author_id').waitFor();
    const boxes = await Promise.all(
      ['VARCHAR(10)', "'draft'", '→ users.id'].map(async (text) =>
        columns.getByText(text, { exact: true }).boundingBox(),
      ),
    );
    for (const box of boxes) expect(box!.x + box!.width).toBeLessThanOrEqual(phone.width);
    await page.mouse.move(200, 600);
    await page.mouse.wheel(0, 10_000);
    await page.getByRole('tab', { name: 'Go' }).click();
    await page.getByText('type Post struct').waitFor();
    expect(await unusableControls(page)).toEqual([]);
    expect(await page.getByRole('button', { name: 'Add row', exact: true }).count()).toBe(0);
  });

  test('creates a new row', async () => {
    const page = await open('/tables/tags', { viewport: phone });
    await page.locator('[role="gridcell"]').first().waitFor();
    await page.getByRole('button', { name: 'Add row', exact: true }).click();
    await page.getByRole('textbox', { name: 'name' }).fill('new on a phone');
    await page.getByRole('textbox', { name: 'color' }).fill('#abcdef');
    await page.getByRole('button', { name: 'Save' }).click();
    await page.getByText('Saved 1 change').waitFor();
    expect(storedIn(file(), "SELECT color FROM tags WHERE name = 'new on a phone'")).toEqual([
      '#abcdef',
    ]);
  });

  test.for([
    '/',
    '/tables/posts',
    '/tables/users?open=users/3',
    '/tables/users?view=structure',
    '/sql',
    '/export',
    '/import',
  ])(
    '%s: nothing is wider than the screen or too small to touch, and axe finds no serious problem',
    async (path) => {
      const page = await open(path, { viewport: phone });
      await page
        .locator('.status, .home-table, .fields, .structure, .sql-editor, .tbl, .wizard')
        .first()
        .waitFor();
      const width = await page.evaluate('document.documentElement.scrollWidth');
      expect(width).toBeLessThanOrEqual(phone.width);
      expect(await unusableControls(page)).toEqual([]);
      expect(await seriousAxeFindings(page)).toEqual([]);
    },
  );
});
