/** The editors of the types of each database: unchanged, set to NULL, typed over NULL, rejected. */
import { expect, test } from 'vitest';
import type { Page } from 'playwright-core';
import { databasesUnderTest } from '../databases/kit/databases-under-test.ts';
import type { KitDatabase } from '../databases/kit/database-under-test.ts';
import { inBrowser } from './studio-page.ts';

interface TypedColumn {
  readonly type: string;
  /** A value as SQL. */
  readonly value: string;
  /** What is typed over NULL. */
  readonly typed: string;
  /** What the database's own client reads then. By default what was typed. */
  readonly read?: string;
  /** SQL of the text that the client reads. */
  readonly as?: string;
}

const shared: Readonly<Record<string, TypedColumn>> = {
  body: { type: 'VARCHAR(40)', value: "'four'", typed: 'typed, "as" it is ' },
  day: { type: 'DATE', value: "'2024-02-29'", typed: '2026-11-28' },
  ref: { type: 'INTEGER', value: '7', typed: '7' },
  doc: { type: 'JSON', value: `'{"a": 1}'`, typed: '"5"' },
  quantity: { type: 'INTEGER', value: '4', typed: '-17' },
  amount: { type: 'DECIMAL(8, 2)', value: '1.50', typed: '12.5', read: '12.50' },
};

const own: Readonly<Record<string, Readonly<Record<string, TypedColumn>>>> = {
  sqlite: {
    amount: { ...shared['amount']!, read: '12.5' },
    flag: { type: 'BOOLEAN', value: '1', typed: 'true', read: '1' },
    moment: { type: 'TIMESTAMP', value: "'2024-02-29 10:00:00'", typed: '2026-11-28 01:02:03' },
  },
  postgres: {
    doc: { type: 'JSONB', value: `'{"a": 1}'`, typed: '"5"' },
    flag: { type: 'BOOLEAN', value: 'TRUE', typed: 'false' },
    grade: { type: 'mood', value: "'sad'", typed: 'happy' },
    moment: { type: 'TIMESTAMP', value: "'2024-02-29 10:00:00'", typed: '2026-11-28 01:02:03' },
    code: {
      type: 'UUID',
      value: "'226f6ea4-03c5-4de6-9164-05ba50509100'",
      typed: '5673d310-32b3-4ca7-9d8d-1f5610410aaa',
    },
    span: { type: 'INTERVAL', value: "'1 day'", typed: '03:04:05' },
    names: { type: 'TEXT[]', value: `'{a,b}'`, typed: '["x"]', read: '{x}' },
  },
  mysql: {
    flag: { type: 'BOOLEAN', value: '1', typed: 'false', read: '0' },
    grade: { type: "ENUM('sad', 'happy')", value: "'sad'", typed: 'happy' },
    moment: { type: 'DATETIME', value: "'2024-02-29 10:00:00'", typed: '2026-11-28 01:02:03' },
    clock: { type: 'TIME', value: "'10:00:00'", typed: '-03:04:05' },
    names: { type: "SET('x', 'y')", value: "'x'", typed: 'x,y' },
    made: { type: 'YEAR', value: '2024', typed: '1999' },
  },
};

const wide = { width: 2560, height: 900 };

for (const underTest of databasesUnderTest.filter(({ name }) => Object.hasOwn(own, name))) {
  const columns: Readonly<Record<string, TypedColumn>> = { ...shared, ...own[underTest.name] };
  const names = Object.keys(columns);
  const cell = (row: number, column: string): string => `#cell-${row}-${names.indexOf(column) + 1}`;
  let database: KitDatabase;

  const fill = async (): Promise<void> => {
    if (underTest.name === 'postgres')
      await database.run("CREATE TYPE mood AS ENUM ('sad', 'happy')");
    await database.run('CREATE TABLE label (id INTEGER PRIMARY KEY, name VARCHAR(20))');
    await database.run("INSERT INTO label VALUES (7, 'seventh')");
    const definitions = names.map((name) => `${name} ${columns[name]!.type}`);
    await database.run(
      `CREATE TABLE typed (id INTEGER PRIMARY KEY, ${definitions.join(', ')},
         FOREIGN KEY (ref) REFERENCES label (id))`,
    );
    const values = names.map((name) => columns[name]!.value);
    await database.run('INSERT INTO typed (id) VALUES (1)');
    await database.run(`INSERT INTO typed VALUES (2, ${values.join(', ')})`);
    await database.run(
      `CREATE TABLE strict (id INTEGER PRIMARY KEY, name VARCHAR(8) NOT NULL UNIQUE,
         small SMALLINT CHECK (small > 0), ref INTEGER REFERENCES label (id)
         ${underTest.name === 'mysql' ? ', FOREIGN KEY (ref) REFERENCES label (id)' : ''})`,
    );
    await database.run("INSERT INTO strict VALUES (1, 'one', 1, 7), (2, 'two', 2, 7)");
  };

  const read = async (id: number): Promise<readonly string[]> => {
    const texts = names.map((name) => columns[name]!.as ?? name);
    const casts = texts.map((text) => `CAST(${text} AS ${textType(underTest.name)})`);
    const [row] = await database.query(`SELECT ${casts.join(', ')} FROM typed WHERE id = ${id}`);
    return (row ?? []).map(String);
  };

  /** Enter is a new line in JSON, and Tab goes to the buttons below a list of references. */
  const closeWith = (column: string, key: string): string =>
    ['doc', 'ref', 'names'].includes(column) ? 'Control+Enter' : key;

  const openEditor = async (page: Page, row: number, column: string): Promise<void> => {
    await page.locator(cell(row, column)).click({ position: { x: 2, y: 8 } });
    await page.keyboard.press('F2');
    await page
      .locator('.cell-editor')
      .locator('input, select, textarea:not([aria-busy]), .cm-content')
      .first()
      .waitFor();
  };

  inBrowser(
    `editors on ${underTest.name}`,
    ({ open }) => {
      const openTyped = async (table = 'typed'): Promise<Page> => {
        const page = await open(`/tables/${table}?sort_by=id`, { viewport: wide });
        page.removeAllListeners('console');
        page.setDefaultTimeout(5000);
        await page.locator('#cell-1-0').waitFor();
        return page;
      };
      const save = async (page: Page, text: string): Promise<void> => {
        await page.keyboard.press('Control+s');
        await page.getByText(text).waitFor();
      };

      test('leave untouched values as they are, set NULL by their button, and replace NULL by what is typed', async () => {
        const page = await openTyped();
        const editor = page.locator('.cell-editor');
        const before = [await read(1), await read(2)];
        for (const row of [0, 1])
          for (const [i, column] of names.entries()) {
            await openEditor(page, row, column);
            await page.keyboard.press(closeWith(column, (i + row) % 2 === 0 ? 'Enter' : 'Tab'));
            await editor.waitFor({ state: 'detached' });
          }
        expect(await page.getByRole('region', { name: 'Unsaved changes' }).count()).toBe(0);
        for (const column of names) {
          await openEditor(page, 1, column);
          const button = await editor.getByRole('button', { name: 'NULL' }).boundingBox();
          await page.mouse.click(button!.x + 4, button!.y + 4);
          await expect.poll(() => page.locator(cell(1, column)).innerText()).toBe('NULL');
        }
        expect([await read(1), await read(2)]).toEqual(before);
        await save(page, 'Saved 1 change');
        expect(await read(2)).toEqual(names.map(() => 'null'));
        for (const column of names) {
          await page.locator(cell(0, column)).click({ position: { x: 2, y: 8 } });
          await page.keyboard.type(columns[column]!.typed);
          if (column === 'ref') await page.getByRole('option', { name: /seventh/ }).waitFor();
          await page.keyboard.press(column === 'ref' ? 'Enter' : closeWith(column, 'Enter'));
          await editor.waitFor({ state: 'detached' });
        }
        await save(page, 'Saved 1 change');
        expect(await read(1)).toEqual(
          names.map((name) => columns[name]!.read ?? columns[name]!.typed),
        );
      });

      test('show a time in the record as in the grid', async () => {
        const page = await openTyped();
        const shown = await page.locator(cell(0, 'moment')).innerText();
        await page.getByRole('button', { name: 'Open row 1', exact: true }).click();
        const field = page.getByRole('textbox', { name: 'moment' });
        await expect.poll(() => field.inputValue()).toBe(shown);
      });

      test('keep the mark of a rejected value until it changes, and name its column and value', async () => {
        const page = await openTyped('strict');
        const type = async (target: string, text: string): Promise<void> => {
          await page.locator(target).click({ position: { x: 2, y: 8 } });
          await page.keyboard.type(text);
          await page.keyboard.press('Enter');
        };
        const cases = [
          ['#cell-1-1', 'name', 'one'],
          ['#cell-1-2', 'small', '-3'],
        ] as const;
        for (const [target, column, value] of cases) {
          await type('#cell-0-2', '5');
          await type(target, value);
          await page.keyboard.press('Control+s');
          await page.locator(`${target}.bad`).waitFor();
          expect(await page.locator('.c.bad').count()).toBe(1);
          await page.locator(target).hover();
          await expect
            .poll(() => page.locator(`${target} .cell-error`).innerText())
            .toContain(`${column}: ${value}`);
          await type('#cell-0-2', '6');
          expect(await page.locator('.c.bad').count()).toBe(1);
          await type(target, '77');
          await expect.poll(() => page.locator('.c.bad').count()).toBe(0);
          await page.getByRole('button', { name: 'Discard' }).click();
          await page.locator('.c.mod').first().waitFor({ state: 'detached' });
        }
        const rows = await database.query('SELECT name, small FROM strict ORDER BY id');
        expect(rows.map((row) => row.map(String))).toEqual([
          ['one', '1'],
          ['two', '2'],
        ]);
      });
    },
    {
      database: async () => {
        database = await underTest.makeDatabase();
        await fill();
        return database;
      },
    },
  );
}

function textType(name: string): string {
  return name === 'mysql' ? 'CHAR' : 'TEXT';
}
