/** Filters by real clicks and keys, against the counts that SQL returns. */
import { expect, test } from 'vitest';
import type { Page } from 'playwright-core';
import { databasesUnderTest } from '../databases/kit/databases-under-test.ts';
import { makeDemo } from './make-demo.ts';
import { inBrowser, seriousAxeFindings } from './studio-page.ts';

for (const underTest of databasesUnderTest) {
  inBrowser(
    `filters on ${underTest.name}`,
    ({ open, url }) => {
      const hasEnums = underTest.name !== 'sqlite';
      const count = async (page: Page, where: string): Promise<number> => {
        const data = { query: `SELECT COUNT(*) AS n FROM ${where}` };
        const response = await page.request.post(`${url()}/api/sql`, { data });
        const { rows } = (await response.json()) as { rows: readonly { n: number }[] };
        return Number(rows[0]?.n);
      };
      const expectRows = async (page: Page, rows: number): Promise<void> => {
        expect(rows).toBeGreaterThan(0);
        await expect
          .poll(async () => (await page.locator('.status').innerText()).replaceAll(',', ''))
          .toMatch(new RegExp(`^${rows} rows?\\b`));
      };
      const add = async (page: Page, column: string, condition: string): Promise<void> => {
        await page.getByLabel('Column', { exact: true }).selectOption(column);
        await page.getByLabel('Condition', { exact: true }).selectOption({ label: condition });
      };

      test('take referenced rows from a list, by their labels', async () => {
        const page = await open('/tables/orders');
        const name = await page.request
          .get(`${url()}/api/tables/orders/rows?page_size=1&labels=true`)
          .then(async (response) => response.json())
          .then(
            ({ labels }: { labels: { customer_id: Record<string, string> } }) =>
              Object.entries(labels.customer_id)[0]!,
          );
        const [id, label] = name;
        await page.getByRole('button', { name: 'Filter', exact: true }).click();
        await add(page, 'customer_id', 'is');
        await page.getByRole('combobox', { name: 'customer_id' }).click();
        await page.keyboard.type(label);
        await page.locator('.candidate').first().waitFor();
        await page.keyboard.press('Enter');
        await page.waitForURL(new RegExp(`filter_customer_id__eq=${id}$`));
        await page.locator('.fchip .val').getByText(label).waitFor();
        await expectRows(page, await count(page, `orders WHERE customer_id = ${id}`));
        await page.locator('.fchip .open').click();
        await add(page, 'customer_id', 'is one of');
        await page.locator('.candidate').nth(1).click();
        await expect.poll(() => page.locator('.value-chips li').count()).toBe(2);
        expect(await seriousAxeFindings(page)).toEqual([]);
        await page.getByRole('button', { name: 'Apply' }).click();
        await page.waitForURL(/filter_customer_id__in=/);
        const [, list = ''] = /in=([^&]*)/.exec(decodeURIComponent(page.url())) ?? [];
        const ids = (JSON.parse(list) as readonly string[]).join(', ');
        await expectRows(page, await count(page, `orders WHERE customer_id IN (${ids})`));
      });

      test('select the values of enums and booleans, and NULL by name', async () => {
        const page = await open('/tables/customers');
        await page.locator('[role="gridcell"]').first().waitFor();
        await page.keyboard.press('Shift+F');
        await add(page, 'newsletter', 'is');
        await page.getByRole('radio', { name: 'true' }).click();
        await page.keyboard.press('Enter');
        await expectRows(page, await count(page, 'customers WHERE newsletter = TRUE'));
        await page.locator('.fchip .open').click();
        await page.getByLabel('Condition', { exact: true }).selectOption({ label: 'is not NULL' });
        await page.getByRole('button', { name: 'Apply' }).click();
        await page.locator('.fchip').getByText('is not NULL').waitFor();
        await expectRows(page, await count(page, 'customers WHERE newsletter IS NOT NULL'));
        await page.goto(page.url().replace(/customers.*/, 'orders'));
        await page.getByRole('button', { name: 'Filter', exact: true }).click();
        await add(page, 'status', 'is one of');
        if (hasEnums) {
          await page.getByRole('checkbox', { name: 'paid' }).click();
          await page.getByRole('checkbox', { name: 'returned' }).click();
        } else await page.getByRole('textbox', { name: 'Values' }).fill('paid, returned');
        await page.keyboard.press('Enter');
        await page.locator('.fchip').getByText('paid, returned').waitFor();
        await expectRows(page, await count(page, "orders WHERE status IN ('paid', 'returned')"));
      });

      test('take a list that is typed or pasted', async () => {
        const permissions = ['clipboard-read', 'clipboard-write'];
        const page = await open('/tables/books', { permissions });
        await page.getByRole('button', { name: 'Filter', exact: true }).click();
        await add(page, 'id', 'is one of');
        await page.getByRole('textbox', { name: 'Values' }).click();
        await page.keyboard.type('3, 5, 8');
        await page.keyboard.press('Enter');
        await page.locator('.fchip').getByText('3, 5, 8').waitFor();
        await expectRows(page, 3);
        await page.locator('.fchip .open').click();
        await page.evaluate('navigator.clipboard.writeText("11\\n12\\n12\\n13")');
        await page.getByRole('textbox', { name: 'Values' }).click();
        await page.keyboard.press('Control+v');
        await expect.poll(() => page.locator('.value-chips li').count()).toBe(6);
        await page.getByRole('button', { name: 'Remove 5' }).click();
        await page.getByRole('button', { name: 'Apply' }).click();
        await expectRows(page, 5);
      });

      test('are combined with OR, kept in the URL, and exported', async () => {
        const page = await open('/tables/orders');
        await page.getByRole('button', { name: 'Filter', exact: true }).click();
        await add(page, 'status', 'is');
        if (hasEnums) await page.getByRole('radio', { name: 'returned' }).click();
        else await page.getByRole('textbox', { name: 'Value' }).fill('returned');
        await page.keyboard.press('Enter');
        await page.getByRole('button', { name: 'Add OR' }).click();
        await add(page, 'shipping_cost', 'is less than');
        await page.getByRole('textbox', { name: 'Value' }).click();
        await page.keyboard.type('1');
        await page.keyboard.press('Enter');
        const group = page.getByRole('group', { name: 'Any of these conditions' });
        await group.getByText('shipping_cost').waitFor();
        const where = "orders WHERE (status = 'returned' OR shipping_cost < 1)";
        const rows = await count(page, where);
        await expectRows(page, rows);
        await page.reload();
        await expectRows(page, rows);
        await page.getByRole('button', { name: 'Filter', exact: true }).click();
        await add(page, 'note', 'is NULL');
        await page.getByRole('button', { name: 'Apply' }).click();
        await expectRows(page, await count(page, `${where} AND note IS NULL`));
        const exported = await page.request.get(
          `${url()}/api/tables/orders/export?format=json&${new URL(page.url()).search.slice(1)}`,
        );
        expect(await exported.json()).toHaveLength(await count(page, `${where} AND note IS NULL`));
        await group.getByRole('button', { name: 'Remove filter on shipping_cost' }).click();
        await expectRows(
          page,
          await count(page, "orders WHERE status = 'returned' AND note IS NULL"),
        );
      });

      test('go to a page by its number', async () => {
        const page = await open('/tables/order_items?sort_by=order_id');
        await page.getByRole('textbox', { name: 'Page', exact: true }).click();
        await page.keyboard.type('3');
        await page.keyboard.press('Enter');
        await page.waitForURL(/page=3/);
        await page.getByRole('textbox', { name: 'Page', exact: true }).fill('999999');
        await page.keyboard.press('Enter');
        const pages = Math.ceil((await count(page, 'order_items')) / 50);
        await page.waitForURL(new RegExp(`page=${pages}$`));
        await page.goto(`${url()}/tables/order_items?sort_by=order_id&page=999999`);
        await page.waitForURL(new RegExp(`page=${pages}$`));
        await page.locator('[role="gridcell"]').first().waitFor();
        await page.goto(`${url()}/tables/order_items?filter_quantity__eq=1&page=9999`);
        await expectRows(page, await count(page, 'order_items WHERE quantity = 1'));
        await page.locator('[role="gridcell"]').first().waitFor();
      });
    },
    { database: () => makeDemo(underTest) },
  );
}
