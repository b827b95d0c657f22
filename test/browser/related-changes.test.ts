import { expect, test } from 'vitest';
import type { Page } from 'playwright-core';
import { changeFile, inBrowser, storedIn } from './studio-page.ts';

inBrowser('rows of a table that references itself', ({ open, file }) => {
  const stage = async (onDelete: string): Promise<Page> => {
    changeFile(
      file(),
      `DROP TABLE IF EXISTS staff;
       CREATE TABLE staff (id INTEGER PRIMARY KEY, name TEXT,
         boss_id INTEGER REFERENCES staff (id) ON DELETE ${onDelete});
       INSERT INTO staff VALUES (1, 'Ann', NULL), (2, 'Bob', 1)`,
    );
    const page = await open('/tables/staff?sort_by=id');
    page.removeAllListeners('console');
    await page.locator('#cell-1-1').click();
    await page.keyboard.type('Robert');
    await page.keyboard.press('Enter');
    await page.locator('#cell-0-1').click();
    await page.keyboard.press('Delete');
    await page.getByText('2 changes').waitFor();
    await page.keyboard.press('Control+s');
    return page;
  };

  test('are changed together with the deletion of a row that they reference', async () => {
    const page = await stage('SET NULL');
    await page.getByText('Saved 2 changes').waitFor();
    expect(storedIn(file(), "SELECT name || ifnull(boss_id, '-') FROM staff")).toEqual(['Robert-']);
  });

  test('cannot be changed if that deletes them, and no other client is blamed', async () => {
    const page = await stage('CASCADE');
    const bar = page.getByRole('region', { name: 'Unsaved changes' });
    await bar.getByText('Row 2 has changes, but a foreign key deletes it').waitFor();
    expect(await page.getByRole('dialog').count()).toBe(0);
    expect(storedIn(file(), 'SELECT name FROM staff')).toEqual(['Ann', 'Bob']);
    await page.getByRole('button', { name: 'Undo' }).click();
    await page.keyboard.press('Control+s');
    await page.getByText('Saved 1 change').waitFor();
    expect(storedIn(file(), 'SELECT name FROM staff')).toEqual(['Ann', 'Robert']);
  });
});
