import type { Cell } from '../../../src/contract/client/client.ts';
import type { PlainColumn } from './value-kind.ts';
import { commonTexts as texts } from '../texts/common.ts';

/** Returns a label for a value without text: required, DEFAULT, NULL or empty. */
export function emptyValueLabel(value: Cell | undefined, column: PlainColumn): string | undefined {
  if (value === undefined) return isRequired(column) ? texts.requiredValue : texts.defaultValue;
  if (value === null) return texts.nullValue;
  return value === '' ? texts.emptyText : undefined;
}

/** Whether a new row needs a value in the column: it has no default, and it does not accept NULL. */
export function isRequired(column: PlainColumn): boolean {
  return (
    column.is_nullable === false &&
    column.default_value === '' &&
    column.is_auto_increment !== true &&
    column.is_generated !== true
  );
}
