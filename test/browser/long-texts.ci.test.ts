/** Values that a text area of the browser cannot show. */
import BetterSqlite3 from 'better-sqlite3';
import type { Page } from 'playwright-core';
import { expect, test } from 'vitest';
import { inBrowser, storedIn } from './studio-page.ts';

const lines = 'x\r\n'.repeat(500_000);

function build(file: string): void {
  const database = new BetterSqlite3(file);
  database.exec('CREATE TABLE long (id INTEGER PRIMARY KEY, a TEXT, j JSON)');
  const insert = database.prepare('INSERT INTO long VALUES (?, ?, ?)');
  insert.run(1, lines, '{\n  "a": 1\n}');
  insert.run(2, 'word and more '.repeat(75_000), '[]');
  insert.run(3, 'short', '[]');
  insert.run(4, 'short', '[]');
  database.close();
}

/** Lengths and ends of a text, which a failed assertion can print. */
const summaryOf = (text: unknown) => {
  const wholeText = String(text);
  return { length: wholeText.length, head: wholeText.slice(0, 40), tail: wholeText.slice(-40) };
};

const storedText = (file: string, id: number): unknown =>
  storedIn(file, `SELECT a FROM long WHERE id = ${id}`)[0];

async function save(page: Page): Promise<void> {
  await page.keyboard.press('Control+s');
  await page.getByText('Saved 1 change').waitFor();
}

inBrowser(
  'long texts',
  ({ open, file }) => {
    test('of half a million lines are edited in a cell, and keep their line ends', async () => {
      const page = await open('/tables/long');
      await page.locator('#cell-0-1').dblclick();
      const editor = page.getByRole('textbox', { name: 'a', exact: true });
      await editor.waitFor();
      await page.keyboard.press('Control+Home');
      await page.keyboard.type('first ');
      await page.keyboard.press('Shift+Enter');
      await page.keyboard.press('Enter');
      await editor.waitFor({ state: 'detached' });
      await save(page);
      expect(summaryOf(storedText(file(), 1))).toEqual(summaryOf(`first \r\n${lines}`));
    });

    test('of a megabyte on one line are edited in the record', async () => {
      const page = await open('/tables/long?open=long/2');
      await page.getByRole('button', { name: 'Edit all of a' }).click();
      await page.getByRole('textbox', { name: 'a', exact: true }).click();
      await page.keyboard.press('Control+End');
      await page.keyboard.type('end');
      await page.getByRole('button', { name: 'Review' }).click();
      await page
        .getByText('end', { exact: true })
        .or(page.getByText(/not shown/))
        .first()
        .waitFor();
      await page.keyboard.press('Escape');
      await save(page);
      expect(summaryOf(storedText(file(), 2))).toEqual(
        summaryOf(`${'word and more '.repeat(75_000)}end`),
      );
    });

    test('are pasted into a field of one line, with their line ends', async () => {
      const page = await open('/tables/long', {
        permissions: ['clipboard-read', 'clipboard-write'],
      });
      const paste = async (text: string): Promise<void> => {
        await page.evaluate(
          `navigator.clipboard.writeText(${JSON.stringify(text.slice(0, 4))}.repeat(${text.length / 4}))`,
        );
        await page.keyboard.press('Control+v');
      };
      await page.locator('#cell-2-1').dblclick();
      await page.getByRole('textbox', { name: 'a', exact: true }).waitFor();
      await paste('ab\n '.repeat(2));
      await page.keyboard.press('Enter');
      await save(page);
      expect(storedText(file(), 3)).toBe('ab\n ab\n ');
      await page.locator('#cell-3-1').dblclick();
      await page.getByRole('textbox', { name: 'a', exact: true }).waitFor();
      await paste('ab\n '.repeat(50_000));
      await page.getByRole('dialog', { name: 'Edit a' }).getByRole('textbox').waitFor();
      await page.keyboard.press('Control+Enter');
      await save(page);
      expect(summaryOf(storedText(file(), 4))).toEqual(summaryOf('ab\n '.repeat(50_000)));
    });

    test('an editor of JSON that is closed with Ctrl+Enter leaves the document as it was', async () => {
      const page = await open('/tables/long');
      await page.locator('#cell-0-2').dblclick();
      await page.locator('.json-editor .cm-content').waitFor();
      await page.keyboard.press('Control+Enter');
      await page.getByRole('dialog', { name: 'Edit j' }).waitFor({ state: 'detached' });
      expect(await page.getByRole('region', { name: 'Unsaved changes' }).count()).toBe(0);
    });
  },
  { build },
);
