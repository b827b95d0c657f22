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

test('makes numbers of points between thousands with a decimal comma on request', async () => {
  const points = 'id;wert\n1;1.234\n2;5.678\n3;12.345\n';
  const requested = await newTable(points, '&decimal=comma');
  expect(requested.sql).toMatch(/\\"wert\\" \w*INT/);
  expect(requested.warnings).toEqual([]);
  // The numbers of another column leave a doubt.
  expect((await newTable('v;w\n1.234;0,5\n5.678;1,25\n')).sql).toMatch(/\\"v\\" TEXT/);
  // Two points can only stand between thousands, and show what the others are.
  for (const text of ['v;w\n1.234.567;x\n', 'v;w\n1.234;x\n1.234.567;y\n12;z\n'])
    expect((await newTable(text)).sql).toMatch(/\\"v\\" \w*INT/);
  expect((await newTable('v;w\n1.234.567;x\n', '&decimal=point')).sql).toMatch(/\\"v\\" TEXT/);
  expect((await newTable('v;w\n1.234.567;x\n1.2.3;y\n')).sql).toMatch(/\\"v\\" TEXT/);
});

const american = (cents: number): string =>
  (cents / 100).toFixed(2).replaceAll(/\B(?=(?:\d{3})+\.)/g, ',');

test('reads commas between thousands', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.array(fc.integer({ min: 100, max: 10 ** 12 }), { maxLength: 4 }),
      fc.integer({ min: 100_000, max: 10 ** 12 }),
      async (amounts, large) => {
        const lines = [...amounts, large].map((cents) => `"${american(cents)}",x\n`);
        const { sql, warnings } = await newTable(`amount,name\n${lines.join('')}`);
        expect(sql).toMatch(/amount[^;]*(?:decimal|numeric)/i);
        expect(warnings).toEqual([]);
      },
    ),
    { numRuns: 8 },
  );
  expect((await newTable('v,w\n"1,234,567",x\n')).sql).toMatch(/\\"v\\" \w*INT/);
  expect((await newTable('v,w\n"1,234",x\n999.5,y\n')).sql).toMatch(/\\"v\\" (?:DECIMAL|NUMERIC)/);
});

test('asks about a comma that can be a decimal one or between thousands', async () => {
  const unclear = 'v,w\n"1,234",x\n12,y\n';
  expect((await newTable(unclear)).warnings).toEqual([
    'Column "v" becomes text, because its commas can be decimal commas or between thousands; set decimal.',
  ]);
  expect((await newTable(unclear, '&decimal=point')).sql).toMatch(/\\"v\\" \w*INT/);
  expect((await newTable(unclear, '&decimal=comma')).sql).toMatch(/\\"v\\" (?:DECIMAL|NUMERIC)/);
  // Columns that contradict each other.
  const both = await newTable('v;w;x\n1,5;1,234.5;1,234\n');
  expect(both.warnings).toHaveLength(3);
});
