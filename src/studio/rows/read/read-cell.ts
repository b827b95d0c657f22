import { readUse } from '../../core/connection-use.ts';
import { findRow } from './find-row.ts';
import { findTable } from '../../core/find-table.ts';
import { mustOnlyRead } from '../../core/check-reads.ts';
import { columnOf } from './page-plan.ts';
import { selectColumns } from './selection.ts';
import type { ColumnInfo } from '../../../model/schema.ts';
import type { Value } from '../../../model/values.ts';
import type { Context } from '../../core/context.ts';
import type { RowInput } from './get-row.ts';
import type { Reply } from '../../core/reply.ts';

export interface CellInput extends RowInput {
  readonly column: string;
}

/** One value in full: binary data as its bytes, text as text, other values as in JSON rows. NULL has no content. */
export function readCell(context: Context, input: CellInput): Promise<Reply> {
  const { dialect } = context.database;
  return context.database.read(async (session) => {
    const { schema } = await context.schemas.current();
    const table = findTable(schema, input.table);
    const column = columnOf(table, input.column);
    await mustOnlyRead(context, [table]);
    const selection = selectColumns(dialect, [column]);
    const [value = null] = await findRow(context, session, {
      address: { ...input, table },
      selection,
    });
    return cellReply(column, value);
  }, readUse(input.table));
}

function cellReply(column: ColumnInfo, value: Value): Reply {
  const meta = { fileName: column.name };
  if (value === null)
    return { body: '', meta: { ...meta, isNull: true, contentType: 'application/octet-stream' } };
  if (typeof value === 'object')
    return { body: value, meta: { ...meta, contentType: 'application/octet-stream' } };
  const contentType =
    column.type.kind === 'json' ? 'application/json' : 'text/plain; charset=utf-8';
  return { body: String(value), meta: { ...meta, contentType } };
}
