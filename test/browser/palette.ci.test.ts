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

/** As on a busy machine: keys arrive before the next frame. */
async function delayFrames(page: Page): Promise<void> {
  await page.evaluate(`{
    const request = requestAnimationFrame;
    window.requestAnimationFrame = (callback) =>
      request(() => setTimeout(() => request(callback), 500));
  }`);
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

inBrowser('the palette', ({ open, url }) => {
  test('cancels the search of records when typing goes on', async () => {
    const page = await open('/');
    const heldRequests: string[] = [];
    const failed: string[] = [];
    page.on('requestfailed', (request) => failed.push(request.url()));
    await page.route(/contains=tag$/, (route) => void heldRequests.push(route.request().url()));
    await openPalette(page);
    await page.keyboard.type('tag');
    await expect.poll(() => heldRequests.length, { timeout: 15_000 }).toBeGreaterThan(0);
    await page.keyboard.type('s');
    await expect.poll(() => failed).toEqual(heldRequests);
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

  test('takes every key that follows, and so do a filter and a dialog', async () => {
    const page = await open('/tables/tags');
    await page.getByRole('gridcell').first().waitFor();
    await page.locator('#cell-0-1').click();
    await delayFrames(page);
    await page.keyboard.press('Control+k');
    await page.keyboard.type('formats.tax');
    expect(await page.getByRole('combobox').inputValue()).toBe('formats.tax');
    await page.keyboard.press('Escape');
    await page.getByRole('dialog').waitFor({ state: 'detached' });
    expect(await page.locator('.cell-editor').count()).toBe(0);
    await page.getByRole('button', { name: 'Filter', exact: true }).focus();
    await page.keyboard.press('Enter');
    await page.keyboard.press('Tab');
    await expect.poll(() => page.locator('[role="dialog"] :focus').count()).toBe(1);
    await page.keyboard.press('Escape');
    await page.getByRole('dialog').waitFor({ state: 'detached' });
    await page.getByRole('link', { name: 'SQL', exact: true }).first().focus();
    await page.keyboard.press('?');
    await page.keyboard.press('Enter');
    await page.getByRole('dialog').waitFor({ state: 'detached' });
    expect(page.url()).toMatch(/tables\/tags$/);
  });

  test('is empty when it is opened again before it has disappeared', async () => {
    const page = await open('/tables/tags?sort_by=id');
    await page.locator('#cell-0-1').waitFor();
    // It disappears slowly.
    await page.evaluate(`{
      const sheet = new CSSStyleSheet();
      sheet.replaceSync('.palette { transition: opacity 2s } .palette[data-ending-style] { opacity: 0 }');
      document.adoptedStyleSheets = [sheet];
    }`);
    await page.keyboard.press('Control+k');
    await page.getByRole('combobox').waitFor();
    await page.keyboard.type('zzz');
    await page.keyboard.press('Escape');
    await page.keyboard.press('Control+k');
    await page.keyboard.type('tags');
    await page.getByRole('option', { name: 'tags' }).first().waitFor();
    expect(await page.getByRole('combobox').inputValue()).toBe('tags');
  });

  test('stays open on Enter while nothing is found, and then chooses what is', async () => {
    const page = await open('/');
    const response = await page.request.get(
      `${url()}/api/tables/customers/rows?page_size=1&sort_by=id`,
    );
    const { data } = (await response.json()) as { data: { email: string }[] };
    let release = (): void => undefined;
    const released = new Promise<void>((resolve) => (release = resolve));
    await page.route(/contains=/, async (route) => {
      await released;
      await route.continue();
    });
    await openPalette(page);
    await page.keyboard.type(data[0]!.email);
    await page.getByText('Searching').waitFor();
    await page.keyboard.press('Enter');
    await page.keyboard.press('Enter');
    release();
    await page.getByRole('option', { name: data[0]!.email }).waitFor();
    await page.keyboard.press('Enter');
    await page.waitForURL(/open=customers/);
  });

  test('gives the keyboard back after a command, or to what the command opens', async () => {
    const page = await open('/tables/tags');
    await page.locator('#cell-1-1').click();
    const run = async (text: string): Promise<void> => {
      await page.keyboard.press('Control+k');
      await page.keyboard.type(text);
      await page.getByRole('option', { name: text }).first().waitFor();
      await page.keyboard.press('Enter');
      await page.getByRole('dialog', { name: 'Search' }).waitFor({ state: 'detached' });
    };
    const focused = (): Promise<string> =>
      page.evaluate(`{
        const part = document.activeElement.closest('[role="grid"], [role="dialog"], main');
        part?.getAttribute('role') ?? part?.tagName.toLowerCase() ?? 'nothing';
      }`);
    for (const command of ['Switch theme', 'Hide sidebar', 'Show sidebar', 'Reload structure']) {
      await run(command);
      await expect.poll(focused, { message: command }).toBe('grid');
    }
    await run('Keyboard shortcuts');
    await expect.poll(focused).toBe('dialog');
    await page.keyboard.press('Escape');
    await expect.poll(focused).toBe('grid');
    await page.keyboard.press('ArrowDown');
    await page.keyboard.type('typed');
    await page.keyboard.press('Enter');
    await run('Save changes');
    await page.getByText('Saved 1 change').waitFor();
    await expect.poll(focused).toBe('grid');
    for (const command of ['Show structure', 'Diagram', 'Import', 'All tables']) {
      await run(command);
      await expect.poll(focused, { message: command }).toBe('main');
    }
  });
});
