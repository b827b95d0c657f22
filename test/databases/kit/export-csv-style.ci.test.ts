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

describeOnEachDatabase('CSV in another style', (harness) => {
  test('has the rows of the table, and is imported again', { timeout: 200_000 }, async () => {
    const names = ['styled', 'styled_again'];
    const columns = [optional('note', { kind: 'text' }), optional('amount', bigint)];
    await harness.createTables(names.map((name) => tableWithId(name, columns)));
    await harness.refresh();
    const app = createApp(harness.studio, { anyHost: true });
    const download = async (query: string): Promise<string> => {
      const address = `http://localhost/studio/api/tables/${query}`;
      const response = await app.fetch(new Request(address));
      const bytes = Buffer.from(await response.arrayBuffer());
      expect({
        status: response.status,
        text: response.status === 200 ? '' : String(bytes),
      }).toEqual({
        status: 200,
        text: '',
      });
      return bytes.toString();
    };
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
    expect((await app.fetch(rejected)).status).toBe(400);
  });
});
