import { encodingOfStart, minStartBytes } from '../../../src/portable/files/detect-encoding.ts';

/** Larger files are not converted. */
const maxBytes = 64 * 2 ** 20;

/** The text of a JSON file in UTF-8, as the server reads it. */
export async function asUtf8(file: Blob): Promise<Blob> {
  const start = new Uint8Array(await file.slice(0, minStartBytes).arrayBuffer());
  const encoding = encodingOfStart(start) ?? 'utf-8';
  if (encoding === 'utf-8' || file.size > maxBytes) return file;
  return new Blob([new TextDecoder(encoding).decode(await file.arrayBuffer())]);
}
