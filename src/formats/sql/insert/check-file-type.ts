/** Rejects numbers that their type in the file would round, where the column stores any number (SQLite). */
import { valueError } from './value-error.ts';
import type { Column } from '../../../model/schema.ts';

/** Returns the text of a number unchanged. Throws `invalid_value` for one that the database of the file changes. */
export function fileTypeCheck(column: Column): ((text: string) => string) | undefined {
  const { fileType: type, dynamic } = column;
  if (dynamic !== true) return undefined;
  if (type?.kind === 'integer')
    return (text) => {
      if (/^\s*[+-]?\d+(?:\.0*)?\s*$/.test(text)) return text;
      throw valueError(column, `${JSON.stringify(text)} is not an integer.`);
    };
  if (type?.kind !== 'decimal' || type.scale === undefined) return undefined;
  const { scale } = type;
  return (text) => {
    const [, decimals = ''] = /^\s*[+-]?\d*(?:\.(\d*?)0*)?\s*$/.exec(text) ?? [];
    if (decimals.length <= scale) return text;
    throw valueError(column, `${JSON.stringify(text)} has more than ${scale} decimals.`);
  };
}
