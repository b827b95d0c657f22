/** Dumps of a partitioned table, as pg_dump writes them, into a table without partitions. */
import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { importFile } from '../importing.ts';
import { describeOnEachDatabase } from './harness.ts';
import { columnOf, int, optional, tableOf } from './tables.ts';

const runs = 12;
const columns = ['id', 'amount', 'note'] as const;
type Name = (typeof columns)[number];
type Row = Readonly<Record<Name, string | null>>;

const table = tableOf(
  'part',
  [
    columnOf('id', int),
    optional('amount', { kind: 'decimal', precision: 19, scale: 2 }),
    optional('note', { kind: 'text' }),
  ],
  { primaryKey: { columns: ['id'] } },
);

interface Partition {
  /** The number of the partition that this one divides; undefined for one of the table itself. */
  readonly parent: number | undefined;
  /** `attach` lists the columns in an order of its own. */
  readonly created: 'attach' | 'of';
  readonly order: readonly Name[];
  readonly rows: 'copy' | 'insert' | 'insert with columns';
}

const partition = (i: number): fc.Arbitrary<Partition> =>
  fc.record({
    parent: fc
      .option(fc.nat(Math.max(0, i - 1)), { nil: undefined })
      .map((n) => (i === 0 ? undefined : n)),
    created: fc.constantFrom('attach', 'of'),
    order: fc.shuffledSubarray([...columns], { minLength: columns.length }),
    rows: fc.constantFrom('copy', 'insert', 'insert with columns'),
  });

const partitions = fc
  .integer({ min: 1, max: 5 })
  .chain((count) => fc.tuple(...Array.from({ length: count }, (_, i) => partition(i))));

const values = fc.array(
  fc.tuple(
    fc.nat(10),
    fc.option(fc.bigInt(-(10n ** 12n), 10n ** 12n)),
    fc.option(fc.constantFrom('a', "it's", 'tab\there', '$5', 'back\\slash', '')),
  ),
  { minLength: 1, maxLength: 12 },
);

/** As PostgreSQL writes money in the locales C and en_US. */
function money(cents: bigint): string {
  const digits = String(cents < 0n ? -cents : cents).padStart(3, '0');
  const integerDigits = digits.slice(0, -2).replaceAll(/\B(?=(?:\d{3})+$)/g, ',');
  return `${cents < 0n ? '-' : ''}$${integerDigits}.${digits.slice(-2)}`;
}

function orderOf(
  all: readonly Partition[],
  { created, order, parent }: Partition,
): readonly Name[] {
  if (created === 'attach') return order;
  return parent === undefined ? columns : orderOf(all, all[parent]!);
}

function definition(all: readonly Partition[], each: Partition, i: number): string {
  const parent = each.parent === undefined ? 'public.part' : `public.part_${each.parent}`;
  if (each.created === 'of')
    return `CREATE TABLE public.part_${i} PARTITION OF ${parent}\nFOR VALUES FROM (${i}) TO (${i + 1});\n`;
  const types = { id: 'integer NOT NULL', amount: 'money', note: "text DEFAULT ',('" };
  const lines = each.order.map((name) => `    ${name} ${types[name]}`);
  return `CREATE TABLE public.part_${i} (\n${lines.join(',\n')},\n    CONSTRAINT c CHECK (id > 0)\n);
ALTER TABLE ONLY ${parent} ATTACH PARTITION public.part_${i} FOR VALUES FROM (${i}) TO (${i + 1});\n`;
}

function dataOf(all: readonly Partition[], i: number, rows: readonly Row[]): string {
  const each = all[i]!;
  const order = orderOf(all, each);
  if (each.rows === 'copy') {
    const field = (text: string | null): string =>
      text === null ? '\\N' : text.replaceAll('\\', '\\\\').replaceAll('\t', '\\t');
    const lines = rows.map((row) => `${order.map((name) => field(row[name])).join('\t')}\n`);
    return `COPY public.part_${i} (${order.join(', ')}) FROM stdin;\n${lines.join('')}\\.\n`;
  }
  const literal = (text: string | null): string =>
    text === null ? 'NULL' : `'${text.replaceAll("'", "''")}'`;
  const head = `INSERT INTO public.part_${i}${each.rows === 'insert' ? '' : ` (${order.join(', ')})`}`;
  return rows
    .map((row) => `${head} VALUES (${order.map((name) => literal(row[name])).join(', ')});\n`)
    .join('');
}

describeOnEachDatabase('a dump of a partitioned table', (harness) => {
  harness.beforeTests(() => harness.createTables([table]));

  test('loses no row where the database has no partitions', { timeout: 120_000 }, async () => {
    await fc.assert(
      fc.asyncProperty(partitions, values, async (all, generatedRows) => {
        await harness.database.run('DELETE FROM part');
        const rows = generatedRows.map(([target, cents, note], i) => {
          const row: Row = {
            id: String(i + 1),
            amount: cents === null ? null : money(cents),
            note,
          };
          return { target: target % all.length, cents, row };
        });
        const text = [
          '--\n-- PostgreSQL database dump\n--\n\nSET standard_conforming_strings = on;\n',
          'CREATE TABLE public.part (\n    id integer NOT NULL,\n    amount money,\n    note text\n)\nPARTITION BY RANGE (id);\n',
          ...all.map((each, i) => definition(all, each, i)),
          ...all.map((_, i) =>
            dataOf(
              all,
              i,
              rows.filter(({ target }) => target === i).map(({ row }) => row),
            ),
          ),
        ].join('');
        await importFile(harness.database.url, ['dump.sql', text], {
          ddl: 'skip',
          dialect: 'postgres',
        });
        const stored = await harness.list('part', { sort: [{ column: 'id', descending: false }] });
        const toNumber = (amount: unknown): unknown => (amount === null ? null : Number(amount));
        expect(stored.data.map(({ amount, note }) => [toNumber(amount), note])).toEqual(
          rows.map(({ cents, row }) => [cents === null ? null : Number(cents) / 100, row.note]),
        );
      }),
      { numRuns: runs },
    );
  });

  test('names the table of rows that are of no partition', async () => {
    const text = 'COPY public.part_9 (id) FROM stdin;\n1\n\\.\n';
    await expect(
      importFile(harness.database.url, ['dump.sql', text], { dialect: 'postgres' }),
    ).rejects.toMatchObject({ code: 'table_not_found' });
  });
});
