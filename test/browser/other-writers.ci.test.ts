/** Edits beside another writer, cascades and a large paste, on every database, compared with the database's own client. */
import { expect, test } from 'vitest';
import type { Page } from 'playwright-core';
import { databasesUnderTest } from '../databases/kit/databases-under-test.ts';
import type { KitDatabase } from '../databases/kit/database-under-test.ts';
import { inBrowser } from './studio-page.ts';

const permissions = ['clipboard-read', 'clipboard-write'];
const rowCount = 60;

/** Names are the same in every dialect without quotes. */
const tables = [
  'CREATE TABLE shelf (id INTEGER NOT NULL PRIMARY KEY, name VARCHAR(40) NOT NULL, color VARCHAR(40))',
  `CREATE TABLE item (id INTEGER NOT NULL PRIMARY KEY, shelf_id INTEGER NOT NULL,
     FOREIGN KEY (shelf_id) REFERENCES shelf (id) ON DELETE CASCADE)`,
];

const ids = Array.from({ length: rowCount }, (_, i) => i + 1);

async function fill(database: KitDatabase): Promise<void> {
  for (const statement of tables) await database.run(statement);
  const shelves = ids.map((id) => `(${id}, 'shelf ${id}', 'color ${id}')`);
  await database.run(`INSERT INTO shelf (id, name, color) VALUES ${shelves.join(', ')}`);
  const items = ids.map((id) => `(${id}, ${(id % 3) + 41})`);
  await database.run(`INSERT INTO item (id, shelf_id) VALUES ${items.join(', ')}`);
}

async function type(page: Page, cell: string, text: string): Promise<void> {
  await page.locator(cell).click();
  await page.keyboard.type(text);
  await page.keyboard.press('Enter');
}

for (const underTest of databasesUnderTest) {
  let database: KitDatabase;
  const texts = async (query: string): Promise<readonly string[]> =>
    (await database.query(query)).map((row) => row.map(String).join(' '));
  inBrowser(
    `another writer on ${underTest.name}`,
    ({ open }) => {
      const openShelves = async (view = ''): Promise<Page> => {
        const page = await open(`/tables/shelf?sort_by=id${view}`, { permissions });
        page.removeAllListeners('console');
        await page.locator('#cell-0-1').waitFor();
        return page;
      };
      const save = async (page: Page, saved: string): Promise<void> => {
        await page.keyboard.press('Control+s');
        await page.getByText(saved).waitFor();
      };

      test('is asked about, value by value', async () => {
        const page = await openShelves();
        await type(page, '#cell-0-1', 'mine');
        await type(page, '#cell-0-2', 'my color');
        await database.run("UPDATE shelf SET name = 'theirs', color = 'their color' WHERE id = 1");
        await page.keyboard.press('Control+s');
        const dialog = page.getByRole('dialog', { name: 'Someone else changed this row' });
        await dialog.getByLabel('Their version of color').check();
        await dialog.getByRole('button', { name: 'Save merged row' }).click();
        await page.getByText('Saved 1 change').waitFor();
        expect(await texts('SELECT name, color FROM shelf WHERE id = 1')).toEqual([
          'mine their color',
        ]);
        await expect.poll(() => page.locator('#cell-0-2').innerText()).toBe('their color');
      });

      test('keeps a row that was marked for deletion before the change', async () => {
        const page = await openShelves();
        await page.locator('#cell-1-1').click();
        await page.keyboard.press('Delete');
        await page.getByText('1 deleted').waitFor();
        await database.run("UPDATE shelf SET name = 'changed' WHERE id = 2");
        await page.keyboard.press('Control+s');
        await page.getByText('The row is no longer marked for deletion.').waitFor();
        await expect.poll(() => page.locator('#cell-1-1').innerText()).toBe('changed');
        await page.locator('#cell-1-1').click();
        await page.keyboard.press('Delete');
        await save(page, 'Saved 1 change');
        expect(await texts('SELECT count(*) FROM shelf WHERE id = 2')).toEqual(['0']);
      });

      test('deletes a row whose typed values go to a new one', async () => {
        const page = await openShelves('&filter_id__gt=2');
        await type(page, '#cell-0-1', 'typed');
        await database.run('DELETE FROM shelf WHERE id = 3');
        await page.keyboard.press('Control+s');
        await page.getByRole('button', { name: 'Move to a new row' }).click();
        await page.getByText('1 new').waitFor();
        await save(page, 'Saved 1 change');
        expect(await texts('SELECT name, color FROM shelf WHERE id = 3')).toEqual([
          'typed color 3',
        ]);
      });

      test('is another tab, which learns of the change when it saves', async () => {
        const page = await openShelves('&filter_id__gt=4');
        const other = await openShelves('&filter_id__gt=4');
        await type(page, '#cell-0-1', 'first tab');
        await type(other, '#cell-0-1', 'second tab');
        await save(other, 'Saved 1 change');
        await page.keyboard.press('Control+s');
        const dialog = page.getByRole('dialog', { name: 'Someone else changed this row' });
        await dialog.getByText('second').waitFor();
        await dialog.getByRole('button', { name: 'Use their version' }).click();
        await dialog.getByRole('button', { name: 'Save merged row' }).click();
        await dialog.waitFor({ state: 'detached' });
        await expect.poll(() => page.locator('#cell-0-1').innerText()).toBe('second tab');
        expect(await texts('SELECT name FROM shelf WHERE id = 5')).toEqual(['second tab']);
      });

      test('the review counts the rows that a deletion takes along', async () => {
        const page = await openShelves('&filter_id__eq=42');
        const [count] = await texts('SELECT count(*) FROM item WHERE shelf_id = 42');
        await page.locator('#cell-0-1').click();
        await page.keyboard.press('Delete');
        await page.getByRole('button', { name: 'Review' }).click();
        const dialog = page.getByRole('dialog');
        await dialog.getByText(`Also deletes ${count} rows of item.`).waitFor();
        await dialog.getByRole('button', { name: 'Save' }).click();
        await page.getByText('Saved 1 change').waitFor();
        expect(await texts('SELECT count(*) FROM item WHERE shelf_id = 42')).toEqual(['0']);
        expect(await texts('SELECT count(*) FROM item')).toEqual([
          String(rowCount - Number(count)),
        ]);
      });

      test('nothing is saved if a deletion would take along other rows than were shown', async () => {
        const page = await openShelves('&filter_id__gt=40');
        const count = async (): Promise<number> =>
          Number((await texts('SELECT count(*) FROM item WHERE shelf_id = 41'))[0]);
        const shown = await count();
        const addItem = (id: number) =>
          database.run(`INSERT INTO item (id, shelf_id) VALUES (${id}, 41)`);
        const rejected = page.getByText('Foreign keys would now delete or change other rows');
        const bar = page.getByRole('region', { name: 'Unsaved changes' });
        await page.locator('#cell-0-1').click();
        await page.keyboard.press('Delete');
        await bar.getByText(`Also deletes ${shown} rows of item.`).waitFor();
        await addItem(1001);
        await page.keyboard.press('Control+s');
        await rejected.waitFor();
        await bar.getByText(`Also deletes ${shown + 1} rows of item.`).waitFor();
        // A change of another row does not change what the deletion does.
        await type(page, '#cell-1-1', 'renamed');
        await rejected.waitFor({ state: 'detached' });
        await addItem(1002);
        await page.keyboard.press('Control+s');
        await rejected.waitFor();
        await page.getByRole('button', { name: 'Review' }).click();
        const dialog = page.getByRole('dialog');
        await dialog.getByText(`Also deletes ${shown + 2} rows of item.`).waitFor();
        await addItem(1003);
        await dialog.getByRole('button', { name: 'Save' }).click();
        await bar.getByText(`Also deletes ${shown + 3} rows of item.`).waitFor();
        expect(await count()).toBe(shown + 3);
        expect(await texts("SELECT count(*) FROM shelf WHERE name = 'renamed'")).toEqual(['0']);
        await page.getByRole('button', { name: 'Review' }).click();
        await dialog.getByText(`Also deletes ${shown + 3} rows of item.`).waitFor();
        await dialog.getByRole('button', { name: 'Save' }).click();
        await page.getByText('Saved 2 changes').waitFor();
        expect(await count()).toBe(0);
        expect(await texts("SELECT count(*) FROM shelf WHERE name = 'renamed'")).toEqual(['1']);
      });

      test('a thousand pasted lines are stored once, each in its row', async () => {
        // Rows that nothing references.
        const page = await openShelves('&filter_id__gt=44');
        const lines = Array.from({ length: 1000 }, (_, i) => `${i + 1000}\tpasted ${i}\t#${i}`);
        await page.getByRole('button', { name: 'Add row', exact: true }).click();
        const text = JSON.stringify(lines.join('\n'));
        await page.evaluate(`navigator.clipboard.writeText(${text})`);
        await page.locator('#cell-0-0').click();
        const before = await texts('SELECT id FROM shelf ORDER BY id');
        await page.keyboard.press('Control+v');
        await page
          .getByRole('region', { name: 'Unsaved changes' })
          .getByText('1000 changes')
          .waitFor();
        await save(page, 'Saved 1000 changes');
        const after = await texts('SELECT id, name, color FROM shelf ORDER BY id');
        const pasted = after.filter((line) => line.includes(' pasted '));
        expect(pasted).toEqual(lines.map((line) => line.replaceAll('\t', ' ')));
        expect(after.length).toBeGreaterThanOrEqual(1000);
        expect(after.length).toBeLessThanOrEqual(1000 + before.length);
      });
    },
    {
      database: async () => {
        database = await underTest.makeDatabase();
        await fill(database);
        return database;
      },
    },
  );
}
