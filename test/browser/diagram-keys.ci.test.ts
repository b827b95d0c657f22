/** The diagram by keys, without the mouse. */
import { expect, test } from 'vitest';
import { inBrowser } from './studio-page.ts';

inBrowser('the diagram by keys', ({ open }) => {
  test('arrow keys move the table that has the focus, and Ctrl+Z undoes it', async () => {
    const page = await open('/diagram?columns=none');
    const node = page.locator('.react-flow__node[data-id="tags"]');
    await node.focus();
    const position = (): Promise<readonly number[]> =>
      node.evaluate((element) => {
        const { transform } = (element as unknown as { style: { transform: string } }).style;
        return [...transform.matchAll(/-?[\d.]+(?=px)/g)].map(([number]) => Number(number));
      });
    const [x = NaN, y = NaN] = await position();
    await page.keyboard.press('ArrowRight');
    await expect.poll(position).toEqual([x + 5, y]);
    await page.keyboard.press('Shift+ArrowDown');
    await expect.poll(position).toEqual([x + 5, y + 20]);
    await page.keyboard.press('Control+z');
    await expect.poll(position).toEqual([x + 5, y]);
    // xyflow itself moves selected tables: by the same distances, and not twice.
    await page.keyboard.press('Enter');
    await page.waitForURL(/around=tags/);
    await page.keyboard.press('ArrowUp');
    await expect.poll(position).toEqual([x + 5, y - 5]);
    await page.keyboard.press('Shift+ArrowLeft');
    await expect.poll(position).toEqual([x - 15, y - 5]);
  });

  test('many presses of an arrow key are sent to the server together', async () => {
    const page = await open('/diagram?columns=keys');
    const node = page.locator('.react-flow__node[data-id="tags"]');
    await node.focus();
    const bodies: (string | null)[] = [];
    page.on('request', (request) => {
      if (request.method() === 'POST' && request.url().includes('/diagram/positions'))
        bodies.push(request.postData());
    });
    const responded = page.waitForResponse((response) =>
      response.url().includes('/diagram/positions'),
    );
    // Dispatched in the page, so that a slow machine makes no pause between them.
    await page.evaluate(`(async () => {
      for (let i = 0; i < 12; i++) {
        document.activeElement.dispatchEvent(
          new KeyboardEvent('keydown', { key: 'ArrowRight', bubbles: true }),
        );
        await Promise.resolve();
      }
    })()`);
    await responded;
    expect(bodies).toHaveLength(1);
  });

  test('H hides the table that has the focus', async () => {
    const page = await open('/diagram');
    const node = page.locator('.react-flow__node[data-id="tags"]');
    await node.focus();
    await page.keyboard.press('h');
    await node.waitFor({ state: 'detached' });
    await page.waitForURL(/hidden=tags/);
  });

  test('the bar of a focused table comes before the tables', async () => {
    const page = await open('/diagram?around=tags');
    const undo = page.getByRole('button', { name: 'Export', exact: true }).last();
    await undo.focus();
    for (let i = 0; i < 8; i++) {
      await page.keyboard.press('Tab');
      const focused = await page.locator(':focus').textContent();
      if (focused === 'Hide table') break;
    }
    expect(await page.locator(':focus').textContent()).toBe('Hide table');
    await page.keyboard.press('Escape');
    await page.waitForURL(/\/diagram$/);
  });
});
