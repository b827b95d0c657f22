/**
 * Names and values of a hostile database are shown as text on every page of the web studio,
 * including the diagram, and never run (SECURITY.md 1, 9). test/browser/hostile.test.ts edits such
 * a table, and tests JSON, blobs and links.
 */
import { expect, test } from 'vitest';
import { inBrowser } from '../browser/studio-page.ts';
import { insertSql, createTablesSql } from '../databases/kit/harness.ts';
import { hostileRows, hostileTables, hostileValues, tableNames } from './hostile-catalog.ts';
import type { Page } from 'playwright-core';
import type { ServedDatabase } from '../browser/studio-page.ts';
import type { DatabaseUnderTest } from '../databases/kit/database-under-test.ts';

async function hostileDatabase(underTest: DatabaseUnderTest): Promise<ServedDatabase> {
  const { dialect, makeDatabase } = underTest;
  const { url, run, drop } = await makeDatabase();
  const quoteText = dialect.ddl.quoteText.bind(dialect.ddl);
  const tables = hostileTables({ quoteText, hasComments: dialect.name !== 'sqlite' });
  const inserts = tableNames.map((table) => insertSql(underTest, table, hostileRows(table)));
  await run([createTablesSql(underTest, tables), ...inserts].join(';\n'));
  return { url, drop };
}

/** Records forbidden actions of a page, from before its first script. */
const recordViolations = `window.violations = [];
  document.addEventListener('securitypolicyviolation', (event) =>
    window.violations.push(event.violatedDirective + ': ' + event.blockedURI));`;

/** A selector of elements that a hostile value would create if it were not shown as text. */
const injectedElements =
  'img[src=x], a[href^=javascript], a[href^=data], iframe, object, embed, form[action^=http], script:not([src]), text > script';

/** A page of the browser, and the forbidden actions on it so far. */
interface WatchedPage {
  readonly page: Page;
  findings(): Promise<readonly string[]>;
}

async function watch(page: Page): Promise<WatchedPage> {
  const found: string[] = [];
  page.on('dialog', (dialog) => {
    found.push(`a dialog: ${dialog.message()}`);
    void dialog.dismiss();
  });
  const ownOrigin = new URL(page.url()).origin;
  page.on('request', (request) => {
    const address = request.url();
    if (!address.startsWith(ownOrigin) && !/^(data|blob):/.test(address)) found.push(address);
  });
  await page.addInitScript(recordViolations);
  return {
    page,
    findings: async () => {
      const text = (await page.evaluate(`[...window.violations,
        ...(window.hacked ?? ({}).hacked ?? null) === null ? [] : ['a script ran'],
        ...[...document.querySelectorAll('${injectedElements}')].map((each) => each.outerHTML.slice(0, 200))]`)) as string[];
      return [...found, ...text];
    },
  };
}

const firstLine = (name: string): string => name.split('\n')[0]!.trim();
const hostileName = '</script><img src=x onerror=alert(1)>';
const openedTables = [
  hostileName,
  '"];--',
  '__proto__',
  '../../etc/passwd',
  '${alert(1)} {{7*7}} %s %n',
];
const hostilePath = `/tables/${encodeURIComponent(hostileName)}`;

/** Defines the tests, which visit every page of the web studio on a hostile database of this kind. */
export function testStoredContent(underTest: DatabaseUnderTest): void {
  inBrowser(
    `stored content on ${underTest.name}`,
    ({ open, url }) => {
      const visit = async (path: string): Promise<WatchedPage> => {
        // Starts at an address of the same origin that is not part of the web studio.
        const watched = await watch(await open('/api/health'));
        await watched.page.goto(`${url()}${path}`);
        return watched;
      };

      test('the start page has every table', async () => {
        const { page, findings } = await visit('/');
        for (const name of tableNames)
          await page.locator('.home-table').getByText(firstLine(name)).first().waitFor();
        expect(await findings()).toEqual([]);
      });

      test('tables are listed, with their rows', async () => {
        const { page, findings } = await visit('/');
        for (const table of openedTables) {
          await page.goto(`${url()}/tables/${encodeURIComponent(table)}?sort_by=id`);
          for (const value of hostileValues.slice(0, 4))
            await page.getByRole('gridcell').getByText(value.slice(0, 12)).first().waitFor();
          expect(await findings(), table).toEqual([]);
        }
      });

      test.each([
        ['a record', `?open=${encodeURIComponent(`${encodeURIComponent(hostileName)}/3`)}`],
        ['its structure', '?view=structure'],
        [
          'a filter and an order',
          `?sort_by=${encodeURIComponent(hostileName)}&filter_value__starts=%3C`,
        ],
      ])('a table is shown as %s', async (_what, query) => {
        const { page, findings } = await visit(`${hostilePath}${query}`);
        await page.getByText(hostileName, { exact: false }).first().waitFor();
        await page.waitForLoadState('networkidle');
        expect(await findings()).toEqual([]);
      });

      test('the diagram has every table, and can be centered on one', async () => {
        const { page, findings } = await visit('/diagram');
        const nodes = page.locator('.react-flow__node');
        await nodes.getByText(hostileName).first().waitFor();
        expect(await nodes.count()).toBe(tableNames.length);
        expect(await findings()).toEqual([]);
        await page.goto(`${url()}/diagram?around=${encodeURIComponent(hostileName)}`);
        await nodes.locator('.foc').getByText(hostileName).first().waitFor();
        expect(await findings()).toEqual([]);
      });

      test('raw SQL shows a result, its columns and an error', async () => {
        const { page, findings } = await visit('/sql');
        page.removeAllListeners('console');
        const { quoteName, ddl } = underTest.dialect;
        const editor = page.locator('.sql-editor .cm-content');
        const run = async (text: string): Promise<void> => {
          // Chromium itself adds a style attribute to text that replaces colored text.
          await editor.press('Control+A');
          await editor.press('Backspace');
          await page.keyboard.insertText(text);
          await page.keyboard.press('Control+Enter');
        };
        await run(`select ${ddl.quoteText(hostileValues[0]!)} as ${quoteName(hostileName)}`);
        await page.getByRole('columnheader').getByText(hostileName).waitFor();
        await page.getByRole('gridcell').getByText(hostileValues[0]!).waitFor();
        await run(`select ${quoteName(`${hostileName}?`)}.a from ${quoteName(hostileName)}`);
        await page.getByRole('alert').getByText(hostileName, { exact: false }).waitFor();
        expect(await findings()).toEqual([]);
      });

      test('the export lists tables, and the import shows first rows and errors of a file', async () => {
        const { page, findings } = await visit('/export');
        await page.getByText(hostileName, { exact: false }).first().waitFor();
        expect(await findings()).toEqual([]);
        await page.goto(`${url()}/import`);
        page.removeAllListeners('console');
        const [value = ''] = hostileValues;
        await page.getByLabel('File to import').setInputFiles({
          name: `${hostileName.replaceAll('/', '')}.csv`,
          mimeType: 'text/csv',
          buffer: Buffer.from(`id,value,${hostileName}\n"${value.replaceAll('"', '""')}",x,y\n`),
        });
        const first = page.getByRole('region', { name: 'First rows' });
        await first.getByText(value).waitFor();
        await page.getByLabel('Target table').selectOption(hostileName);
        await page.getByRole('button', { name: 'Check', exact: true }).click();
        await page.getByRole('alert').first().waitFor();
        expect(await findings()).toEqual([]);
      });

      test('the palette finds a table by its letters', async () => {
        const { page, findings } = await visit('/');
        await page.locator('.home-table').first().waitFor();
        await page.keyboard.press('Control+k');
        await page.keyboard.type('onerror');
        await page.getByRole('option').getByText(hostileName, { exact: false }).first().waitFor();
        await page.keyboard.press('Enter');
        await page.waitForURL(`**${hostilePath}*`);
        expect(await findings()).toEqual([]);
      });
    },
    { database: () => hostileDatabase(underTest) },
  );
}
