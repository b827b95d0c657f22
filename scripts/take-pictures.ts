/**
 * `node scripts/take-pictures.ts`: takes the screenshots of the README and of docs/tasks from the built studio on the
 * demo database. `node scripts/take-pictures.ts CHROMIUM NAME…` takes only the named ones. The demo contains
 * Devanagari and CJK text, which needs fonts (Debian: fonts-noto-core, fonts-noto-cjk).
 */
import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { chromium } from 'playwright-core';
import type { Page } from 'playwright-core';
import { buildDemoFile } from '../src/demo/build.ts';
import { createApp } from '../src/http/app.ts';
import { listen } from '../src/http/node.ts';
import { createStudio } from '../src/studio/studio.ts';

interface Picture {
  readonly name: string;
  readonly path: string;
  readonly theme?: 'dark';
  readonly size?: { readonly width: number; readonly height: number };
  /** Brings the page into the state of the screenshot. */
  readonly prepare: (page: Page) => Promise<void>;
}

const waitForRows = (page: Page): Promise<void> =>
  page.locator('[role="gridcell"]').first().waitFor();

const pictures: readonly Picture[] = [
  {
    name: 'table',
    path: '/tables/posts?sort_by=id',
    prepare: async (page) => {
      await waitForRows(page);
      await page.locator('#cell-1-3').click();
      await page.keyboard.type('A short history of salt');
      await page.keyboard.press('Enter');
      await page.locator('#cell-4-1 .fk').hover();
      await page.locator('.hcard dl').waitFor();
    },
  },
  {
    name: 'record',
    path: '/tables/posts?sort_by=id&open=posts/3',
    theme: 'dark',
    prepare: async (page) => {
      await waitForRows(page);
      await page.getByRole('textbox', { name: 'title' }).fill('Footnotes, yes');
      await page.getByRole('textbox', { name: 'slug' }).focus();
    },
  },
  {
    name: 'sql',
    path: '/sql',
    prepare: async (page) => {
      await page.locator('.sql-editor .cm-content').click();
      await page.keyboard.insertText(
        'select b.title, sum(i.quantity) as copies, sum(i.amount) as revenue\nfrom order_items i\njoin editions e on e.isbn = i.isbn\njoin books b on b.id = e.book_id\ngroup by b.title\norder by revenue desc',
      );
      await page.keyboard.press('Control+Enter');
      await waitForRows(page);
    },
  },
  {
    name: 'structure',
    path: '/tables/order_items?view=structure',
    prepare: (page) => page.locator('.source .code').getByText('CREATE TABLE').waitFor(),
  },
  {
    name: 'import',
    path: '/import',
    prepare: async (page) => {
      await page.getByLabel('File to import').setInputFiles({
        name: 'tags.csv',
        mimeType: 'text/csv',
        buffer: Buffer.from(
          'id;name;shade\n101;essays;#336699\n102;poetry;#885533\n103;history of science;#224422\n',
        ),
      });
      await page.getByLabel('Column for shade').selectOption('color');
      await page.getByRole('region', { name: 'First rows' }).waitFor();
    },
  },
  {
    name: 'export',
    path: '/tables/orders?sort_by=id&filter_status=shipped',
    prepare: async (page) => {
      await waitForRows(page);
      await page.getByRole('button', { name: 'Export this view' }).click();
      await page.getByRole('dialog').getByRole('button', { name: 'Export' }).waitFor();
    },
  },
  {
    name: 'diagram',
    path: '/diagram?columns=keys',
    prepare: (page) => page.locator('.react-flow__node').first().waitFor(),
  },
  {
    name: 'phone',
    path: '/tables/users?open=users/3',
    size: { width: 390, height: 844 },
    prepare: async (page) => {
      await page.getByRole('textbox', { name: 'family_name' }).fill('Okonkwo');
      await page.getByRole('textbox', { name: 'email' }).focus();
    },
  },
];

const folder = join(import.meta.dirname, '..', 'docs', 'pictures');
const work = mkdtempSync(join(tmpdir(), 'studio-pictures-'));
await buildDemoFile(join(work, 'demo.db'));
const studio = await createStudio({ url: join(work, 'demo.db') });
const server = await listen({ app: createApp(studio), host: '127.0.0.1', port: 0 });
const [executablePath = '/usr/bin/chromium', ...names] = process.argv.slice(2);
const requested = pictures.filter(({ name }) => names.length === 0 || names.includes(name));
const browser = await chromium.launch({ executablePath, args: ['--no-sandbox'] });
mkdirSync(folder, { recursive: true });
try {
  for (const { name, path, theme = 'light', size, prepare } of requested) {
    const viewport = size ?? { width: 1280, height: 760 };
    const page = await browser.newPage({ viewport, colorScheme: theme });
    await page.goto(`${server.address}${studio.config.prefix}${path}`);
    await prepare(page);
    await page.screenshot({ path: join(folder, `${name}.png`), animations: 'disabled' });
    await page.context().close();
  }
} finally {
  await browser.close();
  await server.close();
  await studio.close();
  rmSync(work, { recursive: true, force: true });
}
