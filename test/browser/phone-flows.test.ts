/** Imports and exports on a phone. */
import type { Page } from 'playwright-core';
import { expect, test } from 'vitest';
import { choose } from './import-files.ts';
import { inBrowser, phone, seriousAxeFindings } from './studio-page.ts';

async function fits(page: Page): Promise<void> {
  expect(await page.evaluate('document.documentElement.scrollWidth')).toBe(phone.width);
  expect(await seriousAxeFindings(page)).toEqual([]);
}

inBrowser('on a phone', ({ open }) => {
  test('a file is mapped, checked and imported', async () => {
    const page = await open('/import', { viewport: phone });
    await page.getByText('Drop a file anywhere').waitFor();
    await fits(page);
    await choose(page, { name: 'tags.csv', content: 'id,name,shade\n971,moor,#123123\n' });
    await page.getByText('2 of 3 columns mapped').waitFor();
    const column = page.getByLabel('Column for shade');
    const { x = 0, width = 0 } = (await column.boundingBox()) ?? {};
    expect(x + width).toBeLessThanOrEqual(phone.width);
    await column.selectOption('color');
    await fits(page);
    await page.getByRole('button', { name: 'Check', exact: true }).click();
    await page.getByRole('button', { name: 'Import 1 row' }).waitFor();
    await fits(page);
    await page.getByRole('button', { name: 'Import 1 row' }).click();
    await page.getByText('The import is done.').waitFor();
    await fits(page);
  });

  test('the current view is exported', async () => {
    const page = await open('/tables/tags?filter_id=3', { viewport: phone });
    await page.getByRole('gridcell').first().waitFor();
    await page.getByRole('button', { name: 'Tables', exact: true }).click();
    await page.getByRole('button', { name: 'Export', exact: true }).click();
    const dialog = page.getByRole('dialog', { name: 'Export' });
    await dialog.getByRole('button', { name: /^This view/ }).click();
    await dialog.getByText('filtered by id').waitFor();
    await fits(page);
    const [saved] = await Promise.all([
      page.waitForEvent('download'),
      dialog.getByRole('button', { name: 'Export' }).click(),
    ]);
    expect(saved.suggestedFilename()).toBe('tags.csv');
    await dialog.getByRole('heading', { name: 'tags.csv is saved' }).waitFor();
    await fits(page);
  });
});
