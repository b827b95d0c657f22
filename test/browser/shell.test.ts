import { expect, test } from 'vitest';
import { inBrowser, seriousAxeFindings } from './studio-page.ts';

inBrowser('the shell', ({ open }) => {
  test('finds every table by a few letters', async () => {
    const page = await open('/');
    await page.locator('.home-table').first().waitFor();
    await page.keyboard.press('Control+k');
    await page.keyboard.type('order_it');
    await page.keyboard.press('Enter');
    await page.waitForURL(/\/tables\/order_items$/);
  });

  test('keeps a tab for each opened table, with its last URL', async () => {
    const page = await open('/tables/users?sort_by=email&sort_order=desc');
    await page
      .getByLabel('Database', { exact: true })
      .getByRole('link', { name: /^posts/ })
      .click();
    await page.waitForURL(/\/tables\/posts$/);
    await page.getByLabel('Open tabs').getByRole('link', { name: 'users' }).click();
    await page.waitForURL(/\/tables\/users\?sort_by=email&sort_order=desc/);
    await page.getByRole('button', { name: 'Close users' }).click();
    await page.waitForURL(/\/tables\/posts$/);
  });

  test('more tabs than fit scroll in their strip, and nothing else moves sideways', async () => {
    const page = await open('/', { viewport: { width: 1024, height: 700 } });
    const tables = page.locator('.tree .nav a');
    await tables.first().waitFor();
    for (let i = 0; i < 14; i++) await tables.nth(i).click();
    const active = page.locator('.tab.on');
    const isInStrip = (): Promise<boolean> =>
      active.evaluate((tab) => {
        const inner = tab.getBoundingClientRect();
        const outer = tab.parentElement!.getBoundingClientRect();
        return inner.left >= outer.left && inner.right <= outer.right;
      });
    await expect.poll(isInStrip).toBe(true);
    await page.locator('.tab a').first().focus();
    for (let i = 0; i < 40; i++) await page.keyboard.press('Tab');
    const scrolled =
      "[...document.querySelectorAll('html, body, .app, .main')].map((e) => e.scrollLeft)";
    expect(await page.evaluate(scrolled)).toEqual([0, 0, 0, 0]);
    await tables.first().click();
    await expect.poll(isInStrip).toBe(true);
  });

  test('the sidebar filters tables by the typed text', async () => {
    const page = await open('/');
    await page.locator('.nav a').first().waitFor();
    await page.keyboard.press('/');
    await page.keyboard.type('tag');
    await expect.poll(() => page.locator('.tree .nav a').count()).toBe(2);
  });
});

const credentials = { account: { user: 'ada', password: 'lovelace' } };

inBrowser(
  'a studio with a login',
  ({ open }) => {
    test('lets users in who know the password', async () => {
      const page = await open('/tables/users');
      page.removeAllListeners('console');
      await page.getByLabel('User', { exact: true }).fill('ada');
      await page.getByLabel('Password').fill('wrong');
      expect(await seriousAxeFindings(page)).toEqual([]);
      await page.getByRole('button', { name: 'Log in' }).click();
      await page.getByRole('alert').waitFor();
      await page.getByLabel('Password').fill('lovelace');
      await page.getByRole('button', { name: 'Log in' }).click();
      await page.getByText('160 rows').waitFor();
    });
  },
  { app: { credentials } },
);
