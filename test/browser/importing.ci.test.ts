import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { expect, test } from 'vitest';
import { choose, drop, rowsOf } from './import-files.ts';
import { inBrowser, seriousAxeFindings, storedIn } from './studio-page.ts';

inBrowser('an import', ({ open, url, file }) => {
  test('of a CSV file is mapped, checked by a dry run, and then written', async () => {
    const page = await open('/import');
    await choose(page, {
      name: 'tags.csv',
      content: 'ID;Name;shade;remark\n901;"salt; coarse";#aabbcc;x\n902;wind;#112233;\n',
    });
    await page.getByText('2 of 4 columns mapped').waitFor();
    expect(await page.getByLabel('Target table').inputValue()).toBe('tags');
    await page.getByLabel('Column for shade').selectOption('color');
    await page.getByText('3 of 4 columns mapped').waitFor();
    const first = page.getByRole('region', { name: 'First rows' });
    expect(await first.innerText()).toContain('salt; coarse');
    await page.getByRole('button', { name: 'Check', exact: true }).click();
    const importButton = page.getByRole('button', { name: 'Import 2 rows' });
    await importButton.waitFor();
    expect(await rowsOf(url(), 'tags', 'filter_id__gte=901')).toEqual([]);
    await importButton.click();
    await page.getByText('The import is done.').waitFor();
    expect(await rowsOf(url(), 'tags', 'filter_id__gte=901')).toEqual([
      { id: 901, name: 'salt; coarse', color: '#aabbcc' },
      { id: 902, name: 'wind', color: '#112233' },
    ]);
    await page.getByRole('link', { name: 'Open tags' }).click();
    await page.waitForURL(/\/tables\/tags$/);
    await page.getByRole('gridcell').first().waitFor();
  });

  test('on a phone shows names, types and figures without scrolling sideways', async () => {
    const page = await open('/import', { viewport: { width: 390, height: 800 } });
    await choose(page, { name: 'new.csv', content: 'key,full name,born\n1,A,2020-01-02\n' });
    await page.getByLabel('Target table').selectOption({ label: 'New table' });
    await page.getByRole('button', { name: 'Check', exact: true }).click();
    const type = page.getByLabel('Type of born');
    await type.waitFor();
    const width = await page
      .getByRole('region', { name: 'Check' })
      .evaluate((body: { readonly scrollWidth: number }) => body.scrollWidth);
    expect(width).toBe(390);
    const box = await type.boundingBox();
    expect((box?.x ?? 0) + (box?.width ?? 0)).toBeLessThan(390);
  });

  test('says before the check that the file lacks the key of rows to update', async () => {
    const page = await open('/import');
    await choose(page, { name: 'tags.csv', content: 'name,color\noak,#112233\n' });
    await page.getByText('2 of 2 columns mapped').waitFor();
    const note = page.getByText('The file has no column for id of the key');
    expect(await note.count()).toBe(0);
    await page.getByText('Update row').click();
    await note.waitFor();
    await page.getByLabel('Column for name').selectOption('id');
    await expect.poll(() => note.count()).toBe(0);
  });

  test('waits for the file to be read, so that the check names its table', async () => {
    const page = await open('/import');
    await page.evaluate(`(() => {
      const { text } = Blob.prototype;
      const isRead = new Promise((resolve) => { window.readNow = resolve; });
      Blob.prototype.text = async function () { await isRead; return text.call(this); };
    })()`);
    await choose(page, { name: 'tags.ndjson', content: '{"id":903,"name":"slow"}\n' });
    const check = page.getByRole('button', { name: 'Check', exact: true });
    await check.waitFor();
    expect(await check.getAttribute('aria-disabled')).toBe('true');
    expect(await check.getAttribute('title')).toBe('The file is still being read.');
    await page.evaluate('window.readNow()');
    await check.click();
    await page.getByRole('button', { name: 'Import 1 row' }).waitFor();
  });

  test('with errors shows the row, line and column of each, and skips their rows on request', async () => {
    const page = await open('/import');
    const check = page.getByRole('button', { name: 'Check', exact: true });
    await choose(page, { name: 'a.csv', content: 'isbn,other\n1,2\n' });
    await page.getByLabel('Target table').selectOption({ label: 'Choose a table' });
    await expect.poll(() => check.getAttribute('title')).toBe('Choose a table first.');
    await page.reload();
    // Only one table has all of these columns.
    const content = 'isbn,book_id,format_code\n1\n2,x,paperback\n3,y,paperback\n';
    await choose(page, { name: 'a.csv', content });
    await expect.poll(() => page.getByLabel('Target table').inputValue()).toBe('editions');
    await check.click();
    await page.getByRole('columnheader', { name: 'Reason' }).waitFor();
    const lines = await page.locator('.errors tbody tr').allInnerTexts();
    expect(lines[0]).toMatch(/^1\s+2\s+editions\s+The row has 1 field; the header has 3\./);
    const importButton = page.getByRole('button', { name: 'Import', exact: true });
    expect(await importButton.getAttribute('aria-disabled')).toBe('true');
    const [saved] = await Promise.all([
      page.waitForEvent('download'),
      page.getByRole('button', { name: 'Errors as CSV' }).click(),
    ]);
    expect(readFileSync(await saved.path(), 'utf8')).toMatch(
      /^table,row,line,column,value,code,message\r\neditions,1,2,,,parse_failed,/,
    );
    expect(await seriousAxeFindings(page)).toEqual([]);
    await page.getByLabel('Skip invalid rows').click();
    await page.getByText('rows to skip').waitFor();
    expect(await page.locator('.stat').nth(2).innerText()).toMatch(/^3\s/);
    await page.getByRole('button', { name: 'Errors as CSV' }).waitFor();
  });

  test('that replaces rows shows how many rows it deletes', async () => {
    const page = await open('/import');
    await choose(page, { name: 'profiles.csv', content: 'user_id,bio,city\n1,new,Oslo\n' });
    await page.getByText('3 of 3 columns mapped').waitFor();
    await page.getByRole('group', { name: 'Import mode' }).getByText('Replace all').click();
    await page.getByRole('button', { name: 'Check', exact: true }).click();
    await page.getByText('All 128 rows of profiles are deleted first.').waitFor();
    expect(await rowsOf(url(), 'profiles', 'filter_user_id=2')).toHaveLength(1);
  });

  test('reports every row that only the database rejects', async () => {
    const page = await open('/import');
    const content = 'id,name\n1,first key\nx,no number\n961,fine\n2,second key\n';
    await choose(page, { name: 'tags.csv', content });
    await page.getByRole('button', { name: 'Check', exact: true }).click();
    await page.getByRole('columnheader', { name: 'In the file' }).waitFor();
    const lines = await page.locator('.errors tbody tr').allInnerTexts();
    expect(lines.map((line) => line.split('\t').toSpliced(5, 1))).toEqual([
      ['1', '2', 'tags', 'id', '1', '1,first key'],
      ['2', '3', 'tags', 'id', 'x', 'x,no number'],
      ['4', '5', 'tags', 'id', '2', '2,second key'],
    ]);
    // The message, the figure and the list count the same.
    await page.getByText('3 errors in 3 rows prevent the import.').waitFor();
    expect(await page.locator('.stat').first().innerText()).toMatch(/^3\s/);
    expect(await rowsOf(url(), 'tags', 'filter_id=961')).toEqual([]);
  });

  test.for([
    ['tags.json', '[{"ID":904,"Name":"x","shade":"#000000"}]'],
    ['tags.ndjson', '{"ID":904,"Name":"x","shade":"#000000"}\n'],
  ] as const)('maps the rows of %s', async ([name, content]) => {
    const page = await open('/import');
    await choose(page, { name, content });
    if (name === 'tags.json') await page.getByRole('button', { name: /^Data/ }).click();
    await page.getByText('2 of 3 columns mapped').waitFor();
    await page.getByLabel('Column for shade').selectOption('color');
    expect(await page.getByRole('region', { name: 'First rows' }).innerText()).toContain('#000000');
    await page.getByRole('button', { name: 'Check', exact: true }).click();
    await page.getByRole('button', { name: 'Import 1 row' }).waitFor();
  });

  test('reads a CSV file in the selected encoding', async () => {
    const page = await open('/import');
    const bytes = Buffer.concat([Buffer.from('id,name\n903,'), Buffer.from([0xf0, 0xee, 0xf2])]);
    await choose(page, { name: 'tags.csv', content: bytes });
    await page.getByLabel('Encoding').selectOption('windows-1251');
    await page.getByRole('region', { name: 'First rows' }).getByText('рот').waitFor();
    await page.getByRole('button', { name: 'Check', exact: true }).click();
    await page.getByRole('button', { name: 'Import 1 row' }).click();
    await page.getByText('The import is done.').waitFor();
    expect(await rowsOf(url(), 'tags', 'filter_id=903')).toMatchObject([{ name: 'рот' }]);
  });

  test('of a schema shows the SQL before and the Go models after it', async () => {
    const page = await open('/import');
    const content = 'CREATE TABLE shelves (id INTEGER PRIMARY KEY, room VARCHAR(20) NOT NULL);';
    await choose(page, { name: 'shelves.sql', content });
    await page.getByRole('button', { name: /^Schema(?! and)/ }).click();
    await page.getByText('Tables to create').waitFor();
    expect(await page.getByRole('region', { name: 'SQL' }).innerText()).toContain(
      'CREATE TABLE "shelves"',
    );
    expect((await fetch(`${url()}/api/tables/shelves/rows`)).status).toBe(404);
    await page.getByRole('button', { name: 'Import', exact: true }).click();
    await page.getByText('Tables created').waitFor();
    expect(await page.getByRole('region', { name: 'Go' }).innerText()).toContain(
      'type Shelf struct',
    );
    await page.getByRole('navigation', { name: 'Database' }).getByText('shelves').waitFor();
    expect(await seriousAxeFindings(page)).toEqual([]);
  });

  test('of a folder of Go models takes its subfolders, and lets the user leave structs out', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'studio-go-'));
    const write = (name: string, text: string): void => {
      mkdirSync(dirname(join(folder, name)), { recursive: true });
      writeFileSync(join(folder, name), text);
    };
    write('go.mod', 'module example.com/app\n');
    write('README.md', '# App\n');
    write('base/base.go', 'package base\ntype Base struct { ID uint `gorm:"primaryKey"` }\n');
    write(
      'model/pen.go',
      'package model\nimport "example.com/app/base"\ntype Pen struct { base.Base; Color string `gorm:"size:20"` }\ntype Cap struct { ID uint }\n',
    );
    write('model/pen_test.go', 'package model\ntype Broken struct {\n');
    try {
      const page = await open('/import');
      await page.getByLabel('Folder to import').setInputFiles(folder);
      await page.getByText('Pen → pens').waitFor();
      await page.getByText('Cap → caps').waitFor();
      expect(await page.getByRole('group', { name: 'Structs to import' }).innerText()).toContain(
        'it has an ID, but no gorm tag',
      );
      await page.getByLabel('Table prefix').fill('my_');
      await page.getByLabel('Table prefix').press('Enter');
      await page.getByText('Pen → my_pens').waitFor();
      await page.getByLabel('Singular table names').check();
      await page.getByText('Pen → my_pen').waitFor();
      await page.getByRole('checkbox', { name: /^Cap/ }).uncheck();
      await page.getByText('Cap → my_cap').waitFor({ state: 'detached' });
      expect(await seriousAxeFindings(page)).toEqual([]);
      await page.getByRole('button', { name: 'Import', exact: true }).click();
      await page.getByText('The import is done.').waitFor();
      expect(await rowsOf(url(), 'my_pen', '')).toEqual([]);
      expect(await rowsOf(url(), 'my_cap', '')).toBeUndefined();
    } finally {
      rmSync(folder, { recursive: true });
    }
  });

  test('of Go models imports the files of a package together', async () => {
    const page = await open('/import');
    await choose(
      page,
      {
        name: 'a.go',
        content: 'package m\n\ntype Pen struct {\n\tID uint\n\tInkID uint\n\tInk Ink\n}\n',
      },
      { name: 'b.go', content: 'package m\n\ntype Ink struct {\n\tID uint\n\tName string\n}\n' },
    );
    await page.getByText('Pen → pens').waitFor();
    expect(await page.getByRole('region', { name: 'SQL' }).innerText()).toContain('`inks`');
    await page.getByRole('button', { name: 'Import', exact: true }).click();
    await page.getByText('Tables created').waitFor();
    await page.getByRole('link', { name: 'Open inks' }).waitFor();
    expect(await page.getByRole('region', { name: 'Go' }).innerText()).toContain('type Pen struct');
  });

  test('of a schema reports existing tables, and skips them on request', async () => {
    const page = await open('/import');
    const content = 'Table tags {\n  id int [pk]\n}\nTable dyes {\n  id int [pk]\n  name text\n}\n';
    await choose(page, { name: 'colours.dbml', content });
    await page
      .getByRole('alert')
      .getByText(/The table tags exists already/)
      .waitFor();
    const importButton = page.getByRole('button', { name: 'Import', exact: true });
    expect(await importButton.getAttribute('aria-disabled')).toBe('true');
    await page.getByLabel('Skip tables that already exist').check();
    await page.getByRole('region', { name: 'Tables to create' }).getByText('dyes').waitFor();
    expect(await page.getByRole('region', { name: 'SQL' }).innerText()).not.toContain('"tags"');
    await importButton.click();
    await page.getByText('Tables created').waitFor();
    expect(await page.getByRole('region', { name: 'Go' }).innerText()).toContain('type Dye struct');
  });

  test.for([
    ['rooms.json', '{"tables":[{"name":"rooms_a","columns":[{"name":"id","type":"integer"}]}]}'],
    [
      'rooms.yaml',
      'tables:\n  - name: rooms_b\n    columns:\n      - name: id\n        type: integer\n',
    ],
    ['rooms.sql', 'CREATE TABLE `rooms_c` (`id` INT UNSIGNED NOT NULL) ENGINE=InnoDB;'],
  ] as const)('of the structure in %s shows its tables and SQL first', async ([name, content]) => {
    const page = await open('/import');
    await choose(page, { name, content });
    if (!name.endsWith('.yaml'))
      await page.getByRole('button', { name: /^Schema(?! and)/ }).click();
    const tables = page.getByRole('region', { name: 'Tables to create' });
    const table = /rooms_[abc]/.exec(content)?.[0] ?? '';
    await tables.getByText(table).waitFor();
    expect(await page.getByRole('region', { name: 'SQL' }).innerText()).toContain(table);
    expect((await fetch(`${url()}/api/tables/${table}/rows`)).status).toBe(404);
    await page.getByRole('button', { name: 'Import', exact: true }).click();
    await page.getByText('Tables created').waitFor();
    await page.getByRole('region', { name: 'Go' }).waitFor();
  });

  test('shows its progress, and changes nothing if it is canceled', async () => {
    const page = await open('/import');
    const lines = Array.from({ length: 400_000 }, (_, i) => `${i + 10_000},wide ${i},#aabbcc`);
    await choose(page, { name: 'tags.csv', content: `id,name,color\n${lines.join('\n')}\n` });
    await page.getByRole('button', { name: 'Check', exact: true }).click();
    await page.getByText(/rows\/s/).waitFor();
    await page.getByRole('link', { name: 'demo.db' }).click();
    await page.getByRole('heading', { name: 'demo.db' }).waitFor();
    const card = page.getByRole('region', { name: 'Import of tags.csv' });
    await card.getByText(/rows\/s/).waitFor();
    await card.getByRole('button', { name: 'Cancel check' }).click();
    await page.getByText('A canceled import changes nothing.').waitFor();
    expect(await card.count()).toBe(0);
    await page.getByRole('navigation', { name: 'Open tabs' }).getByText('Import').click();
    await page.getByText('3 of 3 columns mapped').waitFor();
    await page.getByRole('button', { name: 'Check', exact: true }).click();
    await page.getByRole('link', { name: 'demo.db' }).click();
    await card.getByText('tags.csv is checked, but not yet imported').waitFor();
    await card.getByRole('button', { name: 'Show import' }).click();
    expect(await card.count()).toBe(0);
    await page.getByRole('button', { name: 'Import 400,000 rows' }).click();
    await page.getByText(/of 400,000 rows/).waitFor();
    await page.getByText(/rows\/s/).waitFor();
    await page.getByRole('button', { name: 'Cancel import' }).click();
    await page.getByRole('button', { name: 'Import 400,000 rows' }).waitFor();
    await expect
      .poll(() => storedIn(file(), 'SELECT COUNT(*) FROM tags WHERE id >= 10000'))
      .toEqual([0]);
  });

  test('ends with a report', async () => {
    const page = await open('/import');
    const content = 'id,name\n941,oak\nx,ash\n942,elm\n';
    await choose(page, { name: 'tags.csv', content });
    await page.getByRole('group', { name: 'Invalid rows' }).getByText('Skip').click();
    await page.getByRole('button', { name: 'Check', exact: true }).click();
    await page.getByRole('button', { name: 'Import 2 rows' }).click();
    await page.getByText('The import is done.').waitFor();
    const [saved] = await Promise.all([
      page.waitForEvent('download'),
      page.getByRole('button', { name: 'Report' }).click(),
    ]);
    expect(saved.suggestedFilename()).toBe('import-report.json');
    expect(JSON.parse(readFileSync(await saved.path(), 'utf8'))).toMatchObject({
      files: [{ name: 'tags.csv', bytes: content.length }],
      rows_imported: 2,
      tables: { tags: { rows_imported: 2, rows_updated: 0, rows_skipped: 1 } },
      errors: [{ table: 'tags', row: 2, line: 3, column: 'id' }],
    });
    expect(await seriousAxeFindings(page)).toEqual([]);
  });

  test.for([
    '/',
    '/tables/users',
    '/tables/users?view=structure',
    '/sql',
    '/diagram',
    '/import',
    '/export',
  ])('starts when a file is dropped on %s', async (path) => {
    const page = await open(path);
    const selector = path === '/sql' ? '.cm-content' : '.sheet';
    await page.locator(selector).waitFor();
    await drop(page, { selector, names: ['model.dbml'] });
    await page.waitForURL(/\/import$/);
    await page.locator('.filehead').getByText('model.dbml').waitFor();
    if (path !== '/sql') return;
    await page.goBack();
    expect(await page.locator('.cm-content').innerText()).not.toContain('Table');
  });

  test('rejects files of unknown kinds, and imports several files one after the other', async () => {
    const page = await open('/tables/users');
    await page.locator('.sheet').waitFor();
    await drop(page, { selector: '.sheet', names: ['photo.jpg'] });
    await page.getByText('photo.jpg cannot be imported: its file type is not supported.').waitFor();
    await drop(page, { selector: '.sheet', names: ['tags.csv', 'old.xls', 'model.dbml'] });
    await page
      .getByText('old.xls cannot be imported: its file type is not supported. Save it as .xlsx')
      .waitFor();
    await page.locator('.filehead').getByText('tags.csv').waitFor();
    await page.getByRole('button', { name: 'Skip file (1 more)' }).click();
    await page.locator('.filehead').getByText('model.dbml').waitFor();
    await page.getByText('Tables to create').waitFor();
    expect(await page.getByRole('button', { name: /^Skip file/ }).count()).toBe(0);
  });

  test.for(['light', 'dark'] as const)('%s: axe finds no serious problem', async (colorScheme) => {
    const page = await open('/import', { colorScheme });
    await page.getByText('Drop a file anywhere').waitFor();
    expect(await seriousAxeFindings(page)).toEqual([]);
    await choose(page, { name: 'tags.csv', content: 'id,name,nothing\n1,,x\n' });
    await page.getByText('2 of 3 columns mapped').waitFor();
    expect(await seriousAxeFindings(page)).toEqual([]);
  });
});

inBrowser(
  'an import into a read-only studio',
  ({ open }) => {
    test('a studio that cannot import shows the reason', async () => {
      const page = await open('/import');
      await page.getByText('The studio was started read-only.').waitFor();
      const button = page.getByRole('button', { name: 'Choose a file' });
      expect(await button.getAttribute('aria-disabled')).toBe('true');
    });
  },
  { studio: { readOnly: true } },
);
