/** CSV with another delimiter, byte order mark and text of NULL has the same values, and is imported as they were. */
import * as fc from 'fast-check';
import { parse } from 'csv-parse/sync';
import { expect, test } from 'vitest';
import { createApp } from '../../../src/http/app.ts';
import { importFile } from '../importing.ts';
import { describeOnEachDatabase } from './harness.ts';
import { bigint, optional, tableWithId } from './tables.ts';

const delimiters = { comma: ',', semicolon: ';', tab: '\t', pipe: '|' } as const;

const style = fc.record({
  delimiter: fc.constantFrom(...(Object.keys(delimiters) as (keyof typeof delimiters)[])),
  bom: fc.boolean(),
  nullText: fc.constantFrom('', 'NULL', '\\N', '7'),
});

// A database may ignore spaces at the end of a text.
const text = fc
  .string({
    unit: fc.constantFrom('a', 'é', ',', ';', '|', '\t', '"', '\n', '=', ' '),
    maxLength: 6,
  })
  .map((content) => `${content}.`);

const rows = fc.array(
  fc.record({ note: fc.option(text), amount: fc.option(fc.integer({ min: 8, max: 9999 })) }),
  { minLength: 1, maxLength: 20 },
);

const day = fc
  .date({ min: new Date('1001-01-01'), max: new Date('9998-12-31'), noInvalidDate: true })
  .map((date) => date.toISOString().slice(0, 10));
const clock = fc
  .integer({ min: 0, max: 86_399 })
  .map((seconds) => new Date(seconds * 1000).toISOString().slice(11, 19));

/** In the range of MySQL's TIMESTAMP. */
const timestamp = fc
  .tuple(fc.integer({ min: 1971, max: 2037 }), day, clock)
  .map(([year, date, time]) => `${year}${date.slice(4).replace('02-29', '02-28')} ${time}`);

const localRows = fc.array(
  fc.record({
    born: fc.option(day),
    seen: fc.option(timestamp),
    moment: fc.option(timestamp),
    price: fc.option(
      fc.integer({ min: -9_999_999, max: 9_999_999 }).map((n) => (n / 1000).toFixed(3)),
    ),
    share: fc.option(fc.double({ noNaN: true, noDefaultInfinity: true, min: -1e6, max: 1e6 })),
  }),
  { minLength: 1, maxLength: 20 },
);

const localStyle = fc.record({
  date_form: fc.constantFrom('DD.MM.YYYY', 'DD/MM/YYYY', 'MM/DD/YYYY'),
  decimal: fc.constantFrom('comma', undefined),
  delimiter: fc.constantFrom(...(Object.keys(delimiters) as (keyof typeof delimiters)[])),
});

describeOnEachDatabase('CSV in another style', (harness) => {
  const download = async (query: string): Promise<string> => {
    const app = createApp(harness.studio, { anyHost: true });
    const address = `http://localhost/studio/api/tables/${query}`;
    const response = await app.fetch(new Request(address));
    const bytes = Buffer.from(await response.arrayBuffer());
    expect({
      status: response.status,
      text: response.status === 200 ? '' : String(bytes),
    }).toEqual({ status: 200, text: '' });
    return bytes.toString();
  };

  test(
    'has dates and numbers of a country, and is imported again',
    { timeout: 200_000 },
    async () => {
      const names = ['local', 'local_again'];
      const columns = [
        optional('born', { kind: 'date' }),
        optional('seen', { kind: 'timestamp', zone: false }),
        optional('moment', { kind: 'timestamp', zone: true }),
        optional('price', { kind: 'decimal', precision: 12, scale: 3 }),
        optional('share', { kind: 'float', bits: 64 }),
      ];
      await harness.createTables(names.map((name) => tableWithId(name, columns)));
      await harness.refresh();
      await fc.assert(
        fc.asyncProperty(
          localStyle,
          localRows,
          async ({ date_form, decimal, delimiter }, generated) => {
            for (const name of names) await harness.database.run(`DELETE FROM ${name}`);
            await harness.insertRows(
              'local',
              generated.map((row, i) => ({ id: i + 101, ...row })),
            );
            const iso = await download('local/export?format=csv');
            const parameters = new URLSearchParams({ format: 'csv', delimiter, date_form });
            if (decimal !== undefined) parameters.set('decimal', decimal);
            const content = await download(`local/export?${parameters}`);
            const cells = parse(content, { delimiter: delimiters[delimiter] }).slice(1);
            const isoCells = parse(iso).slice(1);
            const [separator] = date_form.match(/[./]/)!;
            const isDayFirst = date_form.startsWith('D');
            const localDate = (text: string) => {
              const [date = '', time] = text.split(/[T ]/);
              const [year, month, dayOfMonth] = date.split('-');
              const parts = isDayFirst ? [dayOfMonth, month, year] : [month, dayOfMonth, year];
              return text === ''
                ? ''
                : [parts.join(separator), ...(time === undefined ? [] : [time])].join(' ');
            };
            const localNumber = (text: string) =>
              decimal === 'comma' && !text.includes('e') ? text.replace('.', ',') : text;
            expect(cells).toEqual(
              isoCells.map(([id, born = '', seen = '', moment = '', price = '', share = '']) => [
                id,
                localDate(born),
                localDate(seen),
                localDate(moment.replace('Z', '')),
                localNumber(price),
                localNumber(share),
              ]),
            );
            await importFile(harness.database.url, ['a.csv', content], {
              table: 'local_again',
              delimiter,
              date_order: isDayFirst ? 'DMY' : 'MDY',
              decimal: decimal ?? 'point',
            });
            expect(await download('local_again/export?format=csv')).toBe(iso);
          },
        ),
        { numRuns: 15, endOnFailure: true },
      );
    },
  );

  test('has the rows of the table, and is imported again', { timeout: 200_000 }, async () => {
    const names = ['styled', 'styled_again'];
    const columns = [optional('note', { kind: 'text' }), optional('amount', bigint)];
    await harness.createTables(names.map((name) => tableWithId(name, columns)));
    await harness.refresh();
    await fc.assert(
      fc.asyncProperty(style, rows, async ({ delimiter, bom, nullText }, generated) => {
        for (const name of names) await harness.database.run(`DELETE FROM ${name}`);
        const stored = generated.map((row, i) => ({ id: i + 101, ...row }));
        await harness.insertRows('styled', stored);
        const parameters = new URLSearchParams({ format: 'csv', delimiter, bom: String(bom) });
        if (nullText !== '') parameters.set('null_text', nullText);
        const content = await download(`styled/export?${parameters}`);
        expect(content.startsWith('\ufeff')).toBe(bom);
        const cell = (value: string, { quoting }: { readonly quoting: boolean }): string | null =>
          !quoting && value === nullText ? null : value.replace(/^'(?=')|^'(?=[=+@\t-])/, '');
        const read = parse(content, { bom: true, delimiter: delimiters[delimiter], cast: cell });
        const texts = stored.map(({ id, note, amount }) =>
          [id, note, amount].map((value) => (value === null ? null : String(value))),
        );
        expect(read).toEqual([['id', 'note', 'amount'], ...texts]);
        const options = {
          table: 'styled_again',
          delimiter,
          ...(nullText === '' ? {} : { null_text: nullText }),
        };
        await importFile(harness.database.url, ['a.csv', content], options);
        expect(await download('styled_again/export?format=csv')).toBe(
          await download('styled/export?format=csv'),
        );
      }),
      { numRuns: 15, endOnFailure: true },
    );
    const rejected = new Request(
      'http://localhost/studio/api/tables/styled/export?format=csv&delimiter=pipe&null_text=a%7Cb',
    );
    const app = createApp(harness.studio, { anyHost: true });
    expect((await app.fetch(rejected)).status).toBe(400);
  });
});
