import type { Page } from 'playwright-core';
import { expect, test } from 'vitest';
import { databasesUnderTest } from '../databases/kit/databases-under-test.ts';
import { makeDemo } from './make-demo.ts';
import { inBrowser } from './studio-page.ts';

async function openPalette(page: Page): Promise<void> {
  await page.getByRole('button', { name: /^Search/ }).waitFor();
  await page.keyboard.press('Control+k');
  await page.getByRole('combobox').waitFor();
}

for (const underTest of databasesUnderTest)
  inBrowser(
    `the palette on ${underTest.name}`,
    ({ open, url }) => {
      test('finds a record by its title and opens it beside its table', async () => {
        const response = await fetch(`${url()}/api/tables/customers/rows?page_size=1&sort_by=id`);
        const { data } = (await response.json()) as { data: { id: number; email: string }[] };
        const { id, email } = data[0]!;
        const page = await open('/');
        await openPalette(page);
        await page.keyboard.type(email.slice(1).toUpperCase());
        await page.getByRole('option', { name: email }).getByText(`customers/${id}`).waitFor();
        await page.keyboard.press('Enter');
        await page.waitForURL(`**/tables/customers?open=customers%2F${id}`);
        await page.getByRole('heading', { name: email }).waitFor();
      });
    },
    { database: () => makeDemo(underTest) },
  );

inBrowser('the palette', ({ open }) => {
  test('cancels the search of records when typing goes on', async () => {
    const page = await open('/');
    const held: string[] = [];
    const failed: string[] = [];
    page.on('requestfailed', (request) => failed.push(request.url()));
    await page.route(/contains=tag$/, (route) => void held.push(route.request().url()));
    await openPalette(page);
    await page.keyboard.type('tag');
    await expect.poll(() => held.length, { timeout: 15_000 }).toBeGreaterThan(0);
    await page.keyboard.type('s');
    await expect.poll(() => failed).toEqual(held);
  });

  test('keeps the selected entry when records are found later', async () => {
    const page = await open('/');
    let release = (): void => undefined;
    const released = new Promise<void>((resolve) => (release = resolve));
    await page.route(/contains=mail$/, async (route) => {
      await released;
      await route.continue();
    });
    await openPalette(page);
    await page.keyboard.type('mail');
    await page.keyboard.press('ArrowUp');
    const selected = page.locator('[role="option"][aria-selected="true"]');
    const before = await selected.innerText();
    release();
    await page.getByRole('option', { name: /\// }).first().waitFor();
    expect(await selected.innerText()).toBe(before);
  });

  test('names the tables that did not respond in time', async () => {
    const page = await open('/');
    await page.route(/tables\/customers\/rows/, () => undefined);
    await openPalette(page);
    await page.keyboard.type('example');
    await page.getByText('Not searched for records: customers').waitFor();
    await page
      .getByRole('option', { name: /users\// })
      .first()
      .waitFor();
  });

  test('adds a row, undoes, redoes and discards it', async () => {
    const page = await open('/tables/tags');
    const run = async (text: string): Promise<void> => {
      await openPalette(page);
      await page.keyboard.type(text);
      // The list follows the text with a delay.
      await page
        .getByRole('option', { name: new RegExp(text, 'i') })
        .first()
        .waitFor();
      await page.keyboard.press('Enter');
      await page.getByRole('dialog').waitFor({ state: 'detached' });
    };
    await page.getByRole('gridcell').first().waitFor();
    await run('add row to');
    await page.locator('.gr.new').waitFor();
    await run('undo');
    await expect.poll(() => page.locator('.gr.new').count()).toBe(0);
    await run('redo');
    await page.locator('.gr.new').waitFor();
    await run('discard');
    await expect.poll(() => page.locator('.gr.new').count()).toBe(0);
    await run('show structure');
    await page.getByRole('region', { name: 'Columns' }).waitFor();
  });
});
