import { storageOf } from './stored-value.ts';
import type { Column } from '../schema.ts';

/** The number of digits that always fit into an integer column and that a double holds exactly. */
export function alwaysFittingDigits({ type, dynamic }: Column): number {
  // MySQL stores years of one or two digits as another year.
  if (storageOf(type).shortYears === true) return 0;
  if (dynamic === true || type.kind !== 'integer' || type.bits === 64) return 15;
  return { 8: 2, 16: 4, 24: 6, 32: 9 }[type.bits];
}

/** Whether the text consists of at most `longest` digits. */
export function isShortDigits(text: string, longest: number): boolean {
  const { length } = text;
  if (length === 0 || length > longest) return false;
  for (let i = 0; i < length; i++) {
    const code = text.charCodeAt(i);
    if (code < 0x30 || code > 0x39) return false;
  }
  return true;
}
