/** Writes by `If-Match` in tables whose storage engine has no row locks: FOR UPDATE does nothing there. */
import { param, sql } from '../../../model/fragment.ts';
import { quoteName } from './ddl.ts';
import { isSpatial } from './types.ts';
import { isVector } from './vector.ts';
import type { Column, Table } from '../../../model/schema.ts';
import type { RowState } from '../../../model/write-dialect.ts';

const enginesWithRowLocks: ReadonlySet<string> = new Set([
  'innodb',
  'rocksdb',
  'tokudb',
  'ndbcluster',
]);

/**
 * The key stands twice in the condition, joined by OR: after `key = ?` alone the optimizer may compute
 * the digest from the parameter instead of the stored value.
 */
export function rowState({ columns, options }: Table): RowState | undefined {
  if (enginesWithRowLocks.has(options?.['ENGINE']?.toLowerCase() ?? '')) return undefined;
  const expression = `CONCAT_WS(',', ${columns.map(digestOf).join(', ')})`;
  return {
    expression,
    narrow: (where, state) => sql`((${where}) OR (${where})) AND ${expression} = ${param(state)}`,
  };
}

/** SHA2 converts numbers to text, and a FLOAT to a text of 6 digits only. */
function digestOf({ name, type }: Column): string {
  const quoted = quoteName(name);
  let value = quoted;
  if (type.kind === 'float') value = `CAST(${quoted} AS DOUBLE)`;
  else if (isSpatial(type) || isVector(type)) value = `HEX(${quoted})`;
  return `COALESCE(SHA2(${value}, 256), '-')`;
}
