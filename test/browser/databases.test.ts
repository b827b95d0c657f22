/** The same walk on every database: browse, filter, pick, edit, save, query. */
import { expect, test } from 'vitest';
import { subjects } from '../databases/kit/subjects.ts';
import { makeDemo } from './make-demo.ts';
import { inBrowser } from './studio-page.ts';

for (const subject of subjects) {
  inBrowser(
    `the studio on ${subject.name}`,
    ({ open }) => {
      test('is browsed, edited, saved and queried', async () => {
        const page = await open('/');
        await page.locator('.home-table', { hasText: 'order_items' }).click();
        await page.locator('[role="gridcell"]').first().waitFor();
        await page.goto(page.url().replace('order_items', 'books?sort_by=id'));
        await page.locator('#cell-0-1').click();
        await page.keyboard.type('A title typed here');
        await page.keyboard.press('Enter');
        await page.locator('#cell-1-6').click();
        await page.keyboard.type('321');
        await page.keyboard.press('Enter');
        await page.locator('#cell-2-4').click();
        await page.keyboard.press('Enter');
        await page.getByRole('listbox').getByRole('option').nth(2).click();
        await page.keyboard.press('Control+s');
        await page.getByText('Saved 3 changes').waitFor();
        await expect.poll(() => page.locator('#cell-0-1').innerText()).toBe('A title typed here');
        await expect.poll(() => page.locator('#cell-1-6').innerText()).toBe('321');
        await page.locator('#cell-0-0').click();
        await page.keyboard.press(' ');
        await page.getByRole('button', { name: 'Edit metadata' }).waitFor();
        await page.goto(page.url().replace(/tables.*/, 'sql'));
        await page.locator('.sql-editor .cm-content').click();
        await page.keyboard.type("select title from books where title = 'A title typed here'");
        await page.keyboard.press('Control+Enter');
        await page.getByText('1 row in').first().waitFor();
      });
    },
    { database: () => makeDemo(subject) },
  );
}
