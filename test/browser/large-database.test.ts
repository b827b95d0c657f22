/** What only many rows, many tables or long values show. */
import BetterSqlite3 from 'better-sqlite3';
import { expect, test } from 'vitest';
import type { Page } from 'playwright-core';
import { inBrowser } from './studio-page.ts';

const rowCount = 1_000_000;

function build(file: string): void {
  const database = new BetterSqlite3(file);
  try {
    database.exec(`
      CREATE TABLE million (id INTEGER PRIMARY KEY, name TEXT, note TEXT);
      WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < ${rowCount})
      INSERT INTO million SELECT i, 'Same', CASE WHEN i > 50 THEN 'a much longer note' END FROM n;
      CREATE TABLE long_texts (id INTEGER PRIMARY KEY, a TEXT, b TEXT, at TIMESTAMP);
    `);
    const text = `${'word '.repeat(16)}\n`.repeat(12_500);
    database
      .prepare('INSERT INTO long_texts VALUES (1, ?, ?, ?)')
      .run(text, text, '2026-03-04T05:06:07Z');
  } finally {
    database.close();
  }
}

const headsOf = (page: Page): Promise<unknown> =>
  page
    .getByRole('columnheader')
    .evaluateAll((heads) => heads.map((head) => head.getBoundingClientRect().x));

/** The layout shifts since the page opened, added up. */
const shiftOf = (page: Page): Promise<number> =>
  page.evaluate(`new Promise((resolve) => {
    new PerformanceObserver((list) =>
      resolve(list.getEntries().reduce((sum, { value }) => sum + value, 0)),
    ).observe({ type: 'layout-shift', buffered: true });
    setTimeout(() => resolve(0), 200);
  })`);

/** The number in the pager's field, and the text around it. */
async function pagerOf(page: Page): Promise<{ page: string; text: string }> {
  const pager = page.locator('.pages');
  return {
    page: await pager.getByLabel('Page', { exact: true }).inputValue(),
    text: await pager.innerText(),
  };
}

inBrowser(
  'a large database',
  ({ open }) => {
    test('numbers and draws the last of a million rows whole', async () => {
      const page = await open('/tables/million?page_size=all');
      await page.locator('#cell-0-1').click();
      const pictureOf = async (row: number): Promise<string> => {
        const cell = page.locator(`#cell-${row}-1`);
        await cell.getByText('Same').waitFor();
        return (await cell.screenshot()).toString('base64');
      };
      await page.keyboard.press('Control+End');
      await page.keyboard.press('Home');
      const rows = Array.from({ length: 18 }, (_, i) => rowCount - 2 - i);
      const pictures = new Set<string>();
      for (const row of rows) pictures.add(await pictureOf(row));
      expect(pictures.size).toBe(1);
      const number = page.locator('.gr', { has: page.locator(`#cell-${rowCount - 1}-0`) });
      const label = number.locator('.g');
      expect(await label.innerText()).toBe(String(rowCount));
      expect(await label.evaluate((g) => g.scrollWidth <= g.clientWidth)).toBe(true);
    });

    test('leaves rows, widths and the number of pages in place while another page loads', async () => {
      const page = await open('/tables/million');
      await page.locator('#cell-0-1').waitFor();
      let release: (() => void) | undefined;
      await page.route(/[?&]page=2&/, async (route) => {
        await new Promise<void>((resolve) => (release = resolve));
        await route.continue();
      });
      const heads = await headsOf(page);
      await page.getByRole('button', { name: 'Next page' }).click();
      await page.locator('.grid.waiting .gr').getByText('Same').first().waitFor();
      expect(await pagerOf(page)).toEqual({ page: '2', text: 'Page  of 20,000' });
      expect(await page.locator('.gr .g .no').first().innerText()).toBe('1');
      await expect.poll(() => release).toBeDefined();
      release?.();
      await page.locator('.gr .g').getByText('51', { exact: true }).waitFor();
      expect(await headsOf(page)).toEqual(heads);
      expect(await page.locator('.grid.waiting').count()).toBe(0);
      expect(await shiftOf(page)).toBeLessThan(0.001);
    });

    test('opens a record with two values of a megabyte without laying them out', async () => {
      const page = await open('/tables/long_texts');
      const timestamp = await page.locator('#cell-0-3').innerText();
      await page.getByRole('button', { name: 'Open row 1', exact: true }).click();
      await page.getByRole('button', { name: 'Edit all of b' }).waitFor();
      expect(await page.getByRole('textbox', { name: 'at' }).inputValue()).toBe(timestamp);
      await page.getByRole('button', { name: 'Edit all of a' }).click();
      const field = page.getByRole('textbox', { name: 'a', exact: true });
      await field.getByText('word word').first().waitFor();
      expect(await field.locator('.cm-line').count()).toBeLessThan(200);
    });

    test('does not shift while it opens in the middle', async () => {
      const page = await open('/tables/million?page=9000');
      await page.locator('#cell-0-1').waitFor();
      await expect.poll(() => pagerOf(page)).toEqual({ page: '9,000', text: 'Page  of 20,000' });
      expect(await shiftOf(page)).toBeLessThan(0.001);
    });
  },
  { build },
);
