/** Unsaved changes survive a reload, a lost connection and the end of a session. */
import { expect, test } from 'vitest';
import type { Page } from 'playwright-core';
import { changeFile, inBrowser, storedIn } from './studio-page.ts';

const createNotes = (file: string): void =>
  changeFile(
    file,
    `DROP TABLE IF EXISTS notes;
     CREATE TABLE notes (id INTEGER PRIMARY KEY, body TEXT, doc JSON, amount DECIMAL(8, 2));
     INSERT INTO notes VALUES (1, 'one', '[1]', 1.50), (2, 'two', NULL, 2), (3, 'three', NULL, 3)`,
  );
const allNotes = (file: string): readonly unknown[] =>
  storedIn(file, 'SELECT json_array(id, body, doc, amount) FROM notes ORDER BY id');

async function typeInto(page: Page, cell: string, text: string): Promise<void> {
  await page.locator(cell).click();
  await page.keyboard.type(text);
  await page.keyboard.press('Enter');
  await page.locator('.cell-editor').waitFor({ state: 'detached' });
}

/** The machine may be busy. */
const waitOptions = { timeout: 20_000 };

const bar = (page: Page) => page.getByRole('region', { name: 'Unsaved changes' });

inBrowser('changes that are not saved', ({ open, file }) => {
  test('are there after a reload, and are saved once', async () => {
    createNotes(file());
    const page = await open('/tables/notes?sort_by=id');
    page.on('dialog', (dialog) => void dialog.accept());
    await typeInto(page, '#cell-0-1', 'edited');
    await typeInto(page, '#cell-1-3', '7.10');
    await page.locator('#cell-0-2').click();
    await page.keyboard.press('F2');
    await page.locator('.cell-editor .cm-content').waitFor();
    await page.keyboard.press('Control+a');
    await page.keyboard.insertText('{"b": 1.0, "a": 10000000000000000001}');
    await page.keyboard.press('Control+Enter');
    await page.locator('#cell-2-0').click();
    await page.keyboard.press('Delete');
    await page.getByRole('button', { name: 'Add row', exact: true }).click();
    const before = await bar(page).innerText();
    await page.reload();
    await expect.poll(() => bar(page).innerText(), waitOptions).toBe(before);
    await page.keyboard.press('Control+s');
    await expect.poll(() => bar(page).count(), waitOptions).toBe(0);
    await page.reload();
    await page.locator('#cell-0-1').waitFor();
    expect(await bar(page).count()).toBe(0);
    expect(allNotes(file())).toEqual([
      JSON.stringify([1, 'edited', '{"b":1.0,"a":10000000000000000001}', 1.5]),
      JSON.stringify([2, 'two', null, 7.1]),
      JSON.stringify([3, null, null, null]),
    ]);
  });

  test('wait for a server that is away, through several reloads', async () => {
    createNotes(file());
    const page = await open('/tables/notes?sort_by=id');
    page.removeAllListeners('console');
    page.on('dialog', (dialog) => void dialog.accept());
    await typeInto(page, '#cell-0-1', 'typed before');
    await page.route('**/api/schema', (route) => route.abort());
    for (let count = 1; count <= 2; count++) {
      await page.reload();
      await page.getByRole('button', { name: 'Try again' }).first().waitFor();
    }
    await page.unroute('**/api/schema');
    await page.reload();
    await expect.poll(() => page.locator('#cell-0-1').innerText()).toBe('typed before');
    await page.keyboard.press('Control+s');
    await page.getByText('Saved 1 change').waitFor();
    expect(allNotes(file())[0]).toContain('typed before');
  });

  test('can be undone and redone after a reload, also when they were discarded', async () => {
    createNotes(file());
    const page = await open('/tables/notes?sort_by=id');
    page.on('dialog', (dialog) => void dialog.accept());
    const text = (cell: string) => expect.poll(() => page.locator(cell).innerText(), waitOptions);
    const reload = async (): Promise<void> => {
      await page.reload();
      await page.locator('#cell-2-1').waitFor();
      await bar(page).waitFor();
    };
    await typeInto(page, '#cell-0-1', 'first');
    await typeInto(page, '#cell-0-1', 'second');
    await page.locator('#cell-2-0').click();
    await page.keyboard.press('Delete');
    await page.keyboard.press('Control+z');
    await reload();
    await page.keyboard.press('Control+z');
    await text('#cell-0-1').toBe('first');
    await page.keyboard.press('Control+y');
    await page.keyboard.press('Control+y');
    await expect.poll(() => page.locator('[role="row"].del').count()).toBe(1);
    await page.getByRole('button', { name: 'Discard' }).click();
    await text('#cell-0-1').toBe('one');
    await reload();
    await page.keyboard.press('Control+z');
    await text('#cell-0-1').toBe('second');
    await page.keyboard.press('Control+z');
    await page.keyboard.press('Control+s');
    await expect.poll(() => bar(page).count(), waitOptions).toBe(0);
    expect(allNotes(file()).map((row) => JSON.parse(String(row))[1])).toEqual([
      'second',
      'two',
      'three',
    ]);
    await page.reload();
    await page.locator('#cell-2-1').waitFor();
    expect(await bar(page).count()).toBe(0);
  });

  test('are discarded when the page shows another database', async () => {
    createNotes(file());
    const page = await open('/tables/notes?sort_by=id');
    page.on('dialog', (dialog) => void dialog.accept());
    await typeInto(page, '#cell-0-1', 'edited');
    await page.route('**/api/schema*', async (route) => {
      const response = await route.fetch();
      const schema = (await response.json()) as object;
      await route.fulfill({ response, json: { ...schema, database: 'other.db' } });
    });
    await page.reload();
    await page.getByText('Unsaved changes were discarded').waitFor();
    expect(await bar(page).count()).toBe(0);
  });
});

inBrowser(
  'a session that ends',
  ({ open, file }) => {
    const logIn = async (page: Page): Promise<void> => {
      await page.getByLabel('User').fill('ada');
      await page.getByLabel('Password').fill('lovelace');
      await page.getByRole('button', { name: 'Log in' }).click();
    };

    test('leads to a login over the page, which keeps its changes', async () => {
      createNotes(file());
      const page = await open('/tables/notes?sort_by=id');
      page.removeAllListeners('console');
      await logIn(page);
      await page.locator('#cell-0-1').waitFor();
      await typeInto(page, '#cell-0-1', 'edited');
      await page.context().clearCookies();
      await page.keyboard.press('Control+s');
      const dialog = page.getByRole('dialog', { name: 'Log in again' });
      await dialog.waitFor();
      // The dialog hides everything else from the accessibility tree.
      expect(await page.locator('.review').innerText()).toContain('1 change');
      await page.keyboard.press('Escape');
      expect(await dialog.count()).toBe(1);
      await logIn(page);
      await dialog.waitFor({ state: 'detached' });
      await page.getByRole('button', { name: /^Save/ }).click();
      await expect.poll(() => bar(page).count(), waitOptions).toBe(0);
      expect(allNotes(file())[0]).toContain('edited');
    });

    test('after a lost response leaves a new row that is saved once', async () => {
      createNotes(file());
      const before = allNotes(file()).length;
      const page = await open('/tables/notes?sort_by=id');
      page.removeAllListeners('console');
      await logIn(page);
      await page.locator('#cell-0-1').waitFor();
      await page.getByRole('button', { name: 'Add row', exact: true }).click();
      await typeInto(page, '#cell-0-1', 'only once');
      let requests = 0;
      await page.route(/\/changes\?(?!.*dry_run)/, async (route) => {
        requests++;
        if (requests > 1) return route.continue();
        await route.fetch();
        await page.context().clearCookies();
        return route.abort();
      });
      await page.keyboard.press('Control+s');
      const dialog = page.getByRole('dialog', { name: 'Log in again' });
      await dialog.waitFor();
      // Another request may have opened the dialog.
      await expect.poll(() => requests, waitOptions).toBe(2);
      await logIn(page);
      await dialog.waitFor({ state: 'detached' });
      await page.getByRole('button', { name: /^Save/ }).click();
      await page.getByText('Saved 1 change').waitFor();
      expect(requests).toBe(3);
      expect(allNotes(file())).toHaveLength(before + 1);
    });

    test('is not asked for again by a save that it had rejected before the log-in', async () => {
      createNotes(file());
      const page = await open('/tables/notes?sort_by=id');
      page.removeAllListeners('console');
      await logIn(page);
      await page.locator('#cell-0-1').waitFor();
      await typeInto(page, '#cell-0-1', 'edited');
      let release = (): void => undefined;
      const released = new Promise<void>((resolve) => (release = resolve));
      let rejections = 0;
      await page.route(/\/changes\?(?!.*dry_run)/, async (route) => {
        const response = await route.fetch();
        if (response.status() === 401) {
          rejections++;
          await released;
        }
        await route.fulfill({ response });
      });
      await page.context().clearCookies();
      await page.keyboard.press('Control+s');
      await expect.poll(() => rejections, waitOptions).toBe(1);
      await page.getByRole('button', { name: 'Reload rows' }).click();
      const dialog = page.getByRole('dialog', { name: 'Log in again' });
      await dialog.waitFor();
      await logIn(page);
      await dialog.waitFor({ state: 'detached' });
      release();
      await page.getByText('Saved 1 change').waitFor();
      expect(await dialog.count()).toBe(0);
      expect(allNotes(file())[0]).toContain('edited');
    });

    test('ends by the button, after a question about unsaved changes', async () => {
      createNotes(file());
      const page = await open('/tables/notes?sort_by=id');
      page.removeAllListeners('console');
      await logIn(page);
      await page.locator('#cell-0-1').waitFor();
      await typeInto(page, '#cell-0-1', 'edited');
      const dialogMessages: string[] = [];
      page.once('dialog', (dialog) => {
        dialogMessages.push(dialog.message());
        void dialog.dismiss();
      });
      await page.getByRole('button', { name: 'Log out' }).click();
      expect(dialogMessages).toEqual(['Log out and discard the unsaved changes of notes?']);
      page.once('dialog', (dialog) => void dialog.accept());
      await page.getByRole('button', { name: 'Log out' }).click();
      await page.getByRole('button', { name: 'Log in' }).waitFor();
      await logIn(page);
      await page.locator('#cell-0-1').waitFor();
      expect(await page.locator('#cell-0-1').innerText()).toBe('one');
      expect(await bar(page).count()).toBe(0);
    });
  },
  { app: { credentials: { account: { user: 'ada', password: 'lovelace' } } } },
);
