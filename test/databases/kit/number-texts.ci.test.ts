/** Texts that look like numbers keep each character in a text column; numbers keep their digits or are rejected. */
import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { importFile } from '../importing.ts';
import { describeOnEachDatabase } from './harness.ts';
import { columnOf, int, tableOf } from './tables.ts';
import type { Harness } from './harness.ts';

const runs = 20;

const digits = fc.stringMatching(/^\d{1,22}$/);
const numbers = fc
  .tuple(
    fc.constantFrom('', '', '-', '+'),
    digits,
    fc.option(digits),
    fc.constantFrom('', '', 'e3', 'E-2'),
  )
  .map(([sign, whole, decimals, exponent]) =>
    [sign, whole, decimals === null ? '' : `.${decimals}`, exponent].join(''),
  );
const examples = ['1.50', '1e3', '+5', '007', '1.0', '-0', '0.10', '9007199254740993.10'];
const texts = fc.array(fc.oneof(numbers, fc.constantFrom(...examples, '.5', '5.', '0x10')), {
  minLength: 1,
  maxLength: 8,
});

const contents: Readonly<Record<string, (values: readonly string[]) => string>> = {
  csv: (values) => `id,v\n${values.map((value, i) => `${i},${value}\n`).join('')}`,
  json: (values) => JSON.stringify(values.map((v, id) => ({ id, v }))),
  ndjson: (values) => values.map((v, id) => `${JSON.stringify({ id, v })}\n`).join(''),
  sql: (values) => values.map((v, i) => `INSERT INTO digits VALUES (${i}, '${v}');\n`).join(''),
};

async function stored({ database }: Harness): Promise<ReadonlyMap<number, unknown>> {
  const rows = await database.query('SELECT id, v FROM digits ORDER BY id');
  return new Map(rows.map(([id, v]) => [Number(id), v]));
}

describeOnEachDatabase('texts of digits', (harness) => {
  harness.beforeTests(() =>
    harness.createTables([
      tableOf('digits', [columnOf('id', int), columnOf('v', { kind: 'text' })], {
        primaryKey: { columns: ['id'] },
      }),
    ]),
  );

  test('stay as they are in every format', { timeout: 120_000 }, async () => {
    await fc.assert(
      fc.asyncProperty(texts, fc.constantFrom(...Object.keys(contents)), async (values, format) => {
        const options = { mode: 'replace', ...(format === 'sql' ? {} : { table: 'digits' }) };
        const file = [`digits.${format}`, contents[format]!(values)] as const;
        await importFile(harness.database.url, file, options);
        expect([...(await stored(harness)).values()]).toEqual(values);
      }),
      { numRuns: runs },
    );
  });

  test(
    'that another database writes as numbers keep their digits',
    { timeout: 120_000 },
    async () => {
      const property = fc.asyncProperty(
        fc.array(fc.oneof(numbers, fc.constantFrom(...examples)), { minLength: 1, maxLength: 8 }),
        fc.constantFrom('postgres', 'mysql'),
        async (values, dialect) => {
          await harness.database.run('DELETE FROM digits');
          const text = values.map((v, i) => `INSERT INTO digits VALUES (${i}, ${v});\n`).join('');
          const options = { dialect, on_error: 'skip' };
          await importFile(harness.database.url, ['digits.sql', text], options);
          const found = await stored(harness);
          for (const [i, value] of values.entries()) {
            // Databases store integers without leading zeros and signs, and decimals as they are.
            if (/^[+-]?\d+$/.test(value))
              expect(found.get(i)).toBe(String(BigInt(value.replace('+', ''))));
            else if (found.has(i)) expect(found.get(i)).toBe(value);
            else expect(value).not.toMatch(/^-?(?:0|[1-9]\d*)\.\d+$/);
          }
        },
      );
      await fc.assert(property, { numRuns: runs });
    },
  );
});
