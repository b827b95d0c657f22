import { expect, test } from 'vitest';
import { inBrowser } from './studio-page.ts';

inBrowser('the checkbox of all rows', ({ open }) => {
  test('says that it selects a page, where there are more rows', async () => {
    const page = await open('/tables/comments');
    const bar = page.getByRole('region', { name: 'Selected rows' });
    await page.locator('#cell-0-0').waitFor();
    const selectAll = page.getByRole('checkbox').first();
    await selectAll.click();
    await bar.getByText('the rows of this page').waitFor();
    await page.getByRole('checkbox', { name: 'Select row 3', exact: true }).click();
    await bar.getByText('the rows of this page').waitFor({ state: 'detached' });
    await page
      .getByRole('link', { name: /^formats/ })
      .first()
      .click();
    await page.getByRole('grid', { name: 'formats' }).locator('#cell-0-0').waitFor();
    await selectAll.click();
    await bar.getByText('5 rows').waitFor();
    expect(await bar.getByText('the rows of this page').count()).toBe(0);
  });

  test('a date that does not exist is offered to no date picker', async () => {
    const page = await open('/tables/profiles');
    const warnings: string[] = [];
    page.on('console', (message) => {
      if (message.type() === 'warning') warnings.push(message.text());
    });
    await page.locator('#cell-0-0').waitFor();
    const names = await page.getByRole('columnheader').allInnerTexts();
    const column = names.findIndex((name) => name.includes('DATE')) - 1;
    await page.locator(`#cell-0-${column}`).click();
    await page.keyboard.type('2024-02-30');
    await page.keyboard.press('Enter');
    await expect.poll(() => page.locator(`#cell-0-${column}`).innerText()).toBe('2024-02-30');
    expect(warnings).toEqual([]);
  });
});
