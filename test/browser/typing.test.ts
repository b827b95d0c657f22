/** Text typed over a cell without a pause, however long the cell's editor takes to open. */
import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import type { Page } from 'playwright-core';
import { changeFile, inBrowser, storedIn } from './studio-page.ts';

const delayOfReads = 300;
const letter = fc.constantFrom(...'abcxyzAZ 0189.,;!"é');
/** A space opens the record. */
const text = fc.string({ unit: letter, minLength: 1, maxLength: 12 }).map((end) => `t${end}`);
const json = fc.oneof(
  fc.integer().map(String),
  fc.array(fc.nat(99), { minLength: 1 }).map((items) => JSON.stringify(items)),
  fc.string({ unit: letter, minLength: 1, maxLength: 8 }).map((word) => JSON.stringify(word)),
);

inBrowser('typing over cells', ({ open, file }) => {
  const cases = fc.sample(fc.record({ text, json }), 5);

  /** Reads of single cells, and the code of the JSON editor, arrive late. */
  const slowDown = async (page: Page): Promise<void> => {
    await page.route(/json-editor|code-editor|\/rows\/\d+/, async (route) => {
      await new Promise((resolve) => setTimeout(resolve, delayOfReads));
      await route.continue();
    });
  };

  test('a text that replaces a shortened one, and JSON, are stored as typed', async () => {
    const ids = JSON.stringify(cases.map((_, i) => i + 1));
    changeFile(
      file(),
      `CREATE TABLE typed (id INTEGER PRIMARY KEY, long TEXT, doc JSON);
       INSERT INTO typed SELECT value, printf('%.9000c', 'x'), '{"a":1}' FROM json_each('${ids}')`,
    );
    const page = await open('/tables/typed?sort_by=id');
    await slowDown(page);
    for (const [row, typed] of cases.entries()) {
      await page.locator(`#cell-${row}-2`).click();
      await page.keyboard.type(typed.json);
      await page.keyboard.press('Control+Enter');
      await page.locator(`#cell-${row}-1`).click();
      await page.keyboard.type(typed.text);
      await page.keyboard.press('Enter');
    }
    await page.keyboard.press('Control+s');
    await page.getByText(`Saved ${cases.length} changes`).waitFor();
    expect(storedIn(file(), 'SELECT long FROM typed ORDER BY id')).toEqual(
      cases.map((typed) => typed.text),
    );
    const docs = storedIn(file(), 'SELECT doc FROM typed ORDER BY id') as string[];
    expect(docs.map((doc) => JSON.parse(doc))).toEqual(
      cases.map((typed) => JSON.parse(typed.json)),
    );
    changeFile(file(), 'DROP TABLE typed');
  });

  test('keys pressed while a value loads are not entered into it afterwards', async () => {
    changeFile(
      file(),
      `CREATE TABLE early (id INTEGER PRIMARY KEY, long TEXT, doc JSON);
       INSERT INTO early SELECT value, printf('%.9000c', 'x'), '{"a":1}' FROM json_each('[1,2,3]')`,
    );
    const page = await open('/tables/early?sort_by=id');
    await slowDown(page);
    const editor = page.locator('.cell-editor');
    for (const [column, field] of [
      [1, 'textarea'],
      [2, '.cm-content'],
    ] as const) {
      await page.locator(`#cell-0-${column}`).click();
      await page.keyboard.press('F2');
      await page.keyboard.type('first');
      await page.keyboard.press('Enter');
      await page.keyboard.press('ArrowDown');
      await page.keyboard.type('meant for the third row', { delay: delayOfReads / 10 });
      await editor.getByText('Press F2 to edit it.').waitFor();
      expect(await editor.locator(field).count()).toBe(0);
      await page.keyboard.press('F2');
      await editor.locator(field).waitFor();
      await page.keyboard.press('Escape');
      await editor.waitFor({ state: 'detached' });
    }
    expect(await page.getByRole('region', { name: 'Unsaved changes' }).count()).toBe(0);
    changeFile(file(), 'DROP TABLE early');
  });
});
