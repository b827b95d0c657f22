/** The requests that opening a table sends. */
import { expect, test } from 'vitest';
import { inBrowser } from './studio-page.ts';

const mostRequests = 6;
/** Parts of the pages that a table does not need until a user opens them. Every page shows the exports that run. */
const laterAssets =
  /diagram|code-editor|json-editor|sql-page|import-page|export-(?!runs)|preview-|open-zip/;

inBrowser('opening a table', ({ open, url }) => {
  test.each(['books', 'order_items', 'books?search=the&sort_by=title'])(
    '%s takes few requests and no assets of other pages',
    async (address) => {
      const page = await open('/login');
      await page.goto('about:blank');
      const paths: string[] = [];
      page.on('request', (request) => paths.push(new URL(request.url()).pathname));
      await page.goto(`${url()}/tables/${address}`);
      await page.getByRole('gridcell').first().waitFor();
      await page.waitForLoadState('networkidle');
      const apiPaths = paths.filter((path) => path.includes('/api/'));
      expect(apiPaths.length).toBeGreaterThan(0);
      expect(apiPaths.length, apiPaths.join('\n')).toBeLessThanOrEqual(mostRequests);
      expect(new Set(apiPaths).size, apiPaths.join('\n')).toBe(apiPaths.length);
      expect(paths.filter((path) => laterAssets.test(path))).toEqual([]);
    },
  );
});
