/** Only what the user changed is staged, and only for the record that was edited. */
import { expect, test } from 'vitest';
import type { Page } from 'playwright-core';
import { changeFile, inBrowser, storedIn } from './studio-page.ts';

const kinds = {
  text: 'TEXT',
  day: 'DATE',
  moment: 'TIMESTAMP',
  flag: 'BOOLEAN',
  grade: "TEXT CHECK (grade IN ('a', 'b'))",
  tag: 'INTEGER REFERENCES tags (id)',
  doc: 'JSON',
  count: 'INTEGER',
  amount: 'DECIMAL(8, 2)',
  any_value: '',
};
const columns = ['id', ...Object.keys(kinds)];
const cell = (row: number, column: string): string => `#cell-${row}-${columns.indexOf(column)}`;

inBrowser('cells that nobody changed', ({ open, file }) => {
  const createTable = (): void =>
    changeFile(
      file(),
      `DROP TABLE IF EXISTS kinds;
       CREATE TABLE kinds (id INTEGER PRIMARY KEY, ${Object.entries(kinds)
         .map((pair) => pair.join(' '))
         .join()});
       INSERT INTO kinds (id) VALUES (1), (2), (3);
       INSERT INTO kinds VALUES (4, 'four', '2024-02-29', '2024-02-29 10:00:00', 1, 'a', 1, '"5"', 4, 1.50, 5)`,
    );
  const stored = (query: string): readonly unknown[] => storedIn(file(), query);
  const openKinds = async (): Promise<Page> => {
    createTable();
    const page = await open('/tables/kinds?sort_by=id');
    await page.locator('#cell-0-0').waitFor();
    return page;
  };

  test('stay as they are when their editor opens and closes', async () => {
    const page = await openKinds();
    // Each column once, on a row of NULLs and on a row of values, with one way to open and close.
    const keys = [
      ['F2', 'Enter'],
      ['Enter', 'Tab'],
      ['F2', 'Control+Enter'],
    ] as const;
    for (const row of [0, 3])
      for (const [i, column] of columns.entries()) {
        const [first, last] = keys[(i + row) % keys.length] ?? keys[0];
        // Enter is a new line in JSON, and Tab goes to the buttons below a list of references.
        const isOther =
          (column === 'doc' && last === 'Enter') || (column === 'tag' && last === 'Tab');
        await page.locator(cell(row, column)).click({ position: { x: 2, y: 8 } });
        await page.keyboard.press(first);
        const editor = page.locator('.cell-editor');
        await editor.locator('input, select, .cm-content').first().waitFor();
        await page.keyboard.press(isOther ? 'Control+Enter' : last);
        await editor.waitFor({ state: 'detached' });
      }
    // Text that is typed and deleted again is not a change either.
    for (const column of ['text', 'count', 'day', 'any_value']) {
      await page.locator(cell(0, column)).click();
      await page.keyboard.type('7');
      await page.keyboard.press('Backspace');
      await page.keyboard.press('Enter');
    }
    await page.locator('.cell-editor').waitFor({ state: 'detached' });
    expect(await page.getByRole('region', { name: 'Unsaved changes' }).count()).toBe(0);
    await page.locator(cell(0, 'text')).click();
    await page.keyboard.press('F2');
    await page.getByRole('button', { name: 'EMPTY' }).click();
    await expect.poll(() => page.locator(cell(0, 'text')).innerText()).toBe('empty');
  });

  test('keys after a click on the search field go there, whatever editor was open', async () => {
    const page = await openKinds();
    const search = page.getByPlaceholder('Search text columns');
    for (const column of Object.keys(kinds)) {
      await page.locator(cell(3, column)).click({ position: { x: 2, y: 8 } });
      await page.keyboard.press('Enter');
      await page.locator('.cell-editor').waitFor();
      await search.click();
      await page.keyboard.press('Control+a');
      await page.keyboard.press('Delete');
      await page.keyboard.type('four');
      expect([column, await search.inputValue()]).toEqual([column, 'four']);
      expect(await page.locator('[role="row"].del').count()).toBe(0);
      await page.keyboard.press('Control+a');
      await page.keyboard.press('Delete');
      await page.locator(cell(3, 'id')).waitFor();
    }
  });

  test('keys after Ctrl+K go to the palette, and after a click on a button to the grid', async () => {
    const page = await openKinds();
    await page.locator(cell(3, 'text')).click();
    await page.keyboard.type('one');
    await page.keyboard.press('Control+k');
    await page.keyboard.type('ta');
    const palette = page.getByRole('dialog').getByRole('combobox');
    await expect.poll(() => palette.inputValue()).toBe('ta');
    await page.keyboard.press('Escape');
    await palette.waitFor({ state: 'detached' });
    expect(await page.locator(cell(3, 'text')).innerText()).toBe('one');
    await page.locator(cell(3, 'count')).click();
    await page.keyboard.type('7');
    await page.getByRole('button', { name: /^Save/ }).click();
    await expect.poll(() => stored('SELECT text FROM kinds WHERE id = 4')).toEqual(['one']);
    await page.keyboard.press('ArrowUp');
    await page.keyboard.type('8');
    await page.keyboard.press('Enter');
    await expect.poll(() => page.locator(cell(2, 'count')).innerText()).toBe('8');
  });

  test('a number and the text of its digits are different values', async () => {
    const page = await openKinds();
    await page.locator(cell(3, 'doc')).click();
    await page.keyboard.press('Enter');
    await page.locator('.cm-content').waitFor();
    await page.keyboard.press('Control+a');
    await page.keyboard.type('5');
    await page.keyboard.press('Control+Enter');
    await page.locator(cell(3, 'any_value')).click();
    await page.keyboard.press('F2');
    await page.getByRole('button', { name: 'Number' }).click();
    await page.locator('.cell-editor input').press('Enter');
    await page.keyboard.press('Control+s');
    await page.getByText('Saved 1 change').waitFor();
    expect(stored("SELECT doc || ' ' || typeof(any_value) FROM kinds WHERE id = 4")).toEqual([
      '5 text',
    ]);
  });

  test('the lines of a text are stored in the order of typing', async () => {
    const page = await openKinds();
    await page.locator(cell(0, 'text')).click();
    await page.keyboard.type('line A');
    await page.keyboard.press('Alt+Enter');
    await page.keyboard.type('line B');
    await page.keyboard.press('Shift+Enter');
    await page.keyboard.type('C');
    await page.keyboard.press('Enter');
    await page.keyboard.press('Control+s');
    await page.getByText('Saved 1 change').waitFor();
    expect(stored('SELECT text FROM kinds WHERE id = 1')).toEqual(['line A\nline B\nC']);
  });

  test('a reference is picked from the search results of the typed text, even if they arrive late', async () => {
    const page = await openKinds();
    const [id, name] = [9, 'the ninth by name'];
    changeFile(file(), `UPDATE tags SET name = '${name}' WHERE id = ${id}`);
    await page.route(/search=the/, async (route) => {
      await new Promise((resolve) => setTimeout(resolve, 200));
      await route.continue();
    });
    await page.locator(cell(0, 'tag')).click();
    await page.keyboard.press('F2');
    await page.getByRole('option').first().waitFor();
    await page.keyboard.type(name);
    await page.keyboard.press('Enter');
    await page.locator(`${cell(0, 'tag')}.mod`).waitFor();
    await page.keyboard.press('Control+s');
    await page.getByText('Saved 1 change').waitFor();
    expect(stored('SELECT tag FROM kinds WHERE id = 1')).toEqual([id]);
  });

  test('a text goes to the record that its editor was opened on, also when rows move', async () => {
    const page = await openKinds();
    let release = (): void => undefined;
    const isReleased = new Promise<void>((resolve) => {
      release = resolve;
    });
    await page.route(/\/changes/, async (route) => {
      await isReleased;
      await route.continue();
    });
    await page.getByRole('button', { name: 'Add row', exact: true }).click();
    await page.locator(cell(0, 'text')).click();
    await page.keyboard.type('new');
    await page.keyboard.press('Enter');
    await page.keyboard.press('Control+s');
    await page.getByText('Saving').waitFor();
    // One row is the new one, so this is the record 3.
    await page.locator(cell(3, 'text')).click();
    await page.keyboard.type('for the third');
    release();
    await page.getByText('Saved 1 change').waitFor();
    await page.keyboard.type('!');
    await page.keyboard.press('Enter');
    await page.keyboard.press('Control+s');
    await expect
      .poll(() => stored('SELECT id FROM kinds WHERE text IS NOT NULL ORDER BY id'))
      .toEqual([3, 4, 5]);
    expect(stored('SELECT text FROM kinds WHERE id IN (3, 5) ORDER BY id')).toEqual([
      'for the third!',
      'new',
    ]);
  });

  test('JSON with an error keeps the focus when everything else is saved', async () => {
    const page = await openKinds();
    await page.locator(cell(3, 'doc')).click();
    await page.keyboard.press('Enter');
    await page.locator('.cm-content').waitFor();
    await page.keyboard.press('Control+End');
    await page.keyboard.type(',');
    await page.keyboard.press('Control+s');
    await page.getByRole('alert').waitFor();
    await page.keyboard.press('Backspace');
    await page.getByRole('alert').waitFor({ state: 'detached' });
    await page.keyboard.press('Escape');
    await page.locator('.cell-editor').waitFor({ state: 'detached' });
  });

  test('the pointer resizes a column at its edge, and a double click edits a reference', async () => {
    const page = await openKinds();
    const head = page.locator('.th').nth(1);
    const edge = await head.locator('.resize').boundingBox();
    if (edge === null) throw new Error('The column has no edge.');
    const names = (): Promise<string[]> => page.locator('.th .n').allInnerTexts();
    const before = { names: await names(), width: (await head.boundingBox())?.width ?? 0 };
    const x = edge.x + edge.width / 2;
    await page.mouse.move(x, edge.y + 10);
    await expect.poll(() => head.getAttribute('draggable')).toBe('false');
    await page.mouse.down();
    for (let distance = 5; distance <= 100; distance += 5)
      await page.mouse.move(x + distance, edge.y + 10);
    await page.mouse.up();
    await expect
      .poll(async () => (await head.boundingBox())?.width, { timeout: 10_000 })
      .toBe(before.width + 100);
    expect(await names()).toEqual(before.names);
    await page.locator(`${cell(3, 'tag')} .fk`).dblclick();
    await page.getByRole('combobox', { name: 'tag' }).waitFor();
    await page.getByRole('option').first().waitFor();
    expect(await page.getByRole('complementary', { name: 'Record' }).count()).toBe(0);
    await page.keyboard.press('Escape');
    await page.locator(cell(3, 'day')).click();
    await page.keyboard.press('F2');
    const icon = await page.getByRole('button', { name: /Choose a date/ }).boundingBox();
    const box = await page.locator(cell(3, 'day')).boundingBox();
    const center = (icon?.y ?? 0) + (icon?.height ?? 0) / 2;
    expect(Math.abs(center - (box?.y ?? 0) - (box?.height ?? 0) / 2)).toBeLessThan(4);
  });
});
