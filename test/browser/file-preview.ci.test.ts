import { expect, test } from 'vitest';
import { buildWorkbook } from '../formats/build-workbook.ts';
import { writeZipOf } from '../formats/write-zip.ts';
import { choose, rowsOf } from './import-files.ts';
import { inBrowser, seriousAxeFindings } from './studio-page.ts';

const cell = (reference: string, text: string): string =>
  `<c r="${reference}" t="inlineStr"><is><t>${text}</t></is></c>`;

/** A workbook with shared strings in random order, a date cell, and a hidden sheet. */
async function tagsWorkbook(): Promise<Buffer> {
  return buildWorkbook({
    strings: ['<t>unused</t>', '<t>ID</t>', '<r><t>Na</t></r><r><t>me</t></r>', '<t>sea</t>'],
    styles: '<styleSheet><cellXfs><xf numFmtId="0"/><xf numFmtId="14"/></cellXfs></styleSheet>',
    sheetAttributes: { notes: 'state="hidden"' },
    sheets: {
      notes: `<row r="1">${cell('A1', 'not this one')}</row>`,
      first:
        '<row r="1"><c r="A1" t="s"><v>1</v></c><c r="B1" t="s"><v>2</v></c></row>' +
        '<row r="2"><c r="A2"><v>911</v></c><c r="B2" s="1"><v>45000</v></c></row>',
      tags:
        `<row r="1">${cell('A1', 'id')}${cell('B1', 'name')}${cell('C1', 'shade')}</row>` +
        `<row r="2"><c r="A2"><v>912</v></c><c r="B2" t="s"><v>3</v></c>${cell('C2', '#010203')}</row>`,
    },
  });
}

inBrowser('the preview of a file', ({ open, url }) => {
  test('of a workbook: its sheets, and the first rows of the selected one', async () => {
    const page = await open('/import');
    await choose(page, { name: 'plan.xlsx', content: await tagsWorkbook() });
    await page.getByLabel('Target table').selectOption('tags');
    await page.getByText('2 of 2 columns mapped').waitFor();
    const first = page.getByRole('region', { name: 'First rows' });
    expect(await first.innerText()).toMatch(/911\s+2023-03-15/);
    const sheet = page.getByLabel('Sheet');
    expect(await sheet.locator('option').allInnerTexts()).toEqual([
      'notes',
      'first',
      'tags',
      'All sheets',
    ]);
    expect(await sheet.inputValue()).toBe('first');
    await sheet.selectOption('tags');
    await page.getByText('2 of 3 columns mapped').waitFor();
    await page.getByLabel('Column for shade').selectOption('color');
    expect(await first.innerText()).toMatch(/912\s+sea\s+#010203/);
    expect(await seriousAxeFindings(page)).toEqual([]);
    await page.getByRole('button', { name: 'Check', exact: true }).click();
    await page.getByRole('button', { name: 'Import 1 row' }).click();
    await page.getByText('The import is done.').waitFor();
    expect(await rowsOf(url(), 'tags', 'filter_id__gte=911')).toEqual([
      { id: 912, name: 'sea', color: '#010203' },
    ]);
  });

  test('of a long JSON array: its first rows, with every digit', async () => {
    const page = await open('/import');
    const rows = Array.from({ length: 40_000 }, (_, i) => `{"id":${i + 20_000},"name":"n ${i}"}`);
    const content = `[{"id":9007199254740993,"name":"a","note":0.10}\n,${rows.join('\n,')}]`;
    expect(content.length).toBeGreaterThan(2 ** 20);
    await choose(page, { name: 'tags.json', content });
    await page.getByRole('button', { name: /^Data/ }).click();
    await page.getByText('2 of 3 columns mapped').waitFor();
    await page.getByLabel('Column for note').selectOption('color');
    const first = page.getByRole('region', { name: 'First rows' });
    expect(await first.innerText()).toMatch(/9007199254740993\s+a\s+0\.10\s/);
  });

  test('of a long JSON document of tables: each table that begins in the first megabyte', async () => {
    const page = await open('/import');
    const rows = Array.from({ length: 30_000 }, (_, i) => ({ id: i + 50_000, name: `n ${i}` }));
    const content = JSON.stringify({
      note: 'exported',
      tables: { colours: [{ a: 1 }], formats: [{ code: 'x', weight: 1 }], tags: rows },
    });
    await choose(page, { name: 'all.json', content });
    await page.getByRole('button', { name: /^Data/ }).click();
    const tables = page.getByRole('region', { name: 'Tables of the file' });
    await tables.getByText('This table does not exist.').waitFor();
    await tables.getByText('Column weight does not exist.').waitFor();
    const tags = page.getByRole('region', { name: 'tags' }).first();
    expect(await tags.innerText()).toMatch(/50000\s+n 0\s/);
    expect(await page.getByLabel('Target table').count()).toBe(0);
    expect(await seriousAxeFindings(page)).toEqual([]);
  });

  test('of a zip of CSV files: each table with its name', async () => {
    const page = await open('/import');
    const content = await writeZipOf([
      { name: 'tags.csv', content: 'id,name\n921,"a, b"\n' },
      { name: 'f.csv', content: 'code;title\nq;\n', comment: 'formats' },
      { name: '__MACOSX/._tags.csv', content: 'x' },
    ]);
    await choose(page, { name: 'export.zip', content });
    const tables = page.getByRole('region', { name: 'Tables of the file' });
    await tables.getByText('a, b').waitFor();
    expect(await tables.getByRole('heading').allInnerTexts()).toEqual(['tags', 'formats']);
  });

  test('of all sheets: each goes to the table that is selected for it', async () => {
    const page = await open('/import');
    const row = (...texts: readonly (number | string)[]): string =>
      `<row>${texts.map((text) => `<c t="inlineStr"><is><t>${text}</t></is></c>`).join('')}</row>`;
    const content = await buildWorkbook({
      sheets: {
        tags: row('id', 'name') + row(941, 'mapped'),
        More: row('id', 'name') + row(942, 'also mapped') + row('x', 'no number'),
        Notes: row('any', 'text') + row(1, 'left out'),
      },
    });
    await choose(page, { name: 'sheets.xlsx', content });
    await page.getByLabel('Sheet').selectOption('All sheets');
    const target = (sheet: string) => page.getByLabel(`Table for ${sheet}`);
    await target('More').waitFor();
    expect(await target('tags').inputValue()).toBe('tags');
    expect(await target('Notes').inputValue()).toBe('');
    await target('More').selectOption('tags');
    expect(await seriousAxeFindings(page)).toEqual([]);
    await page.getByRole('button', { name: 'Check' }).click();
    const error = page.getByRole('row', { name: /no number|"x"|integer/ }).first();
    await error.waitFor();
    expect(await error.getByRole('cell').first().innerText()).toBe('More');
    await page.getByRole('button', { name: 'Back' }).click();
    await target('More').selectOption('New table');
    await page.getByRole('button', { name: 'Check' }).click();
    await page.getByText('Tables to create').or(page.getByLabel('Tables to create')).waitFor();
    expect(await page.getByLabel('Table name').inputValue()).toBe('more');
  });

  test.for([
    ['a.csv', 'id;name\r\n1;"two\r\nlines"\r\n\r\n2;x', 'CSV · 2 rows · 30 B'],
    ['a.ndjson', '{"id":1}\n{"id":2,"name":"\\""}\n', 'NDJSON · 2 rows'],
  ] as const)('of %s: the number of rows', async ([name, content, text]) => {
    const page = await open('/import');
    await choose(page, { name, content });
    await page.locator('.filehead').getByText(text).waitFor();
  });

  test.for([
    ['a.sql', 'CREATE TABLE a (id INT);', /^Schema(?! and)/],
    ['b.sql', '-- rows\nINSERT INTO tags VALUES (1);', /^Data/],
    [
      'c.json',
      '{"tables":[{"name":"a","columns":[{"name":"id","type":"int"}]}]}',
      /^Schema(?! and)/,
    ],
    ['d.json', '{"tags":[{"id":1}]}', /^Data/],
  ] as const)('of %s: whether it contains rows or a structure', async ([name, content, kind]) => {
    const page = await open('/import');
    await choose(page, { name, content });
    const likely = page.getByRole('button', { name: kind });
    await likely.getByText('Detected automatically').waitFor();
    expect(await page.getByText('Detected automatically').count()).toBe(1);
    await expect.poll(() => page.locator(':focus').innerText()).toMatch(kind);
  });

  test('of SQL: the beginning of its text', async () => {
    const page = await open('/import');
    await choose(page, { name: 'a.sql', content: "INSERT INTO tags VALUES (931, 'x', NULL);" });
    await page.getByRole('button', { name: /^Data/ }).click();
    await page
      .getByRole('region', { name: 'Start of the file' })
      .getByText('INSERT INTO')
      .waitFor();
  });

  test.for([
    ['nothing.csv', Buffer.alloc(0), 'nothing.csv is empty.'],
    ['old.xlsx', Buffer.from('d0cf11e0a1b11ae1', 'hex'), 'protected by a password'],
    ['cut.xlsx', Buffer.from('PK\u0003\u0004 and then no more'), 'it is incomplete'],
    ['pages.zip', Buffer.from('no zip'), 'not a zip archive'],
  ] as const)('of %s: the reason why there is no preview', async ([name, content, sentence]) => {
    const page = await open('/import');
    await choose(page, { name, content });
    await page.getByRole('alert').getByText(sentence).waitFor();
  });
});
