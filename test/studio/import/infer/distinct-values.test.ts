import { mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { createValueStore } from '../../../../src/studio/import/infer/distinct-values.ts';

/** For each column, whether its values are distinct. Adds one value of each column in turn. */
function areDistinct(...columns: readonly Iterable<string>[]): readonly boolean[] {
  const folder = mkdtempSync(join(tmpdir(), 'studio-distinct-'));
  const store = createValueStore(folder);
  const open = columns.map((values) => ({
    values: values[Symbol.iterator](),
    distinct: store.open(),
    isRepeated: false,
  }));
  try {
    for (let remainingColumns = open; remainingColumns.length > 0;) {
      remainingColumns = remainingColumns.filter((column) => {
        const next = column.values.next();
        if (next.done === true) return false;
        if (column.distinct.add(next.value)) return true;
        column.isRepeated = true;
        column.distinct.drop();
        return false;
      });
    }
    return open.map(({ distinct, isRepeated }) => !isRepeated && distinct.areDistinct());
  } finally {
    store.close();
    expect(readdirSync(folder)).toEqual([]);
    rmSync(folder, { recursive: true });
  }
}

function* numbers(count: number, last: number): Generator<string> {
  for (let i = 0; i < count; i++) yield `${(i * 7919) % count}`;
  yield `${last}`;
}

test('finds one repeated value among many on disk, wherever it is', () => {
  const count = 180_001;
  fc.assert(
    fc.property(fc.nat(count - 1), (repeated) => {
      expect(areDistinct(numbers(count, repeated))).toEqual([false]);
    }),
    { numRuns: 4 },
  );
  expect(areDistinct(numbers(count, count))).toEqual([true]);
});

test('distinguishes columns that share memory and file', () => {
  const counts = fc.array(
    // A multiple of the prime would repeat values.
    fc.integer({ min: 1, max: 90_000 }).filter((count) => count % 7919 !== 0),
    { minLength: 2, maxLength: 4 },
  );
  fc.assert(
    fc.property(counts, fc.infiniteStream(fc.boolean()), (sizes, choices) => {
      const expected = sizes.map(() => choices.next().value === true);
      const columns = sizes.map((count, i) => numbers(count, expected[i] ? count : count - 1));
      expect(areDistinct(...columns)).toEqual(expected);
    }),
    { numRuns: 6 },
  );
});
