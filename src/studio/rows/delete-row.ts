import { jsonObject } from '../../model/json-text.ts';
import { findTable } from '../core/find-table.ts';
import { jsonReply } from '../core/reply.ts';
import { deleteRow, writeTo } from './writing.ts';
import type { Context } from '../core/context.ts';
import type { RowInput } from './get-row.ts';
import type { Reply } from '../core/reply.ts';

export interface DeleteRowInput extends RowInput {
  readonly ifMatch?: string;
  readonly permanent: boolean;
}

/** Removes one row, or marks it as deleted where the table does that. */
export async function removeRow(context: Context, input: DeleteRowInput): Promise<Reply> {
  const { schema } = await context.schemas.current();
  const table = findTable(schema, input.table);
  const address = { table, id: input.id, showDeleted: input.showDeleted || input.permanent };
  await writeTo(context, table, (writing) =>
    deleteRow(writing, { address, ifMatch: input.ifMatch, permanent: input.permanent }),
  );
  return jsonReply(jsonObject({ message: '"deleted"', rows_affected: '1' }));
}
