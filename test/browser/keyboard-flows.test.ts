/** Imports and exports with the keyboard only. */
import { readFileSync } from 'node:fs';
import type { FileChooser, Page } from 'playwright-core';
import { expect, test } from 'vitest';
import { inBrowser } from './studio-page.ts';

/** Presses the key until the focused element has this accessible name. */
async function tabTo(page: Page, name: string | RegExp): Promise<void> {
  for (let steps = 0; steps < 120; steps++) {
    await page.keyboard.press('Tab');
    const found = page.locator(':focus');
    if ((await found.count()) === 0) continue;
    const snapshot = await found.ariaSnapshot();
    const [, accessibleName = ''] = /"((?:[^"\\]|\\.)*)"/.exec(snapshot) ?? [];
    if (typeof name === 'string' ? accessibleName === name : name.test(accessibleName)) return;
  }
  throw new Error(`Tab does not reach ${String(name)}.`);
}

/** On a busy machine Chromium does not open the list for every key. */
async function chooserByKeys(page: Page): Promise<FileChooser> {
  for (;;) {
    await tabTo(page, 'Choose a file');
    const opened = page.waitForEvent('filechooser', { timeout: 5000 }).catch(() => undefined);
    await page.keyboard.press('Enter');
    const chooser = await opened;
    if (chooser !== undefined) return chooser;
  }
}

inBrowser('by keys alone', ({ open }) => {
  test('a file is selected, mapped, checked and imported', async () => {
    const page = await open('/import');
    await page.getByText('Drop a file anywhere').waitFor();
    await (
      await chooserByKeys(page)
    ).setFiles({
      name: 'tags.csv',
      mimeType: 'text/csv',
      buffer: Buffer.from('id,name,shade\n951,dusk,#101010\n'),
    });
    await page.getByText('2 of 3 columns mapped').waitFor();
    await tabTo(page, 'Column for shade');
    await page.keyboard.type('color');
    await page.getByText('3 of 3 columns mapped').waitFor();
    await tabTo(page, 'Check');
    await page.keyboard.press('Enter');
    await page.getByRole('button', { name: 'Import 1 row' }).waitFor();
    await tabTo(page, 'Import 1 row');
    await page.keyboard.press('Enter');
    await page.getByText('The import is done.').waitFor();
    await tabTo(page, 'Open tags');
    await page.keyboard.press('Enter');
    await page.waitForURL(/\/tables\/tags$/);
  });

  test('a schema is exported in the selected format', async () => {
    const page = await open('/tables/tags');
    await page.getByRole('gridcell').first().waitFor();
    await page.keyboard.press('Control+k');
    await page.keyboard.type('export');
    await page.keyboard.press('Enter');
    const dialog = page.getByRole('dialog', { name: 'Export' });
    await dialog.waitFor();
    await tabTo(page, /^Schema(?! and)/);
    await page.keyboard.press('Enter');
    await tabTo(page, /^SQL/);
    await page.keyboard.press('ArrowRight');
    await tabTo(page, 'Export');
    const [saved] = await Promise.all([page.waitForEvent('download'), page.keyboard.press(' ')]);
    expect(JSON.parse(readFileSync(await saved.path(), 'utf8'))).toHaveProperty('tables');
    await page.keyboard.press('Escape');
    await expect.poll(() => dialog.count()).toBe(0);
  });
});
