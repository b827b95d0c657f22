import { readFileSync } from 'node:fs';
import type { Page, Route } from 'playwright-core';
import { expect, test } from 'vitest';
import { inBrowser } from './studio-page.ts';

/** Holds the requests of exports until they are let go. */
async function holdExports(page: Page): Promise<readonly Route[]> {
  const held: Route[] = [];
  await page.route('**/export/schema?*', (route) => {
    held.push(route);
  });
  return held;
}

async function chooseSvg(page: Page): Promise<void> {
  await page.getByRole('button', { name: 'Export', exact: true }).last().click();
  await page.getByRole('menuitem', { name: 'SVG' }).click();
}

inBrowser('the export of a diagram', ({ open }) => {
  test('computes the picture once, and says so meanwhile', async () => {
    const page = await open('/diagram');
    await page.locator('.react-flow__node').first().waitFor();
    const held = await holdExports(page);
    await chooseSvg(page);
    await page.getByText('Creating the file …').waitFor();
    await expect.poll(() => held.length).toBe(1);
    const [saved] = await Promise.all([page.waitForEvent('download'), held[0]?.continue()]);
    expect(saved.suggestedFilename()).toBe('demo-diagram.svg');
    expect(readFileSync(await saved.path(), 'utf8')).toMatch(/^<svg [^]*<\/svg>\s*$/);
    await page.getByText('The download has started').waitFor();
    expect(await page.getByText('Creating the file …').count()).toBe(0);
    expect(held).toHaveLength(1);
  });

  test('can be canceled', async () => {
    const page = await open('/diagram');
    await page.locator('.react-flow__node').first().waitFor();
    await holdExports(page);
    await chooseSvg(page);
    const messages = page.getByRole('region', { name: 'Messages' });
    await messages.getByRole('button', { name: 'Cancel' }).click();
    await page.getByText('Creating the file …').waitFor({ state: 'detached' });
    expect(await messages.getByText('Nothing was exported').count()).toBe(0);
  });
});
