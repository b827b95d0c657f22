/** Imports and exports while the server of the database does not respond. */
import type { Page } from 'playwright-core';
import { expect, test } from 'vitest';
import * as mariadb from '../servers/mariadb.ts';
import * as postgres from '../servers/postgres.ts';
import { startRelay } from '../servers/relay.ts';
import { choose } from './import-files.ts';
import { inBrowser } from './studio-page.ts';
import type { Relay } from '../servers/relay.ts';

const noResponse = 'The database does not respond.';

/** Rows whose export takes longer than the test needs to stop the forwarding. */
const manyRows: Readonly<Record<string, string>> = {
  postgres: "CREATE TABLE wide AS SELECT i, repeat('x', 1000) FROM generate_series(1, 200000) i",
  mariadb: "CREATE TABLE wide AS SELECT seq AS i, repeat('x', 1000) FROM seq_1_to_200000",
};

const servers = { postgres: postgres.createTestDatabase, mariadb: mariadb.createTestDatabase };

for (const [name, create] of Object.entries(servers)) {
  let relay: Relay;
  inBrowser(
    `an operation on ${name}, which does not respond,`,
    ({ open }) => {
      const expectNoticeUntilResumed = async (page: Page): Promise<void> => {
        const notice = page.getByText(noResponse);
        await notice.first().waitFor({ timeout: 5500 });
        relay.resume();
        await expect.poll(() => notice.count(), { timeout: 30_000 }).toBe(0);
      };
      const expectNotice = async (page: Page, start: () => Promise<unknown>): Promise<void> => {
        page.removeAllListeners('console');
        await start();
        expect(await page.getByText(noResponse).count()).toBe(0);
        relay.silence();
        await expectNoticeUntilResumed(page);
      };

      test('that imports says so within five seconds', async () => {
        const page = await open('/import');
        const lines = Array.from({ length: 600_000 }, (_, i) => `${i},wide ${i},#aabbcc`);
        await choose(page, { name: 'items.csv', content: `id,name,color\n${lines.join('\n')}\n` });
        await expectNotice(page, async () => {
          await page.getByRole('button', { name: 'Check', exact: true }).click();
          await page.getByText(/rows\/s/).waitFor();
        });
      });

      test('that exports says so within five seconds', async () => {
        const page = await open('/export');
        await expectNotice(page, async () => {
          await page.getByRole('group', { name: 'Tables' }).getByLabel('wide').waitFor();
          await page.locator('.export-foot a').click();
          await page.locator('.progress').waitFor();
        });
      });

      test('that prepares an export says so too', async () => {
        const page = await open('/export');
        page.removeAllListeners('console');
        await page.getByRole('group', { name: 'Tables' }).getByLabel('items').waitFor();
        relay.silence();
        await page.locator('.export-foot a').click();
        await expectNoticeUntilResumed(page);
      });
    },
    {
      database: async () => {
        const database = await create();
        await database.query(
          'CREATE TABLE items (id INT PRIMARY KEY, name VARCHAR(80), color VARCHAR(20))',
        );
        await database.query(manyRows[name]!);
        const url = new URL(database.url);
        relay = await startRelay(Number(url.port));
        url.port = String(relay.port);
        const drop = async (): Promise<void> => {
          await relay.close();
          await database.drop();
        };
        return { url: url.href, drop };
      },
    },
  );
}
