/** Where the keyboard focus is after mouse clicks, after rows have left the page, and at the edges of the grid. */
import { expect, test } from 'vitest';
import type { Page } from 'playwright-core';
import { changeFile, inBrowser, storedIn } from './studio-page.ts';

const permissions = ['clipboard-read', 'clipboard-write'];
const active = (page: Page) => page.locator('[role="gridcell"].cur');
const button = (page: Page, name: string) => page.getByRole('button', { name, exact: true });

/** Clicks the middle of an element, with real mouse events. */
async function clickAt(page: Page, target: ReturnType<Page['locator']>): Promise<void> {
  await target.waitFor();
  const box = (await target.boundingBox())!;
  await page.mouse.click(box.x + box.width / 2, box.y + box.height / 2);
}

inBrowser('the keyboard of the grid', ({ open, file }) => {
  const createTable = (): void =>
    changeFile(
      file(),
      `DROP TABLE IF EXISTS keyed;
       CREATE TABLE keyed (id INTEGER PRIMARY KEY, name TEXT NOT NULL, note TEXT, size INTEGER NOT NULL);
       INSERT INTO keyed SELECT value, 'name ' || value, 'note ' || value, value * 10
         FROM json_each('[1,2,3,4,5,6,7,8,9,10,11,12]');`,
    );
  const stored = (columns: string): readonly unknown[] =>
    storedIn(file(), `SELECT ${columns} FROM keyed ORDER BY id`);
  const openKeyed = async (view = ''): Promise<Page> => {
    createTable();
    const page = await open(`/tables/keyed?sort_by=id${view}`, { permissions });
    await page.locator('#cell-2-1').waitFor();
    return page;
  };
  const isActive = (page: Page, cell: string) =>
    expect.poll(() => active(page).getAttribute('id')).toBe(cell);

  test('a new row has the keyboard focus in its first editable cell', async () => {
    const page = await openKeyed();
    await clickAt(page, button(page, 'Add row'));
    await page.keyboard.type('typed at once');
    await page.keyboard.press('Tab');
    await page.keyboard.type('noted');
    await page.keyboard.press('Tab');
    await page.keyboard.type('7');
    await page.keyboard.press('Control+s');
    await page.getByText('Saved 1 change').waitFor();
    expect(stored('name || note || size').at(-1)).toBe('typed at oncenoted7');
  });

  test('the grid has the keyboard focus after a click on a button of its bars', async () => {
    const page = await openKeyed();
    await clickAt(page, page.locator('#cell-2-2'));
    const typeAndUndo = async (text: string): Promise<void> => {
      await page.keyboard.type(text);
      await page.keyboard.press('Enter');
      await expect.poll(() => page.locator('#cell-2-2').innerText()).toBe(text);
      await page.keyboard.press('ArrowUp');
    };
    await typeAndUndo('first');
    await clickAt(page, button(page, 'Undo'));
    await typeAndUndo('second');
    await clickAt(page, button(page, 'Discard'));
    await expect.poll(() => page.locator('#cell-2-2').innerText()).toBe('note 3');
    await typeAndUndo('third');
    await clickAt(page, button(page, 'Reload rows'));
    await typeAndUndo('fourth');
    await clickAt(page, button(page, 'Save Ctrl S'));
    await page.getByText('Saved 1 change').waitFor();
    await typeAndUndo('fifth');
    await clickAt(page, button(page, 'Filter'));
    await page.getByRole('combobox', { name: 'Condition' }).waitFor();
    await page.keyboard.press('Escape');
    await page.getByRole('combobox', { name: 'Condition' }).waitFor({ state: 'detached' });
    await typeAndUndo('sixth');
    expect(stored('note')[2]).toBe('fourth');
  });

  test('a filter that is applied leaves the cell and its column', async () => {
    const page = await openKeyed();
    await clickAt(page, page.locator('#cell-7-2'));
    const filterBy = async (size: string): Promise<void> => {
      await clickAt(page, button(page, 'Filter'));
      await page.getByRole('combobox', { name: 'Column' }).selectOption('size');
      await page
        .getByRole('combobox', { name: 'Condition' })
        .selectOption({ label: 'is less than' });
      await page.getByRole('textbox', { name: 'Value' }).click();
      await page.keyboard.type(size);
      await clickAt(page, button(page, 'Apply'));
    };
    await filterBy('100');
    await page.locator('#cell-9-0').waitFor({ state: 'detached' });
    await isActive(page, 'cell-7-2');
    await filterBy('50');
    await page.locator('#cell-4-0').waitFor({ state: 'detached' });
    expect(await active(page).count()).toBe(0);
    await page.keyboard.type('ghost');
    await page.keyboard.press('ArrowUp');
    await isActive(page, 'cell-3-2');
    await page.keyboard.type('of the last');
    await page.keyboard.press('Enter');
    await clickAt(page, button(page, 'Clear all'));
    await page.locator('#cell-9-0').waitFor();
    await page.keyboard.press('Control+s');
    await page.getByText('Saved 1 change').waitFor();
    expect(stored('note').slice(3, 5)).toEqual(['of the last', 'note 5']);
  });

  test('a row that comes back is selected again; on another page the arrow keys continue at the same position', async () => {
    const page = await openKeyed('&page_size=25');
    changeFile(
      file(),
      `INSERT INTO keyed SELECT 100 + n, 'name', 'note', 5 FROM
         (WITH RECURSIVE c(n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM c WHERE n < 60) SELECT n FROM c)`,
    );
    await clickAt(page, button(page, 'Reload rows'));
    await expect.poll(() => button(page, 'Next page').isEnabled()).toBe(true);
    await clickAt(page, page.locator('#cell-4-2'));
    await clickAt(page, button(page, 'Next page'));
    await expect.poll(() => page.locator('#cell-0-0').innerText()).toBe('114');
    expect(await active(page).count()).toBe(0);
    await clickAt(page, button(page, 'Previous page'));
    await isActive(page, 'cell-4-2');
    await clickAt(page, button(page, 'Next page'));
    await expect.poll(() => page.locator('#cell-0-0').innerText()).toBe('114');
    await page.keyboard.press('ArrowDown');
    await isActive(page, 'cell-4-2');
    await page.keyboard.press('ArrowRight');
    await isActive(page, 'cell-4-3');
  });

  test('Tab continues in the next row, Shift+Tab in the previous one; Enter stays in the last row', async () => {
    const page = await openKeyed();
    await clickAt(page, page.locator('#cell-1-3'));
    await page.keyboard.type('77');
    await page.keyboard.press('Tab');
    await isActive(page, 'cell-2-0');
    await page.keyboard.press('F2');
    await page.keyboard.press('Shift+Tab');
    await isActive(page, 'cell-1-3');
    await clickAt(page, page.locator('#cell-11-3'));
    await page.keyboard.type('88');
    await page.keyboard.press('Enter');
    await isActive(page, 'cell-11-3');
    await page.keyboard.press('F2');
    await page.keyboard.press('Tab');
    await isActive(page, 'cell-11-3');
    await page.keyboard.press('Control+s');
    await page.getByText('Saved 2 changes').waitFor();
    expect(stored('size')).toEqual([10, 77, 30, 40, 50, 60, 70, 80, 90, 100, 110, 88]);
  });

  test('Tab skips cells while values are entered, and leaves the grid after Escape', async () => {
    const page = await openKeyed();
    const isInGrid = () =>
      page.evaluate(`document.activeElement.closest('[role="grid"]') !== null`);
    await clickAt(page, page.locator('#cell-1-1'));
    await page.keyboard.type('first');
    await page.keyboard.press('Tab');
    await page.keyboard.press('Tab');
    await isActive(page, 'cell-1-3');
    await page.keyboard.type('200');
    await page.keyboard.press('Shift+Tab');
    await page.keyboard.press('Shift+Tab');
    await isActive(page, 'cell-1-1');
    await page.keyboard.press('Escape');
    await page.keyboard.press('Tab');
    expect(await isInGrid()).toBe(false);
    await page.getByRole('button', { name: 'Add row', exact: true }).click();
    await isActive(page, 'cell-0-1');
    await page.keyboard.press('Tab');
    await page.keyboard.press('Tab');
    await page.keyboard.type('300');
    await page.keyboard.press('Enter');
    await page.locator('#cell-0-3').getByText('300').waitFor();
    await page.keyboard.press('ArrowDown');
    await page.keyboard.press('Tab');
    expect(await isInGrid()).toBe(false);
  });

  test('the key that adds a row from the palette types nothing into it', async () => {
    const page = await openKeyed();
    for (let count = 1; count <= 8; count++) {
      await page.keyboard.press('Control+k');
      await page.getByRole('combobox').waitFor();
      await page.keyboard.type('add row to');
      await page
        .getByRole('option', { name: /add row to/i })
        .first()
        .waitFor();
      await page.keyboard.press('Enter');
      await expect.poll(() => page.locator('.gr.new').count()).toBe(count);
      expect(await page.locator('.cell-editor').count()).toBe(0);
    }
  });

  test('cut cells are on the clipboard, and empty until undo', async () => {
    const page = await openKeyed();
    const clipboard = () => page.evaluate('navigator.clipboard.readText()');
    await clickAt(page, page.locator('#cell-1-1'));
    await page.keyboard.press('Shift+ArrowDown');
    await page.keyboard.press('Shift+ArrowRight');
    await page.keyboard.press('Control+x');
    await expect.poll(() => page.locator('#cell-1-1').innerText()).toBe('empty');
    expect(await page.locator('#cell-2-2').innerText()).toBe('NULL');
    expect(await clipboard()).toBe('name 2\tnote 2\nname 3\tnote 3');
    await page.keyboard.press('Control+z');
    await expect.poll(() => page.locator('#cell-2-2').innerText()).toBe('note 3');
    await page.keyboard.press('Control+y');
    await clickAt(page, page.locator('#cell-5-1'));
    await page.keyboard.press('Control+v');
    await expect.poll(() => page.locator('#cell-6-2').innerText()).toBe('note 3');
    await page.keyboard.press('Control+s');
    await page.getByText('Saved 4 changes').waitFor();
    expect(stored("name || ' ' || coalesce(note, '-')").slice(1, 7)).toEqual([
      ' -',
      ' -',
      'name 4 note 4',
      'name 5 note 5',
      'name 2 note 2',
      'name 3 note 3',
    ]);
    await clickAt(page, page.locator('#cell-7-2'));
    await page.keyboard.press('Shift+ArrowRight');
    await page.keyboard.press('Control+x');
    await page.getByText('Nothing was cut').waitFor();
    expect(await page.getByText('size: This column is NOT NULL.').count()).toBe(1);
    expect(await clipboard()).toBe('name 2\tnote 2\nname 3\tnote 3');
    expect(await page.getByText('0 changes').count()).toBe(1);
    await clickAt(page, page.locator('#cell-7-3'));
    await page.keyboard.press('Backspace');
    await page.getByText('Nothing was set to NULL').waitFor();
  });
});
