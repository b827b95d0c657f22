import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { column, schemaOf, tableOf } from '../diagram/schemas.ts';
import { buildTables } from './structures.ts';
import { inBrowser, seriousAxeFindings } from './studio-page.ts';

inBrowser('the first run, on the demo', ({ open, url }) => {
  test('shows a greeting with three suggestions until it is dismissed', async () => {
    const page = await open('/');
    const greeting = page.getByRole('region', { name: 'Get started' });
    await greeting.waitFor();
    expect(await greeting.locator('ol > li').count()).toBe(3);
    expect(await seriousAxeFindings(page)).toEqual([]);
    await greeting.getByRole('link', { name: 'See the relations' }).click();
    await page.locator('.react-flow__node').first().waitFor();
    await page.goBack();
    await greeting.getByRole('button', { name: 'Dismiss' }).click();
    await greeting.waitFor({ state: 'detached' });
    await page.reload();
    await page.locator('.home-table').first().waitFor();
    expect(await greeting.count()).toBe(0);
  });

  test('offers a CSV file with an invalid row, which is reported and skipped', async () => {
    const page = await open('/');
    await page.getByRole('button', { name: 'Import new-tags.csv' }).click();
    await page.getByLabel('Target table').selectOption('tags');
    await page.getByText('3 of 3 columns mapped').waitFor();
    await page.getByRole('button', { name: 'Check', exact: true }).click();
    await page.getByRole('columnheader', { name: 'Reason' }).waitFor();
    expect(await page.locator('.errors tbody tr').innerText()).toMatch(/^3\s+4\s+tags\s.*integers/);
    await page.getByLabel('Skip invalid rows').click();
    await page.getByRole('button', { name: 'Import 3 rows' }).click();
    await page.getByText('The import is done.').waitFor();
    const response = await fetch(`${url()}/api/tables/tags/rows?filter_id__gte=901`);
    expect(((await response.json()) as { total: number }).total).toBe(3);
  });

  test.for([
    ['reading-rooms.dbml', 'reading_seats'],
    ['loans.go', 'loans'],
  ] as const)('offers %s, which can be imported as tables', async ([file, table]) => {
    const page = await open('/');
    await page.getByRole('button', { name: `Import ${file}` }).click();
    await page.getByText('Tables to create').waitFor();
    await page.getByRole('button', { name: 'Import', exact: true }).click();
    await page.getByText('Tables created').waitFor();
    await page
      .getByRole('navigation', { name: 'Database' })
      .getByText(table, { exact: true })
      .waitFor();
  });

  test('offers its files for download', async () => {
    const page = await open('/');
    const [saved] = await Promise.all([
      page.waitForEvent('download'),
      page.getByRole('link', { name: 'loans.go' }).click(),
    ]);
    expect(saved.suggestedFilename()).toBe('loans.go');
    expect(readFileSync(await saved.path(), 'utf8')).toContain('type Loan struct');
  });
});

inBrowser(
  'the first run on another database',
  ({ open }) => {
    test('shows no greeting', async () => {
      const page = await open('/');
      await page.locator('.home-table').first().waitFor();
      expect(await page.getByRole('region', { name: 'Get started' }).count()).toBe(0);
    });
  },
  {
    build: (file) => buildTables(file, schemaOf([tableOf('things', [column('id', 'integer')])])),
  },
);
