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

async function newTable(text: string, query = '', file = 'values.csv'): Promise<NewTable> {
  const form = new FormData();
  form.set('file', new Blob([text]), file);
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
    'Column "qty" becomes text, because "abc" in line 32 is not a number like the other 31 values.',
  ]);
  expect((await newTable('code\n1\n2\nA3\n')).warnings).toEqual([]);
});

/** Values of one class by a number, and what a warning calls one of them. */
const classes = {
  number: (n: number) => `${n - 50}.${n % 10}5`,
  date: (n: number) => new Date(Date.UTC(1990, 0, n)).toISOString().slice(0, 10),
  'timestamp with a time zone': (n: number) =>
    `${new Date(Date.UTC(1990, 0, n)).toISOString().slice(0, 19)}Z`,
  timestamp: (n: number) => `${new Date(Date.UTC(1990, 0, n)).toISOString().slice(0, 10)} 10:11:12`,
  time: (n: number) => `${String(n % 24).padStart(2, '0')}:15`,
  'truth value': (n: number) => (n % 3 === 0 ? 'true' : 'false'),
  UUID: (n: number) => `123e4567-e89b-12d3-a456-${String(n).padStart(12, '0')}`,
  'JSON value': (n: number) => `{"n":${n}}`,
} as const;
const classNames = Object.keys(classes) as (keyof typeof classes)[];

test('names the line and value because of which a column of any class becomes text', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.constantFrom(...classNames),
      fc.constantFrom('abc', 'n/a', '?', ...classNames),
      fc.nat(299),
      async (name, odd, at) => {
        fc.pre(odd !== name);
        const value = odd in classes ? classes[odd as keyof typeof classes](at) : odd;
        const lines = Array.from({ length: 300 }, (_, i) => (i === at ? value : classes[name](i)));
        const content = lines.map((line, i) => `${i}|${line}\n`).join('');
        const { sql, warnings } = await newTable(`n|v\n${content}`, '&delimiter=pipe');
        expect(sql).toMatch(/\\"v\\" TEXT/);
        const advice = ['n/a', '?'].includes(value)
          ? `; if "${value}" means that there is no value, set null_text`
          : '';
        expect(warnings).toEqual([
          `Column "v" becomes text, because ${JSON.stringify(value)} in line ${at + 2} is not a ${name} like the other 299 values${advice}.`,
        ]);
      },
    ),
    { numRuns: 30 },
  );
});

test('names exceptions among dates and words of a country, and counts further ones', async () => {
  const german = Array.from({ length: 40 }, (_, i) => `${(i % 28) + 1}.02.2020;ja\n`);
  const mixed = german
    .toSpliced(5, 1, 'offen;nein\n', 'unbekannt;nein\n')
    .toSpliced(9, 1, '3.1.2020;?\n');
  expect((await newTable(`d;w\n${mixed.join('')}`)).warnings).toEqual([
    'Column "d" becomes text, because "offen" in line 7 and 1 other value are not dates like the other 39 values.',
    'Column "w" becomes text, because "?" in line 11 is not a truth value like the other 40 values; if "?" means that there is no value, set null_text.',
  ]);
  const rows = Array.from({ length: 40 }, (_, i) => ({ d: i === 7 ? 'soon' : '2020-02-01', n: i }));
  const json = rows.map((row) => JSON.stringify(row)).join('\n');
  expect((await newTable(json, '', 'values.ndjson')).warnings).toEqual([
    'Column "d" becomes text, because "soon" in line 8 is not a date like the other 39 values.',
  ]);
  const codes = Array.from({ length: 40 }, (_, i) => `${i === 0 ? '007' : i + 8}\n`).join('');
  expect((await newTable(`c\n${codes}`)).warnings).toEqual([
    'Column "c" becomes text, because "007" in line 2 would lose characters as a number like the other 39 values.',
  ]);
});

test('makes numbers of a column with a negative zero, and says so', async () => {
  for (const [content, file] of [
    ['id,v\n1,0.5\n2,-0.0\n3,-1.5\n4,-0.00\n', 'values.csv'],
    ['{"id":1,"v":0.5}\n\n{"id":2,"v":-0.0}\n{"id":3,"v":-0.00}\n', 'values.ndjson'],
  ] as const) {
    const { sql, warnings } = await newTable(content, '', file);
    expect(sql).toMatch(/\\"v\\" (?:DECIMAL|NUMERIC)/);
    expect(warnings).toEqual([
      'Column "v": the zero of "-0.0" in line 3 and 1 more loses its sign, unless the type of the column has a negative zero.',
    ]);
  }
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

const daysOfCentury = fc.array(
  fc.date({ min: new Date('2000-01-01'), max: new Date('2099-12-31'), noInvalidDate: true }),
  { minLength: 1, maxLength: 20 },
);

const inEnglish =
  (options: Intl.DateTimeFormatOptions, locale = 'en-US') =>
  (at: Date) =>
    at.toLocaleDateString(locale, { timeZone: 'UTC', ...options });
const monthForms = [
  inEnglish({ dateStyle: 'long' }),
  inEnglish({ dateStyle: 'medium' }),
  inEnglish({ dateStyle: 'medium' }, 'en-GB'),
  (at: Date) => `${inEnglish({ dateStyle: 'medium' }, 'en-GB')(at).replaceAll(' ', '-')} 10:15`,
  (at: Date) => inEnglish({ dateStyle: 'medium' }, 'en-GB')(at).replaceAll(' ', '-').toUpperCase(),
];

/** The values of a column, each of which has a form that no type reads, and what a warning calls them. */
const unreadColumns = fc.oneof(
  fc.record({
    name: fc.constant('numbers with a percent sign'),
    values: fc.array(
      fc
        .tuple(fc.integer({ min: -999, max: 999 }), fc.constantFrom('', ' ', '\u00A0'))
        .map(([n, blank]) => `${n / 10}${blank}%`),
      { minLength: 1, maxLength: 20 },
    ),
  }),
  fc.record({
    name: fc.constant('numbers with apostrophes between thousands'),
    values: fc
      .array(fc.integer({ min: 0, max: 10 ** 9 }), { minLength: 1, maxLength: 20 })
      .map((cents) => [123_456, ...cents].map((each) => french(each, "'").replace(',', '.'))),
  }),
  fc.record({
    name: fc.constant('numbers with a currency'),
    values: fc.array(
      fc
        .tuple(
          fc.integer({ min: 0, max: 10 ** 9 }),
          fc.constantFrom('$', '-€ ', 'CHF ', ' EUR', ' kr'),
        )
        .map(([cents, sign]) =>
          sign.startsWith(' ') ? `${american(cents)}${sign}` : `${sign}${american(cents)}`,
        ),
      { minLength: 1, maxLength: 20 },
    ),
  }),
  fc.record({
    name: fc.constant('numbers with commas between lakhs and crores'),
    values: fc
      .array(fc.integer({ min: 0, max: 10 ** 9 }), { maxLength: 20 })
      .map((all) =>
        [12_345_678, ...all].map((n) =>
          (n / 100).toLocaleString('en-IN', { minimumFractionDigits: 2 }),
        ),
      ),
  }),
  fc.record({
    name: fc.constant('dates with the name of the month'),
    values: fc
      .tuple(daysOfCentury, fc.constantFrom(...monthForms))
      .map(([all, form]) => all.map(form)),
  }),
  fc.record({
    name: fc.constant('dates with two digits of the year'),
    values: fc
      .tuple(daysOfCentury, fc.constantFrom('/', '.', '-'))
      .map(([all, between]) =>
        all.map((at) => at.toISOString().slice(2, 10).split('-').toReversed().join(between)),
      ),
  }),
  fc.record({
    name: fc.constant('formulas that spreadsheets show as text'),
    values: fc
      .array(fc.nat(99_999), { minLength: 1, maxLength: 20 })
      .map((all) => all.map((n) => `="${String(n).padStart(6, '0')}"`)),
  }),
  ...(
    [
      ['in parentheses', (text: string) => `(${text})`],
      ['end with a minus sign', (text: string) => `${text}-`],
    ] as const
  ).map(([name, negative]) =>
    fc.record({
      name: fc.constant(
        `numbers of which the negative ones ${name === 'in parentheses' ? `are ${name}` : name}`,
      ),
      values: fc
        .array(fc.integer({ min: -(10 ** 9), max: 10 ** 9 }), { minLength: 1, maxLength: 20 })
        .map((all) =>
          [-1, ...all].map((cents) => (cents < 0 ? negative(american(-cents)) : american(cents))),
        ),
    }),
  ),
  fc.record({
    name: fc.constant('times with AM or PM'),
    values: fc.array(
      fc
        .tuple(
          fc.integer({ min: 1, max: 12 }),
          fc.constantFrom('1/31/2024 ', ''),
          fc.constantFrom(' AM', 'pm', ' p.m.'),
        )
        .map(([hour, day, half]) => `${day}${hour}:30${half}`),
      { minLength: 1, maxLength: 20 },
    ),
  }),
);

test('says which form of all values makes a column text', async () => {
  await fc.assert(
    fc.asyncProperty(unreadColumns, fc.nat(20), async ({ name, values }, at) => {
      const file = (texts: readonly string[]): string =>
        ['a;v', ...texts.map((value, i) => `${i};"${value.replaceAll('"', '""')}"`), ''].join('\n');
      const { sql, warnings } = await newTable(file(values));
      expect(sql).toMatch(/v[^,]*text/i);
      expect(warnings.join('\n')).toContain(
        `Column "v" becomes text, because its values are ${name}`,
      );
      const mixed = await newTable(file(values.toSpliced(at % values.length, 0, 'none')));
      expect(mixed.warnings.join('\n')).not.toContain(name);
    }),
    { numRuns: 20 },
  );
});
