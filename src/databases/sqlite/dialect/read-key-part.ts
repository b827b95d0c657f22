import { isUtf8 } from 'node:buffer';
import { InvalidText } from '../../../model/values.ts';
import { affinityOf } from './affinity.ts';
import { readBoolean, readBytes, readNumber, readParameter } from './read-parameter.ts';
import type { Column } from '../../../model/schema.ts';
import type { Value } from '../../../model/values.ts';

/**
 * A column of any type may store values of every storage class. A text in an id may be a number, a text,
 * or base64url of bytes or of a text that is not UTF-8. A numeric text is only a number if the column's
 * affinity converts it, and only a text if the affinity is TEXT.
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

/** Whether numeric affinity converts the text; white space around the number is ignored. */
function readsAsNumber(text: string): boolean {
  return /^[\t-\r ]*[+-]?(?:\d+(?:\.\d*)?|\.\d+)(?:e[+-]?\d+)?[\t-\r ]*$/i.test(text);
}
