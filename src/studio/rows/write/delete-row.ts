import { jsonObject } from '../../../model/values/json-text.ts';
import { findTable } from '../../core/find-table.ts';
import { jsonReply } from '../../core/reply.ts';
import { applyDelete } from './apply-delete.ts';
import { writeToTable } from './write-to-table.ts';
import type { Context } from '../../core/context.ts';
import type { RowInput } from '../read/get-row.ts';
import type { Reply } from '../../core/reply.ts';

export interface DeleteRowInput extends RowInput {
  readonly ifMatch?: string;
  readonly permanent: boolean;
}

/** Deletes a row, or marks it as deleted if the table has soft deletes. */
export async function deleteRow(context: Context<'write'>, input: DeleteRowInput): Promise<Reply> {
  const { schema } = await context.schemas.current();
  const table = findTable(schema, input.table);
  const address = { table, id: input.id, showDeleted: input.showDeleted || input.permanent };
  await writeToTable(context, table, (tableWrite) =>
    applyDelete(tableWrite, { address, ifMatch: input.ifMatch, permanent: input.permanent }),
  );
  return jsonReply(jsonObject({ message: '"deleted"', rows_affected: '1' }));
}
