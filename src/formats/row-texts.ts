import { StudioError } from '../model/errors.ts';
import type { Row } from '../model/values.ts';
import type { TableRows } from './writing.ts';

const pieceLength = 64 * 1024;

/** The texts of a table's rows, gathered into long ones; what is wrong with a row is told with its place. */
export async function* rowTexts(
  { table, batches }: TableRows,
  write: (row: Row) => string,
  firstRow = 1,
): AsyncGenerator<string, void, undefined> {
  let text = '';
  let number = firstRow - 1;
  try {
    for await (const batch of batches) {
      // Whoever waits for the first bytes need not wait for more.
      const isFirst = number === firstRow - 1;
      for (const row of batch) {
        number++;
        text += write(row);
        if (text.length < pieceLength) continue;
        yield text;
        text = '';
      }
      if (!isFirst || text === '') continue;
      yield text;
      text = '';
    }
  } catch (error) {
    throw placed(error, `Table "${table.name}", row ${number}`, { table: table.name, row: number });
  }
  if (text !== '') yield text;
}

/** A value that the format cannot say, or so long that no text can hold it. */
function placed(
  error: unknown,
  place: string,
  details: { readonly table: string; readonly row: number },
): unknown {
  if (error instanceof StudioError && error.code === 'invalid_value')
    return new StudioError(error.code, `${place}: ${error.message}`, {
      ...error.details,
      ...details,
    });
  if (error instanceof RangeError && error.message === 'Invalid string length')
    return new StudioError(
      'too_large',
      `${place}: the row is too long to be written as text.`,
      details,
    );
  return error;
}
