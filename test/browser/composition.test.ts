/** Text of an input method, of a dead key or of an emoji picker goes into the selected cell, from its first letter on. */
import { expect, test } from 'vitest';
import type { CDPSession, Page } from 'playwright-core';
import { changeFile, inBrowser, storedIn } from './studio-page.ts';

/** An input method of the operating system, as Chromium sees it. */
class InputMethod {
  readonly #client: CDPSession;

  constructor(client: CDPSession) {
    this.#client = client;
  }

  static async of(page: Page): Promise<InputMethod> {
    return new InputMethod(await page.context().newCDPSession(page));
  }

  /** Presses a key that the input method handles itself. */
  async press(key: string): Promise<void> {
    const event = { key, code: key, windowsVirtualKeyCode: 229 };
    await this.#client.send('Input.dispatchKeyEvent', { ...event, type: 'rawKeyDown' });
    await this.#client.send('Input.dispatchKeyEvent', { ...event, type: 'keyUp' });
  }

  async compose(...texts: readonly string[]): Promise<void> {
    for (const text of texts) {
      await this.press('Process');
      await this.#client.send('Input.imeSetComposition', {
        text,
        selectionStart: text.length,
        selectionEnd: text.length,
      });
    }
  }

  async commit(text: string): Promise<void> {
    await this.press('Enter');
    await this.#client.send('Input.insertText', { text });
  }

  /** Inserts text like an emoji picker: without keys and without a composition. */
  async insert(text: string): Promise<void> {
    await this.#client.send('Input.insertText', { text });
  }
}

inBrowser('input methods in the grid', ({ open, file }) => {
  const openWords = async (): Promise<Page> => {
    changeFile(
      file(),
      `DROP TABLE IF EXISTS words;
       CREATE TABLE words (id INTEGER PRIMARY KEY, name TEXT, size INTEGER, doc JSON,
         tag INTEGER REFERENCES tags (id), length INTEGER AS (length(name)));
       INSERT INTO words (id, name, size, doc) VALUES (1, 'one', 1, '1'), (2, 'two', 2, '2'), (3, 'three', 3, '3');`,
    );
    const page = await open('/tables/words?sort_by=id');
    await page.locator('#cell-2-1').waitFor();
    return page;
  };
  const names = (): readonly unknown[] =>
    storedIn(file(), "SELECT coalesce(name, 'NULL') FROM words ORDER BY id");
  const save = async (page: Page, changes: string): Promise<void> => {
    await page.keyboard.press('Control+s');
    await page.getByText(`Saved ${changes}`).waitFor();
  };
  const text = (page: Page, cell: string) => expect.poll(() => page.locator(cell).innerText());

  test('a composition on a selected cell is its new text, and the keys after it are its editor’s', async () => {
    const page = await openWords();
    const method = await InputMethod.of(page);
    await page.locator('#cell-0-1').click();
    await method.compose('ｎ', 'に', 'にほｎ', 'にほん');
    await method.commit('日本');
    await method.compose('ご');
    await method.commit('語');
    await page.keyboard.press('Enter');
    await text(page, '#cell-0-1').toBe('日本語');
    // The next row, at once and mixed with plain letters.
    await method.compose('か');
    await method.commit('火');
    await page.keyboard.type('ab');
    await page.keyboard.press('ArrowLeft');
    await page.keyboard.type('-');
    await page.keyboard.press('Tab');
    await text(page, '#cell-1-1').toBe('火a-b');
    await page.keyboard.type('77');
    await page.keyboard.press('Enter');
    await page.locator('#cell-2-1').click();
    await method.compose('す');
    await method.commit('捨てる');
    await page.keyboard.press('Escape');
    await text(page, '#cell-2-1').toBe('three');
    await save(page, '2 changes');
    expect(names()).toEqual(['日本語', '火a-b', 'three']);
    expect(storedIn(file(), 'SELECT size FROM words ORDER BY id')).toEqual([1, 77, 3]);
  });

  test('a composition that a click, Ctrl+S or a reload ends is kept; one that is canceled is not', async () => {
    const page = await openWords();
    page.on('dialog', (dialog) => void dialog.accept());
    const method = await InputMethod.of(page);
    await page.locator('#cell-0-1').click();
    await method.compose('に', 'にほ');
    await page.locator('#cell-1-1').click();
    await text(page, '#cell-0-1').toBe('にほ');
    await method.compose('は');
    await method.commit('葉');
    await save(page, '2 changes');
    expect(names()).toEqual(['にほ', '葉', 'three']);
    await page.locator('#cell-2-1').click();
    await method.compose('ほ', '');
    await page.keyboard.press('ArrowUp');
    await page.keyboard.press('ArrowDown');
    expect(await page.locator('.cell-editor').count()).toBe(0);
    await method.compose('き');
    await method.commit('木');
    await page.reload();
    await text(page, '#cell-2-1').toBe('木');
    await save(page, '1 change');
    expect(names()).toEqual(['にほ', '葉', '木']);
  });

  test('every kind of editor takes the composed text, and cells that cannot be edited take none', async () => {
    const page = await openWords();
    const method = await InputMethod.of(page);
    await page.locator('#cell-0-2').click();
    await method.compose('５', '５５');
    await method.commit('55');
    await page.keyboard.press('Enter');
    await text(page, '#cell-0-2').toBe('55');
    await page.locator('#cell-0-3').click();
    await method.compose('「');
    await method.commit('"語"');
    await page.keyboard.press('Control+Enter');
    await text(page, '#cell-0-3').toContain('語');
    const [tag = ''] = storedIn(file(), 'SELECT name FROM tags ORDER BY id LIMIT 1 OFFSET 2');
    await page.locator('#cell-0-4').click();
    await method.compose(String(tag).slice(0, 2));
    await method.commit(String(tag));
    await page.keyboard.press('Enter');
    await text(page, '#cell-0-4').toContain(String(tag));
    await page.locator('#cell-0-5').click();
    await method.compose('な');
    await method.commit('無');
    await page.locator('#cell-1-1').click();
    await method.insert('😀');
    await page.keyboard.type('!');
    await page.keyboard.press('Enter');
    await text(page, '#cell-1-1').toBe('😀!');
    await save(page, '2 changes');
    expect(names()).toEqual(['one', '😀!', 'three']);
    expect(storedIn(file(), 'SELECT size || doc FROM words WHERE id = 1')).toEqual(['55"語"']);
  });

  test('the Tab key still leaves the grid in both directions', async () => {
    const page = await openWords();
    await page.locator('#cell-0-1').click();
    const isInGrid = () =>
      page.evaluate(`document.activeElement.closest('[role="grid"]') !== null`);
    expect(await isInGrid()).toBe(true);
    await page.keyboard.press('Tab');
    expect(await isInGrid()).toBe(false);
    await page.keyboard.press('Shift+Tab');
    expect(await isInGrid()).toBe(true);
    await page.keyboard.press('Shift+Tab');
    expect(await isInGrid()).toBe(false);
    await page.keyboard.press('Tab');
    await page.keyboard.type('back again');
    await page.keyboard.press('Enter');
    await text(page, '#cell-0-1').toBe('back again');
  });
});
