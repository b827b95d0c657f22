import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import BetterSqlite3 from 'better-sqlite3';
import { expect, test } from 'vitest';
import { inBrowser, seriousAxeFindings } from './studio-page.ts';
import type { ServedDatabase } from './studio-page.ts';

const evil = `<img src=x onerror="window.hit=1"><script>window.hit=1</script>`;
const table = `t"<b>${evil}`;

async function hostileFile(): Promise<ServedDatabase> {
  const folder = mkdtempSync(join(tmpdir(), 'studio-hostile-'));
  const url = join(folder, 'hostile.db');
  const name = (text: string): string => `"${text.replaceAll('"', '""')}"`;
  const database = new BetterSqlite3(url);
  database.exec(`CREATE TABLE ${name(table)} (id INTEGER PRIMARY KEY, ${name(evil)} TEXT,
    "__proto__" TEXT, link TEXT, doc JSON, picture BLOB, parent INTEGER REFERENCES ${name(table)} (id))`);
  database
    .prepare(
      `INSERT INTO ${name(table)} VALUES (1, ?, ?, ?, ?, ?, NULL), (2, ?, '', '', '{}', NULL, 1)`,
    )
    .run(
      evil,
      evil,
      'javascript:window.hit=1',
      JSON.stringify({ [evil]: evil }),
      Buffer.from(`<svg onload="window.hit=1"/>`),
      '\u202Eright to left\u0000\u0007',
    );
  database.close();
  return { url, drop: async () => rmSync(folder, { recursive: true, force: true }) };
}

inBrowser(
  'hostile content',
  ({ open }) => {
    const path = `/tables/${encodeURIComponent(table)}`;

    test.for([
      ['rows', path],
      ['a record', `${path}?open=${encodeURIComponent(`${encodeURIComponent(table)}/1`)}`],
      ['structure', `${path}?view=structure`],
      ['the start page', '/'],
    ] as const)('%s is shown as text', async ([, address]) => {
      const page = await open(address);
      await page.getByText(evil, { exact: false }).first().waitFor();
      expect(await page.evaluate('window.hit')).toBeUndefined();
      expect(await page.locator('img[src="x"], a[href^="javascript"]').count()).toBe(0);
      expect(await seriousAxeFindings(page)).toEqual([]);
    });

    test('columns of any name can be edited', async () => {
      const page = await open(path);
      await page.locator('#cell-1-2').click();
      await page.keyboard.type('typed');
      await page.keyboard.press('Enter');
      await page.keyboard.press('Control+s');
      await page.getByText('Saved 1 change').waitFor();
      await expect.poll(() => page.locator('#cell-1-2').innerText()).toBe('typed');
    });

    test('the pages run no script but their own', async () => {
      const page = await open('/');
      const [policy = ''] = [
        (await page.request.get(page.url())).headers()['content-security-policy'],
      ];
      expect(policy).toContain("script-src 'self'");
      expect(policy).not.toContain('unsafe-inline');
    });
  },
  { database: hostileFile },
);

/** As segments of a path, these are removed, split or decoded by somebody on the way. */
const pathNames = ['.', '.hidden', '..', '~', '~..', '~~.', '//', 'a/b', 'a%2Fb', 'ü?#', '%'];

async function pathNamesFile(): Promise<ServedDatabase> {
  const folder = mkdtempSync(join(tmpdir(), 'studio-paths-'));
  const url = join(folder, 'paths.db');
  const database = new BetterSqlite3(url);
  for (const name of pathNames) {
    database.exec(`CREATE TABLE "${name}" (id INTEGER PRIMARY KEY, note TEXT)`);
    database.prepare(`INSERT INTO "${name}" VALUES (1, ?)`).run(`row of ${name}`);
  }
  database.close();
  return { url, drop: async () => rmSync(folder, { recursive: true, force: true }) };
}

inBrowser(
  'tables whose names have a meaning in paths',
  ({ open }) => {
    test.for(pathNames)('%s is opened by its link, and by its address', async (name) => {
      const page = await open('/');
      await page.getByText(name, { exact: true }).first().click();
      await page.getByText(`row of ${name}`, { exact: true }).waitFor();
      await page.reload();
      await page.getByText(`row of ${name}`, { exact: true }).waitFor();
    });
  },
  { database: pathNamesFile },
);
