/** Explains why a database rejects a time with a time zone that other databases hold. */
import type { Dialect } from '../../model/database.ts';
import type { Column } from '../../model/schema.ts';
import type { Value } from '../../model/values.ts';
import type { LoadCapability } from '../core/capabilities.ts';

/** A sentence if the year of the value is outside of the range of the column's type, such as TIMESTAMP of MariaDB. */
export function zonedYearNote(
  { ddl }: Dialect<LoadCapability>,
  { type, nativeType }: Column,
  value: Value,
): string | undefined {
  const lastYear = ddl?.columnSupport.lastZonedYear;
  if (lastYear === undefined || type.kind !== 'timestamp' || type.zone !== true) return undefined;
  const year = typeof value === 'string' ? /^\d{4}(?=-)/.exec(value)?.[0] : undefined;
  if (year === undefined || (Number(year) > 1970 && Number(year) < lastYear)) return undefined;
  return `${nativeType} holds only times from 1970 to ${lastYear}; a type without a time zone holds others.`;
}
