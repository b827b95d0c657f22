/** SQL that the pages show or copy, run by each database's own client. */
import { expect, test } from 'vitest';
import type { Page } from 'playwright-core';
import { databasesUnderTest } from '../databases/kit/databases-under-test.ts';
import type { KitDatabase } from '../databases/kit/database-under-test.ts';
import { inBrowser } from './studio-page.ts';

const hostileText = String.raw`it's "x" \b ä`;

async function fill(database: KitDatabase, jsonType: string): Promise<void> {
  await database.run('CREATE TABLE kind (id INTEGER PRIMARY KEY, name VARCHAR(20))');
  await database.run("INSERT INTO kind VALUES (7, 'seventh'), (8, 'eighth')");
  await database.run(
    `CREATE TABLE thing (id INTEGER PRIMARY KEY, name VARCHAR(40), doc ${jsonType}, kind_id INTEGER,
       FOREIGN KEY (kind_id) REFERENCES kind (id))`,
  );
  await database.run(
    "INSERT INTO thing VALUES (1, 'one', '5', 7), (2, 'two', '[1]', 7), (3, 'three', NULL, NULL)",
  );
}

for (const underTest of databasesUnderTest) {
  let database: KitDatabase;
  const text = underTest.name === 'mysql' ? 'CHAR' : 'TEXT';
  const read = async (): Promise<readonly string[]> => {
    const rows = await database.query(
      `SELECT id, name, CAST(doc AS ${text}), kind_id FROM thing ORDER BY id`,
    );
    return rows.map((row) => row.map(String).join(' | '));
  };
  inBrowser(
    `SQL on ${underTest.name}`,
    ({ open }) => {
      const openThings = async (): Promise<Page> => {
        const permissions = ['clipboard-read', 'clipboard-write'];
        const page = await open('/tables/thing?sort_by=id', { permissions });
        await page.locator('#cell-1-0').waitFor();
        return page;
      };

      test('of the review does what Save would do, and Revert takes a value out of it', async () => {
        const page = await openThings();
        await page.locator('#cell-0-1').click();
        await page.keyboard.type(hostileText);
        await page.keyboard.press('Enter');
        await page.locator('#cell-0-2').click();
        await page.keyboard.type('"5"');
        await page.keyboard.press('Control+Enter');
        await page.locator('#cell-1-1').click();
        await page.keyboard.type('reverted');
        await page.keyboard.press('Enter');
        await page.locator('#cell-1-3').click({ position: { x: 2, y: 8 } });
        await page.keyboard.press('F2');
        await page.getByRole('option', { name: /eighth/ }).waitFor();
        await page.keyboard.type('eigh');
        await expect.poll(() => page.locator('.candidate').count()).toBe(1);
        await page.keyboard.press('Enter');
        // A picked key shows the title of its row before and after it is saved.
        await page.locator('#cell-1-3.mod').getByText('eighth').waitFor();
        await page.locator('#cell-2-1').click();
        await page.keyboard.press('Delete');
        await page.getByRole('button', { name: 'Review' }).click();
        const dialog = page.getByRole('dialog');
        await expect.poll(() => dialog.locator('pre').count()).toBe(3);
        await dialog.getByRole('button', { name: 'Revert name' }).last().click();
        // The statements disappear until the server has previewed what is left.
        const reverted = dialog.locator('pre', { hasText: 'reverted' });
        await reverted.waitFor({ state: 'detached' });
        await expect.poll(() => dialog.locator('pre').count()).toBe(3);
        const statements = await dialog.locator('pre').allInnerTexts();
        await page.keyboard.press('Escape');
        await dialog.waitFor({ state: 'detached' });
        await page.getByRole('button', { name: 'Discard', exact: true }).click();
        await page.locator('.c.mod').first().waitFor({ state: 'detached' });
        for (const statement of statements) await database.run(statement);
        expect(await read()).toEqual([`1 | ${hostileText} | "5" | 7`, '2 | two | [1] | 8']);
      });

      test('that is copied inserts the same row, with JSON that is a string', async () => {
        const page = await openThings();
        const [first = ''] = await read();
        await page.locator('#cell-0-0').click();
        await page.locator('#cell-0-3').click({ modifiers: ['Shift'], position: { x: 2, y: 8 } });
        await page.locator('#cell-0-1').click({ button: 'right' });
        await page.getByRole('menuitem', { name: 'Copy as SQL' }).click();
        await page.getByText('Copied').waitFor();
        const copied = (await page.evaluate('navigator.clipboard.readText()')) as string;
        await database.run('DELETE FROM thing WHERE id = 1');
        await database.run(copied);
        expect((await read())[0]).toBe(first);
      });
    },
    {
      database: async () => {
        database = await underTest.makeDatabase();
        await fill(database, underTest.name === 'postgres' ? 'JSONB' : 'JSON');
        return database;
      },
    },
  );
}
