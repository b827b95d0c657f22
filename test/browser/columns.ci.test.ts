import { expect, test } from 'vitest';
import type { Page } from 'playwright-core';
import { inBrowser, seriousAxeFindings, storedIn } from './studio-page.ts';

inBrowser('columns and blocks', ({ open, file }) => {
  const heads = async (page: Page): Promise<readonly string[]> =>
    page.locator('.th .n > span:first-of-type').allInnerTexts();
  const clipboard = { permissions: ['clipboard-read', 'clipboard-write'] };

  test('can be hidden, moved and pinned, and stay so after a reload', async () => {
    const page = await open('/tables/tags');
    await page.locator('[role="gridcell"]').first().waitFor();
    expect(await heads(page)).toEqual(['id', 'name', 'color']);
    await page.getByRole('button', { name: 'Columns', exact: true }).click();
    await page.getByRole('button', { name: 'Move color up' }).click();
    await page.getByRole('button', { name: 'Pin color' }).click();
    await page.getByRole('checkbox', { name: 'id' }).uncheck();
    expect(await seriousAxeFindings(page)).toEqual([]);
    await page.keyboard.press('Escape');
    expect(await heads(page)).toEqual(['color', 'name']);
    await page.reload();
    await page.locator('[role="gridcell"]').first().waitFor();
    expect(await heads(page)).toEqual(['color', 'name']);
    await page.getByRole('button', { name: 'Columns', exact: true }).click();
    await page.getByRole('button', { name: 'Reset' }).click();
    expect(await heads(page)).toEqual(['id', 'name', 'color']);
  });

  test('can be resized and moved by keyboard', async () => {
    const page = await open('/tables/tags');
    await page.locator('#cell-0-1').click();
    const width = async (): Promise<number> =>
      (await page.locator('#cell-0-1').boundingBox())?.width ?? 0;
    const before = await width();
    await page.keyboard.press('Alt+.');
    await expect.poll(width).toBeGreaterThan(before);
    await page.keyboard.press('Alt+Shift+ArrowRight');
    await expect.poll(() => heads(page)).toEqual(['id', 'color', 'name']);
  });

  test('leave Alt and the arrows to the browser', async () => {
    const page = await open('/tables/tags');
    await page.locator('#cell-0-1').click();
    const isDefaultPrevented: unknown = await page.evaluate(`new Promise((resolve) => {
      addEventListener('keydown', (event) => {
        if (event.key === 'ArrowLeft') resolve(event.defaultPrevented);
      });
      document.activeElement.dispatchEvent(
        new KeyboardEvent('keydown', { key: 'ArrowLeft', altKey: true, bubbles: true, cancelable: true }),
      );
    })`);
    expect(isDefaultPrevented).toBe(false);
    const width = (await page.locator('#cell-0-1').boundingBox())?.width;
    await page.keyboard.press('Alt+ArrowLeft');
    expect((await page.locator('#cell-0-1').boundingBox())?.width ?? width).toBe(width);
  });

  test('a selected block is copied in every format, and pasted', async () => {
    const page = await open('/tables/tags?sort_by=id', clipboard);
    await page.locator('#cell-0-1').click();
    await page.locator('#cell-1-2').click({ modifiers: ['Shift'] });
    const copied = async (): Promise<unknown> => page.evaluate('navigator.clipboard.readText()');
    const rows = storedIn(
      file(),
      'SELECT name || char(9) || color FROM tags ORDER BY id LIMIT 2',
    ).join('\n');
    await page.keyboard.press('Control+c');
    await expect.poll(copied).toBe(rows);
    const beginnings = {
      CSV: 'name,color\r\n',
      JSON: '[\n  { "name": ',
      SQL: 'INSERT INTO "tags" ("name", "color") VALUES (',
      Markdown: '| name | color |\n| --- |',
    };
    for (const [format, beginning] of Object.entries(beginnings)) {
      await page.locator('#cell-0-1').click({ button: 'right' });
      await page.getByRole('menuitem', { name: `Copy as ${format}` }).click();
      await expect.poll(copied).toContain(beginning);
    }
    await page.evaluate("navigator.clipboard.writeText('pasted a\\t#111111\\npasted b\\t#222222')");
    await page.locator('#cell-2-1').click();
    await page.keyboard.press('Control+v');
    await page.getByText('2 edited').waitFor();
    await page.keyboard.press('Control+s');
    await page.getByText('Saved 2 changes').waitFor();
    expect(
      storedIn(file(), "SELECT color FROM tags WHERE name LIKE 'pasted%' ORDER BY id"),
    ).toEqual(['#111111', '#222222']);
  });

  test('a block that does not fit is not pasted at all', async () => {
    const page = await open('/tables/books?sort_by=id', clipboard);
    const cell = page.locator('#cell-0-6');
    await cell.click();
    await expect.poll(() => cell.getAttribute('aria-selected')).toBe('true');
    await page.evaluate("navigator.clipboard.writeText('12\\t3.5\\nmany\\t4')");
    await page.keyboard.press('Control+v');
    await page.getByText('page_count: This is not a number.').waitFor();
    expect(await page.getByRole('region', { name: 'Unsaved changes' }).count()).toBe(0);
  });
});
