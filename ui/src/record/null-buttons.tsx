import type { JSX } from 'react';
import type { Cell } from '../../../src/contract/client.ts';
import type { FieldProps } from './field-props.ts';

/** Returns a label for a value without text: DEFAULT, NULL or empty. */
export function emptyWord(value: Cell | undefined): string | undefined {
  if (value === undefined) return 'DEFAULT';
  if (value === null) return 'NULL';
  return value === '' ? 'empty' : undefined;
}

/** Buttons that set a field to NULL or, in a new row, to its default. */
export function NullButtons({
  column,
  shown,
  value,
  offReason,
  onPut,
}: FieldProps): JSX.Element | null {
  if (offReason !== undefined) return null;
  return (
    <>
      {shown.kind === 'new' && value !== undefined && (
        <button
          className="badge line"
          aria-label={`Set ${column.name} to its default`}
          onClick={() => onPut({ [column.name]: undefined })}
        >
          DEFAULT
        </button>
      )}
      {column.is_nullable && value !== null && (
        <button
          className="badge line"
          aria-label={`Set ${column.name} to NULL`}
          title="Set to NULL"
          onClick={() => onPut({ [column.name]: null })}
        >
          NULL
        </button>
      )}
    </>
  );
}
