/** What a user has selected or typed is not silently lost. */
import { expect, test } from 'vitest';
import { changeFile, inBrowser, storedIn } from './studio-page.ts';

inBrowser('nothing is silently lost', ({ open, file }) => {
  test('actions on all rows name those that were not read, and do nothing', async () => {
    const page = await open('/tables/comments?page_size=all', {
      permissions: ['clipboard-read', 'clipboard-write'],
    });
    await page.evaluate("navigator.clipboard.writeText('before')");
    await page.locator('#cell-0-2').click();
    await page.keyboard.press('Control+a');
    for (const [key, title] of [
      ['Delete', 'No row was deleted'],
      ['Backspace', 'Nothing was set to NULL'],
      ['Control+c', 'Nothing was copied'],
      ['Control+d', 'Nothing was duplicated'],
      ['Control+v', 'Nothing was pasted'],
    ] as const) {
      await page.keyboard.press(key);
      await page.getByText(title).waitFor();
    }
    expect(await page.evaluate('navigator.clipboard.readText()')).toBe('before');
    expect(await page.getByRole('region', { name: 'Unsaved changes' }).count()).toBe(0);
  });

  test('rows stay selected while others scroll into view, and all of them are deleted', async () => {
    changeFile(
      file(),
      `CREATE TABLE many (id INTEGER PRIMARY KEY, a TEXT);
       WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 5000)
       INSERT INTO many SELECT i, 'row ' || i FROM n`,
    );
    const page = await open('/');
    await page.getByLabel('Reload structure').click();
    await page.getByRole('link', { name: /^many/ }).first().click();
    await page.getByLabel('Rows per page').selectOption({ label: 'All rows' });
    const grid = page.getByRole('grid');
    await expect.poll(() => grid.getAttribute('aria-rowcount')).toBe('5001');
    await page.locator('#cell-30-1').getByText('row 31').waitFor();
    const box = (await grid.boundingBox())!;
    await page.mouse.move(box.x + 300, box.y + 300);
    await page.mouse.wheel(0, 600 * 28);
    await page.getByRole('checkbox', { name: 'Select row 605', exact: true }).click();
    await page.mouse.wheel(0, 3000 * 28);
    await page.getByRole('checkbox', { name: 'Select row 3605', exact: true }).click();
    const bar = page.getByRole('region', { name: 'Selected rows' });
    await bar.getByText('2 rows').waitFor();
    await bar.getByRole('button', { name: 'Delete' }).click();
    await page.getByText('2 changes').waitFor();
    await page.keyboard.press('Control+s');
    await page.getByText('Saved 2 changes').waitFor();
    expect(storedIn(file(), 'SELECT 5000 - count(*) FROM many')).toEqual([2]);
    expect(storedIn(file(), 'SELECT count(*) FROM many WHERE id IN (605, 3605)')).toEqual([0]);
  });

  test('another page clears the selection', async () => {
    const page = await open('/tables/comments');
    await page.getByRole('checkbox', { name: 'Select row 2', exact: true }).click();
    const bar = page.getByRole('region', { name: 'Selected rows' });
    await bar.waitFor();
    await page.getByRole('button', { name: 'Next page' }).click();
    await bar.waitFor({ state: 'detached' });
    await page.getByRole('button', { name: 'Previous page' }).click();
    await page.getByRole('checkbox', { name: 'Select row 2', exact: true }).waitFor();
    expect(await bar.count()).toBe(0);
  });

  test.for(['cell', 'record'])(
    'Back asks before it loses an invalid text in a %s',
    async (editor) => {
      const page = await open('/');
      await page
        .getByRole('link', { name: /^order_items/ })
        .first()
        .click();
      // A click on a foreign key would open the record that it references.
      await page.locator('#cell-0-1').click();
      const questions: string[] = [];
      let isLeaving = false;
      page.on('dialog', (dialog) => {
        questions.push(dialog.message());
        void (isLeaving ? dialog.accept() : dialog.dismiss());
      });
      if (editor === 'record') {
        await page.keyboard.press('Space');
        await page.getByRole('button', { name: 'Next record' }).waitFor();
      }
      const frame = page.locator(editor === 'record' ? '.fields' : '.cell-editor');
      const field = frame.getByRole('textbox', { name: 'quantity' });
      if (editor === 'record') await field.fill('many');
      else {
        await page.getByRole('gridcell').nth(0).waitFor();
        const column = await page
          .getByRole('columnheader')
          .allInnerTexts()
          .then((heads) => heads.findIndex((head) => head.includes('quantity')));
        await page.locator(`#cell-0-${column - 1}`).dblclick();
        await field.waitFor();
        await page.keyboard.type('many');
      }
      // No key of a browser without a window goes back.
      await page.evaluate('history.back()');
      await expect.poll(() => questions.length).toBe(1);
      expect(questions[0]).toContain('quantity');
      await expect.poll(() => field.inputValue()).toBe('many');
      isLeaving = true;
      await page.evaluate('history.back()');
      await frame.waitFor({ state: 'detached' });
      expect(questions).toHaveLength(2);
    },
  );

  test.for(['text', 'doc'])(
    'a reload asks, and keeps what was typed into an open editor of %s',
    async (column) => {
      changeFile(
        file(),
        `DROP TABLE IF EXISTS half_typed;
         CREATE TABLE half_typed (id INTEGER PRIMARY KEY, text TEXT, doc JSON);
         INSERT INTO half_typed (text, doc) VALUES ('a', '1'), ('b', '2')`,
      );
      const page = await open('/tables/half_typed?sort_by=id');
      const questions: string[] = [];
      page.on('dialog', (dialog) => {
        questions.push(dialog.type());
        void dialog.accept();
      });
      await page.locator(`#cell-1-${column === 'text' ? 1 : 2}`).click();
      await page.keyboard.type('77');
      const editor = page.locator('.cell-editor');
      await editor.locator('input, .cm-content').waitFor();
      await page.reload();
      await page.getByText('1 change').waitFor();
      expect(questions).toEqual(['beforeunload']);
      await page.keyboard.press('Control+s');
      await page.getByText('Saved 1 change').waitFor();
      expect(storedIn(file(), `SELECT ${column} || '' FROM half_typed ORDER BY id`)).toEqual([
        column === 'text' ? 'a' : '1',
        '77',
      ]);
    },
  );
});
