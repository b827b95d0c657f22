/** What one user saves for the others: queries, and positions of tables in the diagram. */
import { expect, test } from 'vitest';
import type { Locator, Page } from 'playwright-core';
import { inBrowser } from './studio-page.ts';

function nodeOf(page: Page, name: string): Locator {
  return page.locator(`.react-flow__node[data-id="${name}"]`);
}

async function openDiagram(open: (path: string) => Promise<Page>): Promise<Page> {
  const page = await open('/diagram?columns=none');
  await nodeOf(page, 'tags').waitFor();
  return page;
}

/** Drags a table, and returns its position when the server has it. */
async function drag(page: Page, name: string, distance: number): Promise<string> {
  const node = nodeOf(page, name);
  const box = await node.boundingBox();
  if (box === null) throw new Error(`${name} is not in view.`);
  const saved = page.waitForResponse((response) => response.request().method() === 'POST');
  await page.mouse.move(box.x + 8, box.y + 8);
  await page.mouse.down();
  await page.mouse.move(box.x + 8 + distance, box.y + 8 + distance, { steps: 4 });
  await page.mouse.up();
  expect((await saved).status()).toBe(200);
  return positionOf(page, name);
}

async function positionOf(page: Page, name: string): Promise<string> {
  return (
    /translate\([^)]*\)/.exec((await nodeOf(page, name).getAttribute('style')) ?? '')?.[0] ?? ''
  );
}

async function saveQuery(page: Page, statement: string): Promise<void> {
  await page.locator('.sql-editor .cm-content').click();
  await page.keyboard.insertText(statement);
  await page.getByRole('button', { name: 'Save', exact: true }).click();
  await page.getByRole('tab', { name: /^Saved/ }).click();
}

inBrowser('what users save for each other', ({ open }) => {
  test('tables that two users move are where each of them moved them', async () => {
    const [ada, grace] = [await openDiagram(open), await openDiagram(open)];
    const before = await positionOf(ada, 'users');
    const tags = await drag(ada, 'tags', 40);
    const users = await drag(grace, 'users', 60);
    expect(users).not.toBe(before);
    const later = await openDiagram(open);
    for (const page of [later, grace]) {
      await expect.poll(() => positionOf(page, 'tags')).toBe(tags);
      await expect.poll(() => positionOf(page, 'users')).toBe(users);
    }
    // What Ada undoes is her own move.
    const undone = ada.waitForResponse((response) => response.request().method() === 'POST');
    await ada.getByRole('button', { name: 'Undo move' }).click();
    await undone;
    await later.reload();
    await expect.poll(() => positionOf(later, 'users')).toBe(users);
    expect(await positionOf(later, 'tags')).not.toBe(tags);
    const reset = later.waitForResponse((response) => response.request().method() === 'POST');
    await later.getByRole('button', { name: 'Reset layout' }).click();
    await reset;
    const last = await openDiagram(open);
    await expect.poll(() => positionOf(last, 'users')).toBe(before);
  });

  test('moves that the server did not get are kept in the browser, and sent with the next visit', async () => {
    const page = await openDiagram(open);
    page.removeAllListeners('console');
    await page.route('**/diagram/positions*', (route) =>
      route.request().method() === 'POST' ? route.abort() : route.continue(),
    );
    const node = nodeOf(page, 'posts');
    const box = await node.boundingBox();
    if (box === null) throw new Error('posts is not in view.');
    await page.mouse.move(box.x + 8, box.y + 8);
    await page.mouse.down();
    await page.mouse.move(box.x + 50, box.y + 30, { steps: 4 });
    await page.mouse.up();
    await page.getByText('The positions were saved in this browser only').waitFor();
    const movedPosition = await positionOf(page, 'posts');
    await page.unrouteAll();
    const sent = page.waitForResponse((response) => response.request().method() === 'POST');
    await page.reload();
    await sent;
    expect(await positionOf(page, 'posts')).toBe(movedPosition);
    const other = await openDiagram(open);
    await expect.poll(() => positionOf(other, 'posts')).toBe(movedPosition);
  });

  test('a saved query is there for others, until one of them deletes it', async () => {
    const [ada, grace] = [await open('/sql'), await open('/sql')];
    await saveQuery(ada, '-- all tags / "ä"\nselect * from tags');
    await ada.getByRole('button', { name: 'all tags / "ä"', exact: true }).waitFor();
    await grace.reload();
    await grace.getByRole('tab', { name: 'Saved 1' }).click();
    await grace.getByRole('button', { name: 'all tags / "ä"', exact: true }).click();
    const editor = grace.locator('.sql-editor .cm-content');
    await expect.poll(() => editor.innerText()).toContain('select * from tags');
    await grace.getByRole('button', { name: 'Delete saved query all tags / "ä"' }).click();
    await grace.getByRole('tab', { name: 'Saved 0' }).waitFor();
    await ada.reload();
    await ada.getByRole('tab', { name: 'Saved 0' }).waitFor();
  });
});

inBrowser(
  'what a read-only studio saves',
  ({ open }) => {
    test('stays in the browser', async () => {
      const page = await open('/sql');
      const requests: string[] = [];
      page.on('request', (request) => {
        if (request.method() !== 'GET') requests.push(request.url());
      });
      await saveQuery(page, 'select 1');
      await page.getByText('Only in this browser').waitFor();
      // The page does not know that the studio is read-only until the configuration arrives.
      const configuration = Promise.withResolvers<void>();
      await page.route('**/api/config', async (route) => {
        await configuration.promise;
        await route.continue();
      });
      await page.goto(page.url().replace('/sql', '/diagram'));
      const node = nodeOf(page, 'tags');
      await node.waitFor();
      const before = await positionOf(page, 'tags');
      const box = await node.boundingBox();
      if (box === null) throw new Error('tags is not in view.');
      await page.mouse.move(box.x + 8, box.y + 8);
      await page.mouse.down();
      await page.mouse.move(box.x + 60, box.y + 40, { steps: 4 });
      await page.mouse.up();
      await expect.poll(() => positionOf(page, 'tags')).not.toBe(before);
      const movedPosition = await positionOf(page, 'tags');
      configuration.resolve();
      await page.reload();
      await expect.poll(() => positionOf(page, 'tags')).toBe(movedPosition);
      expect(requests).toEqual([]);
    });
  },
  { studio: { readOnly: true } },
);
