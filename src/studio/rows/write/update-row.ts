import { StudioError } from '../../../model/errors.ts';
import { jsonObject } from '../../../model/values/json-text.ts';
import { findTable } from '../../core/find-table.ts';
import { objectOf } from '../../core/body-members.ts';
import { readAssignments, readBody } from './read-assignments.ts';
import { jsonReply } from '../../core/reply.ts';
import { applyUpdate } from './apply-update.ts';
import { writeToTable } from './write-to-table.ts';
import type { Context } from '../../core/context.ts';
import type { RowInput } from '../read/get-row.ts';
import type { Reply } from '../../core/reply.ts';

export interface UpdateRowInput extends RowInput {
  /** The text of the request body: an object with only the columns to change. */
  readonly body: string;
  readonly ifMatch?: string;
}

/** Updates a row and returns it as stored. */
export async function updateRow(context: Context<'write'>, input: UpdateRowInput): Promise<Reply> {
  const { schema } = await context.schemas.current();
  const table = findTable(schema, input.table);
  const body = readBody(input.body);
  const assignments = readAssignments(table, body, objectOf(body.node, 'The body'));
  if (assignments.size === 0)
    throw new StudioError('invalid_body', 'The body names no column to change.');
  const address = { table, id: input.id, showDeleted: input.showDeleted };
  const row = await writeToTable(context, table, (tableWrite) =>
    applyUpdate(tableWrite, { address, ifMatch: input.ifMatch, assignments }),
  );
  return jsonReply(jsonObject({ message: '"updated"', rows_affected: '1', data: row.json }), {
    etag: row.etag,
  });
}
