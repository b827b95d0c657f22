import { expect, test } from 'vitest';
import { bufferChunks } from '../../src/formats/buffer-chunks.ts';
import type { FileChunks } from '../../src/formats/row-export.ts';

/** `bufferChunks` joins the small parts that a writer yields, so that a response has few chunks. */
async function* partsOf(parts: readonly (string | Uint8Array)[]): FileChunks {
  yield* parts;
}

async function chunksOf(parts: readonly (string | Uint8Array)[]): Promise<readonly Buffer[]> {
  const chunks: Buffer[] = [];
  for await (const chunk of bufferChunks(partsOf(parts))) chunks.push(chunk);
  return chunks;
}

test('small parts are joined to chunks of at least 64 KB', async () => {
  const parts = Array.from({ length: 20_000 }, (_, i) =>
    i % 2 === 0 ? 'päivää\n' : Buffer.from('x'),
  );
  const chunks = await chunksOf(parts);
  const allBytes = Buffer.concat(parts.map((part) => Buffer.from(part)));
  expect(Buffer.concat(chunks).equals(allBytes)).toBe(true);
  expect(chunks.slice(1, -1).every((chunk) => chunk.length >= 64 * 1024)).toBe(true);
});

test('the first chunk is sent early', async () => {
  const [first] = await chunksOf(['x'.repeat(2000), 'y'.repeat(100_000)]);
  expect(first?.length).toBe(2000);
});

test('without parts there are no chunks', async () => {
  expect(await chunksOf([])).toEqual([]);
});

test('half a surrogate pair is rejected', async () => {
  await expect(chunksOf(['a\ud800b'])).rejects.toMatchObject({ code: 'invalid_value' });
});
