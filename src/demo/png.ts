import { constants, crc32, deflateSync } from 'node:zlib';

export type Color = readonly [red: number, green: number, blue: number];

export interface Picture {
  readonly width: number;
  readonly height: number;
  /** Indexes into `palette`, row by row. */
  readonly pixels: Uint8Array;
  /** At most 256. */
  readonly palette: readonly Color[];
}

const signature = [0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a];

/** Encodes a PNG with a palette and 8 bits per pixel. */
export function encodePng(picture: Picture): Uint8Array {
  return concatenate([
    Uint8Array.from(signature),
    chunk('IHDR', header(picture)),
    chunk('PLTE', Uint8Array.from(picture.palette.flat())),
    chunk('IDAT', compress(filterRows(picture))),
    chunk('IEND', new Uint8Array()),
  ]);
}

function header({ width, height }: Picture): Uint8Array {
  const bytes = new Uint8Array(13);
  const view = new DataView(bytes.buffer);
  view.setUint32(0, width);
  view.setUint32(4, height);
  bytes.set([8, 3, 0, 0, 0], 8);
  return bytes;
}

const upFilter = 2;

/** PNG filter type Up: flat pictures become runs of zeros. */
function filterRows({ width, height, pixels }: Picture): Uint8Array {
  const filtered = new Uint8Array((width + 1) * height);
  for (let y = 0; y < height; y++) {
    filtered[y * (width + 1)] = upFilter;
    for (let x = 0; x < width; x++) {
      const above = y === 0 ? 0 : (pixels[(y - 1) * width + x] ?? 0);
      filtered[y * (width + 1) + x + 1] = (pixels[y * width + x] ?? 0) - above;
    }
  }
  return filtered;
}

/** Z_RLE gives the same bytes on every processor, unlike the match search of the default strategy. */
function compress(bytes: Uint8Array): Uint8Array {
  return deflateSync(bytes, { level: 9, strategy: constants.Z_RLE });
}

function chunk(type: string, data: Uint8Array): Uint8Array {
  const body = concatenate([new TextEncoder().encode(type), data]);
  return concatenate([bigEndian(data.length), body, bigEndian(crc32(body))]);
}

function bigEndian(value: number): Uint8Array {
  const bytes = new Uint8Array(4);
  new DataView(bytes.buffer).setUint32(0, value);
  return bytes;
}

function concatenate(parts: readonly Uint8Array[]): Uint8Array {
  return new Uint8Array(Buffer.concat(parts));
}
