import { expect, test } from 'vitest';
import type { Page } from 'playwright-core';
import { inBrowser, seriousAxeFindings, storedIn } from './studio-page.ts';

inBrowser('by keyboard alone', ({ open, file }) => {
  /** Presses Tab until the element has the focus. */
  const tabTo = async (page: Page, target: string): Promise<void> => {
    for (let i = 0; i < 60; i++) {
      if (await page.evaluate(`document.activeElement?.matches(${JSON.stringify(target)})`)) return;
      await page.keyboard.press('Tab');
    }
    throw new Error(`Tab does not reach ${target}`);
  };

  test('a table is found, browsed, edited and saved', async () => {
    const page = await open('/');
    await page.locator('.home-table').first().waitFor();
    await page.keyboard.press('Control+k');
    await page.keyboard.type('tags');
    await page.keyboard.press('Enter');
    await page.waitForURL(/tables\/tags$/);
    await page.locator('[role="gridcell"]').first().waitFor();
    await tabTo(page, '[role="grid"]');
    const outline = await page.evaluate('getComputedStyle(document.activeElement).outlineStyle');
    expect(outline).toBe('solid');
    await page.keyboard.press('ArrowDown');
    await page.keyboard.press('ArrowRight');
    await page.keyboard.press('Enter');
    await page.locator('.cell-editor').waitFor();
    await page.keyboard.press('Control+a');
    await page.keyboard.type('by keys');
    await page.keyboard.press('Tab');
    await page.locator('.cell-editor').waitFor({ state: 'detached' });
    expect(await page.locator('[role="grid"]:focus-within').count()).toBe(1);
    await page.keyboard.type('#0c0c0c');
    await page.keyboard.press('Enter');
    await page.keyboard.press('Control+s');
    await page.getByText('Saved 1 change').waitFor();
    expect(storedIn(file(), "SELECT color FROM tags WHERE name = 'by keys'")).toEqual(['#0c0c0c']);
    await page.keyboard.press(' ');
    await page.waitForURL(/open=tags/);
    await page.locator('.panel input').first().waitFor();
    await tabTo(page, '.panel input');
    await page.keyboard.press('Escape');
  });

  test('the rows have the focus after the palette or the filter has opened their table', async () => {
    const page = await open('/');
    await page.locator('.home-table').first().waitFor();
    const focused = page.locator('[role="grid"]:focus-within');
    await page.keyboard.press('Control+k');
    await page.keyboard.type('formats.tax');
    await page.getByRole('option', { name: 'formats.tax_rate' }).waitFor();
    await page.keyboard.press('Enter');
    await page.waitForURL(/\/tables\/formats$/);
    await focused.waitFor();
    await page.getByRole('gridcell', { name: 'paperback' }).first().waitFor();
    await page.keyboard.press('ArrowDown');
    await expect.poll(() => focused.getAttribute('aria-activedescendant')).toBe('cell-1-0');
    await page.getByRole('link', { name: 'SQL', exact: true }).first().focus();
    await page.keyboard.press('/');
    await page.keyboard.type('subj');
    await page.keyboard.press('Enter');
    await page.waitForURL(/\/tables\/subjects$/);
    await focused.waitFor();
  });

  test('? lists the shortcuts', async () => {
    const page = await open('/');
    await page.locator('.home-table').first().waitFor();
    await page.keyboard.press('?');
    const sheet = page.getByRole('dialog', { name: 'Keyboard shortcuts' });
    await sheet.getByText('Run all statements').waitFor();
    expect(await seriousAxeFindings(page)).toEqual([]);
    await page.keyboard.press('Escape');
    await sheet.waitFor({ state: 'detached' });
  });

  test('the grid announces the active cell', async () => {
    const page = await open('/tables/posts?page_size=200');
    await page.locator('[role="gridcell"]').first().waitFor();
    const grid = page.getByRole('grid');
    expect(await grid.getAttribute('aria-rowcount')).toBe('478');
    expect(await grid.getAttribute('aria-colcount')).toBe('14');
    await grid.focus();
    await page.keyboard.press('Control+End');
    const active = await grid.getAttribute('aria-activedescendant');
    expect(active).toBe('cell-199-13');
    const cell = page.locator(`#${active}`);
    expect(await cell.getAttribute('aria-colindex')).toBe('14');
    expect(await cell.getAttribute('aria-selected')).toBe('true');
    expect(await cell.locator('xpath=..').getAttribute('aria-rowindex')).toBe('201');
  });

  test('the menu key opens the menu of a cell, which shows why items are disabled', async () => {
    const page = await open('/tables/users');
    await page.locator('#cell-0-5').click();
    await page.keyboard.press('Shift+F10');
    const item = page.getByRole('menuitem', { name: /^Edit/ });
    await item.waitFor();
    expect(await item.innerText()).toContain('The database generates this column.');
    await page.keyboard.press('Escape');
    await item.waitFor({ state: 'detached' });
  });
});
