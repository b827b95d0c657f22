/** The rejected rows of an import, downloaded, corrected and imported again, with the mouse and the keyboard. */
import { readFileSync } from 'node:fs';
import type { Page } from 'playwright-core';
import { expect, test } from 'vitest';
import { choose, rowsOf } from './import-files.ts';
import { inBrowser, seriousAxeFindings } from './studio-page.ts';

async function clickButton(page: Page, name: string): Promise<void> {
  const button = page.getByRole('button', { name, exact: true });
  await button.scrollIntoViewIfNeeded();
  const box = (await button.boundingBox())!;
  await page.mouse.click(box.x + box.width / 2, box.y + box.height / 2);
}

const files = [
  ['tags.csv', 'id,name\n1,taken key\n951,fine\nx,"no\nnumber"\n'],
  [
    'tags.ndjson',
    '{"id":1,"name":"taken key"}\n{"id":951,"name":"fine"}\n{"id":"x","name":"no\\nnumber"}\n',
  ],
] as const;

inBrowser('rejected rows', ({ open, url }) => {
  test.each(files)('of %s are downloaded, corrected and imported', async (name, content) => {
    const page = await open('/import');
    await choose(page, { name, content });
    await page.getByText('2 of 2 columns mapped').waitFor();
    await clickButton(page, 'Check');
    await page.getByLabel('Skip invalid rows').focus();
    await page.keyboard.press('Space');
    await page.getByText('rows to skip').waitFor();
    const download = page.getByRole('button', { name: 'Download rejected rows' });
    expect(await download.count()).toBe(0);
    await clickButton(page, 'Import 1 row');
    await page.getByText('The import is done.').waitFor();
    expect(await seriousAxeFindings(page)).toEqual([]);
    const [saved] = await Promise.all([
      page.waitForEvent('download'),
      clickButton(page, 'Download rejected rows'),
    ]);
    const extension = name.slice(name.indexOf('.'));
    expect(saved.suggestedFilename()).toBe(`tags-rejected${extension}`);
    const text = readFileSync(await saved.path(), 'utf8');
    expect([...text.matchAll(/Line (\d+): /g)].map(([, line]) => line)).toEqual(
      extension === '.csv' ? ['2', '4'] : ['1', '3'],
    );
    const corrected = text.replace(/([,:])1,/, '$1952,').replace(/([,:])"?x"?,/, '$1953,');
    await clickButton(page, 'Import another file');
    await choose(page, { name: `tags${extension}`, content: corrected });
    await page.getByText('2 of 3 columns mapped').waitFor();
    await clickButton(page, 'Check');
    await page.getByRole('button', { name: 'Import 2 rows' }).waitFor();
    await clickButton(page, 'Import 2 rows');
    await page.getByText('The import is done.').waitFor();
    expect(await download.count()).toBe(0);
    const imported = await rowsOf(url(), 'tags', 'filter_id__gte=951');
    expect(imported).toMatchObject([
      { id: 951, name: 'fine' },
      { id: 952, name: 'taken key' },
      { id: 953, name: 'no\nnumber' },
    ]);
    for (const id of [951, 952, 953])
      await fetch(`${url()}/api/tables/tags/rows/${id}?permanent=true`, { method: 'DELETE' });
  });
});
