import type { JSX } from 'react';
import type { FieldProps } from './field-props.ts';
import { recordTexts as texts } from '../texts/record.ts';
import { commonTexts } from '../texts/common.ts';

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
          aria-label={texts.setFieldDefault({ column: column.name })}
          onClick={() => onPut({ [column.name]: undefined })}
        >
          {commonTexts.defaultValue}
        </button>
      )}
      {column.is_nullable && value !== null && (
        <button
          className="badge line"
          aria-label={texts.setFieldNull({ column: column.name })}
          title={commonTexts.setNull}
          onClick={() => onPut({ [column.name]: null })}
        >
          {commonTexts.nullValue}
        </button>
      )}
    </>
  );
}
