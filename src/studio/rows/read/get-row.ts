import { addressTokens } from '../../core/address-token.ts';
import { readUse } from '../../core/connection-use.ts';
import { findRow } from './find-row.ts';
import { findTable } from '../../core/find-table.ts';
import { mustOnlyRead } from '../../core/check-reads.ts';
import { jsonReply } from '../../core/reply.ts';
import { rowEtag } from './row-etag.ts';
import { selectAll } from './selection.ts';
import type { Context } from '../../core/context.ts';
import type { Reply } from '../../core/reply.ts';

export interface RowInput {
  readonly table: string;
  /** The raw path segment. */
  readonly id: string;
  readonly showDeleted: boolean;
}

/** One row, with its entity tag. */
export function getRow(context: Context, input: RowInput): Promise<Reply> {
  return context.database.read(async (session) => {
    const { schema } = await context.schemas.current();
    const table = findTable(schema, input.table);
    await mustOnlyRead(context, [table]);
    const selection = selectAll(context.database.dialect, table);
    const row = await findRow(context, session, { address: { ...input, table }, selection });
    const json = selection.encode(row);
    return jsonReply(json, { etag: rowEtag(table, { row, json }), shown: addressTokens([table]) });
  }, readUse(input.table));
}
