/** Types of new tables whose file has numbers as other countries write them, codes, or exceptions. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import * as fc from 'fast-check';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createApp } from '../../../src/http/app.ts';
import { createStudio } from '../../../src/studio/studio.ts';
import type { Studio } from '../../../src/studio/studio.ts';

const folder = mkdtempSync(join(tmpdir(), 'studio-local-'));
let studio: Studio;
beforeAll(async () => {
  studio = await createStudio({ url: join(folder, 'new.db'), create: true });
});
afterAll(async () => {
  await studio.close();
  rmSync(folder, { recursive: true, force: true });
});

interface NewTable {
  /** The text of the CREATE TABLE statement. */
  readonly sql: string;
  readonly warnings: readonly string[];
}

async function newTable(text: string, query = ''): Promise<NewTable> {
  const form = new FormData();
  form.set('file', new Blob([text]), 'values.csv');
  const response = await createApp(studio).fetch(
    new Request(`http://localhost/studio/api/import/data?create_table=true&dry_run=true${query}`, {
      method: 'POST',
      body: form,
    }),
  );
  const body = (await response.json()) as { warnings: readonly string[] };
  expect(response.status, JSON.stringify(body)).toBe(200);
  return { sql: JSON.stringify(body), warnings: body.warnings };
}

const french = (cents: number, blank: string): string => {
  const [whole = '', fraction = ''] = (cents / 100).toFixed(2).split('.');
  return `${whole.replaceAll(/\B(?=(\d{3})+$)/g, blank)},${fraction}`;
};

test('reads blanks between thousands', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.array(fc.integer({ min: 100_000, max: 10 ** 12 }), { minLength: 1, maxLength: 5 }),
      fc.constantFrom(' ', '\u00A0', '\u202F'),
      async (amounts, blank) => {
        const lines = amounts.map((cents) => french(cents, blank));
        const { sql, warnings } = await newTable(
          `montant;nom\n${lines.map((line) => `${line};x\n`).join('')}`,
        );
        expect(sql).toMatch(/montant[^;]*(?:decimal|numeric)/i);
        expect(warnings).toEqual([]);
      },
    ),
    { numRuns: 8 },
  );
});

test('keeps codes that look like numbers with an exponent', async () => {
  const { sql } = await newTable('apt,size\n1E5,1.5E+05\n7E2,2E-3\n12,3\n');
  expect(sql).toMatch(/apt[^,]*text/i);
  expect(sql).toMatch(/size[^,]*(?:real|double|float)/i);
});

test('asks about points that may stand between thousands, where dates begin with the day', async () => {
  const german = 'v;d\n1.234;01.02.2020\n5.678;13.02.2020\n';
  const { sql, warnings } = await newTable(german);
  expect(sql).toMatch(/"v[^,]*text/i);
  expect(warnings).toEqual([
    'Column "v" becomes text, because its points can be decimal points or between thousands; set decimal.',
  ]);
  expect((await newTable(german, '&decimal=point')).warnings).toEqual([]);
  expect(
    (await newTable(german.replaceAll('.20', '.2020').replace('5.678', '5.67'))).sql,
  ).not.toMatch(/thousands/);
  expect((await newTable('v,d\n1.234,2020-02-01\n5.678,2020-02-13\n')).warnings).toEqual([]);
  const unclear = [
    expect.stringContaining('its points can be decimal points or between thousands'),
  ];
  expect((await newTable('v;w\n1.234;x\n12;y\n')).warnings).toEqual(unclear);
  // An integer without a point between thousands, or another number of decimals, shows what points are.
  expect((await newTable('v;w\n1.234;x\n1500;y\n')).warnings).toEqual([]);
  expect((await newTable('v;w\n1.234;0.5\n5.678;0.25\n')).warnings).toEqual([]);
});

test('names the value because of which a column of numbers becomes text', async () => {
  const numbers = Array.from({ length: 30 }, (_, i) => `${i}\n`).join('');
  const { warnings } = await newTable(`qty\n${numbers}abc\n7\n`);
  expect(warnings).toEqual([
    'Column "qty" becomes text, because "abc" is no number. The 30 values before it are numbers.',
  ]);
  expect((await newTable('code\n1\n2\nA3\n')).warnings).toEqual([]);
});
