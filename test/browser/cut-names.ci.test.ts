/** Long names that begin alike stay different where tabs and the command palette cut them. */
import BetterSqlite3 from 'better-sqlite3';
import { expect, test } from 'vitest';
import { inBrowser } from './studio-page.ts';

const names = ['customers', 'suppliers', 'warehouses'].map(
  (of) => `audit_of_monthly_changes_and_corrections_of_${of}_by_region`,
);

function build(file: string): void {
  const db = new BetterSqlite3(file);
  for (const name of names) db.exec(`CREATE TABLE ${name} (id INTEGER PRIMARY KEY)`);
  db.exec(`CREATE VIEW first_view AS SELECT 1 AS a; CREATE VIEW second_view AS SELECT 2 AS a`);
  db.close();
}

/** The words in which the names differ. */
const differences = [/tomers/, /pliers/, /es_by_region/];

inBrowser(
  'long names',
  ({ open }) => {
    test('of tabs keep the part in which they differ', async () => {
      const page = await open(`/tables/${names[0]}`);
      for (const name of names.slice(1))
        await page.locator('.tree').getByRole('link', { name }).click();
      const tabs = page.getByLabel('Open tabs');
      for (const [i, name] of names.entries()) {
        const tab = tabs.getByRole('link', { name });
        expect(await tab.locator('.uncut').textContent()).toMatch(differences[i]!);
        const [inner, outer] = [await tab.locator('.uncut').boundingBox(), await tab.boundingBox()];
        expect(inner!.x + inner!.width).toBeLessThanOrEqual(outer!.x + outer!.width);
      }
    });

    test('of the command palette keep the part in which they differ', async () => {
      const page = await open('/', { viewport: { width: 390, height: 844 } });
      await page.locator('.home-table').first().waitFor();
      await page.keyboard.press('Control+k');
      await page.keyboard.type('audit');
      for (const [i, name] of names.entries()) {
        const option = page.getByRole('option', { name }).first();
        expect(await option.locator('.uncut').textContent()).toMatch(differences[i]!);
        expect(await option.locator('.uncut').isVisible()).toBe(true);
      }
    });

    test('the views of an export are counted', async () => {
      const page = await open('/export');
      const views = page.getByRole('group', { name: 'Views' });
      await page.getByText('0 of 2 selected').waitFor();
      await views.getByRole('checkbox').first().check();
      await page.getByText('1 of 2 selected').waitFor();
      await page.getByText('3 of 3 selected').waitFor();
    });

    test('the first press of Tab leads past the list of tables', async () => {
      const page = await open('/');
      await page.locator('.home-table').first().waitFor();
      await page.keyboard.press('Tab');
      const skip = page.getByRole('button', { name: 'Skip to content' });
      expect(await skip.evaluate((button) => button.matches(':focus'))).toBe(true);
      expect(await skip.isVisible()).toBe(true);
      await page.keyboard.press('Enter');
      await page.keyboard.press('Tab');
      expect(await page.locator('main :focus').count()).toBe(1);
    });
  },
  { build },
);
