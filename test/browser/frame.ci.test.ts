/** The frame around the pages: the sidebar, an empty database, phones. */
import BetterSqlite3 from 'better-sqlite3';
import { expect, test } from 'vitest';
import { inBrowser, phone, seriousAxeFindings } from './studio-page.ts';

inBrowser('the frame', ({ open }) => {
  test('hides the sidebar, and remembers it', async () => {
    const page = await open('/tables/tags');
    await page.getByRole('gridcell').first().waitFor();
    const sidebar = page.getByRole('navigation', { name: 'Database' });
    const width = async (): Promise<number> =>
      (await page.locator('.sheet').boundingBox())?.width ?? 0;
    const before = await width();
    await page.getByRole('button', { name: 'Hide sidebar' }).click();
    await sidebar.waitFor({ state: 'hidden' });
    expect(await width()).toBeGreaterThan(before + 150);
    expect(await seriousAxeFindings(page)).toEqual([]);
    await page.reload();
    await page.getByRole('button', { name: 'Show sidebar' }).click();
    await sidebar.waitFor();
    await page.locator('.status').click();
    await page.keyboard.press('[');
    await sidebar.waitFor({ state: 'hidden' });
    await page.keyboard.press('Control+k');
    await page.keyboard.type('users');
    await page.keyboard.press('Enter');
    await page.waitForURL(/tables\/users/);
  });

  test('shows a record over the rows where a zoomed page has no space beside them', async () => {
    const page = await open('/tables/books', {
      viewport: { width: 720, height: 450 },
    });
    await page.getByRole('button', { name: 'Open row 1', exact: true }).click();
    const title = page.getByRole('textbox', { name: 'title', exact: true });
    await title.waitFor();
    expect((await page.locator('.panel').boundingBox())?.width).toBeGreaterThan(470);
    const blurb = page.getByRole('textbox', { name: 'blurb' });
    await blurb.scrollIntoViewIfNeeded();
    const { x = 0, width = 0 } = (await blurb.boundingBox()) ?? {};
    const field = (await page.locator('.field.area', { has: blurb }).boundingBox())!;
    expect(field.x + field.width - x - width).toBeLessThan(8);
    await page.getByRole('button', { name: 'Close record' }).click();
    await page.getByRole('gridcell').first().waitFor();
  });

  test('leaves space beside the title of a record on a phone', async () => {
    const page = await open('/tables/books', { viewport: phone });
    await page.getByRole('gridcell').first().waitFor();
    const { width = 0 } = (await page.locator('#cell-0-0').boundingBox()) ?? {};
    expect(width).toBeGreaterThan(80);
    expect(width).toBeLessThan(phone.width / 2);
  });

  test('opens the diagram on a phone at a size that can be read', async () => {
    const page = await open('/diagram', { viewport: phone });
    const node = page.locator('.react-flow__node').first();
    await node.waitFor();
    const { width = 0, x = 0 } = (await node.boundingBox()) ?? {};
    expect(width).toBeGreaterThan(100);
    expect(x).toBeGreaterThanOrEqual(0);
  });
});

inBrowser(
  'an empty database',
  ({ open }) => {
    test('says what to do', async () => {
      const page = await open('/');
      await page.getByRole('heading', { name: 'This database has no tables yet' }).waitFor();
      await page.getByText('No tables yet', { exact: true }).waitFor();
      expect(await seriousAxeFindings(page)).toEqual([]);
      await page.getByRole('link', { name: 'Import a file' }).click();
      await page.waitForURL(/import/);
    });
  },
  { build: (file) => new BetterSqlite3(file).exec('VACUUM').close() },
);
