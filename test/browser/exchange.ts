import { expect, test } from 'vitest';
import { choose, rowsOf } from './import-files.ts';
import { makeDemo } from './make-demo.ts';
import { inBrowser } from './studio-page.ts';
import type { DatabaseUnderTest } from '../databases/kit/database-under-test.ts';

const allFormats = ['csv', 'json', 'ndjson', 'xlsx', 'sql'] as const;

/** Exports files of a database and imports them again. */
export function testExchange(
  underTest: DatabaseUnderTest,
  formats: readonly (typeof allFormats)[number][] = allFormats,
): void {
  inBrowser(
    `imports on ${underTest.name}`,
    ({ open, url }) => {
      test.for(formats)('of exported rows as %s', async (format) => {
        const stored = await rowsOf(url(), 'tags', 'sort_by=id');
        const exported = await fetch(`${url()}/api/tables/tags/export?format=${format}`);
        const content = Buffer.from(await exported.arrayBuffer());
        await fetch(`${url()}/api/tables/tags/rows/1`, {
          method: 'PUT',
          headers: { 'Content-Type': 'application/json' },
          body: '{"name":"changed since"}',
        });
        const page = await open('/import');
        await choose(page, { name: `tags.${format}`, content });
        if (format === 'json' || format === 'sql')
          await page.getByRole('button', { name: /^Data/ }).click();
        await page
          .getByRole('group', { name: 'If the key already exists' })
          .getByText('Update row')
          .click();
        await page.getByRole('button', { name: 'Check', exact: true }).click();
        await page.getByRole('button', { name: `Import ${stored.length} rows` }).click();
        await page.getByText('The import is done.').waitFor();
        expect(await rowsOf(url(), 'tags', 'sort_by=id')).toEqual(stored);
      });

      test.for([
        ['seats.dbml', 'Table seats {\n  id int [pk]\n  room varchar(20) [not null]\n}\n', 'Seat'],
        ['lamp.go', 'package m\n\ntype Lamp struct {\n\tID uint\n\tName string\n}\n', 'Lamp'],
      ] as const)(
        'of the structure in %s shows SQL before and Go after it',
        async ([name, content, struct]) => {
          const table = `${struct.toLowerCase()}s`;
          const page = await open('/import');
          await choose(page, { name, content });
          await page.getByRole('region', { name: 'Tables to create' }).getByText(table).waitFor();
          expect(await page.getByRole('region', { name: 'SQL' }).innerText()).toContain(table);
          await page.getByRole('button', { name: 'Import', exact: true }).click();
          await page.getByText('Tables created').waitFor();
          const go = page.getByRole('region', { name: 'Go' });
          expect(await go.innerText()).toContain(`type ${struct} struct`);
          await page.getByRole('link', { name: `Open ${table}` }).click();
          await page.getByText(`${table} has no rows yet`).waitFor();
        },
      );
    },
    { database: () => makeDemo(underTest) },
  );
}
