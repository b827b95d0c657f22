/** One odd value among thousands in a new table: nothing of the file changes, and a warning has the line of the value. */
import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { buildWorkbook } from '../../formats/build-workbook.ts';
import { importFile } from '../importing.ts';
import { describeOnEachDatabase } from './harness.ts';

const rows = 2000;

const day = (n: number): string =>
  new Date(Date.UTC(1971, 0, n % 20_000)).toISOString().slice(0, 10);

/** Values by the number of their row, and what a warning calls one. */
const classes: readonly (readonly [name: string, value: (n: number) => string])[] = [
  ['number', (n) => `${n * 7 - 5000}`],
  ['number', (n) => `${n}.${String(n % 100).padStart(2, '0')}`],
  ['date', day],
  ['timestamp', (n) => `${day(n)} 10:11:12`],
  ['timestamp with a time zone', (n) => `${day(n)}T10:11:12Z`],
  ['time', (n) => `${String(n % 24).padStart(2, '0')}:15:30`],
  ['truth value', (n) => String(n % 2 === 0)],
  ['UUID', (n) => `123e4567-e89b-12d3-a456-${String(n).padStart(12, '0')}`],
];
const oddValues = ['abc', 'N/A', '-', '?', 'ünknown', 'x,"y"', '2020-02-30', '12:61', '99999-1'];

type Kind = 'csv' | 'ndjson' | 'xlsx';

const contentOf: Readonly<Record<Kind, (values: readonly string[]) => string | Promise<Buffer>>> = {
  csv: (values) =>
    `n,v\n${values.map((value, n) => `${n},"${value.replaceAll('"', '""')}"\n`).join('')}`,
  ndjson: (values) => values.map((v, n) => `${JSON.stringify({ n, v })}\n`).join(''),
  xlsx: (values) => {
    const text = (value: string): string =>
      `<c t="inlineStr"><is><t>${value.replaceAll('"', '&quot;')}</t></is></c>`;
    const body = values.map((value, n) => `<row><c><v>${n}</v></c>${text(value)}</row>`);
    return buildWorkbook({
      sheets: { one: `<row>${text('n')}${text('v')}</row>${body.join('')}` },
    });
  },
};

describeOnEachDatabase('one odd value', (harness) => {
  test.each(['csv', 'ndjson', 'xlsx'] as const)(
    'keeps its column as text with a warning: %s',
    { timeout: 120_000 },
    async (kind) => {
      // JSON has numbers and truth values of its own, so that texts of them are texts.
      const typed = classes.filter(
        ([name]) => kind !== 'ndjson' || (name !== 'number' && name !== 'truth value'),
      );
      await fc.assert(
        fc.asyncProperty(
          fc.constantFrom(...typed),
          fc.constantFrom(...oddValues),
          fc.nat(rows - 1),
          async ([name, valueOf], odd, at) => {
            const values = Array.from({ length: rows }, (_, n) => (n === at ? odd : valueOf(n)));
            const file = [`f.${kind}`, await contentOf[kind](values)] as const;
            const options = { table: 'odd', create_table: true };
            const { warnings } = await importFile(harness.database.url, file, options);
            const stored = await harness.database.query('SELECT v FROM odd ORDER BY n');
            await harness.dropTables(['odd']);
            expect(stored.map(([value]) => value)).toEqual(values);
            const line = kind === 'ndjson' ? at + 1 : at + 2;
            const isMarker = kind !== 'ndjson' && ['N/A', '-', '?'].includes(odd);
            const advice = isMarker
              ? `; if "${odd}" means that there is no value, set null_text`
              : '';
            expect(warnings).toEqual([
              `Column "v" becomes text, because ${JSON.stringify(odd)} in line ${line} is not a ${name} like the other ${rows - 1} values${advice}.`,
            ]);
          },
        ),
        { numRuns: 5 },
      );
    },
  );
});
