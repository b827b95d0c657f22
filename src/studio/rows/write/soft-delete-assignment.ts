import { param, sql } from '../../../model/fragment.ts';
import type { Fragment } from '../../../model/fragment.ts';
import type { Table } from '../../../model/schema.ts';
import type { Context } from '../../core/context.ts';

/** The assignment that marks a row as deleted. Undefined for tables without soft deletes. */
export function softDeleteAssignment(
  { database: { dialect } }: Context<'write'>,
  table: Table,
): Fragment | undefined {
  const { softDelete } = table;
  const column = table.columns.find((candidate) => candidate.name === softDelete?.column);
  if (softDelete === undefined || column === undefined) return undefined;
  return sql`${dialect.quoteName(column.name)} = ${softDeleteValue(softDelete.mode) ?? dialect.write.currentTime(column)}`;
}

function softDeleteValue(mode: NonNullable<Table['softDelete']>['mode']): Fragment | undefined {
  const nowMs = BigInt(Date.now());
  if (mode === 'unix_seconds') return param(nowMs / 1000n);
  if (mode === 'unix_milliseconds') return param(nowMs);
  if (mode === 'unix_nanoseconds') return param(nowMs * 1_000_000n);
  return mode === 'flag' ? param(1n) : undefined;
}
