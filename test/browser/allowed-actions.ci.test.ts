/** The pages offer exactly what the server carries out, whatever flags it was started with. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Page } from 'playwright-core';
import { expect, test } from 'vitest';
import { createApp } from '../../src/http/app.ts';
import { listen } from '../../src/http/node.ts';
import { createStudio } from '../../src/studio/studio.ts';
import { changeFile, inBrowser } from './studio-page.ts';

const flags = ['readOnly', 'disableSql', 'allowDdl'] as const;
const combinations = Array.from({ length: 2 ** flags.length }, (_, bits) =>
  flags.filter((_flag, i) => (bits >> i) % 2 === 1),
);

async function serve(enabledFlags: readonly string[]) {
  const folder = mkdtempSync(join(tmpdir(), 'studio-browser-flags-'));
  const file = join(folder, 'empty.db');
  changeFile(file, 'PRAGMA journal_mode = WAL');
  const options = Object.fromEntries(enabledFlags.map((flag) => [flag, true]));
  const studio = await createStudio({ url: file, ...options });
  const server = await listen({ app: createApp(studio), host: '127.0.0.1', port: 0 });
  return {
    file,
    url: `${server.address}/studio`,
    close: async () => {
      await server.close();
      await studio.close();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

async function isAccepted(url: string, body: object): Promise<boolean> {
  const headers = { 'Content-Type': 'application/json' };
  const response = await fetch(url, { method: 'POST', headers, body: JSON.stringify(body) });
  return response.ok;
}

async function isImportAccepted(url: string): Promise<boolean> {
  const body = new FormData();
  body.append('file', new File(['Table seats {\n id int [pk]\n}\n'], 'seats.dbml'));
  const query = 'dry_run=true';
  return (await fetch(`${url}/api/import/schema?${query}`, { method: 'POST', body })).ok;
}

/** Whether a control is there and works. One that is disabled must say why. */
async function isOffered(
  page: Page,
  role: 'link' | 'button' | 'menuitem' | 'option',
  name: string,
) {
  const control = page.getByRole(role, { name, exact: true });
  if ((await control.count()) === 0) return false;
  const isDisabled = (await control.getAttribute('aria-disabled')) === 'true';
  if (isDisabled) {
    const title = (await control.getAttribute('title')) ?? (await control.innerText());
    expect(title, `reason of ${name}`).toMatch(/read-only|started with/);
  }
  return !isDisabled;
}

inBrowser('a studio with flags', ({ open }) => {
  test.for(combinations)('offers what it accepts: %s', async (enabledFlags) => {
    const { url, file, close } = await serve(enabledFlags);
    try {
      const page = await open('/');
      await page.goto(`${url}/`);
      await page.getByText('This database has no tables yet').waitFor();
      const [ddl, imports, reads] = [
        await isAccepted(`${url}/api/sql`, { query: 'CREATE TABLE probe (id INTEGER)' }),
        await isImportAccepted(url),
        await isAccepted(`${url}/api/sql`, { query: 'SELECT 1' }),
      ];
      expect(await isOffered(page, 'link', 'Create tables with SQL')).toBe(ddl);
      expect(await isOffered(page, 'link', 'Import a file')).toBe(imports);
      expect(await isOffered(page, 'link', 'Import Go models')).toBe(imports);

      changeFile(
        file,
        'CREATE TABLE notes (id INTEGER PRIMARY KEY, a TEXT); INSERT INTO notes VALUES (1, NULL)',
      );
      await fetch(`${url}/api/schema/refresh`, { method: 'POST' });
      const writes = await isAccepted(`${url}/api/tables/notes/rows`, { a: 'x' });
      await page.goto(`${url}/tables/notes`);
      await page.locator('#cell-0-1').click({ button: 'right' });
      const items = [
        'Edit ↵',
        'Set NULL ⌫',
        'Duplicate row Ctrl+D',
        'Delete row Del',
        'Paste Ctrl+V',
      ];
      for (const item of items) {
        const [label = ''] = item.split(/ (?=\S+$)/);
        const entry = page.getByRole('menuitem', { name: new RegExp(`^${label}`) });
        const isDisabled = (await entry.getAttribute('aria-disabled')) === 'true';
        expect(!isDisabled, label).toBe(writes);
      }
      await page.keyboard.press('Escape');
      expect(await isOffered(page, 'button', 'Add row')).toBe(writes);

      await page.keyboard.press('Control+k');
      await page.keyboard.type('import');
      await page
        .getByRole('option')
        .first()
        .waitFor({ timeout: 1000 })
        .catch(() => undefined);
      expect(await isOffered(page, 'option', 'Import')).toBe(imports);
      await page.getByRole('combobox').fill('new sql tab');
      await page.getByText('Searching').waitFor({ state: 'detached' });
      expect(await isOffered(page, 'option', 'New SQL tab')).toBe(reads);
      await page.getByRole('combobox').fill('add row to');
      expect(await isOffered(page, 'option', 'Add row to notes')).toBe(writes);

      await page.goto(`${url}/sql`);
      await page.getByRole('heading', { name: 'SQL' }).waitFor();
      expect(await isOffered(page, 'button', 'Explain')).toBe(reads);
      await page.goto(`${url}/import`);
      await page.getByText('Drop a file anywhere').waitFor();
      expect(await isOffered(page, 'button', 'Choose a file')).toBe(imports);
    } finally {
      await close();
    }
  });
});
