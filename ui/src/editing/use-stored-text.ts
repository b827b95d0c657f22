import { useQuery } from '@tanstack/react-query';
import type { Cell } from '../../../src/contract/client.ts';
import { cellTextQuery, recordQuery } from '../api/queries.ts';
import type { Column } from '../api/queries.ts';
import { cutOf } from '../cells/value-kind.ts';
import { sourceOf } from './json-source.ts';
import { editedText, shownText } from './typed-text.ts';

interface StoredValue {
  readonly table: string;
  /** Undefined for a row that is not stored yet. */
  readonly id: string | undefined;
  readonly column: Column;
  readonly value: Cell | undefined;
  readonly isNeeded?: boolean;
}

interface StoredText {
  /** Undefined while it is being read. */
  readonly text: string | undefined;
  /** JSON without line feeds is stored so again. */
  readonly isOneLine: boolean;
  readonly error: Error | null;
}

/** A value as text to be edited: what the list cut, and JSON, are read whole and as they are stored. */
export function useStoredText(stored: StoredValue): StoredText {
  const { table, id = '', column, value, isNeeded = true } = stored;
  const mustRead = isNeeded && stored.id !== undefined && isPartial(column, value);
  const isList = column.kind === 'array';
  const cell = useQuery({
    ...cellTextQuery(table, id, column.name),
    enabled: mustRead && !isList,
  });
  const record = useQuery({ ...recordQuery(table, id), enabled: mustRead && isList });
  if (!mustRead)
    return { text: editedText(value, column), isOneLine: isOneLine(value), error: null };
  if (isList) {
    const whole = record.data?.body[column.name];
    return {
      text: record.data === undefined ? undefined : editedText(whole, column),
      isOneLine: true,
      error: record.error,
    };
  }
  const text = cell.data === undefined ? undefined : shownText(cell.data, column);
  return { text, isOneLine: cell.data?.includes('\n') !== true, error: cell.error };
}

/** Of a value that was typed here. */
function isOneLine(value: Cell | undefined): boolean {
  return value === undefined || sourceOf(value)?.includes('\n') !== true;
}

/** Whether the value at hand is less than what is stored. */
function isPartial({ kind }: Column, value: Cell | undefined): boolean {
  if (value === undefined || value === null) return false;
  return cutOf(value) !== undefined || (kind === 'json' && sourceOf(value) === undefined);
}
