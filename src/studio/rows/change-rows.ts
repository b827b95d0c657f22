import { StudioError } from '../../model/errors.ts';
import { membersByName } from '../../model/exact-json.ts';
import { jsonArray, jsonObject } from '../../model/json-text.ts';
import { listedId, readListedId } from './bulk-delete.ts';
import { findTable } from '../core/find-table.ts';
import { objectOf, readAssignments, readBody } from './read-assignments.ts';
import { jsonReply } from '../core/reply.ts';
import { canRollBack, mustBeUndoable, withWritten } from './undoable-changes.ts';
import { deleteRow, insertRow, mustTakeWrites, updateRow, writeTo } from './writing.ts';
import type { JsonNode, JsonObject } from '../../model/exact-json.ts';
import type { Table } from '../../model/schema.ts';
import type { Context } from '../core/context.ts';
import type { JsonBody } from './read-assignments.ts';
import type { Reply } from '../core/reply.ts';
import type { Assignments } from './key-after-update.ts';
import type { RowChange, RowRemoval, UnseenRow, WrittenRow } from './writing.ts';

export interface ChangeRowsInput {
  readonly table: string;
  /** The body's text: `{"create": [...], "update": [...], "delete": [...]}`. */
  readonly body: string;
  readonly showDeleted: boolean;
  readonly permanent: boolean;
  readonly partial: boolean;
}

interface Changes {
  readonly create: readonly Assignments[];
  readonly update: readonly RowChange[];
  readonly delete: readonly RowRemoval[];
}

type ListName = keyof Changes;

/** Many changes to one table, in one transaction. */
export async function changeRows(context: Context, input: ChangeRowsInput): Promise<Reply> {
  const { schema } = await context.schemas.current();
  const table = findTable(schema, input.table);
  mustTakeWrites(table);
  const changes = readChanges(table, input);
  const count = changes.create.length + changes.update.length + changes.delete.length;
  mustBeUndoable(context, table, { count, partial: input.partial });
  const done = await (canRollBack(context, table)
    ? applyInSomeOrder(context, table, changes)
    : apply(context, table, { changes, order: deletingFirst }));
  return jsonReply(
    jsonObject({
      message: '"changed"',
      created: jsonArray(done.created.map((row) => row.json)),
      updated: jsonArray(done.updated.map((row) => row.json)),
      deleted: String(changes.delete.length),
      created_etags: jsonArray(done.created.map(etagText)),
      updated_etags: jsonArray(done.updated.map(etagText)),
    }),
  );
}

interface Done {
  readonly created: readonly (WrittenRow | UnseenRow)[];
  readonly updated: readonly WrittenRow[];
}

function etagText(row: WrittenRow | UnseenRow): string {
  return 'etag' in row ? JSON.stringify(row.etag) : 'null';
}

const deletingFirst: readonly ListName[] = ['delete', 'update', 'create'];

/**
 * Deleting first frees unique values for the rows that come after; where a foreign key stands
 * against that, the new rows come first.
 */
async function applyInSomeOrder(context: Context, table: Table, changes: Changes): Promise<Done> {
  try {
    return await apply(context, table, { changes, order: deletingFirst });
  } catch (error) {
    if (!(error instanceof StudioError) || error.code !== 'foreign_key_violation') throw error;
    return apply(context, table, { changes, order: ['create', 'update', 'delete'] });
  }
}

interface Application {
  readonly changes: Changes;
  readonly order: readonly ListName[];
}

function apply(context: Context, table: Table, { changes, order }: Application): Promise<Done> {
  return writeTo(context, table, async (writing) => {
    const { deferForeignKeys } = context.database.dialect.writing;
    if (deferForeignKeys !== undefined)
      await writing.session.run({ text: deferForeignKeys, params: [] });
    const created: (WrittenRow | UnseenRow)[] = [];
    const updated: WrittenRow[] = [];
    let deleted = 0;
    const steps: Record<ListName, () => Promise<void>> = {
      create: () =>
        each(
          'create',
          changes.create,
          async (item) => void created.push(await insertRow(writing, item)),
        ),
      update: () =>
        each(
          'update',
          changes.update,
          async (item) => void updated.push(await updateRow(writing, item)),
        ),
      delete: () =>
        each('delete', changes.delete, async (item) => {
          await deleteRow(writing, item);
          deleted++;
        }),
    };
    try {
      for (const list of order) await steps[list]();
    } catch (error) {
      if (canRollBack(context, table)) throw error;
      throw withWritten(error, created.length + updated.length + deleted);
    }
    return { created, updated };
  });
}

/** A failure names its item. */
async function each<T>(
  list: ListName,
  items: readonly T[],
  work: (item: T) => Promise<void>,
): Promise<void> {
  for (const [index, item] of items.entries()) {
    await work(item).catch((error: unknown) => {
      throw located(error, { list, index });
    });
  }
}

interface Place {
  readonly list: ListName;
  readonly index: number;
}

function located(error: unknown, place: Place): unknown {
  if (!(error instanceof StudioError)) return error;
  return new StudioError(error.code, error.message, { ...error.details, ...place });
}

function readChanges(table: Table, input: ChangeRowsInput): Changes {
  const body = readBody(input.body);
  const lists = listsOf(objectOf(body.node, 'The body'));
  const { showDeleted, permanent } = input;
  const changes: Changes = {
    create: readEach('create', lists, (node) =>
      readAssignments(table, body, objectOf(node, 'A new row')),
    ),
    update: readEach('update', lists, (node) => readUpdate(table, body, { node, showDeleted })),
    delete: readEach('delete', lists, (node, index) => ({
      ...readRemoval(table, node, { index, showDeleted: showDeleted || permanent }),
      permanent,
    })),
  };
  if (changes.create.length + changes.update.length + changes.delete.length > 0) return changes;
  throw new StudioError(
    'invalid_body',
    'The body holds no change: create, update and delete are absent or empty.',
  );
}

type Lists = ReadonlyMap<string, readonly JsonNode[]>;

const listNames: readonly string[] = ['create', 'update', 'delete'] satisfies readonly ListName[];

function listsOf(body: JsonObject): Lists {
  const lists = new Map<string, readonly JsonNode[]>();
  for (const [name, value] of membersByName(body)) {
    if (!listNames.includes(name)) {
      throw new StudioError(
        'invalid_body',
        `The body has a member "${name}"; it takes create, update and delete.`,
      );
    }
    if (value.kind !== 'array') throw new StudioError('invalid_body', `${name} must be an array.`);
    lists.set(name, value.items);
  }
  return lists;
}

function readEach<T>(
  list: ListName,
  lists: Lists,
  read: (node: JsonNode, index: number) => T,
): readonly T[] {
  return (lists.get(list) ?? []).map((node, index) => {
    try {
      return read(node, index);
    } catch (error) {
      throw located(error, { list, index });
    }
  });
}

const updateMembers = ['id', 'if_match', 'values'];
const removalMembers = ['id', 'if_match'];

function readUpdate(
  table: Table,
  body: JsonBody,
  { node, showDeleted }: { readonly node: JsonNode; readonly showDeleted: boolean },
): RowChange {
  const members = membersByName(objectOf(node, 'An update'));
  const { id, ifMatch } = readGuarded('An update', members, updateMembers);
  const assignments = readAssignments(table, body, objectOf(members.get('values'), 'values'));
  if (assignments.size === 0)
    throw new StudioError('invalid_body', 'values names no column to change.');
  const address = { table, id: listedId(table, readListedId(id, 0)), showDeleted };
  return { address, ifMatch, assignments };
}

/** An id, or an object that guards it. */
function readRemoval(
  table: Table,
  node: JsonNode,
  { index, showDeleted }: { readonly index: number; readonly showDeleted: boolean },
): Omit<RowRemoval, 'permanent'> {
  const { id, ifMatch } =
    node.kind === 'object'
      ? readGuarded('A deletion', membersByName(node), removalMembers)
      : { id: node, ifMatch: undefined };
  const address = { table, id: listedId(table, readListedId(id, index)), showDeleted };
  return { address, ifMatch };
}

interface Guarded {
  readonly id: JsonNode;
  readonly ifMatch: string | undefined;
}

/** Rejects other members: a misspelled `if_match` would be no guard at all. */
function readGuarded(
  what: string,
  members: ReadonlyMap<string, JsonNode>,
  known: readonly string[],
): Guarded {
  const other = [...members.keys()].find((name) => !known.includes(name));
  if (other !== undefined)
    throw new StudioError(
      'invalid_body',
      `${what} has a member "${other}"; it takes ${known.join(', ')}.`,
    );
  const id = members.get('id');
  const ifMatch = members.get('if_match');
  if (id === undefined) throw new StudioError('invalid_body', `${what} needs the id of its row.`);
  if (ifMatch !== undefined && ifMatch.kind !== 'string')
    throw new StudioError('invalid_body', 'if_match must be a string.');
  return { id, ifMatch: ifMatch?.value };
}
