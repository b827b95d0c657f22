/** A browser that stores nothing, rows that were not read, and many changes at once. */
import { expect, test } from 'vitest';
import { changeFile, inBrowser, storedIn } from './studio-page.ts';

/** As a browser with a full disk, or one whose settings block the storage of pages. */
const failingStorage = {
  full: `Storage.prototype.setItem = () => { throw new DOMException('full', 'QuotaExceededError'); };`,
  blocked: `for (const name of ['localStorage', 'sessionStorage'])
    Object.defineProperty(window, name, { get: () => { throw new DOMException('no', 'SecurityError'); } });`,
};

inBrowser('limits', ({ open, file, url }) => {
  test.for(['full', 'blocked'] as const)('a save works where the storage is %s', async (state) => {
    changeFile(
      file(),
      `DROP TABLE IF EXISTS noted;
       CREATE TABLE noted (id INTEGER PRIMARY KEY, body TEXT);
       INSERT INTO noted VALUES (1, 'a'), (2, 'b')`,
    );
    const page = await open('/login');
    await page.addInitScript(failingStorage[state]);
    await page.goto(`${url()}/tables/noted?sort_by=id`);
    await page.locator('#cell-0-1').click();
    await page.keyboard.type('written');
    await page.keyboard.press('Enter');
    await page.keyboard.press('Control+s');
    await page.getByText('Saved 1 change').waitFor();
    expect(await page.locator('.toast').count()).toBe(0);
    expect(storedIn(file(), 'SELECT body FROM noted ORDER BY id')).toEqual(['written', 'b']);
    await page.goto(`${url()}/sql`);
    await page.locator('.sql-editor .cm-content').click();
    await page.keyboard.type("update noted set body = 'by SQL' where id = 2");
    await page.keyboard.press('Control+Enter');
    await page.getByText('changed 1 row in').first().waitFor();
    expect(await page.getByRole('alert').count()).toBe(0);
  });

  test('lines pasted over rows that were not read change nothing, or all of them', async () => {
    changeFile(
      file(),
      `CREATE TABLE pasted (id INTEGER PRIMARY KEY, a TEXT);
       WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 3000)
       INSERT INTO pasted SELECT i, 'row ' || i FROM n`,
    );
    const page = await open('/tables/pasted?sort_by=id&page_size=all', {
      permissions: ['clipboard-read', 'clipboard-write'],
    });
    const lines = Array.from({ length: 1500 }, (_, i) => `line ${i + 1}`);
    await page.evaluate(`navigator.clipboard.writeText(${JSON.stringify(lines.join('\n'))})`);
    await page.locator('#cell-0-1').click();
    await page.keyboard.press('Control+v');
    const rejection = page.getByText('Nothing was pasted');
    const changes = page.getByText('1500 changes');
    await rejection.or(changes).first().waitFor();
    await page.keyboard.press('Control+s');
    const written = (): unknown =>
      storedIn(file(), "SELECT count(*) FROM pasted WHERE a = 'line ' || id")[0];
    await expect.poll(written).toBe((await rejection.count()) > 0 ? 0 : 1500);
    expect(storedIn(file(), "SELECT count(*) FROM pasted WHERE a = 'row ' || id")).toEqual([
      3000 - Number(written()),
    ]);
  });

  test('one value is pasted into every selected cell', async () => {
    changeFile(
      file(),
      `CREATE TABLE block (id INTEGER PRIMARY KEY, a TEXT, b TEXT);
       INSERT INTO block VALUES (1, 'a', 'b'), (2, 'a', 'b'), (3, 'a', 'b')`,
    );
    const page = await open('/tables/block?sort_by=id', {
      permissions: ['clipboard-read', 'clipboard-write'],
    });
    await page.evaluate("navigator.clipboard.writeText('x')");
    await page.locator('#cell-0-1').click();
    await page.keyboard.press('Shift+ArrowDown');
    await page.keyboard.press('Shift+ArrowRight');
    await page.keyboard.press('Control+v');
    // The save waits until the clipboard has been read.
    await page.keyboard.press('Control+s');
    await page.getByText('Saved 2 changes').waitFor();
    expect(storedIn(file(), 'SELECT a || b FROM block ORDER BY id')).toEqual(['xx', 'xx', 'ab']);
  });

  test('many changes are discarded only after a question, and Ctrl+Z brings them back', async () => {
    const page = await open('/tables/tags?sort_by=id');
    const questions: string[] = [];
    let isAccepted = false;
    page.on('dialog', (dialog) => {
      questions.push(dialog.message());
      void (isAccepted ? dialog.accept() : dialog.dismiss());
    });
    for (let row = 0; row < 7; row++) {
      await page.locator(`#cell-${row}-1`).click();
      await page.keyboard.type(`typed ${row}`);
      await page.keyboard.press('Enter');
    }
    const bar = page.getByRole('region', { name: 'Unsaved changes' });
    await bar.getByText('7 edited').waitFor();
    const button = (await bar.getByRole('button', { name: 'Discard' }).boundingBox())!;
    await page.mouse.click(button.x + 8, button.y + 8);
    await expect.poll(() => questions).toEqual(['Discard 7 unsaved changes?']);
    await bar.getByText('7 edited').waitFor();
    isAccepted = true;
    await page.mouse.click(button.x + 8, button.y + 8);
    await expect.poll(() => page.locator('#cell-3-1').innerText()).not.toBe('typed 3');
    await page.keyboard.press('Control+z');
    await expect.poll(() => page.locator('#cell-3-1').innerText()).toBe('typed 3');
    await bar.getByText('7 edited').waitFor();
  });

  test('the source of a table has its foreign keys, and a relation is called like its table', async () => {
    const page = await open('/tables/editions?view=structure');
    const source = page.locator('.source');
    await source.getByText('FOREIGN KEY ("format_code") REFERENCES "formats"').waitFor();
    await page.goto(`${url()}/tables/books?open=books/4`);
    const tabs = page.getByLabel('Record').getByRole('tab');
    await tabs.first().waitFor();
    for (const title of await tabs.allInnerTexts()) expect(title).not.toMatch(/Code[A-Z]/);
  });
});
