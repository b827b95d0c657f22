/** The selection and the editor stay with their record when rows or columns move. */
import { expect, test } from 'vitest';
import type { Page } from 'playwright-core';
import { changeFile, inBrowser, storedIn } from './studio-page.ts';

const active = (page: Page) => page.locator('[role="gridcell"].cur');

inBrowser('records that move', ({ open, file }) => {
  const createTable = (): void =>
    changeFile(
      file(),
      `DROP TABLE IF EXISTS moving;
       CREATE TABLE moving (code TEXT PRIMARY KEY, name TEXT, note TEXT);
       INSERT INTO moving VALUES ('a', 'ann', 'A'), ('b', 'ben', 'B'), ('c', 'cat', 'C'),
         ('d', 'dan', 'D'), ('e', 'eve', 'E'), ('f', 'fay', 'F');`,
    );
  const stored = (): readonly unknown[] =>
    storedIn(
      file(),
      "SELECT code || ' ' || name || ' ' || coalesce(note, '-') FROM moving ORDER BY rowid",
    );
  const openMoving = async (view: string): Promise<Page> => {
    createTable();
    const page = await open(`/tables/moving?${view}`);
    await page.locator('#cell-5-0').waitFor();
    return page;
  };
  /** Holds the response to a save until the returned function is called. */
  const holdSave = async (page: Page): Promise<() => void> => {
    let release = (): void => undefined;
    const isReleased = new Promise<void>((resolve) => {
      release = resolve;
    });
    await page.route(
      /\/changes(\?|$)/,
      async (route) => {
        const response = await route.fetch();
        await isReleased;
        await route.fulfill({ response });
      },
      { times: 1 },
    );
    return () => release();
  };

  test('a duplicated row, a new one and undo leave the selection on its record', async () => {
    const page = await openMoving('sort_by=code');
    await page.locator('#cell-2-2').click();
    await page.keyboard.press('Control+d');
    await expect.poll(() => active(page).getAttribute('id')).toBe('cell-3-2');
    await page.getByRole('button', { name: 'Add row', exact: true }).click();
    await expect.poll(() => active(page).getAttribute('id')).toBe('cell-1-0');
    await page.locator('#cell-4-2').click();
    await page.keyboard.press('Control+z');
    await page.keyboard.press('Control+z');
    await expect.poll(() => active(page).getAttribute('id')).toBe('cell-2-2');
    await page.keyboard.type('of cat');
    await page.keyboard.press('Enter');
    await page.keyboard.press('Control+s');
    await page.getByText('Saved 1 change').waitFor();
    expect(stored()).toContain('c cat of cat');
  });

  test('a save that moves a row takes the selection with it', async () => {
    const page = await openMoving('sort_by=name');
    await page.locator('#cell-1-1').click();
    await page.keyboard.type('zoe');
    await page.keyboard.press('Enter');
    await page.keyboard.press('ArrowUp');
    await page.keyboard.press('Control+s');
    await expect.poll(() => active(page).getAttribute('id')).toBe('cell-5-1');
    await page.keyboard.press('ArrowRight');
    await page.keyboard.press('Backspace');
    await page.keyboard.press('Control+s');
    await expect.poll(() => stored()).toContain('b zoe -');
    expect(stored().filter((row) => String(row).endsWith('-'))).toHaveLength(1);
  });

  test('no key acts on another record after the selected one has left the page', async () => {
    const page = await openMoving('sort_by=code&page_size=500');
    await page.getByPlaceholder('Search text columns').fill('n');
    await page.locator('#cell-4-0').waitFor({ state: 'detached' });
    await page.locator('#cell-1-1').click();
    await page.keyboard.type('bea');
    await page.keyboard.press('Enter');
    await page.keyboard.press('ArrowUp');
    await page.keyboard.press('Control+s');
    await page.getByText('Saved 1 change').waitFor();
    await expect.poll(() => active(page).count()).toBe(0);
    await page.keyboard.type('ghost');
    for (const key of ['Delete', 'Backspace', 'Control+d', 'Control+v'])
      await page.keyboard.press(key);
    await page.keyboard.press('Enter');
    await expect.poll(() => active(page).getAttribute('id')).toBe('cell-1-1');
    expect(await page.getByText('0 changes').count()).toBe(1);
    expect(stored()).toContain('b bea B');
  });

  test('a selected block whose rows move apart shrinks to its active cell', async () => {
    const page = await openMoving('sort_by=code');
    changeFile(file(), "UPDATE moving SET name = 'zed' WHERE code = 'b'");
    await page.locator('#cell-1-1').click();
    await page.keyboard.press('Shift+ArrowDown');
    await page.locator('.th').nth(1).locator('.head-cell').click();
    await expect.poll(() => active(page).getAttribute('id')).toBe('cell-5-1');
    expect(await page.locator('[role="gridcell"][aria-selected="true"]').count()).toBe(1);
    await page.keyboard.press('Delete');
    await expect.poll(() => page.locator('[role="row"].del').count()).toBe(1);
    await page.keyboard.press('Control+s');
    await page.getByText('Saved 1 change').waitFor();
    expect(stored()).toHaveLength(5);
    expect(stored().join()).not.toContain('b zed');
  });

  test('an editor that is open while the key of its row is saved belongs to the row', async () => {
    const page = await openMoving('sort_by=code');
    const release = await holdSave(page);
    await page.locator('#cell-1-0').click();
    await page.keyboard.type('x');
    await page.keyboard.press('Enter');
    await page.keyboard.press('Control+s');
    await page.getByText('Saving').waitFor();
    await page.locator('#cell-1-2').click();
    await page.keyboard.type('of be');
    release();
    await page.getByText('Saved 1 change').waitFor();
    await page.keyboard.type('n');
    await page.keyboard.press('Enter');
    await page.keyboard.press('Control+s');
    await expect.poll(() => stored()).toContain('x ben of ben');
  });

  test('the selection follows a new key, also one that another row had', async () => {
    const page = await openMoving('sort_by=code');
    await page.locator('#cell-3-2').click();
    await page.keyboard.press('Delete');
    await page.locator('#cell-1-0').click();
    await page.keyboard.type('d');
    await page.keyboard.press('Enter');
    await page.keyboard.press('ArrowUp');
    await page.keyboard.press('Control+s');
    await page.getByText('Saved 2 changes').waitFor();
    await expect.poll(() => active(page).getAttribute('id')).toBe('cell-2-0');
    await page.keyboard.press('ArrowRight');
    await page.keyboard.type('ben again');
    await page.keyboard.press('Enter');
    await page.keyboard.press('Control+s');
    await expect.poll(() => stored()).toContain('d ben again B');
  });

  test('a hidden column leaves the selection on its column', async () => {
    const page = await openMoving('sort_by=code');
    await page.locator('#cell-2-2').click();
    await page.locator('.th').nth(1).click({ button: 'right' });
    await page.getByRole('menuitem', { name: 'Hide column' }).click();
    await expect.poll(() => active(page).getAttribute('id')).toBe('cell-2-1');
    await page.keyboard.type('note of cat');
    await page.keyboard.press('Enter');
    await page.keyboard.press('Control+s');
    await page.getByText('Saved 1 change').waitFor();
    expect(stored()).toContain('c cat note of cat');
  });

  test('the record beside the grid stays open when saves give it other ids', async () => {
    const page = await openMoving('sort_by=code');
    const record = page.getByRole('complementary', { name: 'Record' });
    await page.getByRole('button', { name: 'Add row', exact: true }).click();
    await page.getByRole('button', { name: 'Open new row' }).click();
    await record.getByLabel('code', { exact: true }).click();
    for (const typed of ['n', 'e', 'w']) {
      await page.keyboard.type(typed);
      await page.keyboard.press('Control+s');
      await page.getByText('0 changes').waitFor();
    }
    await record.getByRole('button', { name: 'moving new' }).waitFor();
    await page.keyboard.press('Tab');
    await page.keyboard.press('Tab');
    await page.keyboard.type('nina');
    await page.keyboard.press('Control+s');
    await expect.poll(() => stored()).toContain('new nina -');
    expect(stored()).toHaveLength(7);
  });
});
