/** What the diagram shows while it is computed, searched and first seen on a phone. */
import type { Locator, Page, Route } from 'playwright-core';
import { expect, test } from 'vitest';
import { column, keyTo, schemaOf, tableOf } from '../diagram/schemas.ts';
import { buildTables } from './structures.ts';
import { inBrowser, phone } from './studio-page.ts';

async function boxOf(node: Locator) {
  const box = await node.boundingBox();
  if (box === null) throw new Error('The element has no box.');
  return box;
}

inBrowser('the diagram while it is computed', ({ open }) => {
  test('says so over the previous layout', async () => {
    const page = await open('/diagram');
    await page.locator('.react-flow__node').first().waitFor();
    const held: Route[] = [];
    await page.route(/\/api\/diagram\?columns=keys/, (route) => {
      held.push(route);
    });
    await page.getByRole('button', { name: 'Keys' }).click();
    const note = page.getByText('Computing the layout …');
    await note.waitFor();
    expect(await page.locator('.react-flow__node').count()).toBeGreaterThan(5);
    await Promise.all(held.map((route) => route.continue()));
    await note.waitFor({ state: 'detached' });
  });
});

const id = column('id', 'integer');
const yearly = ['2019', '2020', '2021'].map(
  (year) => `billing_aggregated_monthly_statistics_of_all_customers_in_${year}`,
);
const searched = [
  tableOf('registrations', [id]),
  tableOf('customers', [id, column('region_code', 'text'), column('region', 'text')]),
  ...yearly.map((name) => tableOf(name, [id])),
];

async function optionsFor(page: Page, text: string): Promise<Locator> {
  await page.getByLabel('Find a table').fill(text);
  const options = page.locator('#found-tables').getByRole('option');
  await options.first().waitFor();
  return options;
}

inBrowser(
  'the search of the diagram',
  ({ open }) => {
    test('lists a column before scattered letters of a table, and marks it in its table', async () => {
      const page = await open('/diagram');
      await page.locator('.react-flow__node').first().waitFor();
      const options = await optionsFor(page, 'region');
      const found = await options.allTextContents();
      expect(found.slice(0, 3)).toEqual([
        'customers.region',
        'customers.region_code',
        'registrations',
      ]);
      await page.keyboard.press('Enter');
      await page.locator('.node.foc .nc.found', { hasText: /^region(?!_)/ }).waitFor();
      expect(await page.locator('.nc.found').count()).toBe(1);
    });

    test('shows the ends of long names', async () => {
      const page = await open('/diagram');
      await page.locator('.react-flow__node').first().waitFor();
      const options = await optionsFor(page, 'billing');
      expect((await options.allTextContents()).toSorted()).toEqual(yearly);
      for (const option of await options.all()) {
        const end = option.locator('> :last-child');
        expect(await end.evaluate((element) => element.scrollWidth > element.clientWidth)).toBe(
          false,
        );
      }
    });

    test('tables that are narrow have the note on other columns in one line', async () => {
      const page = await open('/diagram?columns=keys');
      const note = page.locator('.node').getByText('2 more columns');
      await note.waitFor();
      const zoom = (await boxOf(note.locator('..'))).height / 24;
      const [{ x, width, height }, node] = [
        await boxOf(note),
        await boxOf(page.locator('.node', { has: page.getByText('2 more columns') })),
      ];
      expect(height / zoom).toBeLessThan(24);
      expect(x + width).toBeLessThanOrEqual(node.x + node.width);
    });
  },
  { build: (file) => buildTables(file, schemaOf(searched)) },
);

/** The focused table is between tables that it references and tables that reference it. */
const parents = [
  'first_of_the_referenced_tables',
  'second_of_the_referenced_tables',
  'third_of_the_referenced_tables',
];
const between = [
  ...parents.map((name) => tableOf(name, [id])),
  tableOf(
    'middle',
    [id, ...parents.map((name) => column(`${name}_id`, 'integer'))],
    parents.map((name) => keyTo(name, `${name}_id`)),
  ),
  tableOf(
    'table_that_references_the_middle',
    [id, column('middle_id', 'integer')],
    [keyTo('middle', 'middle_id')],
  ),
];

inBrowser(
  'the diagram of a focused table on a phone',
  ({ open }) => {
    test('begins with all of its neighbors below the bar', async () => {
      const page = await open('/diagram?around=middle&only=true', { viewport: phone });
      await page.locator('.node.foc').waitFor();
      const bar = await boxOf(page.locator('.focus-bar'));
      const nodes = page.locator('.react-flow__node');
      await expect.poll(() => nodes.count()).toBe(between.length);
      for (const node of await nodes.all()) {
        const { x, y, width, height } = await boxOf(node);
        expect(x).toBeGreaterThanOrEqual(0);
        expect(x + width).toBeLessThanOrEqual(phone.width);
        expect(y).toBeGreaterThanOrEqual(bar.y + bar.height);
        expect(y + height).toBeLessThanOrEqual(phone.height);
      }
    });
  },
  { build: (file) => buildTables(file, schemaOf(between)) },
);
