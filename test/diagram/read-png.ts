import { crc32, inflateSync } from 'node:zlib';

export interface Pixels {
  readonly width: number;
  readonly height: number;
  /** The color of a pixel, as #rrggbb. */
  at(x: number, y: number): string;
  /** The colors of every tenth pixel. */
  sampleColors(): ReadonlySet<string>;
}

/** Reads a PNG of unfiltered rows, with a palette or of 8-bit RGB, and makes sure that its chunks are whole. */
export function readPng(bytes: Buffer): Pixels {
  const chunks = chunksOf(bytes);
  const of = (type: string): Buffer =>
    Buffer.concat(chunks.filter((chunk) => chunk.type === type).map(({ data }) => data));
  const [header, palette, rows] = [of('IHDR'), of('PLTE'), inflateSync(of('IDAT'))];
  const [width, height] = [header.readUInt32BE(0), header.readUInt32BE(4)];
  const isIndexed = header[9] === 3;
  const stride = (isIndexed ? 1 : 3) * width + 1;
  if (rows.length !== stride * height) throw new Error(`${rows.length} bytes of pixels`);
  if (chunks.at(-1)?.type !== 'IEND') throw new Error('The end is missing.');
  const at = (x: number, y: number): string => {
    const i = y * stride + 1 + (isIndexed ? x : 3 * x);
    const color = isIndexed ? (rows[i] ?? 0) * 3 : i;
    if (isIndexed && color >= palette.length) throw new Error('A color is not in the palette.');
    return `#${(isIndexed ? palette : rows).toString('hex', color, color + 3)}`;
  };
  const sampleColors = (): ReadonlySet<string> => {
    const count = Math.floor((width * height) / 10);
    const indexes = Array.from({ length: count }, (_, i) => 10 * i);
    return new Set(indexes.map((index) => at(index % width, Math.floor(index / width))));
  };
  return { width, height, at, sampleColors };
}

interface Chunk {
  readonly type: string;
  readonly data: Buffer;
}

function chunksOf(bytes: Buffer): readonly Chunk[] {
  const chunks: Chunk[] = [];
  for (let i = 8; i < bytes.length;) {
    const length = bytes.readUInt32BE(i);
    const body = bytes.subarray(i + 4, i + 8 + length);
    if (bytes.readUInt32BE(i + 8 + length) !== crc32(body)) throw new Error('A chunk is broken.');
    chunks.push({ type: body.toString('latin1', 0, 4), data: body.subarray(4) });
    i += 12 + length;
  }
  return chunks;
}
