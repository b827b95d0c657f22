import { expect, test, vi } from 'vitest';
import { createEncodedBatches } from '../../src/databases/encoded-batches.ts';
import { columnOf, tableOf } from '../sql/neutral-schema.ts';
import type { InsertBatch } from '../../src/model/load-dialect.ts';
import type { Row } from '../../src/model/values.ts';

const columns = [columnOf('a', { kind: 'text' }), columnOf('b', { kind: 'text' })];
const table = tableOf('encoded', columns);

function batchOf(rows: readonly Row[]): InsertBatch {
  return { table, columns, rows, firstRow: 1, conflict: { kind: 'error' } };
}

test('rows are encoded once, ahead or when they are taken, and are not kept', () => {
  const textOf = vi.fn(({ rows }: InsertBatch) => rows.join());
  const encoded = createEncodedBatches(textOf);
  const [first, second] = [batchOf([['é', 'b']]), batchOf([['c', 'd']])];
  encoded.encodeAhead(first);
  expect([encoded.has(first), encoded.has(second)]).toEqual([true, false]);
  expect(encoded.take({ ...first }).toString()).toBe('é,b');
  expect(textOf).toHaveBeenCalledTimes(1);
  expect(encoded.take(second).toString()).toBe('c,d');
  expect([encoded.has(first), encoded.has(second)]).toEqual([false, false]);
});

test('rows that are inserted into other columns are encoded again', () => {
  const encoded = createEncodedBatches((batch) => batch.columns.map(({ name }) => name).join());
  const batch = batchOf([['a', 'b']]);
  encoded.encodeAhead(batch);
  const others = { ...batch, columns: columns.toReversed() };
  expect(encoded.has(others)).toBe(false);
  expect(encoded.take(others).toString()).toBe('b,a');
});

test('an error is thrown when the rows are taken', () => {
  const encoded = createEncodedBatches(() => {
    throw new RangeError('no text');
  });
  const batch = batchOf([['a', 'b']]);
  encoded.encodeAhead(batch);
  expect(encoded.has(batch)).toBe(false);
  expect(() => encoded.take(batch)).toThrow('no text');
});
