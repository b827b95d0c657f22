import { findTable } from '../core/find-table.ts';
import { listPage } from './list-page.ts';
import { readsOf } from '../core/connection-use.ts';
import type { Context, Turn } from '../core/context.ts';
import type { ListQuery } from './page-plan.ts';
import type { Reply } from '../core/reply.ts';

export interface ListRowsInput {
  readonly table: string;
  readonly query: ListQuery;
}

/** A page of a table's or view's rows. */
export function listRows(context: Context, input: ListRowsInput, turn: Turn): Promise<Reply> {
  return context.database.read(async (session) => {
    const { schema } = await context.schemas.current();
    const table = findTable(schema, input.table);
    const source = { table, where: [] };
    return listPage({ context, turn, session }, { source, query: input.query });
  }, readsOf(input.table));
}
