/** Finds bytes that are not UTF-8, which decoding replaces. */
import { isUtf8 } from 'node:buffer';
import { StudioError } from '../../model/errors.ts';
import type { RecordScan, RecordText } from '../../portable/csv/scan-record.ts';

/** What decoding puts in place of bytes that are not UTF-8. */
const replacement = '\uFFFD';

/** Fails with `invalid_value` if the field, whose decoded value is given, contains such bytes. */
export function mustBeUtf8(
  value: string,
  { scan, text, i }: { readonly scan: RecordScan; readonly text: RecordText; readonly i: number },
): string {
  if (!value.includes(replacement)) return value;
  const field = Buffer.from(text.characters.slice(scan.starts[i], scan.ends[i]), 'latin1');
  if (isUtf8(field)) return value;
  const byte = field[invalidOffset(field)] ?? 0;
  throw new StudioError(
    'invalid_value',
    `The text contains the byte 0x${byte.toString(16).toUpperCase()}, which is not valid UTF-8, as the rest of the file is. Correct it, or set the parameter "encoding" if all of the file has another one.`,
  );
}

/** The offset of the first byte that is not UTF-8. A file may also contain the replacement itself. */
function invalidOffset(field: Buffer): number {
  const decoded = field.toString('utf8');
  let offset = 0;
  for (const character of decoded) {
    const size = Buffer.byteLength(character);
    if (character === replacement && !isUtf8(field.subarray(offset, offset + size))) break;
    offset += size;
  }
  return offset;
}
