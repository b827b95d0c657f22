import { StudioError } from '../../model/errors.ts';
import { membersByName } from '../../model/exact-json.ts';
import { jsonArray, jsonObject } from '../../model/json-text.ts';
import { pathId, readId } from './bulk-delete.ts';
import { findTable } from '../core/find-table.ts';
import { objectOf, readAssignments, readBody } from './read-assignments.ts';
import { jsonReply } from '../core/reply.ts';
import { canRollBack, mustBeUndoable, withWritten } from './undoable-changes.ts';
import { applyDelete, applyInsert, mustTakeWrites, applyUpdate, writeTo } from './write-row.ts';
import type { JsonNode, JsonObject } from '../../model/exact-json.ts';
import type { Table } from '../../model/schema.ts';
import type { Context } from '../core/context.ts';
import type { JsonBody } from './read-assignments.ts';
import type { Reply } from '../core/reply.ts';
import type { Assignments } from './key-after-update.ts';
import type { RowChange, RowDeletion, RowAsSent, WrittenRow } from './write-row.ts';

export interface ChangeRowsInput {
  readonly table: string;
  /** The text of the request body: `{"create": [...], "update": [...], "delete": [...]}`. */
  readonly body: string;
  readonly showDeleted: boolean;
  readonly permanent: boolean;
  readonly partial: boolean;
}

interface Changes {
  readonly create: readonly Assignments[];
  readonly update: readonly RowChange[];
  readonly delete: readonly RowDeletion[];
}

type ListName = keyof Changes;

/** Makes several changes to one table in one transaction. */
export async function changeRows(context: Context, input: ChangeRowsInput): Promise<Reply> {
  const { schema } = await context.schemas.current();
  const table = findTable(schema, input.table);
  mustTakeWrites(table);
  const changes = readChanges(table, input);
  const count = changes.create.length + changes.update.length + changes.delete.length;
  mustBeUndoable(context, table, { count, partial: input.partial });
  const done = await (canRollBack(context, table)
    ? applyInEitherOrder(context, table, changes)
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

interface AppliedChanges {
  readonly created: readonly (WrittenRow | RowAsSent)[];
  readonly updated: readonly WrittenRow[];
}

function etagText(row: WrittenRow | RowAsSent): string {
  return 'etag' in row ? JSON.stringify(row.etag) : 'null';
}

const deletingFirst: readonly ListName[] = ['delete', 'update', 'create'];

/**
 * Deletes first, so that new rows can have the unique values of deleted ones. If that violates a
 * foreign key, tries again and creates first.
 */
async function applyInEitherOrder(
  context: Context,
  table: Table,
  changes: Changes,
): Promise<AppliedChanges> {
  try {
    return await apply(context, table, { changes, order: deletingFirst });
  } catch (error) {
    if (!(error instanceof StudioError) || error.code !== 'foreign_key_violation') throw error;
    return apply(context, table, { changes, order: ['create', 'update', 'delete'] });
  }
}

interface OrderedChanges {
  readonly changes: Changes;
  readonly order: readonly ListName[];
}

function apply(
  context: Context,
  table: Table,
  { changes, order }: OrderedChanges,
): Promise<AppliedChanges> {
  return writeTo(context, table, async (tableWrite) => {
    const { deferForeignKeys } = context.database.dialect.writing;
    if (deferForeignKeys !== undefined)
      await tableWrite.session.run({ text: deferForeignKeys, params: [] });
    const created: (WrittenRow | RowAsSent)[] = [];
    const updated: WrittenRow[] = [];
    let deleted = 0;
    const steps: Record<ListName, () => Promise<void>> = {
      create: () =>
        applyEach(
          'create',
          changes.create,
          async (item) => void created.push(await applyInsert(tableWrite, item)),
        ),
      update: () =>
        applyEach(
          'update',
          changes.update,
          async (item) => void updated.push(await applyUpdate(tableWrite, item)),
        ),
      delete: () =>
        applyEach('delete', changes.delete, async (item) => {
          await applyDelete(tableWrite, item);
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

/** Adds to an error which item of the list it is about. */
async function applyEach<T>(
  list: ListName,
  items: readonly T[],
  work: (item: T) => Promise<void>,
): Promise<void> {
  for (const [index, item] of items.entries()) {
    await work(item).catch((error: unknown) => {
      throw withListItem(error, { list, index });
    });
  }
}

interface ListItem {
  readonly list: ListName;
  readonly index: number;
}

function withListItem(error: unknown, place: ListItem): unknown {
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
      ...readDeletion(table, node, { index, showDeleted: showDeleted || permanent }),
      permanent,
    })),
  };
  if (changes.create.length + changes.update.length + changes.delete.length > 0) return changes;
  throw new StudioError(
    'invalid_body',
    'The body contains no change: create, update and delete are absent or empty.',
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
        `The body has an unknown member "${name}"; the members are create, update and delete.`,
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
      throw withListItem(error, { list, index });
    }
  });
}

const updateMembers = ['id', 'if_match', 'values'];
const deletionMembers = ['id', 'if_match'];

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
  const address = { table, id: pathId(table, readId(id, 0)), showDeleted };
  return { address, ifMatch, assignments };
}

/** Reads an id, or an object with an id and an entity tag. */
function readDeletion(
  table: Table,
  node: JsonNode,
  { index, showDeleted }: { readonly index: number; readonly showDeleted: boolean },
): Omit<RowDeletion, 'permanent'> {
  const { id, ifMatch } =
    node.kind === 'object'
      ? readGuarded('A deletion', membersByName(node), deletionMembers)
      : { id: node, ifMatch: undefined };
  const address = { table, id: pathId(table, readId(id, index)), showDeleted };
  return { address, ifMatch };
}

interface GuardedId {
  readonly id: JsonNode;
  readonly ifMatch: string | undefined;
}

/** Rejects unknown members: a misspelled `if_match` would silently have no effect. */
function readGuarded(
  what: string,
  members: ReadonlyMap<string, JsonNode>,
  known: readonly string[],
): GuardedId {
  const other = [...members.keys()].find((name) => !known.includes(name));
  if (other !== undefined)
    throw new StudioError(
      'invalid_body',
      `${what} has an unknown member "${other}"; the members are ${known.join(', ')}.`,
    );
  const id = members.get('id');
  const ifMatch = members.get('if_match');
  if (id === undefined) throw new StudioError('invalid_body', `${what} needs the id of its row.`);
  if (ifMatch !== undefined && ifMatch.kind !== 'string')
    throw new StudioError('invalid_body', 'if_match must be a string.');
  return { id, ifMatch: ifMatch?.value };
}
