import { StudioError } from '../../../model/errors.ts';
import type { Column } from '../../../model/schema.ts';

export function valueError({ name, nativeType }: Column, reason: string): StudioError {
  return new StudioError('invalid_value', `Column "${name}" (${nativeType}): ${reason}`, {
    column: name,
  });
}
