import { StudioError } from '../model/errors.ts';
import type { Row } from '../model/values.ts';
import type { TableRows } from './row-export.ts';

const chunkLength = 64 * 1024;

/** Renders rows as text, in chunks of about 64 KB. Errors name the table and the row. */
export async function* renderRows(
  { table, batches }: TableRows,
  write: (row: Row) => string,
  firstRow = 1,
): AsyncGenerator<string, void, undefined> {
  let text = '';
  let number = firstRow - 1;
  try {
    for await (const batch of batches) {
      // The first batch is sent at once, so that clients see it early.
      const isFirst = number === firstRow - 1;
      for (const row of batch) {
        number++;
        text += write(row);
        if (text.length < chunkLength) continue;
        yield text;
        text = '';
      }
      if (!isFirst || text === '') continue;
      yield text;
      text = '';
    }
  } catch (error) {
    throw withRowPosition(error, `Table "${table.name}", row ${number}`, {
      table: table.name,
      row: number,
    });
  }
  if (text !== '') yield text;
}

/** Adds table and row to an error of a value that the format cannot represent, or that exceeds V8's longest string. */
export function withRowPosition(
  error: unknown,
  position: string,
  details: { readonly table: string; readonly row: number },
): unknown {
  if (error instanceof StudioError && error.code === 'invalid_value')
    return new StudioError(error.code, `${position}: ${error.message}`, {
      ...error.details,
      ...details,
    });
  if (error instanceof RangeError && error.message === 'Invalid string length')
    return new StudioError(
      'too_large',
      `${position}: the row is too long to be exported as text.`,
      details,
    );
  return error;
}
