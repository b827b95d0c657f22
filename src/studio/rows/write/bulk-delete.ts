import { StudioError } from '../../../model/errors.ts';
import { jsonArray, jsonObject } from '../../../model/values/json-text.ts';
import { encodeSegment } from '../../../model/row-id.ts';
import { addressColumns } from '../read/find-row.ts';
import { findTable } from '../../core/find-table.ts';
import { acceptedMembers } from '../../core/body-members.ts';
import { readBody } from './read-assignments.ts';
import { jsonReply } from '../../core/reply.ts';
import { canRollBack, mustBeUndoable, withWrittenCount } from './undoable-changes.ts';
import { mustBeWritable } from '../../core/must-be-writable.ts';
import { applyDelete } from './apply-delete.ts';
import { writeToTable } from './write-to-table.ts';
import type { JsonNode } from '../../../model/values/exact-json.ts';
import type { Table } from '../../../model/schema.ts';
import type { Context } from '../../core/context.ts';
import type { Reply } from '../../core/reply.ts';
import type { TableWrite } from './write-to-table.ts';

export interface BulkDeleteInput {
  readonly table: string;
  /** The text of the request body: `{"ids": [...]}`. */
  readonly body: string;
  readonly permanent: boolean;
  readonly showDeleted: boolean;
  readonly partial: boolean;
}

/** Deletes several rows in one transaction. The response lists the ids that no row has. */
export async function bulkDelete(
  context: Context<'write'>,
  input: BulkDeleteInput,
): Promise<Reply> {
  const { schema } = await context.schemas.current();
  const table = findTable(schema, input.table);
  const ids = readIds(input.body);
  mustBeWritable(table);
  mustBeUndoable(context, table, { count: ids.length, partial: input.partial });
  const showDeleted = input.showDeleted || input.permanent;
  const missing = await writeToTable(context, table, (tableWrite) =>
    deleteAll(tableWrite, ids, { ...input, showDeleted }),
  );
  return jsonReply(
    jsonObject({
      message: '"deleted"',
      rows_affected: String(ids.length - missing.length),
      not_found: jsonArray(missing.map((id) => JSON.stringify(id))),
    }),
  );
}

async function deleteAll(
  tableWrite: TableWrite,
  ids: readonly string[],
  { permanent, showDeleted }: Pick<BulkDeleteInput, 'permanent' | 'showDeleted'>,
): Promise<readonly string[]> {
  const missing: string[] = [];
  for (const [i, id] of ids.entries()) {
    const address = { table: tableWrite.table, id: pathId(tableWrite.table, id), showDeleted };
    try {
      await applyDelete(tableWrite, { address, permanent });
    } catch (error) {
      if (!(error instanceof StudioError) || error.code !== 'row_not_found')
        throw canRollBack(tableWrite.context, tableWrite.table)
          ? error
          : withWrittenCount(error, i - missing.length);
      missing.push(id);
    }
  }
  return missing;
}

/** The id as in a path. In a list, the id of a single-column key is the plain value. */
export function pathId(table: Table, id: string): string {
  return addressColumns(table).length === 1 ? encodeSegment(id) : id;
}

/** The distinct ids, in their order. */
function readIds(text: string): readonly string[] {
  const ids = acceptedMembers(readBody(text).node, 'The body', ['ids']).get('ids');
  if (ids?.kind !== 'array' || ids.items.length === 0) {
    throw new StudioError(
      'invalid_body',
      'ids must be an array of at least one primary key value.',
    );
  }
  return [...new Set(ids.items.map(readId))];
}

export function readId(node: JsonNode, index: number): string {
  if (node.kind === 'number') return node.digits;
  if (node.kind !== 'string')
    throw new StudioError('invalid_body', 'An id must be a string or a number.', { index });
  if (node.value.isWellFormed()) return node.value;
  throw new StudioError('invalid_id', 'An id contains half of a surrogate pair.', { index });
}
