import { expect, test } from 'vitest';
import { inPieces } from '../../src/formats/in-pieces.ts';
import type { FileParts } from '../../src/formats/writing.ts';

async function* partsOf(parts: readonly (string | Uint8Array)[]): FileParts {
  yield* parts;
}

async function piecesOf(parts: readonly (string | Uint8Array)[]): Promise<readonly Buffer[]> {
  const pieces: Buffer[] = [];
  for await (const piece of inPieces(partsOf(parts))) pieces.push(piece);
  return pieces;
}

test('small parts leave together', async () => {
  const parts = Array.from({ length: 20_000 }, (_, i) =>
    i % 2 === 0 ? 'päivää\n' : Buffer.from('x'),
  );
  const pieces = await piecesOf(parts);
  const whole = Buffer.concat(parts.map((part) => Buffer.from(part)));
  expect(Buffer.concat(pieces).equals(whole)).toBe(true);
  expect(pieces.slice(1, -1).every((piece) => piece.length >= 64 * 1024)).toBe(true);
});

test('the first leaves before there are many', async () => {
  const [first] = await piecesOf(['x'.repeat(2000), 'y'.repeat(100_000)]);
  expect(first?.length).toBe(2000);
});

test('nothing is nothing', async () => {
  expect(await piecesOf([])).toEqual([]);
});

test('half a surrogate pair is refused, not changed', async () => {
  await expect(piecesOf(['a\ud800b'])).rejects.toMatchObject({ code: 'invalid_value' });
});
