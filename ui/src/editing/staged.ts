import { NumberToken } from '../../../src/contract/number-token.ts';
import type { Cell } from '../../../src/contract/client/client.ts';
import type { Cascades, Row } from '../api/responses.ts';
import { ownValue } from '../cells/own-value.ts';
import { requestSource } from './json-source.ts';

/** Values by column. A missing column keeps its value, or gets its default in a new row. */
export type Values = Readonly<Record<string, Cell>>;

export interface Edit {
  /** The row as it was read. */
  readonly row: Row;
  /** The version of the row when it was read. */
  readonly etag: string | undefined;
  readonly values: Values;
}

export interface Removal {
  readonly row: Row;
  readonly etag: string | undefined;
}

/** Unsaved changes. The keys are row ids; new rows have a number that only the page knows. */
export interface Staged {
  readonly edits: ReadonlyMap<string, Edit>;
  readonly created: ReadonlyMap<number, Values>;
  readonly removed: ReadonlyMap<string, Removal>;
}

export const nothingStaged: Staged = { edits: new Map(), created: new Map(), removed: new Map() };

export function countStaged({ edits, created, removed }: Staged): number {
  return edits.size + created.size + removed.size;
}

/** Splits the changes into single ones. Deletions come first, as within one request. */
export function splitChanges({ edits, created, removed }: Staged): readonly Staged[] {
  return [
    ...[...removed].map((entry) => ({ ...nothingStaged, removed: new Map([entry]) })),
    ...[...edits].map((entry) => ({ ...nothingStaged, edits: new Map([entry]) })),
    ...[...created].map((entry) => ({ ...nothingStaged, created: new Map([entry]) })),
  ];
}

/** A row as it was read, and its id. */
export interface StoredRow {
  readonly id: string;
  readonly row: Row;
  readonly etag: string | undefined;
}

/**
 * Stages a value. The value that was read removes the edit, unless it was another one when the edit
 * began: the row may have been saved meanwhile, and its response lost.
 */
export function stageValue(
  staged: Staged,
  storedRow: StoredRow,
  [column, value]: readonly [string, Cell],
): Staged {
  const isAsIn = (row: Row): boolean => isSame(ownValue(row, column) ?? null, value);
  const before = staged.edits.get(storedRow.id)?.row ?? storedRow.row;
  return isAsIn(storedRow.row) && isAsIn(before)
    ? revertValue(staged, storedRow, column)
    : withValues(staged, storedRow, { [column]: value });
}

/** Removes the edit of a value. */
export function revertValue(staged: Staged, storedRow: StoredRow, column: string): Staged {
  const values = staged.edits.get(storedRow.id)?.values;
  return values === undefined || ownValue(values, column) === undefined
    ? staged
    : withValues(staged, storedRow, { [column]: undefined });
}

/** Removes all edits of a row. */
export function dropEdit(staged: Staged, id: string): Staged {
  const edits = new Map(staged.edits);
  edits.delete(id);
  return { ...staged, edits };
}

function withValues(
  staged: Staged,
  storedRow: StoredRow,
  changes: Readonly<Record<string, Cell | undefined>>,
): Staged {
  const before = staged.edits.get(storedRow.id);
  const values = Object.fromEntries(
    Object.entries({ ...before?.values, ...changes }).filter(
      (entry): entry is [string, Cell] => entry[1] !== undefined,
    ),
  );
  const edits = new Map(staged.edits);
  if (Object.keys(values).length === 0) edits.delete(storedRow.id);
  else
    edits.set(storedRow.id, {
      row: before?.row ?? storedRow.row,
      etag: before?.etag ?? storedRow.etag,
      values,
    });
  return { ...staged, edits };
}

/** Compares two values. The number 5 and the text "5" differ. */
export function isSame(a: Cell, b: Cell): boolean {
  return comparable(a) === comparable(b);
}

function comparable(value: Cell): string {
  return isNumberCell(value) ? String(value) : JSON.stringify(value);
}

export function isNumberCell(value: Cell | undefined): value is number | NumberToken {
  return typeof value === 'number' || value instanceof NumberToken;
}

let lastNumber = 0;

/** Numbers are never used again: an editor may be open on a row that was saved or dropped meanwhile. */
export function stageNewRow(staged: Staged, values: Values = {}): Staged {
  lastNumber++;
  return { ...staged, created: new Map([...staged.created, [lastNumber, values]]) };
}

/** The next new row gets a higher number. */
export function continueNumbersAfter(number: number): void {
  lastNumber = Math.max(lastNumber, number);
}

/** Returns the number of the newest new row of the page. */
export function newestNumber(): number {
  return lastNumber;
}

/** `undefined` is the column's default. A row that is no longer staged gets no value. */
export function stageNewValue(
  staged: Staged,
  number: number,
  [column, value]: readonly [string, Cell | undefined],
): Staged {
  const before = staged.created.get(number);
  if (before === undefined) return staged;
  const { [column]: _old, ...otherValues } = before;
  const values = value === undefined ? otherValues : { ...otherValues, [column]: value };
  return { ...staged, created: new Map(staged.created).set(number, values) };
}

export function dropNewRow(staged: Staged, number: number): Staged {
  const created = new Map(staged.created);
  created.delete(number);
  return { ...staged, created };
}

/** Marks a row for deletion, or removes the mark. */
export function toggleRemoval(staged: Staged, { id, row, etag }: StoredRow): Staged {
  const removed = new Map(staged.removed);
  if (!removed.delete(id)) removed.set(id, { row, etag });
  return { ...staged, removed };
}

/**
 * Returns the body of the request that saves all changes. It has no edits of rows that it deletes. With
 * `expected`, the changes are rejected if foreign keys would do anything else to other rows.
 */
export function changesBody({ edits, created, removed }: Staged, expected?: Cascades): string {
  const remainingEdits = [...edits].filter(([id]) => !removed.has(id));
  const update = remainingEdits.map(([id, { etag, values }]) => {
    const match = etag === undefined ? '' : `"if_match":${JSON.stringify(etag)},`;
    return `{"id":${JSON.stringify(idText(id))},${match}"values":${valuesText(values)}}`;
  });
  const removals = [...removed].map(([id, { etag }]) =>
    JSON.stringify(etag === undefined ? idText(id) : { id: idText(id), if_match: etag }),
  );
  const create = [...created.values()].map(valuesText);
  const lists = `"create":[${create.join()}],"update":[${update.join()}],"delete":[${removals.join()}]`;
  const expectedMember =
    expected === undefined ? '' : `,"expected_cascades":${JSON.stringify(expected)}`;
  return `{${lists}${expectedMember}}`;
}

/** Typed JSON is sent as its source text, which keeps the order of its keys and all digits. */
function valuesText(values: Values): string {
  const members = Object.entries(values).map(
    ([name, value]) => `${JSON.stringify(name)}:${requestSource(value) ?? JSON.stringify(value)}`,
  );
  return `{${members.join()}}`;
}

/** In a request body the id of a one-column key is not percent-encoded. */
function idText(id: string): string {
  return id.includes(',') ? id : decodeURIComponent(id.replace(/^~(?=~*\.{0,2}$)/, ''));
}

/** The position of each staged change in the request that saves them all, by its list and its id or number. */
export function listItems({ edits, created, removed }: Staged): ReadonlyMap<string, string> {
  const lists = {
    update: [...edits.keys()].filter((id) => !removed.has(id)),
    create: [...created.keys()].map(String),
    delete: [...removed.keys()],
  };
  return new Map(
    Object.entries(lists).flatMap(([list, ids]) =>
      ids.map((id, index) => [`${list} ${id}`, `${list} ${index}`] as const),
    ),
  );
}

/** Finds the staged change that `list` and `index` of an error response name. */
export function stagedAt(
  { edits, created, removed }: Staged,
  { list, index }: { readonly list: string; readonly index: number },
): { readonly id?: string; readonly number?: number } {
  const updatedIds = [...edits.keys()].filter((id) => !removed.has(id));
  const id = { update: updatedIds[index], delete: [...removed.keys()][index] }[list];
  const number = list === 'create' ? [...created.keys()][index] : undefined;
  return { ...(id === undefined ? {} : { id }), ...(number === undefined ? {} : { number }) };
}
