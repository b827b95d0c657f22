/** Numbers are shown with all their digits, however many they are and wherever they are. */
import * as fc from 'fast-check';
import type { Page } from 'playwright-core';
import { expect, test } from 'vitest';
import { databasesUnderTest } from '../databases/kit/databases-under-test.ts';
import type { KitDatabase } from '../databases/kit/database-under-test.ts';
import { inBrowser, phone } from './studio-page.ts';

const seed = Number(process.env['STUDIO_TEST_SEED']);
/** More rows than those that determine the widths of columns of text. */
const rowCount = 130;

const digits = (count: number) =>
  fc
    .array(fc.integer({ min: 1, max: 9 }), { minLength: count, maxLength: count })
    .map((list) => list.join(''));

/** Only SQLite rounds decimal numbers to 15 digits. */
function makeNumbers(name: string): readonly (readonly [id: string, amount: string])[] {
  const [before, after] = name === 'sqlite' ? [9, 4] : [24, 12];
  const amount = fc.tuple(digits(before), digits(after)).map((parts) => parts.join('.'));
  const ids = fc.sample(digits(15), { numRuns: rowCount, seed });
  const amounts = fc.sample(amount, { numRuns: rowCount, seed: seed + 1 });
  // The first ones are short, so that the others are wider than them.
  return ids.map((id, i) => [`9${String(i).padStart(3, '0')}${id}`, i < 110 ? '1.5' : amounts[i]!]);
}

async function fill(database: KitDatabase, name: string): Promise<void> {
  const type = name === 'sqlite' ? 'DECIMAL(20, 6)' : 'DECIMAL(40, 12)';
  await database.run(
    `CREATE TABLE wide_numbers (name VARCHAR(20), amount ${type}, id BIGINT PRIMARY KEY)`,
  );
  const values = makeNumbers(name).map(([id, amount]) => `('n', ${amount}, ${id})`);
  await database.run(`INSERT INTO wide_numbers (name, amount, id) VALUES ${values.join(', ')}`);
}

const numbers = '[role="gridcell"].r > *, .key-below';

/** Number cells in view of which a part is outside of the cell, or covered by its edge. */
const cutNumbers = `[...document.querySelectorAll('${numbers}')]
  .filter((number) => {
    const range = document.createRange();
    range.selectNodeContents(number);
    const text = range.getBoundingClientRect();
    const cell = number.closest('[role="gridcell"]').getBoundingClientRect();
    return text.width > 0 && (text.left < cell.left || text.right > cell.right);
  })
  .map((number) => number.textContent)`;

for (const underTest of databasesUnderTest)
  inBrowser(
    `numbers on ${underTest.name}`,
    ({ open }) => {
      const expectWholeNumbers = async (page: Page): Promise<void> => {
        await page.locator(numbers).first().waitFor();
        expect(await page.evaluate(cutNumbers)).toEqual([]);
        await page.locator('#cell-0-0').click({ position: { x: 3, y: 3 } });
        await page.keyboard.press('Control+End');
        await page
          .locator(`[id^="cell-${rowCount - 1}-"].r`)
          .first()
          .waitFor();
        expect(await page.evaluate(cutNumbers)).toEqual([]);
      };

      test(`are whole in rows and results (seed ${seed})`, async () => {
        const page = await open('/tables/wide_numbers?page_size=200&sort_by=id');
        await expectWholeNumbers(page);
        await page.goto(page.url().replace(/tables.*/, 'sql'));
        await page.locator('.sql-editor .cm-content').click();
        await page.keyboard.insertText('select amount, id from wide_numbers order by id');
        await page.keyboard.press('Control+Enter');
        await page.getByText(`${rowCount} rows in`).first().waitFor();
        await expectWholeNumbers(page);
      });

      test(`are whole on a phone (seed ${seed})`, async () => {
        const page = await open('/tables/wide_numbers?page_size=200&sort_by=id', {
          viewport: phone,
        });
        await page.locator('.key-below').first().waitFor();
        expect(await page.evaluate(cutNumbers)).toEqual([]);
        const text = await page.locator('.key-below').first().innerText();
        expect(text).toMatch(/^\d{19}$/);
        await page.goto(page.url().replace(/tables.*/, 'sql'));
        await page.locator('.sql-editor .cm-content').click();
        await page.keyboard.insertText('select id, amount from wide_numbers order by id');
        await page.getByRole('button', { name: 'Run', exact: true }).click();
        await page.getByText(`${rowCount} rows in`).first().waitFor();
        await expectWholeNumbers(page);
      });
    },
    {
      database: async () => {
        const database = await underTest.makeDatabase();
        await fill(database, underTest.name);
        return database;
      },
    },
  );
