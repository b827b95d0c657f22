import { readFileSync } from 'node:fs';
import type { Page } from 'playwright-core';
import { expect, test } from 'vitest';
import { inBrowser, seriousFindings } from './studio-page.ts';

async function exported(page: Page): Promise<{ readonly name: string; readonly text: string }> {
  const [saved] = await Promise.all([
    page.waitForEvent('download'),
    page.getByRole('dialog').getByRole('button', { name: 'Export' }).click(),
  ]);
  return { name: saved.suggestedFilename(), text: readFileSync(await saved.path(), 'utf8') };
}

inBrowser('an export', ({ open }) => {
  test('of a view has its rows in its order', async () => {
    const page = await open('/tables/tags?filter_id__lte=3&sort_by=id&sort_order=desc');
    await page.getByRole('button', { name: 'Export this view' }).click();
    await page.getByText('filtered by id; by id, high to low').waitFor();
    const { name, text } = await exported(page);
    expect(name).toBe('tags.csv');
    expect(text.split(/\r?\n/).map((line) => line.split(',')[0])).toEqual([
      'id',
      '3',
      '2',
      '1',
      '',
    ]);
    await page.getByText('The download has started').waitFor();
  });

  test('of data holds the tables that are chosen', async () => {
    const page = await open('/');
    await page.getByRole('button', { name: 'Export', exact: true }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByText(/^(\d+) of \1 chosen$/).waitFor();
    await dialog.getByLabel('All tables', { exact: true }).click();
    const button = dialog.getByRole('button', { name: 'Export' });
    expect(await button.getAttribute('title')).toBe('No table is chosen.');
    await dialog.getByLabel(/^tags/).check();
    await dialog.getByLabel(/^formats/).check();
    await dialog.getByText(/^2 of \d+ chosen$/).waitFor();
    await dialog.getByText('JSON', { exact: true }).click();
    const { text } = await exported(page);
    expect(Object.keys(JSON.parse(text) as object)).toEqual(['formats', 'tags']);
  });

  test('of the schema is in the SQL of another database when told', async () => {
    const page = await open('/');
    await page.getByRole('button', { name: 'Export', exact: true }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByRole('button', { name: /^Schema/ }).click();
    await dialog.getByLabel('Written for').selectOption('mysql');
    const { text } = await exported(page);
    expect(text).toContain('CREATE TABLE `tags`');
  });

  test('of models has the package that is named', async () => {
    const page = await open('/');
    await page.getByRole('button', { name: 'Export', exact: true }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByRole('button', { name: /^Go models/ }).click();
    await dialog.getByLabel('Package').fill('books');
    const { text } = await exported(page);
    expect(text).toMatch(/^package books$/m);
  });

  test('that is refused says so in words', async () => {
    const page = await open('/');
    await page.getByRole('button', { name: 'Export', exact: true }).click();
    await page.route('**/api/export/data*', (route) =>
      route.fulfill({
        status: 503,
        json: { error: 'The database is away.', code: 'database_unavailable' },
      }),
    );
    page.removeAllListeners('console');
    await page.getByRole('dialog').getByRole('button', { name: 'Export' }).click();
    await page.getByText('The database is away.').waitFor();
  });

  test('is reached by keys, and left by Escape', async () => {
    const page = await open('/');
    await page.getByText('users').first().waitFor();
    await page.keyboard.press('Control+k');
    await page.keyboard.type('export');
    await page.keyboard.press('Enter');
    await page.getByRole('dialog', { name: 'Export' }).waitFor();
    await page.keyboard.press('Escape');
    await expect.poll(() => page.getByRole('dialog').count()).toBe(0);
  });

  test.for(['light', 'dark'] as const)(
    '%s: nothing that axe finds serious',
    async (colorScheme) => {
      const page = await open('/tables/posts', { colorScheme });
      await page.getByRole('button', { name: 'Export this view' }).click();
      const dialog = page.getByRole('dialog');
      for (const what of ['This view', 'Data', 'Schema', 'Diagram', 'Go models']) {
        await dialog.getByRole('button', { name: new RegExp(`^${what}`) }).click();
        expect(await seriousFindings(page)).toEqual([]);
      }
    },
  );
});
