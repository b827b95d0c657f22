import { findTable } from '../../core/find-table.ts';
import { listPage } from './list-page.ts';
import { readUse } from '../../core/connection-use.ts';
import type { Context, Invocation } from '../../core/context.ts';
import type { ListQuery } from './page-plan.ts';
import type { Reply } from '../../core/reply.ts';

export interface ListRowsInput {
  readonly table: string;
  readonly query: ListQuery;
}

/** A page of the rows of a table or view. */
export function listRows(
  context: Context,
  input: ListRowsInput,
  invocation: Invocation,
): Promise<Reply> {
  return context.database.read(async (session) => {
    const { schema } = await context.schemas.current();
    const table = findTable(schema, input.table);
    const source = { table, where: [] };
    return listPage({ context, invocation, session }, { source, query: input.query });
  }, readUse(input.table));
}
