/** The format of a file's values: set on the import page, previewed, and used by the import, on every database. */
import { expect, test } from 'vitest';
import { databasesUnderTest } from '../databases/kit/databases-under-test.ts';
import { choose, rowsOf } from './import-files.ts';
import { makeDemo } from './make-demo.ts';
import { inBrowser, seriousAxeFindings } from './studio-page.ts';

for (const underTest of databasesUnderTest)
  inBrowser(
    `the format of a file on ${underTest.name}`,
    ({ open, url }) => {
      test('of German numbers and dates is previewed and imported', async () => {
        const page = await open('/import');
        const lines = [
          'title;language;page_count;rating;first_published_on',
          'Müller;de;120;3,5;31.12.2025',
          '  Zoë ;de;90;4,25;01.02.2024',
          'Ende;de;80;k. A.;k. A.',
        ];
        await choose(page, {
          name: 'books.csv',
          content: Buffer.from(lines.join('\r\n'), 'latin1'),
        });
        const first = page.getByRole('region', { name: 'First rows' });
        await first.getByText('Müller').waitFor();
        const encoding = page.getByLabel('Encoding').locator('option').first();
        expect(await encoding.innerText()).toBe('Auto-detect: Windows, Western');
        // The formats are open where a value needs one.
        const nullText = page.getByLabel('Text for NULL');
        if (!(await nullText.isVisible())) await page.getByText('Format of the values').click();
        await nullText.click();
        await page.keyboard.type('k. A.');
        await page.getByLabel('Trim spaces').check();
        const dates = page.getByLabel('Date order');
        const firstOrder = await dates.locator('option').first().innerText();
        if (underTest.name === 'sqlite') {
          // It stores any text in any column, so nothing is converted without a click.
          expect(firstOrder).toBe('Not converted');
          await page.getByRole('button', { name: 'Convert to 2025-12-31' }).click();
          await page.getByRole('button', { name: 'Convert to 3.5' }).click();
          expect(await dates.inputValue()).toBe('DMY');
          expect(await page.getByLabel('Decimal separator').inputValue()).toBe('comma');
        } else {
          expect(firstOrder).toContain('Day first');
          await dates.selectOption('DMY');
          await page.getByLabel('Decimal separator').selectOption('comma');
        }
        await expect
          .poll(() => first.innerText())
          .toMatch(/Müller.*3,5 → 3\.5.*31\.12\.2025 → 2025-12-31/s);
        expect(await first.innerText()).toMatch(/Zoë → Zoë.*4,25 → 4\.25.*→ 2024-02-01/s);
        expect(await first.innerText()).toMatch(/k\. A\. → NULL.*k\. A\. → NULL/s);
        expect(await seriousAxeFindings(page)).toEqual([]);
        await page.getByRole('button', { name: 'Check', exact: true }).click();
        await page.getByRole('button', { name: 'Import 3 rows' }).click();
        await page.getByText('The import is done.').waitFor();
        const rows = await rowsOf(url(), 'books', 'filter_language=de&sort_by=id&sort_order=desc');
        expect(rows.slice(0, 3).toReversed()).toMatchObject([
          { title: 'Müller', rating: 3.5, first_published_on: '2025-12-31' },
          { title: 'Zoë', rating: 4.25, first_published_on: '2024-02-01' },
          { title: 'Ende', rating: null, first_published_on: null },
        ]);
      });

      test('with a title above the header is read below it', async () => {
        const page = await open('/import');
        await choose(page, {
          name: 'tags.csv',
          content:
            'All tags\n"of, today";\n\nid;name;color\n701;north;#010203\n702;south;#040506\n',
        });
        const first = page.getByRole('region', { name: 'First rows' });
        await page.getByText('Format of the values').click();
        await page.getByLabel('Rows to skip at the beginning').click();
        await page.keyboard.type('3');
        await expect.poll(() => first.innerText()).toMatch(/id\s+name\s+color\s+701\s+north/);
        await page.getByText('3 of 3 columns mapped').waitFor();
        await page.getByText('CSV · 2 rows').waitFor();
        await page.getByRole('button', { name: 'Check', exact: true }).click();
        await page.getByRole('button', { name: 'Import 2 rows' }).click();
        await page.getByText('The import is done.').waitFor();
        expect(await rowsOf(url(), 'tags', 'filter_id__gte=701&sort_by=id')).toMatchObject([
          { id: 701, name: 'north', color: '#010203' },
          { id: 702, name: 'south', color: '#040506' },
        ]);
      });

      test('without a header and with another quote is mapped by position', async () => {
        const page = await open('/import');
        await choose(page, {
          name: 'tags.csv',
          content: "901,'a, b',#010203\n902,'it''s',#040506\n",
        });
        const first = page.getByRole('region', { name: 'First rows' });
        await page.getByText('0 of 4 columns mapped').waitFor();
        await page.getByText('Format of the values').click();
        await page.getByLabel('The first row has the column names').uncheck();
        await page.getByLabel('Quote').click();
        await page.keyboard.type("'");
        await expect.poll(() => first.innerText()).toMatch(/901\s+a, b\s+#010203\s+902\s+it's/);
        await page.getByText('3 of 3 columns mapped').waitFor();
        await page.getByText('CSV · 2 rows').waitFor();
        await page.getByRole('button', { name: 'Check', exact: true }).click();
        await page.getByRole('button', { name: 'Import 2 rows' }).click();
        await page.getByText('The import is done.').waitFor();
        expect(await rowsOf(url(), 'tags', 'filter_id__gte=901&sort_by=id')).toMatchObject([
          { id: 901, name: 'a, b' },
          { id: 902, name: "it's" },
        ]);
      });
    },
    { database: () => makeDemo(underTest) },
  );
