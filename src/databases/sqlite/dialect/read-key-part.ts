import { isUtf8 } from 'node:buffer';
import { InvalidText } from '../../../model/values.ts';
import { affinityOf } from './affinity.ts';
import { readBoolean, readBytes, readNumber, readParameter } from './read-parameter.ts';
import type { Column } from '../../../model/schema.ts';
import type { Value } from '../../../model/values.ts';

/**
 * A column takes values of every class, whatever its type: an id may show a number, a text, or in
 * base64url bytes or a text that is not UTF-8. Text that reads as a number is none where the column
 * stores it as that number, and no number is a number in a column of text.
 */
export function readKeyPart(text: string, column: Column): readonly Value[] {
  if (column.autoIncrement === true || column.isRowNumber === true)
    return readParameter(text, column);
  const affinity = affinityOf(column.nativeType);
  const { kind } = column.type;
  const number = kind === 'boolean' ? readBoolean(text) : readNumber(text);
  const holdsText = affinity === 'text' || affinity === 'blob' || kind === 'untyped';
  return [
    ...(affinity === 'text' || number === undefined ? [] : [number]),
    ...(holdsText || !readsAsNumber(text) ? [text] : []),
    ...asBytes(readBytes(text)),
  ];
}

function asBytes(bytes: Uint8Array | undefined): readonly Value[] {
  if (bytes === undefined) return [];
  return isUtf8(bytes) ? [bytes] : [bytes, new InvalidText(bytes)];
}

/** As numeric affinity judges: blanks around the number do not count. */
function readsAsNumber(text: string): boolean {
  return /^[\t-\r ]*[+-]?(?:\d+(?:\.\d*)?|\.\d+)(?:e[+-]?\d+)?[\t-\r ]*$/i.test(text);
}
