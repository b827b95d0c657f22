import type { JSX } from 'react';
import type { FieldProps } from './field-props.ts';

/** Buttons that set a field to NULL or, in a new row, to its default. */
export function NullButtons({
  column,
  shown,
  value,
  disabledReason,
  onPut,
}: FieldProps): JSX.Element | null {
  if (disabledReason !== undefined) return null;
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
