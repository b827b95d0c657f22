import { useQuery } from '@tanstack/react-query';
import type { Cell } from '../../../../src/contract/client/client.ts';
import { cellTextQuery, recordQuery } from '../../api/queries.ts';
import type { Column } from '../../api/queries.ts';
import { truncatedValueOf } from '../../cells/value-kind.ts';
import { sourceOf } from '../json-source.ts';
import { editedText, shownText } from './typed-text.ts';

interface StoredValue {
  readonly table: string;
  /** The id of the row. Undefined for a new row. */
  readonly id: string | undefined;
  readonly column: Column;
  readonly value: Cell | undefined;
  readonly isNeeded?: boolean;
}

interface StoredText {
  /** Undefined while it is being read. */
  readonly text: string | undefined;
  /** JSON that was stored on one line is saved on one line. */
  readonly isOneLine: boolean;
  readonly error: Error | null;
}

/** Returns the text of a value for an editor. Cut values and JSON are read in full, as they are stored. */
export function useStoredText(storedValue: StoredValue): StoredText {
  const { table, id = '', column, value, isNeeded = true } = storedValue;
  const mustRead = isNeeded && storedValue.id !== undefined && isPartial(column, value);
  const isList = column.kind === 'array';
  const cell = useQuery({
    ...cellTextQuery(table, id, column.name),
    enabled: mustRead && !isList,
  });
  const record = useQuery({ ...recordQuery(table, id), enabled: mustRead && isList });
  if (!mustRead)
    return { text: editedText(value, column), isOneLine: isOneLine(value), error: null };
  if (isList) {
    const fullValue = record.data?.body[column.name];
    return {
      text: record.data === undefined ? undefined : editedText(fullValue, column),
      isOneLine: true,
      error: record.error,
    };
  }
  const text = cell.data === undefined ? undefined : shownText(cell.data, column);
  return { text, isOneLine: cell.data?.includes('\n') !== true, error: cell.error };
}

/** Whether a value was typed on one line, or was not typed. */
function isOneLine(value: Cell | undefined): boolean {
  return value === undefined || sourceOf(value)?.includes('\n') !== true;
}

/** Whether the list has less than the stored value. */
function isPartial({ kind }: Column, value: Cell | undefined): boolean {
  if (value === undefined || value === null) return false;
  return (
    truncatedValueOf(value) !== undefined || (kind === 'json' && sourceOf(value) === undefined)
  );
}
