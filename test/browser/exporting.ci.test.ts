import { readFileSync } from 'node:fs';
import type { Page } from 'playwright-core';
import { expect, test } from 'vitest';
import { changeFile, inBrowser, seriousAxeFindings } from './studio-page.ts';

async function exportAndRead(
  page: Page,
): Promise<{ readonly name: string; readonly text: string }> {
  const [saved] = await Promise.all([
    page.waitForEvent('download'),
    page.getByRole('dialog').getByRole('button', { name: 'Export' }).click(),
  ]);
  return { name: saved.suggestedFilename(), text: readFileSync(await saved.path(), 'utf8') };
}

/** Slow rows, each of which fills a chunk of the file. */
const slowView = `CREATE VIEW slow_one AS SELECT id, hex(zeroblob(20000)) AS wide,
  (WITH RECURSIVE n(i) AS (SELECT posts.id UNION ALL SELECT i + 1 FROM n WHERE i < 60000)
    SELECT count(*) FROM n) AS slow FROM posts`;

inBrowser('an export', ({ open, url, file }) => {
  test('of the current view has the rows of the view in the order of the view', async () => {
    const page = await open('/tables/tags?filter_id__lte=3&sort_by=id&sort_order=desc');
    await page.getByRole('button', { name: 'Export this view' }).click();
    await page.getByText('filtered by id; by id, descending').waitFor();
    const { name, text } = await exportAndRead(page);
    expect(name).toBe('tags.csv');
    expect(text.split(/\r?\n/).map((line) => line.split(',')[0])).toEqual([
      'id',
      '3',
      '2',
      '1',
      '',
    ]);
    await page.getByRole('heading', { name: 'tags.csv is saved' }).waitFor();
    await page.getByRole('dialog').getByText('3 rows').waitFor();
  });

  test('of several tables has the views that are selected, and says why a script has none', async () => {
    const page = await open('/export');
    const views = page.getByRole('group', { name: 'Views' });
    await views.getByLabel('book_sales').check();
    const href = await page.locator('.export-foot a').getAttribute('href');
    const address = new URL(href ?? '', url());
    const tables = address.searchParams.get('tables')?.split(',');
    expect(tables).toContain('book_sales');
    expect(tables).toContain('users');
    expect((await fetch(address)).status).toBe(200);
    await page.locator('.fmt label', { hasText: 'SQL' }).click();
    await page.getByText('A SQL file has no rows of views').waitFor();
    expect(await views.getByLabel('book_sales').isDisabled()).toBe(true);
  });

  test('of the current view has the visible columns, or all of them on request', async () => {
    const page = await open('/tables/tags?filter_id=3');
    await page.getByRole('button', { name: 'Columns', exact: true }).click();
    await page.getByRole('button', { name: 'Move color up' }).click();
    await page.getByRole('checkbox', { name: 'id' }).uncheck();
    await page.keyboard.press('Escape');
    await page.getByRole('button', { name: 'Export this view' }).click();
    const shown = await exportAndRead(page);
    expect(shown.text).toMatch(/^color,name\r?\n[^\n]*\n$/);
    await page.getByRole('button', { name: 'New export' }).click();
    await page.getByLabel('Only the columns that are shown').uncheck();
    expect((await exportAndRead(page)).text).toMatch(/^id,name,color\r?\n3,/);
  });

  test.for([
    ['JSON', /^\[\s*\{ "n": "9007199254740993", "t": "=1\+1", "z": null \}\s*\]$/],
    ['CSV', /^n,t,z\r\n9007199254740993,'=1\+1,$/],
    [
      'SQL',
      /^INSERT INTO "result" \("n", "t", "z"\) VALUES \('?9007199254740993'?, '=1\+1', NULL\);$/,
    ],
    ['Markdown', /^\| n \| t \| z \|\n\| --- .*\n\| 9007199254740993 \| =1\+1 \| NULL \|$/],
    ['NDJSON', /^\{ "n": "9007199254740993", "t": "=1\+1", "z": null \}\n$/],
  ] as const)('of a query result as %s contains the rows on screen', async ([format, text]) => {
    const page = await open('/sql');
    await page.locator('.sql-editor .cm-content').click();
    await page.keyboard.type("select 9007199254740993 as n, '=1+1' as t, null as z");
    await page.keyboard.press('Control+Enter');
    await page.getByText('1 row in').first().waitFor();
    await page.getByRole('button', { name: 'Export', exact: true }).last().click();
    await page.getByRole('dialog').getByText(format, { exact: true }).click();
    expect((await exportAndRead(page)).text).toMatch(text);
  });

  test('of the current view is CSV in the form that is selected', async () => {
    const page = await open('/tables/tags?filter_id__lte=2&sort_by=id');
    await page.getByRole('button', { name: 'Export this view' }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByLabel('Field delimiter').focus();
    await page.keyboard.type('Semicolon');
    await dialog.getByLabel('Text for NULL').click();
    await page.keyboard.type('NULL');
    await dialog.getByLabel('Byte order mark').click();
    const { text } = await exportAndRead(page);
    expect(text).toMatch(/^\ufeffid;name;color\n1;[^;\n]+;[^;\n]+\n2;[^;\n]+;[^;\n]+\n$/);
  });

  test('of data finds tables by their names', async () => {
    const page = await open('/');
    await page.getByRole('button', { name: 'Export', exact: true }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByLabel('Find a table').click();
    await page.keyboard.type('TAG');
    const names = dialog.getByRole('group', { name: 'Tables' }).locator('> label .cut');
    await expect
      .poll(async () => (await names.allInnerTexts()).filter((name) => name.includes('tag')).length)
      .toBe(await names.count());
    expect(await names.count()).toBeGreaterThan(0);
    expect(await seriousAxeFindings(page)).toEqual([]);
    await page.keyboard.type('zzz');
    await dialog.getByText('No table has this name.').waitFor();
  });

  test('of data contains the selected tables', async () => {
    const page = await open('/');
    await page.getByRole('button', { name: 'Export', exact: true }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByText(/^(\d+) of \1 selected$/).waitFor();
    await dialog.getByLabel('All tables', { exact: true }).click();
    const button = dialog.getByRole('button', { name: 'Export' });
    expect(await button.getAttribute('title')).toBe('Select at least one table.');
    await dialog.getByLabel(/^tags/).check();
    await dialog.getByLabel(/^formats/).check();
    await dialog.getByText(/^2 of \d+ selected$/).waitFor();
    await dialog.getByText('JSON', { exact: true }).click();
    const { text } = await exportAndRead(page);
    expect(Object.keys(JSON.parse(text) as object)).toEqual(['formats', 'tags']);
  });

  test('of the schema can use the SQL of another database', async () => {
    const page = await open('/');
    await page.getByRole('button', { name: 'Export', exact: true }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByRole('button', { name: /^Schema(?! and)/ }).click();
    await dialog.getByLabel('Target database').selectOption('mysql');
    const { text } = await exportAndRead(page);
    expect(text).toContain('CREATE TABLE `tags`');
  });

  test('of models has the requested package name', async () => {
    const page = await open('/');
    await page.getByRole('button', { name: 'Export', exact: true }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByRole('button', { name: /^Go models/ }).click();
    await dialog.getByLabel('Package').fill('books');
    const { text } = await exportAndRead(page);
    expect(text).toMatch(/^package books$/m);
  });

  test('that the server rejects shows the error message', async () => {
    const page = await open('/');
    await page.getByRole('button', { name: 'Export', exact: true }).click();
    await page.route('**/api/export/data*', (route) =>
      route.fulfill({
        status: 503,
        json: { error: 'The database is unavailable.', code: 'database_unavailable' },
      }),
    );
    // The response 503 is an error on the console, which would fail the test.
    page.removeAllListeners('console');
    await page.getByRole('dialog').getByRole('button', { name: 'Export' }).click();
    await page.getByText('The database is unavailable.').waitFor();
  });

  test('shows its progress, continues after its dialog is closed, and can be canceled', async () => {
    changeFile(file(), slowView);
    await fetch(`${url()}/api/schema/refresh`, { method: 'POST' });
    const page = await open('/tables/slow_one');
    await page.getByRole('button', { name: 'Export this view' }).click();
    const dialog = page.getByRole('dialog', { name: 'Export' });
    await dialog.getByText('520 rows').waitFor();
    const [saved] = await Promise.all([
      page.waitForEvent('download'),
      dialog.getByRole('button', { name: 'Export' }).click(),
    ]);
    await dialog.getByText(/^[1-9]\d* of 520 rows$/).waitFor();
    await dialog.getByText(/rows\/s, about .* left/).waitFor();
    expect(await seriousAxeFindings(page)).toEqual([]);
    await dialog.getByRole('button', { name: 'Close' }).first().click();
    const card = page.getByRole('region', { name: 'Export of slow_one.csv' });
    await card.getByText(/of 520 rows/).waitFor();
    expect(await seriousAxeFindings(page)).toEqual([]);
    await card.getByRole('button', { name: 'Cancel export' }).click();
    await card.getByRole('heading', { name: 'The export of slow_one.csv was canceled' }).waitFor();
    expect(await saved.failure()).not.toBeNull();
    await card.getByRole('button', { name: 'Dismiss' }).click();
    await expect.poll(() => card.count()).toBe(0);
  });

  test('can be opened by keyboard and closed with Escape', async () => {
    const page = await open('/');
    await page.getByText('users').first().waitFor();
    await page.keyboard.press('Control+k');
    await page.keyboard.type('export');
    await page.keyboard.press('Enter');
    await page.getByRole('dialog', { name: 'Export' }).waitFor();
    await page.keyboard.press('Escape');
    await expect.poll(() => page.getByRole('dialog').count()).toBe(0);
  });

  test.for(['light', 'dark'] as const)('%s: axe finds no serious problem', async (colorScheme) => {
    const page = await open('/tables/posts', { colorScheme });
    await page.getByRole('button', { name: 'Export this view' }).click();
    const dialog = page.getByRole('dialog');
    for (const kind of ['This view', 'Data', 'Schema', 'Schema and data', 'Diagram', 'Go models']) {
      const name = new RegExp(`^${kind}(?! and)`);
      await dialog.getByRole('button', { name }).click();
      expect(await seriousAxeFindings(page)).toEqual([]);
    }
  });
});
