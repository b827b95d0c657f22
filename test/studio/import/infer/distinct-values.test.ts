import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { createDistinctValues } from '../../../../src/studio/import/infer/distinct-values.ts';

function areDistinct(values: Iterable<string>): boolean {
  const folder = mkdtempSync(join(tmpdir(), 'studio-distinct-'));
  const distinct = createDistinctValues(folder, 'column');
  try {
    for (const value of values) if (!distinct.add(value)) return false;
    return distinct.areDistinct();
  } finally {
    distinct.close();
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
    fc.property(fc.nat(count - 1), (repeated) => !areDistinct(numbers(count, repeated))),
    { numRuns: 4 },
  );
  expect(areDistinct(numbers(count, count))).toBe(true);
});
