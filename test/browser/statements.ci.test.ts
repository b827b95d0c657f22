/** The SQL page on every database: results, plans, errors, and questions before writing. */
import { expect, test } from 'vitest';
import type { Page } from 'playwright-core';
import { databasesUnderTest } from '../databases/kit/databases-under-test.ts';
import type { KitDatabase } from '../databases/kit/database-under-test.ts';
import { inBrowser } from './studio-page.ts';

async function fill(database: KitDatabase): Promise<void> {
  await database.run(
    'CREATE TABLE part (id INTEGER PRIMARY KEY, name VARCHAR(20), weight DECIMAL(8, 2))',
  );
  const rows = Array.from({ length: 40 }, (_, i) => `(${i + 1}, 'part ${i + 1}', ${i}.25)`);
  await database.run(`INSERT INTO part VALUES ${rows.join(', ')}`);
}

async function enter(page: Page, statement: string): Promise<void> {
  await page.locator('.sql-editor .cm-content').click();
  await page.keyboard.press('Control+a');
  await page.keyboard.insertText(statement);
}

for (const underTest of databasesUnderTest) {
  let database: KitDatabase;
  const count = async (where: string): Promise<number> =>
    Number((await database.query(`SELECT count(*) FROM part WHERE ${where}`))[0]?.[0]);
  inBrowser(
    `statements on ${underTest.name}`,
    ({ open }) => {
      const openSql = async (): Promise<Page> => {
        const page = await open('/sql');
        page.removeAllListeners('console');
        await page.getByRole('link', { name: /^part/ }).waitFor();
        return page;
      };

      test('have results of their own, with numbers on the right and rows of RETURNING', async () => {
        const page = await openSql();
        const returning = `INSERT INTO part VALUES (101, 'new', 1.25) RETURNING id, weight`;
        const insert = 'INSERT INTO part VALUES (102, NULL, NULL)';
        await enter(
          page,
          `SELECT id, weight, name FROM part WHERE id = 4;\nSELECT nosuch FROM part;\n${returning};\n${insert}`,
        );
        await page.getByText('Stop at the first error').click();
        await page.getByRole('button', { name: 'Run all' }).click();
        const tabs = page.getByRole('tablist', { name: 'Results' });
        const open3 = async (): Promise<readonly string[]> => {
          await tabs.getByRole('tab', { name: '3' }).click();
          return page.getByRole('gridcell').allInnerTexts();
        };
        await expect.poll(open3).toEqual(['101', '1.25']);
        expect(await page.locator('[data-fault]').allInnerTexts()).toEqual(['nosuch']);
        await tabs.getByRole('tab', { name: '1', exact: true }).click();
        await expect
          .poll(() => page.getByRole('gridcell').allInnerTexts())
          .toEqual(['4', '3.25', 'part 4']);
        expect(await page.locator('[role="gridcell"].r').count()).toBe(2);
        expect(await count('id > 100')).toBe(2);
      });

      test('show the selected result while later ones run', async () => {
        const page = await openSql();
        const responses: (() => void)[] = [];
        await page.route('**/api/sql', async (route) => {
          if (route.request().postData()?.includes('id = 9') === true)
            await new Promise<void>((resolve) => responses.push(resolve));
          await route.continue();
        });
        await enter(
          page,
          'SELECT id FROM part WHERE id = 7; SELECT id FROM part WHERE id = 9; SELECT nosuch FROM part',
        );
        await page.getByRole('button', { name: 'Run all' }).click();
        await expect.poll(() => responses.length).toBe(1);
        const tabs = page.getByRole('tablist', { name: 'Results' });
        await tabs.getByRole('tab', { name: '1', exact: true }).click();
        responses[0]!();
        await page.locator('.sql-runs .failed').waitFor();
        expect(await page.getByRole('gridcell').allInnerTexts()).toEqual(['7']);
        await page.getByRole('button', { name: 'Run all' }).click();
        await expect.poll(() => responses.length).toBe(2);
        responses[1]!();
        await expect
          .poll(() => tabs.getByRole('tab', { selected: true }).innerText())
          .toContain('3');
      });

      test('that write all rows are confirmed with their number, which is not written before', async () => {
        const page = await openSql();
        const all = await count('1 = 1');
        await enter(page, "UPDATE part SET name = 'all'");
        await page.keyboard.press('Control+Enter');
        const dialog = page.getByRole('dialog');
        await dialog.getByText(`It has no WHERE clause and writes ${all} rows.`).waitFor();
        expect(await count("name = 'all'")).toBe(0);
        await page.keyboard.press('Escape');
        await dialog.waitFor({ state: 'detached' });
        expect(await count("name = 'all'")).toBe(0);
        await page.getByRole('button', { name: 'Run', exact: false }).first().click();
        await dialog.getByRole('button', { name: 'Run', exact: true }).click();
        await page.getByText(`changed ${all} rows in`).first().waitFor();
        expect(await count("name = 'all'")).toBe(all);
      });

      test('have a plan as a tree, and its text one click away', async () => {
        const page = await openSql();
        await enter(page, 'SELECT * FROM part a JOIN part b ON a.weight = b.id ORDER BY b.name');
        await page.getByRole('button', { name: 'Explain' }).click();
        const plan = page.getByRole('list', { name: 'Plan' });
        await plan.getByRole('listitem').nth(1).waitFor();
        const hasCosts = underTest.name === 'postgres';
        expect((await page.locator('.plan-cost').count()) > 0).toBe(hasCosts);
        await page.getByRole('button', { name: 'Text', exact: true }).click();
        const text = page.getByRole('region', { name: 'Plan' });
        expect((await text.innerText()).length).toBeGreaterThan(20);
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
