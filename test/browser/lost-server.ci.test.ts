/** Imports and exports while the studio is stopped, and after it was killed. */
import { join } from 'node:path';
import type { Page } from 'playwright-core';
import { expect, test } from 'vitest';
import { buildDemoFile } from '../../src/demo/build.ts';
import { makeFolder, serve } from '../cli/command.ts';
import { choose } from './import-files.ts';
import { changeFile, inBrowser } from './studio-page.ts';

/** Slow rows, each of which fills a chunk of the file. */
const slowView = `CREATE VIEW slow_one AS SELECT id, hex(zeroblob(20000)) AS wide,
  (WITH RECURSIVE n(i) AS (SELECT posts.id UNION ALL SELECT i + 1 FROM n WHERE i < 60000)
    SELECT count(*) FROM n) AS slow FROM posts`;

const lossOptions = { timeout: 5500 };
const rowsOfTotal = /^[1-9]\d* of 520 rows$/;
const noResponse = /The studio server does not respond\. Is it still running\?/;

inBrowser('an operation', ({ open }) => {
  async function openCommand(path: string) {
    const file = join(makeFolder(), 'demo.db');
    await buildDemoFile(file);
    changeFile(file, slowView);
    const { child, url } = await serve([file]);
    const page = await open('/');
    // Failed requests are errors on the console, which would fail the test.
    page.removeAllListeners('console');
    await page.goto(`${url}${path}`);
    return { page, child };
  }

  async function startExport(page: Page) {
    await page.getByRole('button', { name: 'Export this view' }).click();
    const dialog = page.getByRole('dialog', { name: 'Export' });
    await dialog.getByText('520 rows').waitFor();
    await Promise.all([
      page.waitForEvent('download'),
      dialog.getByRole('button', { name: 'Export' }).click(),
    ]);
    await dialog.getByText(rowsOfTotal).waitFor();
    return dialog;
  }

  test('that exports says that the studio was killed', async () => {
    const { page, child } = await openCommand('/tables/slow_one');
    const dialog = await startExport(page);
    child.kill('SIGKILL');
    await dialog.getByText(noResponse).waitFor(lossOptions);
    await dialog.getByText(/The file is incomplete/).waitFor();
    await dialog.getByRole('button', { name: 'Cancel export' }).click();
    await dialog.getByRole('button', { name: 'Export', exact: true }).waitFor();
  });

  test('that exports says that the studio is stopped, until it continues', async () => {
    const { page, child } = await openCommand('/tables/slow_one');
    const dialog = await startExport(page);
    child.kill('SIGSTOP');
    await dialog.getByText(noResponse).waitFor(lossOptions);
    child.kill('SIGCONT');
    await dialog.getByText(rowsOfTotal).waitFor();
    expect(await dialog.getByText(noResponse).count()).toBe(0);
  });

  test('that imports says that the studio is stopped, until it continues', async () => {
    const { page, child } = await openCommand('/import');
    const lines = Array.from({ length: 400_000 }, (_, i) => `${i + 10_000},wide ${i},#aabbcc`);
    await choose(page, { name: 'tags.csv', content: `id,name,color\n${lines.join('\n')}\n` });
    await page.getByRole('button', { name: 'Check', exact: true }).click();
    await page.getByText(/rows\/s/).waitFor();
    child.kill('SIGSTOP');
    await page.getByText(noResponse).waitFor(lossOptions);
    child.kill('SIGCONT');
    await page.getByRole('button', { name: 'Import 400,000 rows' }).waitFor();
    expect(await page.getByText(noResponse).count()).toBe(0);
  });
});
