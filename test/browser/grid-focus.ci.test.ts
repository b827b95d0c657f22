/** Keyboard input goes to the cell that the user sees as active. */
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
    // The grid scrolls to its first row just after the rows have appeared.
    await expect
      .poll(async () => {
        await page.waitForTimeout(50);
        return page.evaluate(`(() => {
          const grid = document.querySelector('[role="grid"]');
          const before = grid.scrollTop;
          grid.scrollTop = 33;
          return before;
        })()`);
      })
      .toBe(33);
    const box = (await page.locator('#cell-1-1').boundingBox())!;
    await page.mouse.dblclick(box.x + 20, box.y + box.height - 6);
    const field = page.getByRole('dialog', { name: 'Edit name' }).getByRole('textbox');
    expect(await field.inputValue()).toBe(name);
  });

  test('an editor with an invalid text keeps the keyboard focus, and no other one opens', async () => {
    const page = await open('/tables/books?sort_by=id');
    const before = await page.locator('#cell-3-1').innerText();
    await page.locator('#cell-0-6').click();
    await page.keyboard.type('12x');
    const editor = page.getByRole('dialog', { name: 'Edit page_count' });
    const field = editor.getByRole('textbox');
    await page.locator('#cell-3-1').click();
    await editor.getByText('This is not a number.').waitFor();
    await page.keyboard.type('y');
    await expect.poll(() => field.inputValue()).toBe('12xy');
    await page.locator('#cell-3-1').dblclick();
    await page.keyboard.type('z');
    await expect.poll(() => field.inputValue()).toBe('12xyz');
    await page.keyboard.press('Escape');
    await editor.waitFor({ state: 'detached' });
    expect(await page.locator('#cell-3-1').innerText()).toBe(before);
    await page.keyboard.type('typed after that');
    await page.keyboard.press('Enter');
    await expect.poll(() => page.locator('#cell-3-1').innerText()).toBe('typed after that');
  });

  test('keys of an input method do not end the edit', async () => {
    const page = await open('/tables/tags?sort_by=id');
    const client = await page.context().newCDPSession(page);
    const compose = async (text: string): Promise<void> => {
      await client.send('Input.imeSetComposition', {
        text,
        selectionStart: text.length,
        selectionEnd: text.length,
      });
    };
    const pressDuringComposition = async (key: string): Promise<void> => {
      const event = { key, code: key, windowsVirtualKeyCode: 229 };
      await client.send('Input.dispatchKeyEvent', { ...event, type: 'rawKeyDown' });
      await client.send('Input.dispatchKeyEvent', { ...event, type: 'keyUp' });
    };
    await page.locator('#cell-1-1').dblclick();
    const field = page.getByRole('dialog', { name: 'Edit name' }).getByRole('textbox');
    await page.keyboard.press('Control+a');
    for (const key of ['Enter', 'Tab', 'Escape']) {
      await compose('にほ');
      await pressDuringComposition(key);
      await expect.poll(() => field.inputValue()).toContain('にほ');
    }
    await client.send('Input.insertText', { text: '日本' });
    await page.keyboard.press('Enter');
    await expect.poll(() => page.locator('#cell-1-1').innerText()).toBe('日本');
  });

  test('Shift+Tab goes to the cell on the left, Ctrl+Y redoes', async () => {
    const page = await open('/tables/tags?sort_by=id');
    await page.locator('#cell-2-2').click();
    await page.keyboard.type('#010203');
    await page.keyboard.press('Shift+Tab');
    await page.keyboard.type('to the left');
    await page.keyboard.press('Enter');
    await expect.poll(() => page.locator('#cell-2-1').innerText()).toBe('to the left');
    const before = await page.locator('#cell-2-2').innerText();
    await page.keyboard.press('Control+z');
    await page.keyboard.press('Control+z');
    await expect.poll(() => page.locator('#cell-2-2').innerText()).not.toBe(before);
    await page.keyboard.press('Control+y');
    await expect.poll(() => page.locator('#cell-2-2').innerText()).toBe(before);
  });

  test('dialogs and menus over the grid return the keyboard focus to the cell', async () => {
    const page = await open('/tables/tags?sort_by=id');
    const cell = page.locator('#cell-2-1');
    const palette = page.getByRole('dialog').getByRole('combobox');
    const typeOver = async (text: string): Promise<void> => {
      await page.keyboard.type(text);
      await page.keyboard.press('Enter');
      await expect.poll(() => cell.innerText()).toBe(text);
      await cell.click();
    };
    await cell.click();
    await page.keyboard.type('half a');
    await page.keyboard.press('Control+k');
    await palette.waitFor();
    await page.keyboard.press('Escape');
    await palette.waitFor({ state: 'detached' });
    await expect.poll(() => cell.innerText()).toBe('half a');
    await typeOver('first');
    await page
      .getByRole('button', { name: /^Search/ })
      .first()
      .click();
    await palette.waitFor();
    await page.keyboard.press('Escape');
    await palette.waitFor({ state: 'detached' });
    await typeOver('second');
    const head = page.locator('.th').nth(1);
    await head.hover();
    await head.getByRole('button', { name: 'Open menu of name' }).click();
    await page.getByRole('menu').waitFor();
    await page.keyboard.press('Escape');
    await page.getByRole('menu').waitFor({ state: 'detached' });
    await typeOver('third');
    await page.getByRole('row').nth(3).getByRole('checkbox').click();
    await typeOver('fourth');
    await page.getByRole('button', { name: 'Review' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Save' }).click();
    await page.getByText('Saved 1 change').waitFor();
    await page.getByRole('dialog').waitFor({ state: 'detached' });
    await typeOver('after the review');
    await page.locator('.th').nth(2).locator('.head-cell').click();
    await page.locator('.th').nth(2).locator('.sorted').first().waitFor();
    const active = page.locator('[role="gridcell"].cur');
    await page.keyboard.type('fifth');
    await page.keyboard.press('Tab');
    await page.keyboard.press('ArrowLeft');
    await expect.poll(() => active.innerText()).toBe('fifth');
  });

  test('characters that need AltGr open the cell', async () => {
    const page = await open('/tables/tags?sort_by=id');
    const client = await page.context().newCDPSession(page);
    await page.locator('#cell-1-1').click();
    const altAndControl = 3;
    const at = { key: '@', code: 'KeyQ', windowsVirtualKeyCode: 81, modifiers: altAndControl };
    await client.send('Input.dispatchKeyEvent', { ...at, type: 'rawKeyDown' });
    await client.send('Input.dispatchKeyEvent', { ...at, type: 'keyUp' });
    await page.keyboard.type('home');
    await page.keyboard.press('Enter');
    await expect.poll(() => page.locator('#cell-1-1').innerText()).toBe('@home');
  });

  test('a record that covers the grid has the keyboard focus, and returns it', async () => {
    const page = await open('/tables/tags?sort_by=id', { viewport: { width: 720, height: 450 } });
    const record = page.getByRole('complementary', { name: 'Record' });
    await page.locator('#cell-1-1').click();
    await page.keyboard.press(' ');
    await record.waitFor();
    await page.keyboard.press('Tab');
    expect(await record.locator(':focus').count()).toBe(1);
    await page.keyboard.press('Escape');
    await record.waitFor({ state: 'detached' });
    await page.keyboard.type('back in the grid');
    await page.keyboard.press('Enter');
    await expect.poll(() => page.locator('#cell-1-1').innerText()).toBe('back in the grid');
  });
});
