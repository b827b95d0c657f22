/** Numbers that a double keeps exactly, as programs write doubles: with an exponent, with up to 17 digits. */
import { constantFrom, double, sample, tuple } from 'fast-check';
import { expect, test } from 'vitest';
import { importFile } from '../importing.ts';
import { describeOnEachDatabase } from './harness.ts';

const extremes: readonly number[] = [
  ...[0.300_000_000_000_000_04, 1e-300, 5e-324, -5e-324, 2.225_073_858_507_201_4e-308],
  ...[2.225_073_858_507_201e-308, Number.MAX_VALUE, -Number.MAX_VALUE, 1e300, 1e22, 0],
];

/** The texts that JavaScript, C and Python write. */
const forms: readonly ((value: number) => string)[] = [
  String,
  (value) => value.toExponential(),
  (value) => value.toExponential().replace(/e([+-])(\d)$/, 'e$10$2'),
];

const someDouble = tuple(
  double({ noNaN: true, noDefaultInfinity: true }).filter((value) => !Object.is(value, -0)),
  constantFrom(...forms),
);

describeOnEachDatabase('doubles of a file', (harness) => {
  const seed = Number(process.env['STUDIO_TEST_SEED']);
  const values = [
    ...extremes.flatMap((value) => forms.map((form) => [value, form] as const)),
    ...sample(someDouble, { numRuns: 100, seed }),
  ].map(([value, form]) => ({ value, text: form(value) }));
  const typesOf = async (file: string, content: string, options = {}) => {
    const { schema, warnings } = await importFile(harness.database.url, [file, content], {
      table: 'made',
      create_table: true,
      ...options,
    });
    expect(warnings).toEqual([]);
    const { tables } = schema as unknown as {
      readonly tables: readonly [
        { readonly columns: readonly { readonly data_type: { readonly kind: string } }[] },
      ];
    };
    return tables[0].columns.map(({ data_type: { kind } }) => kind);
  };

  test.each(['csv', 'ndjson'])('keep each bit in a column of doubles, from %s', async (format) => {
    const lines =
      format === 'csv'
        ? ['id,n', ...values.map(({ text }, i) => `${i},${text}`)]
        : values.map(({ text }, i) => `{"id":${i},"n":${text}}`);
    try {
      expect(await typesOf(`f.${format}`, `${lines.join('\n')}\n`)).toEqual(['integer', 'float']);
      const { dialect, exactText } = harness.underTest;
      const rows = await harness.database.query(
        `SELECT ${exactText(dialect.quoteName('n'))} FROM made ORDER BY id`,
      );
      expect(rows.map(([stored]) => Number(stored))).toEqual(values.map(({ value }) => value));
    } finally {
      await harness.dropTables(['made']);
    }
  });

  test('do not make prices doubles', async () => {
    const content = 'id,price,ratio\n1,0.1,0.1\n2,19.99,2.5e-3\n';
    expect(await typesOf('f.csv', content, { dry_run: true })).toEqual([
      'integer',
      'decimal',
      'float',
    ]);
  });
});
