import { readFileSync } from 'node:fs';
import type { Locator, Page } from 'playwright-core';
import { expect, test } from 'vitest';
import { hostileNames } from '../diagram/hostile.ts';
import { column, generatedSchema, keyTo, schemaOf, tableOf } from '../diagram/schemas.ts';
import { largeSchema } from '../diagram/large-schemas.ts';
import { buildTables } from './structures.ts';
import { roundedPath } from '../../src/portable/drawing/route-shapes.ts';
import { inBrowser, phone, seriousAxeFindings } from './studio-page.ts';

function nodeOf(page: Page, name: string): Locator {
  return page.locator(`.react-flow__node[data-id="${name}"]`);
}

async function boxOf(node: Locator) {
  const box = await node.boundingBox();
  if (box === null) throw new Error('The element has no box.');
  return box;
}

/** The percentage in the zoom bar. */
async function zoomOf(page: Page): Promise<number> {
  return parseInt(await page.locator('.zoom output').innerText(), 10);
}

inBrowser('the diagram', ({ open, url }) => {
  test('draws every table, view and relation at the position that the server computed', async () => {
    const response = await fetch(`${url()}/api/diagram`);
    const layout = (await response.json()) as {
      tables: { name: string; x: number; y: number }[];
      relations: { points: { x: number; y: number }[] }[];
    };
    const page = await open('/diagram');
    await nodeOf(page, 'users').waitFor();
    expect(await page.locator('.react-flow__node').count()).toBe(layout.tables.length);
    expect(await page.locator('.relation').count()).toBe(layout.relations.length);
    const [users, posts] = [nodeOf(page, 'users'), nodeOf(page, 'posts')];
    const [left, right] = [await boxOf(users), await boxOf(posts)];
    const placed = (name: string) => layout.tables.find((table) => table.name === name);
    const scale = (right.x - left.x) / ((placed('posts')?.x ?? 0) - (placed('users')?.x ?? 0));
    expect(Math.round(scale * 100)).toBe(await zoomOf(page));
    const drawn = await page
      .locator('.relation path.way')
      .evaluateAll((paths) => paths.map((path) => path.getAttribute('d')));
    const routes = layout.relations.map(({ points }) => roundedPath(points));
    expect(drawn.toSorted()).toEqual(routes.toSorted());
  });

  test('a click highlights a table and its neighbors, and the URL contains the table', async () => {
    const page = await open('/diagram');
    await nodeOf(page, 'post_tags').locator('.nc').first().click();
    await page.waitForURL(/\/diagram\?around=post_tags$/);
    await expect.poll(() => nodeOf(page, 'post_tags').locator('.foc').count()).toBe(1);
    expect(await nodeOf(page, 'posts').locator('.dim').count()).toBe(0);
    expect(await nodeOf(page, 'users').locator('.dim').count()).toBe(1);
    await page.getByRole('group', { name: 'Distance' }).getByText('2').click();
    await page.waitForURL(/around=post_tags&depth=2$/);
    await nodeOf(page, 'users').locator('.dim').waitFor({ state: 'detached' });
    await page.getByRole('button', { name: 'Hide others' }).click();
    await nodeOf(page, 'customers').waitFor({ state: 'detached' });
    await nodeOf(page, 'users').waitFor();
    await page.getByRole('button', { name: 'Clear focus' }).click();
    await page.waitForURL(/\/diagram$/);
    await nodeOf(page, 'customers').waitFor();
  });

  test('the search finds a table by part of its name and opens it', async () => {
    const page = await open('/diagram');
    await nodeOf(page, 'users').waitFor();
    await page.keyboard.press('f');
    await page.keyboard.type('order_i');
    await page.getByRole('option', { name: 'order_items', exact: true }).waitFor();
    await page.keyboard.press('Enter');
    await page.waitForURL(/around=order_items/);
    await nodeOf(page, 'order_items').getByRole('link', { name: 'order_items' }).click();
    await page.waitForURL(/\/tables\/order_items$/);
  });

  test('moved tables keep their positions until the layout is reset', async () => {
    const page = await open('/diagram');
    const node = nodeOf(page, 'tags');
    await node.waitFor();
    const resetButton = page.getByRole('button', { name: 'Reset layout' });
    expect(await resetButton.getAttribute('aria-disabled')).toBe('true');
    const before = await node.getAttribute('style');
    const { x, y } = await boxOf(node);
    await page.mouse.move(x + 8, y + 8);
    await page.mouse.down();
    await page.mouse.move(x + 60, y + 50, { steps: 4 });
    await page.mouse.up();
    await expect.poll(() => resetButton.getAttribute('aria-disabled')).toBe('false');
    const movedStyle = await node.getAttribute('style');
    expect(movedStyle).not.toBe(before);
    await page.getByRole('button', { name: 'Export', exact: true }).last().click();
    const request = page.waitForRequest(/export\/schema\?.*format=svg/);
    await page.getByRole('menuitem', { name: 'SVG' }).click();
    const exported = JSON.parse(
      new URL((await request).url()).searchParams.get('positions') ?? '{}',
    ) as Record<string, readonly [number, number]>;
    const [left, top] = exported['tags'] ?? [NaN, NaN];
    const translation = /translate\(([-\d.]+)px, ?([-\d.]+)px\)/.exec(movedStyle ?? '');
    expect(left).toBeCloseTo(Number(translation?.[1]), 1);
    expect(top).toBeCloseTo(Number(translation?.[2]), 1);
    await page.reload();
    await expect.poll(() => node.getAttribute('style')).toBe(movedStyle);
    await resetButton.click();
    await expect.poll(() => node.getAttribute('style')).toBe(before);
  });

  test('Ctrl+Z and the button undo moves and a reset, one after the other', async () => {
    const page = await open('/diagram?columns=keys');
    const node = nodeOf(page, 'tags');
    await node.waitFor();
    const undo = page.getByRole('button', { name: 'Undo move' });
    expect(await undo.getAttribute('aria-disabled')).toBe('true');
    const style = (): Promise<string | null> => node.getAttribute('style');
    const styles = [await style()];
    for (const distance of [50, 70]) {
      const { x, y } = await boxOf(node);
      await page.mouse.move(x + 8, y + 8);
      await page.mouse.down();
      await page.mouse.move(x + distance, y + 40, { steps: 4 });
      await page.mouse.up();
      await expect.poll(style).not.toBe(styles.at(-1));
      styles.push(await style());
    }
    await page.getByRole('button', { name: 'Reset layout' }).click();
    await expect.poll(style).toBe(styles[0]);
    await undo.click();
    await expect.poll(style).toBe(styles[2]);
    await page.keyboard.press('Control+z');
    await expect.poll(style).toBe(styles[1]);
    await page.keyboard.press('Control+z');
    await expect.poll(style).toBe(styles[0]);
    expect(await undo.getAttribute('aria-disabled')).toBe('true');
    // A click moves nothing, so there is nothing to undo.
    await node.locator('.nc').first().click();
    expect(await undo.getAttribute('aria-disabled')).toBe('true');
  });

  test('a hidden table is neither drawn nor exported, also after a reload, until it is shown', async () => {
    const page = await open('/diagram');
    await nodeOf(page, 'users').locator('.nc').first().click();
    await page.getByRole('button', { name: 'Hide table' }).click();
    await nodeOf(page, 'users').waitFor({ state: 'detached' });
    await page.waitForURL(/\/diagram\?hidden=users$/);
    expect(await page.locator('.relation title').allTextContents()).not.toContain(
      expect.stringContaining('users ('),
    );
    await page.reload();
    await nodeOf(page, 'posts').waitFor();
    expect(await nodeOf(page, 'users').count()).toBe(0);
    await page.getByRole('button', { name: 'Export', exact: true }).last().click();
    const download = page.waitForEvent('download');
    await page.getByRole('menuitem', { name: 'DBML' }).click();
    const text = readFileSync(await (await download).path(), 'utf8');
    expect(text).toContain('Table "posts"');
    expect(text).not.toContain('Table "users"');
    await page.getByRole('button', { name: 'Export', exact: true }).last().click();
    const request = page.waitForRequest(/export\/schema\?.*format=svg/);
    const picture = page.waitForEvent('download');
    await page.getByRole('menuitem', { name: 'SVG' }).click();
    const address = new URL((await request).url());
    expect(address.searchParams.get('hidden')).toBe('users');
    expect(address.searchParams.get('tables')).toBeNull();
    expect(readFileSync(await (await picture).path(), 'utf8')).not.toContain('>users<');
    await page.getByRole('button', { name: 'Show 1 hidden' }).click();
    await nodeOf(page, 'users').waitFor();
    await page.waitForURL(/\/diagram$/);
  });

  test('the minimap can be hidden, which the browser remembers', async () => {
    const page = await open('/diagram');
    const minimap = page.locator('.react-flow__minimap');
    await minimap.waitFor();
    await page.getByRole('button', { name: 'Minimap' }).click();
    await minimap.waitFor({ state: 'detached' });
    await page.reload();
    await nodeOf(page, 'users').waitFor();
    expect(await minimap.count()).toBe(0);
    await page.getByRole('button', { name: 'Minimap' }).click();
    await minimap.waitFor();
  });

  test('the search finds columns too', async () => {
    const page = await open('/diagram');
    await nodeOf(page, 'users').waitFor();
    await page.keyboard.press('f');
    await page.keyboard.type('unit_pr');
    await page.getByRole('option', { name: 'order_items.unit_price' }).waitFor();
    await page.keyboard.press('Enter');
    await page.waitForURL(/around=order_items/);
  });

  test('moved tables keep their positions when the structure changes', async () => {
    const page = await open('/diagram?columns=none');
    const node = nodeOf(page, 'tags');
    await node.focus();
    await page.keyboard.press('Enter');
    await page.waitForURL(/around=tags/);
    await page.keyboard.press('ArrowDown');
    const transform = () =>
      node.evaluate((element) => (element as unknown as Styled).style.transform);
    const before = await transform();
    await expect
      .poll(() => page.getByRole('button', { name: 'Reset layout' }).getAttribute('aria-disabled'))
      .toBe('false');
    const form = new FormData();
    const sql = 'CREATE TABLE lamps (id INTEGER PRIMARY KEY, tag_id INTEGER REFERENCES tags (id));';
    form.append('file', new File([sql], 'lamps.sql'));
    await fetch(`${url()}/api/import/schema`, { method: 'POST', body: form });
    await page.getByRole('button', { name: 'Reload structure' }).click();
    await nodeOf(page, 'lamps').waitFor();
    expect(await transform()).toBe(before);
  });

  test('can show only keys or only names', async () => {
    const page = await open('/diagram?around=users');
    const users = nodeOf(page, 'users');
    await users.getByText('email').waitFor();
    await page.getByRole('button', { name: 'Keys' }).click();
    await users.getByText(/more columns/).waitFor();
    await page.getByRole('button', { name: 'Names' }).click();
    await users.locator('.nc').first().waitFor({ state: 'detached' });
  });

  test.for([
    ['SVG', /^<svg [^]*data-table="users"/],
    ['PNG', /^\x89PNG\r\n[^]*IEND\xaeB\x60\x82$/],
    ['PDF', /^%PDF-1\.[^]*%%EOF\s*$/],
  ] as const)('is exported as %s', async ([format, isWholeDiagram]) => {
    const page = await open('/diagram');
    await page.getByRole('button', { name: 'Export', exact: true }).last().click();
    const [saved] = await Promise.all([
      page.waitForEvent('download'),
      page.getByRole('menuitem', { name: format }).click(),
    ]);
    expect(saved.suggestedFilename()).toBe(`demo-diagram.${format.toLowerCase()}`);
    expect(readFileSync(await saved.path(), 'latin1')).toMatch(isWholeDiagram);
  });

  test.for(['light', 'dark'] as const)('%s: axe finds no serious problem', async (colorScheme) => {
    const page = await open('/diagram', { colorScheme });
    await nodeOf(page, 'users').waitFor();
    expect(await seriousAxeFindings(page)).toEqual([]);
    await page.goto(`${url()}/diagram?around=posts`);
    await nodeOf(page, 'posts').locator('.nc').first().waitFor();
    expect(await seriousAxeFindings(page)).toEqual([]);
  });
});

inBrowser('the diagram on a phone', ({ open }) => {
  test('fits the screen, and a button opens the list of tables', async () => {
    const page = await open('/diagram?around=posts&only=true', {
      viewport: { width: 390, height: 844 },
    });
    await nodeOf(page, 'posts').waitFor();
    for (const part of ['.zoom', '.focus-bar', '.diagram-bar .seg']) {
      const { x, width } = await boxOf(page.locator(part).first());
      expect(x + width).toBeLessThanOrEqual(390);
    }
    await page.getByRole('button', { name: 'Tables', exact: true }).click();
    await page.getByRole('link', { name: /^tags/ }).click();
    await page.waitForURL(/\/tables\/tags$/);
  });
});

interface Styled {
  readonly style: { readonly transform: string; readonly width: string; readonly height: string };
}

inBrowser(
  'the diagram of 500 tables',
  ({ open }) => {
    test('can be searched, zoomed and panned; tables out of view are not rendered', async () => {
      const page = await open('/diagram');
      await page.getByText(/^500 tables, \d+ relations$/).waitFor({ timeout: 60_000 });
      await page.locator('.react-flow__node').first().waitFor();
      expect(await page.locator('.nc').count()).toBe(0);
      await page.getByLabel('Find a table').fill('order_segments');
      await page.keyboard.press('Enter');
      const node = nodeOf(page, 'order_segments');
      await node.locator('.nc').first().waitFor();
      await expect.poll(() => zoomOf(page)).toBeGreaterThan(50);
      expect(await page.locator('.react-flow__node').count()).toBeLessThan(100);
      await page.getByRole('button', { name: 'Fit view' }).click();
      await expect.poll(() => page.locator('.react-flow__node').count()).toBe(500);
      await page.getByLabel('Find a table').fill('order_segments');
      await page.keyboard.press('Enter');
      await node.getByRole('link', { name: 'order_segments' }).click();
      await page.waitForURL(/\/tables\/order_segments$/);
    });
  },
  { build: (file) => buildTables(file, generatedSchema({ tables: 500 })) },
);

/** The table that most others reference. */
const hub = 'billing_account_account_0';
const grouped = largeSchema({ tables: 120, seed: 4, parts: 'prefix' });

inBrowser(
  'the diagram of 120 tables in groups',
  ({ open, url }) => {
    interface Area {
      readonly title: string;
      readonly x: number;
      readonly y: number;
      readonly width: number;
      readonly height: number;
    }

    async function layoutGroups(): Promise<readonly Area[]> {
      const layout = (await (await fetch(`${url()}/api/diagram`)).json()) as { groups: Area[] };
      return layout.groups;
    }

    function drawnAreas(page: Page): Promise<readonly Area[]> {
      return page.locator('.area').evaluateAll((elements) =>
        (elements as unknown as (Styled & { readonly textContent: string })[]).map((element) => {
          const { transform, width, height } = element.style;
          const [x = NaN, y = NaN] =
            /\((.+)px, (.+)px\)/.exec(transform)?.slice(1).map(Number) ?? [];
          const [w, h] = [parseFloat(width), parseFloat(height)];
          return { title: element.textContent, x, y, width: w, height: h };
        }),
      );
    }

    test('has the areas of the layout, which the export has too', async () => {
      const page = await open('/diagram');
      await page.locator('.area').first().waitFor();
      const expected = (await layoutGroups()).map(({ title, x, y, width, height }) => ({
        title,
        x,
        y,
        width,
        height,
      }));
      expect(expected.length).toBeGreaterThan(4);
      expect(await drawnAreas(page)).toEqual(expected);
      const svg = await (await fetch(`${url()}/api/export/schema?format=svg`)).text();
      for (const { width, height } of expected)
        expect(svg).toContain(`width="${width}" height="${height}" rx="12"`);
    });

    test('an area follows a table that the mouse moves out of it', async () => {
      const page = await open('/diagram?columns=none');
      const area = page.locator('.area').first();
      await area.waitFor();
      const layout = (await (await fetch(`${url()}/api/diagram?columns=none`)).json()) as {
        groups: { tables: string[] }[];
      };
      const node = nodeOf(page, layout.groups[0]?.tables[0] ?? '');
      const [before] = await drawnAreas(page);
      const [table, edges] = [await boxOf(node), await boxOf(area)];
      await page.mouse.move(table.x + 3, table.y + 3);
      await page.mouse.down();
      await page.mouse.move(table.x + 3, edges.y - 15, { steps: 4 });
      await page.mouse.up();
      // In the coordinates of the layout, since the page scrolls when the mouse is near its edge.
      await expect.poll(async () => (await drawnAreas(page))[0]?.y).toBeLessThan(before?.y ?? 0);
      const [grown] = await drawnAreas(page);
      expect(grown?.height).toBeGreaterThan(before?.height ?? 0);
      await page.getByRole('button', { name: 'Undo move' }).click();
      await expect.poll(async () => (await drawnAreas(page))[0]).toEqual(before);
    });

    test('a label leads to the table that it names, by mouse and by keyboard', async () => {
      const page = await open('/diagram');
      await page.locator('.area').first().waitFor();
      const search = page.getByLabel('Find a table');
      const from = grouped.tables.find(
        ({ name, foreignKeys }) =>
          !name.startsWith('billing') && foreignKeys.some(({ table }) => table === hub),
      );
      for (const activate of ['click', 'press'] as const) {
        await search.fill(from?.name ?? '');
        await page.keyboard.press('Enter');
        const label = nodeOf(page, from?.name ?? '').getByRole('button', { name: `→ ${hub}` });
        await label.waitFor();
        if (activate === 'click') await label.click();
        else await label.press('Enter');
        await page.waitForURL(new RegExp(`around=${hub}$`));
        await nodeOf(page, hub).locator('.foc').waitFor();
      }
      // The lines that labels replace are drawn around the table.
      await expect.poll(() => page.locator('.relation.on').count()).toBeGreaterThan(0);
    });

    test('on a phone begins with one table and its neighbors, and shows all on demand', async () => {
      const page = await open('/diagram', { viewport: phone });
      await page.locator('.node.foc').waitFor();
      expect(await page.locator('.react-flow__node').count()).toBeLessThan(12);
      const [table, bar] = [page.locator('.node.foc'), page.locator('.focus-bar')];
      const { y, height } = await boxOf(bar);
      expect((await boxOf(table)).y).toBeGreaterThanOrEqual(y + height);
      await page.getByRole('button', { name: 'Clear focus' }).click();
      await page.waitForURL(/whole=true$/);
      await page.locator('.area').first().waitFor();
      await page.reload();
      await page.locator('.area').first().waitFor();
      expect(await page.locator('.node.foc').count()).toBe(0);
    });

    test('different names are different texts, and columns are not cut', async () => {
      const page = await open('/diagram');
      await page.locator('.area').first().waitFor();
      await page.getByLabel('Find a table').fill('billing_aggregated_monthly_statistics_of');
      await page.keyboard.press('Enter');
      await page.locator('.node.foc .nc').first().waitFor();
      const titles = await page.locator('.node .nh a').allInnerTexts();
      expect(new Set(titles).size).toBe(titles.length);
    });

    test.for(['light', 'dark'] as const)(
      '%s: axe finds no serious problem',
      async (colorScheme) => {
        const page = await open(`/diagram?around=${hub}`, { colorScheme });
        await page.locator('.area').first().waitFor();
        expect(await seriousAxeFindings(page)).toEqual([]);
        await page.getByLabel('Find a table').fill(grouped.tables[11]?.name ?? '');
        await page.keyboard.press('Enter');
        await page.locator('.line-label').first().waitFor();
        expect(await seriousAxeFindings(page)).toEqual([]);
      },
    );
  },
  { build: (file) => buildTables(file, grouped) },
);

/** Tables with hostile names that SQLite accepts. Each references the previous one. */
const usableNames = hostileNames.filter((name) => name.isWellFormed() && !name.includes('\0'));
const hostileTables = usableNames.map((name, i) => {
  const [id, before] = [column('id', 'text'), usableNames[i - 1]];
  const other = column(`${name} `, 'text', true);
  return tableOf(name, [id, other], before === undefined ? [] : [keyTo(before, other.name)]);
});

inBrowser(
  'the diagram of hostile names',
  ({ open }) => {
    test('shows all hostile names as text', async () => {
      const page = await open('/diagram');
      await page.locator('.react-flow__node').first().waitFor();
      const shown = await page
        .locator('.react-flow__node')
        .evaluateAll((nodes) => nodes.map((node) => node.getAttribute('data-id')));
      expect(shown.toSorted()).toEqual(usableNames.toSorted());
      expect(await seriousAxeFindings(page)).toEqual([]);
      await page.getByLabel('Find a table').fill('</text>');
      await page.keyboard.press('Enter');
      await page.locator('.foc .nc').first().waitFor();
      await page.getByRole('button', { name: 'Hide others' }).click();
      await expect.poll(() => page.locator('.react-flow__node').count()).toBe(2);
    });
  },
  { build: (file) => buildTables(file, schemaOf(hostileTables)) },
);
