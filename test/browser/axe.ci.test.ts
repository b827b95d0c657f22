/** Checks every page in each of its states, in both themes, with axe. */
import { expect, test } from 'vitest';
import type { Page } from 'playwright-core';
import { changeFile, inBrowser, phone, seriousAxeFindings } from './studio-page.ts';
import type { OpenOptions } from './studio-page.ts';

interface Screen {
  readonly name: string;
  readonly path: string;
  readonly options?: OpenOptions;
  /** Brings the page into the state. `page` does not report console errors that are expected. */
  readonly show: (page: Page) => Promise<unknown>;
}

/** The serious findings of axe in either theme. The themes differ in nothing but colors. */
async function axeFindingsInBothThemes(page: Page): Promise<readonly string[]> {
  const light = await seriousAxeFindings(page);
  await page.emulateMedia({ colorScheme: 'dark' });
  const dark = await seriousAxeFindings(page, 'colors');
  return [...light.map((line) => `light: ${line}`), ...dark.map((line) => `dark: ${line}`)];
}

const rows = (page: Page): Promise<void> => page.locator('[role="gridcell"] *').first().waitFor();

async function type(page: Page, cell: string, text: string): Promise<void> {
  await page.locator(cell).click();
  await page.keyboard.type(text);
  await page.keyboard.press('Enter');
}

async function edit(page: Page, cell: string, editor: string): Promise<void> {
  await page.locator(cell).click();
  await page.keyboard.press('Enter');
  await page.locator(editor).first().waitFor();
}

async function run(page: Page, statement: string): Promise<void> {
  await page.locator('.sql-editor .cm-content').click();
  await page.keyboard.insertText(statement);
  await page.keyboard.press('Control+Enter');
}

const shell: readonly Screen[] = [
  {
    name: 'the start page of the demo',
    path: '/',
    show: (page) => page.locator('.home-table').first().waitFor(),
  },
  {
    name: 'an address without a page',
    path: '/tables/nothing',
    show: (page) => page.getByText('Page not found').waitFor(),
  },
  {
    name: 'the command palette',
    path: '/tables/tags',
    show: async (page) => {
      await rows(page);
      await page.keyboard.press('Control+k');
      await page.getByRole('option').first().waitFor();
    },
  },
  {
    name: 'the command palette with nothing found',
    path: '/',
    show: async (page) => {
      await page.locator('.home-table').first().waitFor();
      await page.keyboard.press('Control+k');
      await page.keyboard.type('qqqq');
      await expect.poll(() => page.getByRole('option').count()).toBe(0);
    },
  },
  {
    name: 'the tables on a phone',
    path: '/tables/posts',
    options: { viewport: phone },
    show: async (page) => {
      await rows(page);
      await page.getByRole('button', { name: 'Tables' }).click();
      await page.getByRole('link', { name: /^tags/ }).waitFor();
    },
  },
];

const browsing: readonly Screen[] = [
  { name: 'rows', path: '/tables/posts', show: rows },
  {
    name: 'values of every type, with a block selected',
    path: '/tables/orders',
    show: async (page) => {
      await page.locator('#cell-1-1').click();
      await page.locator('#cell-3-3').click({ modifiers: ['Shift'] });
    },
  },
  { name: 'pictures in cells', path: '/tables/books', show: rows },
  { name: 'rows without a key', path: '/tables/events', show: rows },
  { name: 'a view', path: '/tables/book_sales', show: rows },
  {
    name: 'soft-deleted rows',
    path: '/tables/posts?show_deleted=true&filter_deleted_at__null=false',
    show: (page) => page.locator('.gr.gone').first().waitFor(),
  },
  {
    name: 'filters, a sort and a search',
    path: '/tables/posts?filter_status__eq=draft&sort_by=title&search=a',
    show: rows,
  },
  {
    name: 'the filter dialog',
    path: '/tables/posts',
    show: async (page) => {
      await rows(page);
      await page.getByRole('button', { name: 'Filter', exact: true }).click();
      await page.getByRole('dialog').waitFor();
    },
  },
  {
    name: 'the dialog that selects columns',
    path: '/tables/posts',
    show: async (page) => {
      await rows(page);
      await page.getByRole('button', { name: 'Columns' }).click();
      await page.getByRole('dialog').waitFor();
    },
  },
  {
    name: 'the menu of a cell',
    path: '/tables/posts',
    show: async (page) => {
      await page.locator('#cell-0-3').click({ button: 'right' });
      await page.getByRole('menuitem').first().waitFor();
    },
  },
  {
    name: 'the card of a foreign key',
    path: '/tables/posts?sort_by=id',
    show: async (page) => {
      await page.locator('#cell-2-1 .fk').hover();
      await page.locator('.hcard dl').waitFor();
    },
  },
  {
    name: 'rows on a phone',
    path: '/tables/users',
    options: { viewport: phone },
    show: rows,
  },
];

const states: readonly Screen[] = [
  {
    name: 'no matching row',
    path: '/tables/tags?search=nothing-is-called-so',
    show: (page) => page.getByText('No rows match').waitFor(),
  },
  {
    name: 'a page beyond the last one, whose number is not known exactly',
    path: '/',
    show: async (page) => {
      await page.route('**/rows?*', async (route) => {
        const response = await route.fetch();
        await route.fulfill({ json: { ...(await response.json()), total_exact: false } });
      });
      await page.goto(new URL('/studio/tables/tags?page=900', page.url()).href);
      await page.getByText('Page 900 does not exist').waitFor();
    },
  },
  {
    name: 'rows that are being read',
    path: '/',
    show: async (page) => {
      await page.route('**/rows?*', () => {});
      await page.getByRole('link', { name: /^tags/ }).first().click();
      await page.getByRole('status', { name: 'Loading rows' }).waitFor();
    },
  },
  {
    name: 'a server that does not respond',
    path: '/',
    show: async (page) => {
      await page.route('**/rows?*', (route) => route.abort());
      await page.getByRole('link', { name: /^tags/ }).first().click();
      await page.getByText('The studio server does not respond.').waitFor({ timeout: 15_000 });
    },
  },
];

const editing: readonly Screen[] = [
  {
    name: 'rows that are new, edited and deleted',
    path: '/tables/tags?sort_by=id',
    show: async (page) => {
      await type(page, '#cell-0-1', 'typed');
      await page.getByRole('button', { name: 'Add row', exact: true }).click();
      await page.locator('#cell-3-1').click();
      await page.keyboard.press('Delete');
      await page.getByText('1 deleted').waitFor();
    },
  },
  {
    name: 'the review',
    path: '/tables/tags?sort_by=id',
    show: async (page) => {
      await type(page, '#cell-0-1', 'typed');
      await page.locator('#cell-2-1').click();
      await page.keyboard.press('Delete');
      await page.getByRole('button', { name: 'Review' }).click();
      await page
        .getByRole('dialog')
        .getByRole('article')
        .getByText('typed', { exact: true })
        .waitFor();
    },
  },
  {
    name: 'a rejected cell',
    path: '/tables/formats?sort_by=code',
    show: async (page) => {
      await type(page, '#cell-0-3', '7');
      await page.keyboard.press('Control+s');
      await page.getByText('Nothing was saved').waitFor();
    },
  },
  {
    name: 'text that is no number',
    path: '/tables/readings?sort_by=id',
    show: async (page) => {
      await type(page, '#cell-0-7', 'many');
      await page.getByText('This is not a', { exact: false }).waitFor();
    },
  },
  {
    name: 'the editor of a text over several lines',
    path: '/tables/posts?sort_by=id',
    show: (page) => edit(page, '#cell-0-6', '.cell-editor textarea'),
  },
  {
    name: 'the editor of JSON',
    path: '/tables/customers?sort_by=id',
    show: (page) => edit(page, '#cell-0-4', '.cell-editor .cm-content'),
  },
  {
    name: 'the editor of a boolean',
    path: '/tables/formats?sort_by=code',
    show: (page) => edit(page, '#cell-0-2', '.cell-editor select'),
  },
  {
    name: 'the editor of a timestamp',
    path: '/tables/readings?sort_by=id',
    show: (page) => edit(page, '#cell-0-4', '.cell-editor input'),
  },
  {
    name: 'the foreign-key picker',
    path: '/tables/posts?sort_by=id',
    show: (page) => edit(page, '#cell-0-1', '.candidate'),
  },
  {
    name: 'the foreign-key picker with nothing found',
    path: '/tables/posts?sort_by=id',
    show: async (page) => {
      await edit(page, '#cell-0-1', '.candidate');
      await page.getByRole('combobox', { name: 'author_id' }).fill('qqqq');
      await page.getByText('No matching rows').waitFor();
    },
  },
];

const records: readonly Screen[] = [
  {
    name: 'a record with an edited field',
    path: '/tables/posts?open=posts/3',
    show: async (page) => {
      await page.getByRole('textbox', { name: 'title' }).fill('Otherwise');
      await page.getByRole('button', { name: 'Revert title' }).waitFor();
    },
  },
  {
    name: 'a record with a picture and JSON',
    path: '/tables/books?open=books/4',
    show: (page) => page.getByLabel('Upload cover').waitFor({ state: 'attached' }),
  },
  {
    name: "a record's related rows",
    path: '/tables/users?open=users/3',
    show: async (page) => {
      await page
        .getByLabel('Record')
        .getByRole('tab', { name: /^Posts/ })
        .click();
      await page.locator('.related, .blank').first().waitFor();
    },
  },
  {
    name: 'a record that does not exist',
    path: '/tables/users?open=users/999999',
    show: (page) => page.getByLabel('Record').getByRole('alert').waitFor(),
  },
  {
    name: 'a record on a phone',
    path: '/tables/books?open=books/4',
    options: { viewport: phone },
    show: (page) => page.getByRole('textbox', { name: 'subtitle' }).waitFor(),
  },
  ...['SQL', 'Go', 'DBML'].map((language) => ({
    name: `structure and ${language}`,
    path: '/tables/editions?view=structure',
    show: async (page: Page) => {
      await page.getByRole('tab', { name: language, exact: true }).click();
      await page.locator('.source .code').getByText('editions', { exact: false }).first().waitFor();
    },
  })),
];

const statements: readonly Screen[] = [
  {
    name: 'an empty editor',
    path: '/sql',
    show: (page) => page.locator('.sql-editor').waitFor(),
  },
  {
    name: 'a result, history and a saved statement',
    path: '/sql',
    show: async (page) => {
      await run(page, 'select * from orders limit 20');
      await page.getByText('20 rows in').first().waitFor();
      await page.getByRole('button', { name: 'Save', exact: true }).click();
      await page.getByRole('tab', { name: /^Saved/ }).click();
    },
  },
  {
    name: 'the number of changed rows',
    path: '/sql',
    show: async (page) => {
      await run(page, "update tags set color = color where name = 'nothing'");
      await page.getByText('changed 0 rows').first().waitFor();
    },
  },
  {
    name: 'an error of the database',
    path: '/sql',
    show: async (page) => {
      await run(page, 'select a from nowhere');
      await page.getByRole('alert').waitFor();
    },
  },
  {
    name: 'a plan',
    path: '/sql',
    show: async (page) => {
      await run(page, 'explain query plan select * from posts join users on author_id = users.id');
      await page.getByRole('list', { name: 'Plan' }).waitFor();
    },
  },
  {
    name: 'completion',
    path: '/sql',
    show: async (page) => {
      await page.locator('.sql-editor .cm-content').click();
      await page.keyboard.type('select 1 from users u where u.fam');
      await page.locator('.cm-completionLabel').first().waitFor();
    },
  },
];

inBrowser('axe finds nothing serious', ({ open, file }) => {
  test.for([...shell, ...browsing, ...states, ...editing, ...records, ...statements])(
    '$name',
    async ({ path, options, show }) => {
      const page = await open(path, options);
      page.removeAllListeners('console');
      await show(page);
      expect(await axeFindingsInBothThemes(page)).toEqual([]);
    },
  );

  test('a table without rows', async () => {
    changeFile(file(), 'CREATE TABLE bare (id INTEGER PRIMARY KEY, note TEXT)');
    const page = await open('/');
    await page.getByLabel('Reload structure').click();
    await page.getByRole('link', { name: /^bare/ }).first().click();
    await page.getByText('bare has no rows yet').waitFor();
    expect(await axeFindingsInBothThemes(page)).toEqual([]);
  });

  test.for([
    ['changed', "UPDATE subjects SET name = 'theirs' WHERE code = '001'"],
    ['deleted', "DELETE FROM subjects WHERE code = '001'"],
  ] as const)('a row that another client has %s', async ([, statement]) => {
    changeFile(file(), "INSERT OR REPLACE INTO subjects (code, name) VALUES ('001', 'before')");
    const page = await open('/tables/subjects?filter_code__eq=001');
    page.removeAllListeners('console');
    await type(page, '#cell-0-1', 'mine');
    changeFile(file(), statement);
    await page.keyboard.press('Control+s');
    await page.getByRole('dialog', { name: /^Someone else/ }).waitFor();
    expect(await axeFindingsInBothThemes(page)).toEqual([]);
  });

  test('an import after its check and after its end', async () => {
    const page = await open('/import');
    page.removeAllListeners('console');
    const text = 'name,color\nchecked by axe,#123456\n';
    const file = { name: 'tags.csv', mimeType: 'text/csv', buffer: Buffer.from(text) };
    await page.getByLabel('File to import').setInputFiles(file);
    await page.getByRole('button', { name: 'Check', exact: true }).click();
    const go = page.getByRole('button', { name: /^Import \d/ });
    await go.waitFor();
    expect(await axeFindingsInBothThemes(page)).toEqual([]);
    await go.click();
    await page.getByText('The import is done.').waitFor();
    expect(await axeFindingsInBothThemes(page)).toEqual([]);
  });
});

inBrowser(
  'axe finds nothing serious in a read-only studio',
  ({ open }) => {
    test.for([
      ['rows', '/tables/tags', '[role="gridcell"]'],
      ['a record', '/tables/books?open=books/4', '.fields'],
      ['SQL', '/sql', '.sql-editor'],
      ['an import', '/import', 'h1'],
    ] as const)('%s', async ([, path, shown]) => {
      const page = await open(path);
      await page.locator(shown).first().waitFor();
      expect(await axeFindingsInBothThemes(page)).toEqual([]);
    });
  },
  { studio: { readOnly: true } },
);

inBrowser(
  'axe finds nothing serious where SQL is disabled',
  ({ open }) => {
    test('the SQL page', async () => {
      const page = await open('/sql');
      await page.getByText('SQL is disabled').waitFor();
      expect(await axeFindingsInBothThemes(page)).toEqual([]);
    });
  },
  { studio: { disableSql: true } },
);

inBrowser(
  'axe finds nothing serious on the login page',
  ({ open }) => {
    test('before and after a wrong password', async () => {
      const page = await open('/tables/users');
      page.removeAllListeners('console');
      await page.getByLabel('User', { exact: true }).fill('ada');
      expect(await axeFindingsInBothThemes(page)).toEqual([]);
      await page.getByLabel('Password').fill('wrong');
      await page.getByRole('button', { name: 'Log in' }).click();
      await page.getByRole('alert').waitFor();
      expect(await axeFindingsInBothThemes(page)).toEqual([]);
    });
  },
  { app: { credentials: { account: { user: 'ada', password: 'lovelace' } } } },
);
