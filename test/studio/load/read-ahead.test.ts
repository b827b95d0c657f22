import { describe, expect, test, vi } from 'vitest';
import { readAhead } from '../../../src/studio/load/read-ahead.ts';
import { tableOf } from '../../sql/neutral-schema.ts';
import type { RowChunk } from '../../../src/model/load.ts';

const [one, other] = [tableOf('one', []), tableOf('other', [])];

async function* from(chunks: readonly RowChunk[]): AsyncGenerator<RowChunk> {
  yield* chunks;
}

function chunkOf(firstRow: number, rows: number, extras: Partial<RowChunk> = {}): RowChunk {
  const all = Array.from({ length: rows }, (_, i) => [firstRow + i]);
  return { table: one, columns: one.columns, rows: all, firstRow, ...extras };
}

async function all(chunks: readonly RowChunk[]): Promise<readonly RowChunk[]> {
  const ahead = readAhead(from(chunks), 5000);
  const found: RowChunk[] = [];
  for (let chunk = await ahead.next(); chunk !== undefined; chunk = await ahead.next())
    found.push(chunk);
  await ahead.close();
  return found;
}

function nextImmediate(): Promise<void> {
  return new Promise((resolve) => setImmediate(resolve));
}

describe('chunks', () => {
  test('of the same table are combined', async () => {
    const [merged, ...more] = await all([
      chunkOf(1, 2, { lines: [2, 3] }),
      chunkOf(3, 1, { lines: [7] }),
    ]);
    expect(more).toEqual([]);
    expect(merged).toMatchObject({ firstRow: 1, rows: [[1], [2], [3]], lines: [2, 3, 7] });
  });

  test('of other tables, columns and positions are not combined', async () => {
    const chunks = [
      chunkOf(1, 2),
      chunkOf(1, 1, { table: other }),
      chunkOf(3, 1),
      chunkOf(9, 1),
      chunkOf(10, 1, { columns: [] }),
      chunkOf(11, 1, { rowNumbers: [11] }),
    ];
    expect(await all(chunks)).toEqual(chunks);
  });

  test('with row numbers keep them', async () => {
    const [merged] = await all([
      chunkOf(1, 2, { rowNumbers: [1, 4] }),
      chunkOf(9, 1, { rowNumbers: [9] }),
    ]);
    expect(merged?.rowNumbers).toEqual([1, 4, 9]);
  });

  test('that are large enough are not combined', async () => {
    const found = await all([chunkOf(1, 3000), chunkOf(3001, 3000), chunkOf(6001, 10)]);
    expect(found.map(({ rows }) => rows.length)).toEqual([6000, 10]);
    const large = 'x'.repeat(2_000_000);
    const two = await all([chunkOf(1, 1, { rows: [[large]] }), chunkOf(2, 1)]);
    expect(two).toHaveLength(2);
  });
});

test('an error of the source is thrown by the next read, and is not unhandled before', async () => {
  const ahead = readAhead(
    (async function* (): AsyncGenerator<RowChunk> {
      yield chunkOf(1, 5000);
      throw new RangeError('broken');
    })(),
    5000,
  );
  expect(await ahead.hasNext()).toBe(true);
  expect((await ahead.next())?.rows).toHaveLength(5000);
  ahead.readOn();
  await nextImmediate();
  await expect(ahead.next()).rejects.toMatchObject({ cause: new RangeError('broken') });
  await ahead.close();
});

describe('reading on', () => {
  /** Chunks of 500 rows, and how many of them were read. */
  function countedChunks(count: number): {
    readonly chunks: AsyncGenerator<RowChunk>;
    readonly read: () => number;
  } {
    let read = 0;
    const chunks = (async function* (): AsyncGenerator<RowChunk> {
      for (; read < count; read++) yield chunkOf(read * 500 + 1, 500);
    })();
    return { chunks, read: () => read };
  }

  test('begins on request, and reads one chunk, for one caller', async () => {
    const { chunks, read } = countedChunks(30);
    const ahead = readAhead(chunks, 1000);
    await ahead.next();
    const readByThen = read();
    await nextImmediate();
    expect(read()).toBe(readByThen);
    const [onRead, another] = [vi.fn(), vi.fn()];
    ahead.readOn(onRead);
    ahead.readOn(another);
    const next = await ahead.next();
    expect(onRead.mock.calls).toEqual([[next]]);
    expect(another).not.toHaveBeenCalled();
    expect(next?.firstRow).toBe(1001);
    await ahead.close();
  });

  test('lets responses of the database be handled in between', async () => {
    const { chunks, read } = countedChunks(30);
    const ahead = readAhead(chunks, 10_000);
    ahead.readOn();
    await nextImmediate();
    expect(read()).toBeLessThan(5);
    expect((await ahead.next())?.rows).toHaveLength(10_000);
    await ahead.close();
  });

  test('does nothing once closed', async () => {
    const { chunks, read } = countedChunks(30);
    const ahead = readAhead(chunks, 500);
    await ahead.next();
    await ahead.close();
    const readByThen = read();
    ahead.readOn();
    await nextImmediate();
    expect(read()).toBe(readByThen);
  });
});
