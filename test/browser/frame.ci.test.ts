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

  test.each([1024, 1440])('shows notes on columns unbroken at a width of %d', async (width) => {
    const page = await open('/tables/orders?view=structure', { viewport: { width, height: 800 } });
    const columns = page.getByRole('region', { name: 'Columns' });
    await columns.getByText('customers.id').waitFor();
    const heights = await columns
      .getByRole('row')
      .filter({ hasText: /auto-increment|customers\.id|unique/ })
      .evaluateAll((rows) => rows.map((row) => row.getBoundingClientRect().height));
    expect(heights).toHaveLength(3);
    expect(Math.max(...heights)).toBeLessThan(40);
    const source = (await page.locator('.source').boundingBox())!;
    const parts = (await page.locator('.structure-parts').boundingBox())!;
    const isBelow = source.y >= parts.y + parts.height;
    expect(isBelow).toBe(width === 1024);
  });

  test('names the keys of a Mac on a Mac', async () => {
    const page = await open('/tables/tags');
    const shortcuts = async (): Promise<string> => {
      await page.getByRole('gridcell').first().waitFor();
      await page.locator('.status').click();
      await page.keyboard.press('?');
      const dialog = page.getByRole('dialog');
      const text = await dialog.innerText();
      await page.keyboard.press('Escape');
      await dialog.waitFor({ state: 'detached' });
      return text;
    };
    const elsewhere = await shortcuts();
    expect(elsewhere).toContain('Ctrl');
    expect(elsewhere).not.toContain('⌘');
    await page.addInitScript(() =>
      Object.defineProperty(navigator, 'platform', { get: () => 'MacIntel' }),
    );
    await page.reload();
    const onMac = await shortcuts();
    expect(onMac).toContain('⌘');
    expect(onMac).not.toContain('Ctrl');
    await page.keyboard.press('Meta+k');
    await page.getByRole('dialog').getByRole('combobox').waitFor();
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
