/**
 * Several writers send the same entity tag at the same time. Exactly one of them writes, on every
 * storage engine.
 */
import { array, assert, asyncProperty, constantFrom, integer, record } from 'fast-check';
import { expect } from 'vitest';
import { StudioError } from '../../../src/model/errors.ts';
import { optional, columnOf, int, name, tableOf } from './tables.ts';
import type { Studio } from '../../../src/studio/studio.ts';
import type { Harness } from './harness.ts';

/** Keys that differ only in case, which the column's own collation treats as equal. */
const row = record({
  k: constantFrom('a', 'A', 'é', 'plain', "it's"),
  price: integer({ min: -99_999, max: 99_999 }),
  /** One seventh has no short decimal representation. */
  sevenths: integer({ min: -99_999, max: 99_999 }),
  t: constantFrom(null, '', 'x', 'X ', '-'),
});

const writers = array(constantFrom('update', 'change', 'remove', 'remove by change'), {
  minLength: 2,
  maxLength: 6,
});

export async function expectOneWriter(
  harness: Harness,
  { runs, engine }: { readonly runs: number; readonly engine: string | undefined },
): Promise<void> {
  const table = `raced${engine === undefined ? '' : `_${engine.toLowerCase()}`}`;
  await harness.createTables([
    tableOf(
      table,
      [
        columnOf('k', name),
        columnOf('n', int),
        columnOf('price', { kind: 'decimal', precision: 12, scale: 2 }),
        optional('ratio', { kind: 'float', bits: 64 }),
        optional('single', { kind: 'float', bits: 32 }),
        optional('t', name),
      ],
      { primaryKey: { columns: ['k'] } },
    ),
  ]);
  if (engine !== undefined)
    await harness.database.run(harness.underTest.storageEngines[engine]!(table));
  await harness.refresh();
  const studios = [harness.studio, await harness.openStudio()];
  await assert(
    asyncProperty(row, writers, async (values, list) => {
      await harness.database.run(`DELETE FROM ${table}`);
      const { sevenths, price, ...rest } = values;
      const ratio = `${sevenths / 7}`;
      await harness.insertRows(table, [
        { ...rest, n: 0, price: `${price / 100}`, ratio, single: ratio },
      ]);
      const tag = (await harness.get(table, encodeURIComponent(values.k))).meta.etag!;
      const results = await Promise.allSettled(
        list.map((kind, i) => write(studios[i % 2]!, { table, k: values.k, tag, kind, n: i + 1 })),
      );
      const winner = results.findIndex(({ status }) => status === 'fulfilled');
      expect(results.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
      const removes = list[winner]!.startsWith('remove');
      for (const result of results)
        if (result.status === 'rejected')
          expect(codeOf(result.reason)).toMatch(
            removes ? /^row_changed$|^row_not_found$/ : /^row_changed$/,
          );
      const remainingRows = await harness.database.query(`SELECT n FROM ${table}`);
      expect(remainingRows.map(([n]) => Number(n))).toEqual(removes ? [] : [winner + 1]);
    }),
    { numRuns: runs },
  );
}

function codeOf(error: unknown): string {
  if (error instanceof StudioError) return error.code;
  throw error;
}

interface Write {
  readonly table: string;
  readonly k: string;
  readonly tag: string;
  readonly kind: string;
  readonly n: number;
}

function write(studio: Studio, { table, k, tag, kind, n }: Write): Promise<unknown> {
  const flags = { showDeleted: false, permanent: false, partial: false };
  const one = { ...flags, table, id: encodeURIComponent(k), ifMatch: tag };
  switch (kind) {
    case 'update':
      return studio.perform('update-row', { ...one, body: JSON.stringify({ n }) });
    case 'remove':
      return studio.perform('delete-row', one);
    case 'change': {
      const update = [{ id: k, if_match: tag, values: { n } }];
      return studio.perform('change-rows', { ...flags, table, body: JSON.stringify({ update }) });
    }
    default: {
      const removal = [{ id: k, if_match: tag }];
      const body = JSON.stringify({ delete: removal });
      return studio.perform('change-rows', { ...flags, table, body });
    }
  }
}
