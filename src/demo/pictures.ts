import { readFileSync } from 'node:fs';

/** The build does not copy the pictures: the path is the same from `src` and from `dist`. */
const folder = new URL('../../src/demo/pictures/', import.meta.url);

/** Reads one of the PNG files of the demo. */
export function readPicture(name: string): Uint8Array {
  return new Uint8Array(readFileSync(new URL(`${name}.png`, folder)));
}
