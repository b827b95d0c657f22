import { jsonObject } from '../../../model/values/json-text.ts';
import { findTable } from '../../core/find-table.ts';
import { objectOf } from '../../core/body-members.ts';
import { readAssignments, readBody } from './read-assignments.ts';
import { jsonReply } from '../../core/reply.ts';
import { applyInsert } from './apply-insert.ts';
import { writeToTable } from './write-to-table.ts';
import type { Context } from '../../core/context.ts';
import type { Reply } from '../../core/reply.ts';

export interface CreateRowInput {
  readonly table: string;
  /** The text of the request body: an object of column values. */
  readonly body: string;
}

/** Creates a row and returns it as stored. */
export async function createRow(context: Context<'write'>, input: CreateRowInput): Promise<Reply> {
  const { schema } = await context.schemas.current();
  const table = findTable(schema, input.table);
  const body = readBody(input.body);
  const assignments = readAssignments(table, body, objectOf(body.node, 'The body'));
  const row = await writeToTable(context, table, (tableWrite) =>
    applyInsert(tableWrite, assignments),
  );
  if ('warning' in row) {
    const warning = JSON.stringify(row.warning);
    return jsonReply(jsonObject({ message: '"created"', data: row.json, warning }));
  }
  return jsonReply(jsonObject({ message: '"created"', data: row.json }), {
    etag: row.etag,
    ...(row.id === undefined ? {} : { location: { table: table.name, id: row.id } }),
  });
}
