/** Tools that write rows, in two steps: a preview that changes nothing, and its confirmation. */
import { z } from 'zod';
import { findTable, mustNotCompare, mustNotFindByKey, rowId } from './read-tools.ts';
import { relationKeys } from './relation-keys.ts';
import { rowsText } from './result-text.ts';
import { ApiError, idMember, idSegment } from './studio-api.ts';
import { tableNamed } from './structure.ts';
import { defineTool, exactNumber } from './tool.ts';
import type { JsonObject, RowId, StudioApi } from './studio-api.ts';
import type { Masks } from './masks.ts';
import type { TableInfo } from './structure.ts';
import type { Tool, WriteToolContext } from './tool.ts';

const values = z
  .record(z.string(), z.unknown())
  .superRefine(checkNumbers)
  .describe('Values by column name.');

/** Numbers may be anywhere in a document. */
function checkNumbers(value: unknown, context: z.core.$RefinementCtx): void {
  if (typeof value === 'number') {
    const [issue] = exactNumber.safeParse(value).error?.issues ?? [];
    if (issue !== undefined) context.addIssue(issue.message);
  } else if (typeof value === 'object' && value !== null)
    for (const each of Object.values(value)) checkNumbers(each, context);
}

/** Limits the requests of a preview, which reads each changed row once for its entity tag. */
const maxRows = 100;

const changes = z.object({
  table: z.string(),
  create: z.array(values).max(maxRows).default([]),
  update: z
    .array(z.object({ id: rowId, values }))
    .max(maxRows)
    .default([]),
  delete: z.array(rowId).max(maxRows).default([]),
});

export const writeTools: readonly Tool<WriteToolContext>[] = [
  defineTool({
    name: 'preview_changes',
    title: 'Preview changes',
    description:
      'Says what creating, updating and deleting rows would do, and changes nothing: the SQL statements, the rows of ' +
      'other tables that foreign keys would delete or change, and the rows as they are now. Show it to the user. ' +
      'To make the changes, pass the confirmation of the result to apply_changes.',
    input: changes,
    writes: false,
    run: async (context, { table, ...lists }) => {
      const { reader, writer, pending } = context;
      const { tables, table: target, masks } = await findTable(context, table);
      if (lists.update.length + lists.delete.length > 0) mustNotFindByKey(masks, target);
      mustNotCountByMasked({ tables, masks }, writtenColumns(target, lists));
      const current = await currentRows(reader, table, [
        ...lists.update.map(({ id }) => id),
        ...lists.delete,
      ]);
      const etagOf = (id: RowId): string | undefined => current.get(idSegment(id))?.etag;
      const body = {
        create: lists.create,
        update: lists.update.map(({ id, values: changed }) => ({
          id: idMember(id),
          if_match: etagOf(id),
          values: changed,
        })),
        delete: lists.delete.map((id) => ({ id: idMember(id), if_match: etagOf(id) })),
      };
      const preview = await postChanges(writer, table, { body, query: { dry_run: true } });
      const { statements, cascades } = preview;
      const rows = [...current.values()].map(({ row }) => row);
      const confirmation = pending.add({ table, body: { ...body, expected_cascades: cascades } });
      return rowsText({ confirmation, statements, cascades }, masks.apply(table, rows));
    },
  }),
  defineTool({
    name: 'apply_changes',
    title: 'Apply previewed changes',
    description:
      'Makes the changes of a preview, all or none, after the user has agreed to them. Fails if one of the rows has ' +
      'changed since the preview, or if foreign keys would now delete or change other rows.',
    input: z.object({
      confirmation: z.string().describe('The confirmation that preview_changes returned.'),
    }),
    writes: true,
    run: async (context, { confirmation }) => {
      const { writer, pending } = context;
      const previewed = pending.take(confirmation);
      if (previewed === undefined)
        throw new ApiError(
          'This confirmation is not valid: it is older than ten minutes, or was used. Preview the changes again.',
          'not_previewed',
        );
      const { table, body } = previewed;
      const { masks } = await findTable(context, table);
      const headers = { 'idempotency-key': confirmation };
      const changed = await postChanges(writer, table, { body, headers });
      const { created = [], updated = [], deleted } = changed as ChangedRows;
      return rowsText({ deleted }, masks.apply(table, [...created, ...updated]));
    },
  }),
];

interface Structure {
  readonly tables: readonly TableInfo[];
  readonly masks: Masks;
}

interface WrittenTable {
  readonly table: TableInfo;
  /** Undefined if rows are deleted. */
  readonly columns: readonly string[] | undefined;
}

function writtenColumns(
  table: TableInfo,
  lists: Pick<z.output<typeof changes>, 'update' | 'delete'>,
): WrittenTable {
  const updated = lists.update.flatMap(({ values: changed }) => Object.keys(changed));
  return { table, columns: lists.delete.length > 0 ? undefined : updated };
}

/**
 * A preview counts the rows that reference those that it deletes or changes. The count would show masked values
 * of these references.
 */
function mustNotCountByMasked({ tables, masks }: Structure, written: WrittenTable): void {
  const steps = [written];
  const seen = new Set<TableInfo>();
  for (const { table, columns } of steps) {
    if (seen.has(table)) continue;
    seen.add(table);
    for (const relation of table.relations) {
      if (relation.type !== 'has_one' && relation.type !== 'has_many') continue;
      const { compared, references } = relationKeys(table.name, relation);
      if (columns !== undefined && !references.some(({ to }) => columns.includes(to.column)))
        continue;
      mustNotCompare(masks, compared);
      steps.push({ table: tableNamed(tables, relation.table), columns: undefined });
    }
  }
}

interface ChangedRows extends JsonObject {
  readonly created?: readonly JsonObject[];
  readonly updated?: readonly JsonObject[];
  readonly deleted?: number;
}

interface CurrentRow {
  readonly row: JsonObject;
  readonly etag: string | undefined;
}

/** The rows by the segments of their ids. Fails if one does not exist. */
async function currentRows(
  reader: StudioApi,
  table: string,
  ids: readonly RowId[],
): Promise<ReadonlyMap<string, CurrentRow>> {
  const rows = new Map<string, CurrentRow>();
  for (const id of ids.map(idSegment)) {
    const path = ['tables', encodeURIComponent(table), 'rows', id];
    const { json, etag } = await reader.request({ path });
    rows.set(id, { row: json, etag });
  }
  return rows;
}

interface PostedChanges {
  readonly body: JsonObject;
  readonly query?: Readonly<Record<string, boolean>>;
  readonly headers?: Readonly<Record<string, string>>;
}

async function postChanges(
  writer: StudioApi,
  table: string,
  request: PostedChanges,
): Promise<JsonObject> {
  const path = ['tables', encodeURIComponent(table), 'changes'];
  const { json } = await writer.request({ method: 'POST', path, ...request });
  return json;
}
