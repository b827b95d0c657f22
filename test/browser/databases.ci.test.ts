/** The same steps on every database: browse, filter, pick, edit, save, query. */
import { expect, test } from 'vitest';
import { databasesUnderTest } from '../databases/kit/databases-under-test.ts';
import { makeDemo } from './make-demo.ts';
import { inBrowser } from './studio-page.ts';

for (const underTest of databasesUnderTest) {
  inBrowser(
    `the studio on ${underTest.name}`,
    ({ open, url }) => {
      test('can be browsed, edited, saved and queried', async () => {
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
        // A rejection marks the cell at fault only.
        page.removeAllListeners('console');
        await page.locator('#cell-3-1').click();
        await page.keyboard.type('Another title');
        await page.keyboard.press('Enter');
        await page.locator('#cell-3-6').click();
        await page.keyboard.type('-5');
        await page.keyboard.press('Enter');
        await page.keyboard.press('Control+s');
        await page.locator('#cell-3-6.bad').hover();
        await page.locator('#cell-3-6').getByText('(page_count: -5)').waitFor();
        expect(await page.locator('.c.bad').count()).toBe(1);
        await page.getByRole('button', { name: 'Discard' }).click();
        await page.locator('.c.bad').waitFor({ state: 'detached' });
        // Scrolls back: columns out of view are not rendered.
        await page.locator('#cell-3-6').click();
        await page.keyboard.press('Control+Home');
        await page.keyboard.press(' ');
        await page.getByRole('button', { name: 'Edit metadata' }).waitFor();
        await page.goto(page.url().replace(/tables.*/, 'sql'));
        await page.locator('.sql-editor .cm-content').click();
        await page.keyboard.type('select title from books where title = :title and id < :below');
        await page.getByRole('textbox', { name: ':title' }).fill('A title typed here');
        await page.getByRole('textbox', { name: ':below' }).fill('1000');
        await page.getByRole('textbox', { name: ':below' }).press('Enter');
        await page.getByText('1 row in').first().waitFor();
      });

      test('a row copied as SQL inserts the same row', async () => {
        const permissions = ['clipboard-read', 'clipboard-write'];
        const page = await open('/tables/subjects?sort_by=code', { permissions });
        await page.locator('#cell-0-1').click();
        await page.keyboard.type(String.raw`it's \b "x" Þé`);
        await page.keyboard.press('Enter');
        await page.keyboard.press('Control+s');
        await page.getByText('Saved 1 change').waitFor();
        const code = await page.locator('#cell-0-0').innerText();
        await page.locator('#cell-0-0').click();
        await page.locator('#cell-0-2').click({ modifiers: ['Shift'], button: 'left' });
        await page.locator('#cell-0-1').click({ button: 'right' });
        await page.getByRole('menuitem', { name: 'Copy as SQL' }).click();
        await page.getByText('Copied').waitFor();
        const copied = (await page.evaluate('navigator.clipboard.readText()')) as string;
        const query = copied.replace(`'${code.replaceAll("'", "''")}'`, "'copied'");
        expect(query).not.toBe(copied);
        const run = async (statement: string): Promise<unknown> => {
          const data = { query: statement };
          return (await page.request.post(`${url()}/api/sql`, { data })).json();
        };
        expect(await run(query)).toMatchObject({ type: 'write', rows_affected: 1 });
        const joinedQuery = `select count(*) as n from subjects a, subjects b where a.name = b.name and b.code = 'copied'`;
        expect(await run(joinedQuery)).toMatchObject({ rows: [{ n: 2 }] });
      });
    },
    { database: () => makeDemo(underTest) },
  );
}
