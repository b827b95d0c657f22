import { StudioError } from '../../../model/errors.ts';
import { pathId, readId } from './bulk-delete.ts';
import { acceptedMembers, objectOf } from '../../core/body-members.ts';
import { readExpectedCascades } from './expected-cascades.ts';
import { readAssignments, readBody } from './read-assignments.ts';
import type { JsonNode } from '../../../model/values/exact-json.ts';
import type { Table } from '../../../model/schema.ts';
import type { JsonBody } from './read-assignments.ts';
import type { Assignments } from './key-after-update.ts';
import type { RowDeletion } from './apply-delete.ts';
import type { RowChange } from './apply-update.ts';
import type { Cascade } from './find-cascades.ts';

export interface ChangeRowsInput {
  readonly table: string;
  /** The text of the request body: `{"create": [...], "update": [...], "delete": [...], "expected_cascades": [...]}`. */
  readonly body: string;
  readonly showDeleted: boolean;
  readonly permanent: boolean;
  readonly partial: boolean;
}

export interface Changes {
  readonly create: readonly Assignments[];
  readonly update: readonly RowChange[];
  readonly delete: readonly RowDeletion[];
}

export type ListName = keyof Changes;

export interface ChangeRequest {
  readonly changes: Changes;
  /** Undefined if the client accepts whatever foreign keys do. */
  readonly expectedCascades: readonly Cascade[] | undefined;
}

/** Works on the items one after the other. Adds to an error which item of the list it is about. */
export async function forEachItem<T>(
  list: ListName,
  items: readonly T[],
  work: (item: T, index: number) => Promise<void>,
): Promise<void> {
  for (const [index, item] of items.entries()) {
    await work(item, index).catch((error: unknown) => {
      throw withListItem(error, { list, index });
    });
  }
}

interface ListItem {
  readonly list: ListName;
  readonly index: number;
}

function withListItem(error: unknown, listItem: ListItem): unknown {
  if (!(error instanceof StudioError)) return error;
  return new StudioError(error.code, error.message, { ...error.details, ...listItem });
}

export function readChanges(table: Table, input: ChangeRowsInput): ChangeRequest {
  const body = readBody(input.body);
  const members = acceptedMembers(body.node, 'The body', [...listNames, expectedMember]);
  const lists = listsOf(members);
  const expected = members.get(expectedMember);
  const expectedCascades = expected === undefined ? undefined : readExpectedCascades(expected);
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
  if (changes.create.length + changes.update.length + changes.delete.length > 0)
    return { changes, expectedCascades };
  throw new StudioError(
    'invalid_body',
    'The body contains no change: create, update and delete are absent or empty.',
  );
}

type Lists = ReadonlyMap<string, readonly JsonNode[]>;

const listNames: readonly string[] = ['create', 'update', 'delete'] satisfies readonly ListName[];

const expectedMember = 'expected_cascades';

function listsOf(members: ReadonlyMap<string, JsonNode>): Lists {
  const lists = new Map<string, readonly JsonNode[]>();
  for (const [name, value] of members) {
    if (!listNames.includes(name)) continue;
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
  const members = acceptedMembers(node, 'An update', updateMembers);
  const { id, ifMatch } = readIdAndTag('An update', members);
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
      ? readIdAndTag('A deletion', acceptedMembers(node, 'A deletion', deletionMembers))
      : { id: node, ifMatch: undefined };
  const address = { table, id: pathId(table, readId(id, index)), showDeleted };
  return { address, ifMatch };
}

interface IdAndTag {
  readonly id: JsonNode;
  readonly ifMatch: string | undefined;
}

/** `subject` names the item in an error, such as "An update". */
function readIdAndTag(subject: string, members: ReadonlyMap<string, JsonNode>): IdAndTag {
  const id = members.get('id');
  const ifMatch = members.get('if_match');
  if (id === undefined)
    throw new StudioError('invalid_body', `${subject} needs the id of its row.`);
  if (ifMatch !== undefined && ifMatch.kind !== 'string')
    throw new StudioError('invalid_body', 'if_match must be a string.');
  return { id, ifMatch: ifMatch?.value };
}
