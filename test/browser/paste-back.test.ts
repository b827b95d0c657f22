import { expect, test } from 'vitest';
import { changeFile, inBrowser, storedIn } from './studio-page.ts';

inBrowser('a copied block', ({ open, file }) => {
  test('changes nothing where it was copied, and only editable columns of other rows', async () => {
    changeFile(
      file(),
      `CREATE TABLE papers (id INTEGER PRIMARY KEY, title TEXT, scan BLOB, n INTEGER,
         twice INTEGER GENERATED ALWAYS AS (n * 2) VIRTUAL);
       INSERT INTO papers (title, scan, n) VALUES ('a', x'00ff', 1), ('b', NULL, 1), ('c', NULL, 3)`,
    );
    const page = await open('/tables/papers?sort_by=id', {
      permissions: ['clipboard-read', 'clipboard-write'],
    });
    const bar = page.getByRole('region', { name: 'Unsaved changes' });
    await page.locator('#cell-0-0').click();
    await page.keyboard.press('Control+a');
    await page.keyboard.press('Control+c');
    await expect
      .poll(() => page.evaluate('navigator.clipboard.readText()'))
      .toContain('a\t\\x00ff\t1\t2');
    await page.keyboard.press('Control+v');
    // A second paste shows that the first one has ended.
    await page.evaluate(`navigator.clipboard.writeText('B\\t\\t1\\t2')`);
    await page.locator('#cell-1-1').click();
    await page.keyboard.press('Control+v');
    await bar.getByText('1 edited').waitFor();
    expect(await page.locator('.toast').count()).toBe(0);
    await page.evaluate(`navigator.clipboard.writeText('C\\t\\t3\\t7')`);
    await page.locator('#cell-2-1').click();
    await page.keyboard.press('Control+v');
    await page.getByText('twice: The database generates this column.').waitFor();
    await page.keyboard.press('Control+s');
    await page.getByText('Saved 1 change').waitFor();
    expect(storedIn(file(), "SELECT title || n || ifnull(hex(scan), '') FROM papers")).toEqual([
      'a100FF',
      'B1',
      'c3',
    ]);
  });

  test('whose last rows are NULL is pasted with those rows, and a clipboard without text changes nothing', async () => {
    changeFile(
      file(),
      `CREATE TABLE sparse (id INTEGER PRIMARY KEY, v TEXT);
       INSERT INTO sparse (v) VALUES ('a'), (NULL), (NULL), ('d'), ('e'), ('f'), ('g')`,
    );
    const page = await open('/tables/sparse?sort_by=id', {
      permissions: ['clipboard-read', 'clipboard-write'],
    });
    const shown = (row: number) => page.locator(`#cell-${row}-1`);
    await shown(0).click();
    await page.keyboard.press('Shift+ArrowDown');
    await page.keyboard.press('Shift+ArrowDown');
    await page.keyboard.press('Control+c');
    await expect.poll(() => page.evaluate('navigator.clipboard.readText()')).toContain('a');
    await shown(3).click();
    await page.keyboard.press('Control+v');
    await expect.poll(() => shown(5).innerText()).toBe('NULL');
    await page.evaluate(`navigator.clipboard.write([new ClipboardItem({
      'text/html': new Blob(['<table><tr><td>h</td></tr></table>'], { type: 'text/html' }),
    })])`);
    await shown(6).click();
    await page.keyboard.press('Control+v');
    await page.getByText('The clipboard has no text.').waitFor();
    await shown(1).click();
    await page.keyboard.press('Control+c');
    await expect.poll(() => page.evaluate('navigator.clipboard.readText()')).toBe('\n');
    await shown(0).click();
    await page.keyboard.press('Control+v');
    await expect.poll(() => shown(0).innerText()).toBe('NULL');
    await page.keyboard.press('Control+s');
    await page.getByText('Saved 4 changes').waitFor();
    expect(storedIn(file(), "SELECT ifnull(v, 'NULL') FROM sparse ORDER BY id").join()).toBe(
      'NULL,NULL,NULL,a,NULL,NULL,g',
    );
  });
});
