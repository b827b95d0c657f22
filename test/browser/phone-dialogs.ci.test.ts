/** What opens over a page on a phone: everything in it is high enough for a finger. */
import type { Page } from 'playwright-core';
import { expect, test } from 'vitest';
import { smallControls } from './small-controls.ts';
import { changeFile, inBrowser, phone, seriousAxeFindings } from './studio-page.ts';

interface Overlay {
  readonly name: string;
  readonly path: string;
  readonly scope: string;
  readonly open: (page: Page) => Promise<unknown>;
}

const rows = (page: Page): Promise<void> => page.locator('[role="gridcell"] *').first().waitFor();

async function edit(page: Page): Promise<void> {
  await page.locator('#cell-1-0').click();
  await page.getByRole('textbox', { name: 'name' }).click();
  await page.keyboard.press('Control+a');
  await page.keyboard.type('from a phone');
}

const overlays: readonly Overlay[] = [
  {
    name: 'the filter',
    path: '/tables/posts',
    scope: '.filter-form',
    open: async (page) => {
      await rows(page);
      await page.getByRole('button', { name: 'Filter', exact: true }).click();
      await page.getByLabel('Condition', { exact: true }).waitFor();
    },
  },
  {
    name: 'the columns',
    path: '/tables/posts',
    scope: '.column-list',
    open: async (page) => {
      await rows(page);
      await page.getByRole('button', { name: 'Columns' }).click();
      await page.getByRole('button', { name: 'Move title up' }).waitFor();
    },
  },
  {
    name: 'the menu of a cell',
    path: '/tables/posts',
    scope: '[role="menu"]',
    open: async (page) => {
      await page.locator('#cell-0-1').click({ button: 'right' });
      await page.getByRole('menuitem').first().waitFor();
    },
  },
  {
    name: 'the palette',
    path: '/tables/posts',
    scope: '[role="listbox"]',
    open: async (page) => {
      await rows(page);
      await page.keyboard.press('Control+k');
      await page.getByRole('option').first().waitFor();
    },
  },
  {
    name: 'the shortcuts',
    path: '/',
    scope: '[role="dialog"]',
    open: async (page) => {
      await page.locator('.home-table').first().waitFor();
      await page.keyboard.press('?');
      await page.getByRole('dialog').waitFor();
    },
  },
  {
    name: 'the review',
    path: '/tables/tags?sort_by=id',
    scope: '[role="dialog"]',
    open: async (page) => {
      await edit(page);
      await page.getByRole('button', { name: 'Review' }).click();
      await page.getByRole('dialog').getByRole('article').waitFor();
    },
  },
  {
    name: 'the question before a statement without WHERE',
    path: '/sql',
    scope: '[role="dialog"]',
    open: async (page) => {
      await page.locator('.sql-editor .cm-content').click();
      await page.keyboard.insertText('delete from readings');
      await page.getByRole('button', { name: 'Run', exact: true }).click();
      await page.getByRole('dialog').waitFor();
    },
  },
  {
    name: 'a plan',
    path: '/sql',
    scope: '.plan-bar',
    open: async (page) => {
      await page.locator('.sql-editor .cm-content').click();
      await page.keyboard.insertText('select * from tags');
      await page.getByRole('button', { name: 'Explain' }).click();
      await page.getByRole('list', { name: 'Plan' }).waitFor();
    },
  },
  {
    name: 'the tables of an export',
    path: '/export',
    scope: '.tbl',
    open: (page) => page.getByRole('checkbox', { name: 'All tables' }).waitFor(),
  },
];

inBrowser('over the pages of a phone', ({ open, file }) => {
  const expectUsable = async (page: Page, scope: string): Promise<void> => {
    await page.locator(scope).first().waitFor();
    expect(await smallControls(page, { scope, minHeight: 40 })).toEqual([]);
    expect(await page.evaluate('document.documentElement.scrollWidth')).toBe(phone.width);
    expect(await seriousAxeFindings(page)).toEqual([]);
  };

  test.for(overlays)('$name can be touched', async (overlay) => {
    const page = await open(overlay.path, { viewport: phone });
    await overlay.open(page);
    await expectUsable(page, overlay.scope);
  });

  test('the choice between two versions of a row can be touched', async () => {
    const page = await open('/tables/tags?sort_by=id', { viewport: phone });
    page.removeAllListeners('console');
    await edit(page);
    changeFile(file(), "UPDATE tags SET color = '#010203', name = 'other' WHERE id = 2");
    await page.getByRole('button', { name: 'Save' }).click();
    await page.getByRole('dialog', { name: 'Someone else changed this row' }).waitFor();
    await expectUsable(page, '[role="dialog"] footer');
  });

  test('errors of an import show where they are and the whole reason', async () => {
    const page = await open('/import', { viewport: phone });
    const content = 'id,name,color\nbad,a,#ffffff\n';
    await page
      .locator('input[type=file]')
      .first()
      .setInputFiles({ name: 'tags.csv', mimeType: 'text/csv', buffer: Buffer.from(content) });
    await page.getByRole('button', { name: /^Check/ }).click();
    const reason = page.locator('.errors .why').first();
    await reason.waitFor();
    const { x, width, height } = (await reason.boundingBox())!;
    expect(x + width).toBeLessThanOrEqual(phone.width);
    expect(height).toBeLessThan(60);
    const table = page.locator('.errors');
    expect((await table.boundingBox())!.width).toBeLessThanOrEqual(phone.width);
    await table.getByText('bad,a,#ffffff').waitFor();
    const isCutOff = await page
      .getByRole('button', { name: 'Download errors as CSV' })
      .evaluate((button) => button.scrollWidth > button.clientWidth);
    expect(isCutOff).toBe(false);
  });

  test('the name of the first of several files can be read', async () => {
    const page = await open('/import', { viewport: phone });
    const fileOf = (name: string) => ({
      name,
      mimeType: 'text/csv',
      buffer: Buffer.from('id,name\n1,a\n'),
    });
    await page
      .locator('input[type=file]')
      .first()
      .setInputFiles([fileOf('customers.csv'), fileOf('suppliers.csv')]);
    await page.getByRole('button', { name: /^Skip file/ }).waitFor();
    const name = page.locator('.filehead .cut').first();
    expect((await name.boundingBox())!.width).toBeGreaterThanOrEqual(120);
  });
});
