/** The cell that has the keyboard is the one that the user sees and means. */
import { expect, test } from 'vitest';
import type { Page } from 'playwright-core';
import { inBrowser, storedIn } from './studio-page.ts';

const viewport = { width: 1100, height: 600 };

/** How many pixels of a cell are hidden by the head or below the edge of the grid. */
async function hiddenPixels(page: Page, row: number): Promise<number> {
  return (await page.evaluate(`(() => {
    const cell = document.getElementById('cell-${row}-1').getBoundingClientRect();
    const grid = document.querySelector('[role="grid"]').getBoundingClientRect();
    const head = document.querySelector('[role="columnheader"]').getBoundingClientRect();
    return Math.max(0, head.bottom - cell.top, cell.bottom - grid.bottom);
  })()`)) as number;
}

inBrowser('the keyboard in the grid', ({ open, file }) => {
  test('the arrow keys keep the active cell in view', async () => {
    const page = await open('/tables/comments?sort_by=id', { viewport });
    await page.locator('#cell-0-1').click();
    for (let row = 1; row <= 24; row++) {
      await page.keyboard.press('ArrowDown');
      await expect
        .poll(() => hiddenPixels(page, row), { message: `down to ${row}` })
        .toBeLessThan(2);
    }
    for (let row = 23; row >= 0; row--) {
      await page.keyboard.press('ArrowUp');
      await expect.poll(() => hiddenPixels(page, row), { message: `up to ${row}` }).toBeLessThan(2);
    }
  });

  test('a double click on a row that the head covers in part edits that row', async () => {
    const page = await open('/tables/tags?sort_by=id', { viewport });
    const [name = ''] = storedIn(file(), 'SELECT name FROM tags ORDER BY id LIMIT 1 OFFSET 1');
    await page.locator('#cell-1-1').waitFor();
    await page.evaluate(`document.querySelector('[role="grid"]').scrollTop = 33`);
    const box = (await page.locator('#cell-1-1').boundingBox())!;
    await page.mouse.dblclick(box.x + 20, box.y + box.height - 6);
    const field = page.getByRole('dialog', { name: 'Edit name' }).getByRole('textbox');
    expect(await field.inputValue()).toBe(name);
  });
});
