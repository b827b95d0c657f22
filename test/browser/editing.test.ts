import { expect, test } from 'vitest';
import type { Page } from 'playwright-core';
import { changeFile, inBrowser, seriousAxeFindings, storedIn } from './studio-page.ts';

inBrowser('editing', ({ open, file }) => {
  const stored = (query: string): unknown => storedIn(file(), query);
  const type = async (page: Page, cell: string, text: string): Promise<void> => {
    await page.locator(cell).click();
    await page.keyboard.type(text);
    await page.keyboard.press('Enter');
  };

  test('stages typed values, undoes and redoes them, and saves them together', async () => {
    const page = await open('/tables/tags?sort_by=id');
    const [first, second] = stored('SELECT id FROM tags ORDER BY id LIMIT 2') as number[];
    await type(page, '#cell-0-1', 'typed');
    await type(page, '#cell-1-1', 'typed too');
    const bar = page.getByRole('region', { name: 'Unsaved changes' });
    await bar.getByText('2 edited').waitFor();
    await page.keyboard.press('Control+z');
    await bar.getByText('1 edited').waitFor();
    await page.keyboard.press('Control+Shift+z');
    await bar.getByText('2 edited').waitFor();
    expect(stored("SELECT count(*) FROM tags WHERE name LIKE 'typed%'")).toEqual([0]);
    expect(await seriousAxeFindings(page)).toEqual([]);
    await page.keyboard.press('Control+s');
    await page.getByText('Saved 2 changes').waitFor();
    expect(stored(`SELECT name FROM tags WHERE id IN (${first}, ${second}) ORDER BY id`)).toEqual([
      'typed',
      'typed too',
    ]);
    await expect.poll(() => page.locator('#cell-0-1').innerText()).toBe('typed');
  });

  test('accepts every first character of a text, including shortcut keys of the page', async () => {
    const page = await open('/tables/tags?sort_by=id');
    await page.locator('#cell-0-1').waitFor();
    const printable = Array.from({ length: 94 }, (_, i) => String.fromCharCode(0x21 + i));
    for (const character of printable) {
      await type(page, '#cell-0-1', `${character}x`);
      await expect.poll(() => page.locator('#cell-0-1').innerText()).toBe(`${character}x`);
    }
  });

  test('saves added and deleted rows together with other changes, after a review of what is sent', async () => {
    // The filter does not match the new row.
    const page = await open('/tables/tags?sort_by=id&sort_order=desc&filter_name__ne=made+here');
    await page.locator('#cell-0-0').waitFor();
    const [last, before] = stored('SELECT id FROM tags ORDER BY id DESC LIMIT 2') as number[];
    const [references = 0] = stored(
      `SELECT count(*) FROM post_tags WHERE tag_id = ${last}`,
    ) as number[];
    expect(references).toBeGreaterThan(1);
    await page.getByRole('button', { name: 'Add row', exact: true }).click();
    expect(await page.locator('[id^=cell-0-]').allInnerTexts()).toEqual([
      'DEFAULT',
      'required',
      'DEFAULT',
    ]);
    await type(page, '#cell-0-1', 'made here');
    await type(page, '#cell-0-2', '#123456');
    await page.locator('#cell-1-1').click();
    await page.keyboard.press('Delete');
    await page.getByText('1 deleted').waitFor();
    await type(page, '#cell-2-1', "it's reverted");
    await page.locator('#cell-3-1').click();
    await page.keyboard.press('Delete');
    await page.getByRole('status').getByText('rows of post_tags').waitFor();
    await page.getByRole('button', { name: 'Review' }).click();
    const dialog = page.getByRole('dialog');
    const sql = dialog.locator('pre');
    await expect
      .poll(() => sql.allInnerTexts())
      .toEqual([
        `INSERT INTO "tags" ("name", "color") VALUES ('made here', '#123456') RETURNING "id"`,
        `UPDATE "tags" SET "name" = 'it''s reverted' WHERE "id" = ${before} RETURNING "id"`,
        `DELETE FROM "tags" WHERE "id" = ${last}`,
        expect.stringMatching(/^DELETE/),
      ]);
    expect(await seriousAxeFindings(page)).toEqual([]);
    await dialog.getByRole('article').nth(1).getByRole('button', { name: 'Revert name' }).click();
    await dialog.getByRole('article').nth(2).getByRole('button', { name: 'Revert id' }).click();
    await dialog.getByText(`Also deletes ${references} rows of post_tags.`).waitFor();
    expect(await sql.count()).toBe(2);
    await dialog.getByRole('button', { name: 'Save' }).click();
    await page.getByText('Saved 2 changes').waitFor();
    expect(stored(`SELECT count(*) FROM post_tags WHERE tag_id = ${last}`)).toEqual([0]);
    await page.locator('.gr.saved #cell-0-1').getByText('made here').waitFor();
    await type(page, '#cell-0-2', '#123457');
    await page.keyboard.press('Control+s');
    await page.getByText('Saved 1 change').waitFor();
    await page.locator('.gr.saved #cell-0-2').getByText('#123457').waitFor();
    await page.getByLabel('Reload rows').click();
    await expect.poll(() => page.locator('#cell-0-0').innerText()).toBe(String(before));
    expect(stored("SELECT color FROM tags WHERE name = 'made here'")).toEqual(['#123457']);
    expect(stored(`SELECT count(*) FROM tags WHERE id = ${last}`)).toEqual([0]);
  });

  test('an error of the server marks its cell until it changes, and no change is lost', async () => {
    const page = await open('/tables/tags?sort_by=name');
    page.removeAllListeners('console');
    const existingName =
      (stored('SELECT name FROM tags ORDER BY name LIMIT 1') as string[])[0] ?? '';
    await type(page, '#cell-2-2', '#0c0c0c');
    await type(page, '#cell-2-1', existingName);
    await type(page, '#cell-3-1', 'a fine name');
    await page.getByRole('button', { name: 'Save' }).click();
    await page.getByText('Nothing was saved').waitFor();
    await page.locator('#cell-2-1.bad').waitFor();
    expect(await page.locator('.toast').count()).toBe(0);
    expect(stored("SELECT count(*) FROM tags WHERE name = 'a fine name'")).toEqual([0]);
    expect(await page.locator('.c.bad').count()).toBe(1);
    await page.locator('#cell-2-1').hover();
    const tip = page.locator('#cell-2-1 .cell-error');
    expect(await tip.innerText()).toContain(`name: ${existingName}`);
    const { x, y, width, height } = (await tip.boundingBox())!;
    for (const [dx, dy] of [
      [4, 4],
      [width - 4, height - 4],
    ] as const)
      // prettier-ignore
      expect(
        await page.evaluate(
          `document.elementFromPoint(${x + dx}, ${y + dy}).closest('.cell-error') !== null`,
        ),
      ).toBe(true);
    await type(page, '#cell-2-2', '#0d0d0d');
    expect(await page.locator('.c.bad').count()).toBe(1);
    await type(page, '#cell-2-1', 'another name');
    await expect.poll(() => page.locator('.c.bad').count()).toBe(0);
  });

  test('messages cover neither the buttons of the unsaved changes nor the pager', async () => {
    const page = await open('/tables/posts?open=users/5', {
      viewport: { width: 1024, height: 700 },
    });
    await page.getByRole('textbox', { name: 'given_name' }).fill('Elsewhere');
    await type(page, '#cell-0-3', 'A title');
    await page.route('**/api/schema/refresh', (route) => route.abort());
    page.removeAllListeners('console');
    await page.getByLabel('Reload structure').click();
    await page.locator('.toast').waitFor();
    for (const button of await page.locator('.review button, .status button').all())
      expect(
        await button.evaluate((element) => {
          const { x, y, width, height } = element.getBoundingClientRect();
          return element.contains(
            element.ownerDocument.elementFromPoint(x + width / 2, y + height / 2),
          );
        }),
      ).toBe(true);
  });

  test('drops staged changes when another client changes the key, and lists them', async () => {
    changeFile(
      file(),
      "CREATE TABLE keyed (id INTEGER PRIMARY KEY, name TEXT); INSERT INTO keyed VALUES (7, 'seven'), (8, 'eight')",
    );
    const page = await open('/tables/keyed');
    page.removeAllListeners('console');
    await type(page, '#cell-0-1', 'mine');
    await page.locator('#cell-1-0').click();
    await page.keyboard.press('Delete');
    await page.getByText('2 changes').waitFor();
    changeFile(
      file(),
      `ALTER TABLE keyed RENAME TO old; CREATE TABLE keyed (id INT, name TEXT, n INTEGER PRIMARY KEY);
       INSERT INTO keyed SELECT id, name, 15 - id FROM old; DROP TABLE old`,
    );
    await page.keyboard.press('Control+s');
    await page.getByText('row 7: {"name":"mine"}; deletion of row 8').waitFor();
    await page.getByText('2 changes').waitFor({ state: 'detached' });
    await page.keyboard.press('Control+s');
    await expect.poll(() => page.locator('#cell-0-1').innerText()).toBe('eight');
    expect(stored('SELECT name || n FROM keyed ORDER BY n')).toEqual(['eight7', 'seven8']);
    changeFile(file(), 'DROP TABLE keyed');
  });

  test('exact numbers stay exact, and other text is rejected in a number column', async () => {
    const page = await open(
      '/tables/order_items?filter_order_id__eq=9007199254778289&sort_by=line_number',
    );
    const price = 4;
    await type(page, `#cell-0-${price}`, '12,5');
    await page.getByText('This is not a number.').waitFor();
    await page.keyboard.press('Escape');
    await type(page, `#cell-0-${price}`, '1234.50');
    await page.keyboard.press('Control+s');
    await page.getByText('Saved 1 change').waitFor();
    expect(
      stored(
        'SELECT unit_price FROM order_items WHERE order_id = 9007199254778289 ORDER BY line_number LIMIT 1',
      ),
    ).toEqual([1234.5]);
  });

  test('a conflict with another client shows both versions and saves the selected one', async () => {
    const page = await open('/tables/tags?sort_by=id&filter_id__gt=10');
    page.removeAllListeners('console');
    const [id] = stored('SELECT id FROM tags WHERE id > 10 ORDER BY id LIMIT 1') as number[];
    await type(page, '#cell-0-1', 'mine');
    await type(page, '#cell-0-2', '#0a0a0a');
    changeFile(file(), `UPDATE tags SET name = 'theirs', color = '#0b0b0b' WHERE id = ${id}`);
    await page.keyboard.press('Control+s');
    const dialog = page.getByRole('dialog', { name: 'Someone else changed this row' });
    await dialog.waitFor();
    expect(await dialog.innerText()).toContain('theirs');
    expect(await dialog.innerText()).toContain('mine');
    expect(await seriousAxeFindings(page)).toEqual([]);
    await dialog.getByLabel('Their version of color').check();
    await dialog.getByRole('button', { name: 'Save merged row' }).click();
    await page.getByText('Saved 1 change').waitFor();
    expect(stored(`SELECT name || color FROM tags WHERE id = ${id}`)).toEqual(['mine#0b0b0b']);
  });

  test('a row that another client has deleted can be created again with the typed values', async () => {
    const page = await open('/tables/subjects?filter_code__eq=000');
    page.removeAllListeners('console');
    changeFile(file(), "INSERT INTO subjects (code, name) VALUES ('000', 'gone soon')");
    await page.getByLabel('Reload rows').click();
    await page.getByText('gone soon').waitFor();
    await type(page, '#cell-0-1', 'kept');
    changeFile(file(), "DELETE FROM subjects WHERE code = '000'");
    await page.keyboard.press('Control+s');
    await page.getByRole('button', { name: 'Move to a new row' }).click();
    await page.getByText('1 new').waitFor();
    await page.keyboard.press('Control+s');
    await page.getByText('Saved 1 change').waitFor();
    expect(stored("SELECT name FROM subjects WHERE code = '000'")).toEqual(['kept']);
  });

  test('a foreign key is picked from a searchable list', async () => {
    const page = await open('/tables/posts?sort_by=id');
    await page.locator('#cell-0-1').click();
    await page.keyboard.press('Enter');
    const field = page.getByRole('combobox', { name: 'author_id' });
    await field.fill('tamsin');
    const first = page.getByRole('listbox').getByRole('option').first();
    await expect.poll(() => first.innerText()).toContain('Tamsin');
    const [id] = stored("SELECT id FROM users WHERE email LIKE '%tamsin%' ORDER BY id") as number[];
    await field.fill(String(id));
    await expect
      .poll(() => page.getByRole('listbox').getByRole('option').first().innerText())
      .toContain('Tamsin');
    await page.keyboard.press('Enter');
    await page.locator('#cell-0-1.mod').waitFor();
    await page.locator('#cell-0-1').getByText('tamsin', { exact: false }).waitFor();
    await page.keyboard.press('Control+s');
    await page.getByText('Saved 1 change').waitFor();
    expect(stored('SELECT author_id FROM posts ORDER BY id LIMIT 1')).toEqual([id]);
  });

  test('all columns of a composite foreign key are picked together', async () => {
    changeFile(
      file(),
      `CREATE TABLE shelves (room TEXT, number INTEGER, label TEXT, PRIMARY KEY (room, number));
       INSERT INTO shelves VALUES ('north', 1, 'maps'), ('north', 2, 'atlases'), ('south', 1, 'poems');
       CREATE TABLE copies (id INTEGER PRIMARY KEY, room TEXT, number INTEGER,
         FOREIGN KEY (room, number) REFERENCES shelves (room, number));
       INSERT INTO copies VALUES (1, 'north', 1)`,
    );
    const page = await open('/');
    await page.getByLabel('Reload structure').click();
    await page
      .getByRole('link', { name: /^copies/ })
      .first()
      .click();
    await page.locator('#cell-0-2').click();
    await page.keyboard.press('Enter');
    await page.getByRole('combobox', { name: 'number' }).fill('poem');
    const option = page.getByRole('listbox').getByRole('option');
    await expect.poll(() => option.allInnerTexts()).toEqual([expect.stringContaining('south, 1')]);
    await page.keyboard.press('Enter');
    await page.locator('#cell-0-1.mod').waitFor();
    expect(await page.locator('#cell-0-1').innerText()).toBe('south');
    await page.keyboard.press('Control+z');
    await expect.poll(() => page.locator('#cell-0-1').innerText()).toBe('north');
    await page.keyboard.press('Control+Shift+z');
    await page.keyboard.press('Control+s');
    await page.getByText('Saved 1 change').waitFor();
    expect(stored('SELECT room || number FROM copies')).toEqual(['south1']);
  });

  test('a conflict in a long text marks the words that differ', async () => {
    const page = await open('/tables/posts?sort_by=id&filter_id__eq=11');
    page.removeAllListeners('console');
    const text = (end: string): string => `${'One sentence after the other. '.repeat(20)}${end}`;
    changeFile(file(), `UPDATE posts SET excerpt = '${text('As it was.')}' WHERE id = 11`);
    await page.getByLabel('Reload rows').click();
    await page.locator('#cell-0-7').click();
    await page.keyboard.press('Enter');
    await page.getByRole('textbox', { name: 'excerpt' }).fill(text('As it is here.'));
    await page.keyboard.press('Enter');
    changeFile(file(), `UPDATE posts SET excerpt = '${text('As it is there.')}' WHERE id = 11`);
    await page.keyboard.press('Control+s');
    const dialog = page.getByRole('dialog', { name: 'Someone else changed this row' });
    await dialog.waitFor();
    expect(await dialog.locator('ins').allInnerTexts()).toEqual(['is there', 'is here']);
    expect(await dialog.locator('del').allInnerTexts()).toEqual(['was', 'was']);
    expect(await seriousAxeFindings(page)).toEqual([]);
  });

  test('JSON is validated while typing, and keeps its digits and the order of its keys', async () => {
    changeFile(
      file(),
      `UPDATE books SET metadata = '{"b":1.50,"2":12345678901234567890}' WHERE id = 3`,
    );
    const page = await open('/tables/books?filter_id__eq=3&open=books/3');
    await page.getByRole('button', { name: 'Edit metadata' }).click();
    const editor = page.locator('.json-editor .cm-content');
    await editor.waitFor();
    expect(await editor.innerText()).toMatch(/"b": 1\.50,\s+"2": 12345678901234567890/);
    await editor.click();
    await page.keyboard.press('Control+End');
    await page.keyboard.type(',');
    await page.getByText('Line 4, column 2').waitFor();
    await page.keyboard.press('Backspace');
    await page.keyboard.press('Control+Home');
    await page.keyboard.press('ArrowRight');
    await page.keyboard.type('"a": [0.10],');
    await page.getByRole('button', { name: 'Apply' }).click();
    await page.keyboard.press('Control+s');
    await page.getByText('Saved 1 change').waitFor();
    expect(stored('SELECT metadata FROM books WHERE id = 3')).toEqual([
      '{"a":[0.10],"b":1.50,"2":12345678901234567890}',
    ]);
  });

  test('opening and closing an editor without typing stages no change', async () => {
    const page = await open('/tables/books?sort_by=id');
    for (const column of [0, 1, 5, 6, 7, 8]) {
      await page.locator(`#cell-1-${column}`).click();
      await page.keyboard.press('Enter');
      await page.locator('.cell-editor').waitFor();
      await page.keyboard.press('Tab');
      await page.locator('.cell-editor').waitFor({ state: 'detached' });
    }
    expect(await page.getByRole('region', { name: 'Unsaved changes' }).count()).toBe(0);
  });

  test('a long text that is shortened in the list is edited in full', async () => {
    const long = `${'long '.repeat(2000)}end`;
    changeFile(file(), `UPDATE posts SET body = '${long}' WHERE id = 2`);
    const page = await open('/tables/posts?filter_id__eq=2');
    await page.locator('#cell-0-6').dblclick();
    const area = page.getByRole('textbox', { name: 'body' });
    await area.waitFor();
    expect(await area.inputValue()).toBe(long);
    await area.press('Control+End');
    await page.keyboard.type('!');
    await page.keyboard.press('Enter');
    await page.keyboard.press('Control+s');
    await page.getByText('Saved 1 change').waitFor();
    expect(stored('SELECT body FROM posts WHERE id = 2')).toEqual([`${long}!`]);
  });

  test('a generated column says why it cannot be edited', async () => {
    const page = await open('/tables/users');
    await page.locator('#cell-0-5').dblclick();
    await page.getByText('The database generates this column.').waitFor();
  });
});

inBrowser(
  'a read-only studio',
  ({ open }) => {
    test('a table that cannot be changed shows the reason', async () => {
      const page = await open('/tables/tags');
      await page.locator('#cell-0-1').dblclick();
      await page.getByText('The studio was started read-only.').waitFor();
      await page.getByText('Read-only').first().waitFor();
    });
  },
  { studio: { readOnly: true } },
);
