/** Names and values of a hostile database are shown as text by the web studio, and run nowhere (security.md 9). */
import BetterSqlite3 from 'better-sqlite3';
import { expect, test } from 'vitest';
import { sqliteDialect } from '../../src/databases/sqlite/dialect.ts';
import { createSchema } from '../../src/sql/create-schema.ts';
import { inBrowser } from '../browser/studio-page.ts';
import { schemaOf } from '../sql/neutral-schema.ts';
import { hostileRows, hostileTables, hostileValues, tableNames } from './hostile-catalogue.ts';
import type { Page } from 'playwright-core';

const shown = ['</script><img src=x onerror=alert(1)>', '"];--', '__proto__', '../../etc/passwd'];

inBrowser('stored content', ({ open, file, url }) => {
  function fill(): void {
    const database = new BetterSqlite3(file());
    const has = database.prepare('SELECT 1 FROM sqlite_schema WHERE name = ?').get(tableNames[0]);
    if (has !== undefined) return void database.close();
    const { quoteText } = sqliteDialect.ddl;
    const schema = schemaOf(hostileTables({ quoteText, hasComments: false }));
    const { statements } = createSchema(schema, sqliteDialect.ddl, { native: false });
    database.exec(statements.join(';\n'));
    for (const table of tableNames) {
      const name = sqliteDialect.quoteName(table);
      const insert = database.prepare(`INSERT INTO ${name} (${name}, value) VALUES (?, ?)`);
      for (const row of hostileRows(table)) insert.run(Object.values(row));
    }
    database.close();
  }

  /** Scripts ran, dialogs, and addresses elsewhere that were asked for. */
  async function watch(page: Page): Promise<() => Promise<readonly string[]>> {
    const found: string[] = [];
    page.on('dialog', (dialog) => {
      found.push(`a dialog: ${dialog.message()}`);
      void dialog.dismiss();
    });
    page.on('request', (request) => {
      const address = request.url();
      if (!address.startsWith(new URL(url()).origin) && !/^(data|blob):/.test(address))
        found.push(address);
    });
    return async () => {
      const hacked = await page.evaluate('window.hacked ?? ({}).hacked ?? null');
      const strange = await page.evaluate(
        "document.querySelectorAll('img[src=x], a[href^=javascript], a[href^=data], iframe, object, embed').length",
      );
      return [
        ...found,
        ...(hacked === null ? [] : ['a script ran']),
        ...(strange === 0 ? [] : ['markup of a value']),
      ];
    };
  }

  test.each(shown)('a table called %j', async (table) => {
    fill();
    const page = await open('/');
    const findings = await watch(page);
    await page.goto(`${url()}/tables/${encodeURIComponent(table)}`);
    await page.getByText(hostileValues[0]!, { exact: false }).first().waitFor();
    for (const value of hostileValues.slice(0, 4))
      expect(
        await page.getByText(value.slice(0, 20), { exact: false }).count(),
        value,
      ).toBeGreaterThan(0);
    expect(await findings()).toEqual([]);
  });
});
