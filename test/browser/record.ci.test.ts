import { Buffer } from 'node:buffer';
import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { changeFile, inBrowser, seriousAxeFindings, storedIn } from './studio-page.ts';

inBrowser('a record beside the grid', ({ open, file }) => {
  const stored = (query: string): unknown => storedIn(file(), query);

  test('is edited field by field, shows the stored values, and is saved with other changes', async () => {
    const page = await open('/tables/users?open=users/5');
    const email = page.getByRole('textbox', { name: 'email' });
    const before = await email.inputValue();
    await email.fill('new@example.org');
    await page.getByRole('textbox', { name: 'family_name' }).fill('Newname');
    await page.keyboard.press('Enter');
    await page.getByRole('switch', { name: 'is_active' }).click();
    await page.locator('.was').getByText(before).waitFor();
    await page.locator('.review').getByText('1 edited').waitFor();
    expect(await seriousAxeFindings(page)).toEqual([]);
    await page.getByRole('button', { name: 'Revert email' }).click();
    expect(await email.inputValue()).toBe(before);
    await page.keyboard.press('Control+s');
    await page.getByText('Saved 1 change').waitFor();
    expect(stored('SELECT email || family_name FROM users WHERE id = 5')).toEqual([
      `${before}Newname`,
    ]);
  });

  test('has a title that identifies it, and shows whole values', async () => {
    const page = await open('/tables/orders?open=orders/9007199254740993');
    const title = page.getByLabel('Record').getByRole('heading');
    await title.getByText('orders 9007199254740993').waitFor();
    const shipped = page.getByRole('textbox', { name: 'shipped_on' });
    const right = (await shipped.boundingBox())!;
    const button = (await page.getByLabel('Choose a date for shipped_on').boundingBox())!;
    expect(button.x - right.x - right.width).toBeLessThan(16);
    await shipped.focus();
    await page.getByRole('button', { name: 'Set shipped_on to NULL' }).waitFor();
  });

  test('the save shortcut also saves the text that is being typed', async () => {
    const page = await open('/tables/tags?open=tags/7');
    await page.getByRole('textbox', { name: 'name' }).fill('typed and saved');
    await page.keyboard.press('Control+s');
    await page.getByText('Saved 1 change').waitFor();
    expect(stored('SELECT name FROM tags WHERE id = 7')).toEqual(['typed and saved']);
  });

  test('leads from record to record, and back', async () => {
    const page = await open('/tables/posts?sort_by=id');
    await page.locator('#cell-0-1 .fk').hover();
    await page.locator('.hcard').getByText('users, id').waitFor();
    await page.locator('#cell-0-1 .fk').click();
    await page.waitForURL(/open=users/);
    await page.getByRole('tab', { name: /^Posts/ }).click();
    await page.locator('.related-row').first().click();
    await page.waitForURL(/open=users.*open=posts/);
    await page.getByRole('button', { name: 'Back', exact: true }).click();
    await page.waitForURL((url) => !url.search.includes('open=posts'));
    await page.keyboard.press('Escape');
  });

  test('edits a record of another table, with a bar of its own', async () => {
    const page = await open('/tables/posts?open=users/9');
    await page.getByRole('textbox', { name: 'given_name' }).fill('Elsewhere');
    await page.keyboard.press('Enter');
    const bar = page.getByLabel('Record').getByRole('region', { name: 'Unsaved changes' });
    await bar.getByRole('button', { name: 'Save' }).click();
    await page.getByText('Saved 1 change').waitFor();
    expect(stored('SELECT given_name FROM users WHERE id = 9')).toEqual(['Elsewhere']);
  });

  test('uploads a file, shows its type, and downloads the same bytes', async () => {
    const page = await open('/tables/books?open=books/4');
    const bytes = Buffer.from(Array.from({ length: 70_000 }, (_, i) => (i * 7) % 256));
    await page
      .getByLabel('Upload cover')
      .setInputFiles({ name: 'cover.bin', mimeType: 'application/octet-stream', buffer: bytes });
    await page.locator('.binary-field').getByText('70.0 kB').waitFor();
    await page.keyboard.press('Control+s');
    await page.getByText('Saved 1 change').waitFor();
    expect(stored('SELECT hex(cover) FROM books WHERE id = 4')).toEqual([
      bytes.toString('hex').toUpperCase(),
    ]);
    const download = page.waitForEvent('download');
    await page.getByLabel('Download cover').click();
    expect(readFileSync(await (await download).path()).equals(bytes)).toBe(true);
  });

  test('stores a large file immediately, and says so', async () => {
    const page = await open('/tables/books?open=books/6');
    await page.getByLabel('Upload cover').setInputFiles({
      name: 'scan.tiff',
      mimeType: 'image/tiff',
      buffer: Buffer.alloc(9_000_000, 1),
    });
    await page.getByText('Uploaded scan.tiff').waitFor();
    expect(stored('SELECT length(cover) FROM books WHERE id = 6')).toEqual([9_000_000]);
  });

  test('keeps line ends that a text field would convert', async () => {
    changeFile(file(), "UPDATE posts SET body = 'one' || char(13, 10) || 'two' WHERE id = 8");
    const page = await open('/tables/posts?open=posts/8');
    const body = page.getByRole('textbox', { name: 'body' });
    await body.press('Control+End');
    await page.keyboard.type(' three');
    await page.keyboard.press('Control+s');
    await page.getByText('Saved 1 change').waitFor();
    expect(stored('SELECT body FROM posts WHERE id = 8')).toEqual(['one\r\ntwo three']);
  });

  test('picks a row of the referenced table, and says if no row matches', async () => {
    const page = await open('/tables/posts?open=posts/9');
    await page.getByRole('button', { name: /^book_id, choose a row of books/ }).click();
    const field = page.getByRole('combobox', { name: 'book_id' });
    await field.fill('zzzz');
    await page.getByText('No matching rows').waitFor();
    await field.fill('');
    await page.getByRole('listbox').getByRole('option').nth(1).waitFor();
    expect(await seriousAxeFindings(page)).toEqual([]);
    await field.press('ArrowDown');
    await field.press('Enter');
    await page.getByRole('button', { name: 'Revert book_id' }).waitFor();
  });
});
