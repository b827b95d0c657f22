/**
 * Files of several batches, of which the next is read and encoded while the database writes the one
 * before: random rows, of which random ones are bad. The expected result follows from the rows.
 */
import * as fc from 'fast-check';
import { expect, test, vi } from 'vitest';
import { openDatabase } from '../registered-databases.ts';
import { failureOf, describeOnEachDatabase } from './harness.ts';
import { countsOf, load } from './loading.ts';
import { columnOf, int, name, optional, tableWithId } from './tables.ts';
import type { FileRows, ValueRow } from './loading.ts';

const allFaults = ['check_violation', 'unique_violation', 'not_null_violation'] as const;
type Fault = (typeof allFaults)[number];

interface RandomFile {
  readonly rows: number;
  readonly rowsInChunk: number;
  readonly faults: readonly { readonly at: number; readonly fault: Fault }[];
  readonly onError: 'abort' | 'skip';
}

const randomFile: fc.Arbitrary<RandomFile> = fc
  .record({
    rows: fc.constantFrom(700, 5001, 11_000),
    rowsInChunk: fc.constantFrom(333, 500, 5000),
  })
  .chain((size) =>
    fc.record({
      rows: fc.constant(size.rows),
      rowsInChunk: fc.constant(size.rowsInChunk),
      faults: fc.uniqueArray(
        fc.record({
          at: fc.integer({ min: 2, max: size.rows }),
          fault: fc.constantFrom(...allFaults),
        }),
        { maxLength: 4, selector: ({ at }) => at },
      ),
      onError: fc.constantFrom('abort', 'skip'),
    }),
  );

/** Texts with every character that the formats of bulk loads escape. */
const notes = ['plain', 'tab\tand\\', 'line\nbreak\r', String.raw`\N`, 'é😀', '', null];

function rowAt(i: number, fault: Fault | undefined): ValueRow {
  const row = { id: i, n: i % 100, code: `c${i}`, note: notes[i % notes.length] ?? null };
  if (fault === 'check_violation') return { ...row, n: -1 };
  if (fault === 'unique_violation') return { ...row, code: 'c1' };
  return fault === 'not_null_violation' ? { ...row, code: null } : row;
}

function chunksOf(table: string, rows: readonly ValueRow[], rowsInChunk: number): FileRows[] {
  const chunks: FileRows[] = [];
  for (let from = 0; from < rows.length; from += rowsInChunk)
    chunks.push([table, rows.slice(from, from + rowsInChunk)]);
  return chunks;
}

describeOnEachDatabase('loading batches that were read ahead', (harness) => {
  const table = tableWithId(
    'ahead',
    [columnOf('n', int), columnOf('code', name), optional('note', name)],
    {
      indexes: [{ name: 'ahead_code', unique: true, parts: [{ column: 'code' }] }],
      checks: [{ name: 'ahead_n', expression: 'n <> -1' }],
    },
  );

  test('has the rows and the errors of a load row by row', async () => {
    await fc.assert(
      fc.asyncProperty(randomFile, async (file) => {
        await harness.createTables([table]);
        await checkLoad(file).finally(() => harness.dropTables(['ahead']));
      }),
      { numRuns: 4 },
    );
  });

  async function checkLoad({ rows: count, rowsInChunk, faults, onError }: RandomFile) {
    const faultAt = new Map(faults.map(({ at, fault }) => [at, fault]));
    const rows = Array.from({ length: count }, (_, i) => rowAt(i + 1, faultAt.get(i + 1)));
    const loading = load(harness.database.url, chunksOf('ahead', rows, rowsInChunk), { onError });
    const expectedErrors = [...faultAt]
      .toSorted(([one], [other]) => one - other)
      .map(([at, code]) => ({ code, row: at, line: at + 1 }));
    if (onError === 'abort' && expectedErrors.length > 0) {
      const { errors } = await failureOf(loading);
      expect(errors).toMatchObject(expectedErrors.slice(0, 1));
      expect(await storedCells()).toEqual([]);
      return;
    }
    const result = await loading;
    expect(result.errors).toMatchObject(expectedErrors);
    const skipped = expectedErrors.length;
    expect(countsOf(result, 'ahead')).toEqual([rows.length - skipped, 0, skipped]);
    const written = rows.filter((_, i) => !faultAt.has(i + 1));
    expect(await storedCells()).toEqual(written.map(Object.values));
  }

  async function storedCells(): Promise<readonly (readonly unknown[])[]> {
    const database = await openDatabase({
      url: harness.database.url,
      readOnly: true,
      create: false,
    });
    try {
      const text = 'SELECT id, n, code, note FROM ahead ORDER BY id';
      const { rows } = await database.run({ text, params: [] });
      return rows.map(([id, n, ...rest]) => [Number(id), Number(n), ...rest]);
    } finally {
      await database.close();
    }
  }

  test('begins when an insert waits for the database', async () => {
    await harness.createTables([table]);
    const target = { url: harness.database.url, readOnly: false, create: false };
    const database = await openDatabase(target);
    try {
      const { tables } = await database.introspect();
      const ahead = tables.find((each) => each.name === 'ahead')!;
      const rows = Array.from({ length: 200 }, (_, i) => Object.values(rowAt(i + 1, undefined)));
      const conflict = { kind: 'error' } as const;
      const batch = { table: ahead, columns: ahead.columns, rows, firstRow: 1, conflict };
      const onSent = vi.fn();
      await database.transaction('load', async (session) => {
        await session.insert(batch, { onSent });
        // It may be called only now.
        await new Promise((resolve) => setImmediate(resolve));
      });
      expect(onSent).toHaveBeenCalled();
    } finally {
      await database.close();
      await harness.dropTables(['ahead']);
    }
  });
});
