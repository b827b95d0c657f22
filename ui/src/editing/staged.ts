import { NumberToken } from '../../../src/contract/number-token.ts';
import type { Cell } from '../../../src/contract/client.ts';
import type { Row } from '../api/answers.ts';
import { ownValue } from '../cells/own-value.ts';
import { sentSource } from './json-source.ts';

/** Values by column; a column that is not there keeps its value, or gets its default in a new row. */
export type Values = Readonly<Record<string, Cell>>;

export interface Edit {
  /** The row as it was read. */
  readonly row: Row;
  /** Its version when it was read. */
  readonly etag: string | undefined;
  readonly values: Values;
}

export interface Removal {
  readonly row: Row;
  readonly etag: string | undefined;
}

/** What was changed and not yet saved. Rows by their ids, new rows by a number of ours. */
export interface Staged {
  readonly edits: ReadonlyMap<string, Edit>;
  readonly created: ReadonlyMap<number, Values>;
  readonly removed: ReadonlyMap<string, Removal>;
}

export const nothingStaged: Staged = { edits: new Map(), created: new Map(), removed: new Map() };

export function countStaged({ edits, created, removed }: Staged): number {
  return edits.size + created.size + removed.size;
}

/** Each change by itself: deletions first, as in one request. */
export function singleChanges({ edits, created, removed }: Staged): readonly Staged[] {
  return [
    ...[...removed].map((entry) => ({ ...nothingStaged, removed: new Map([entry]) })),
    ...[...edits].map((entry) => ({ ...nothingStaged, edits: new Map([entry]) })),
    ...[...created].map((entry) => ({ ...nothingStaged, created: new Map([entry]) })),
  ];
}

/** A row as it was read, and its address. */
export interface KnownRow {
  readonly id: string;
  readonly row: Row;
  readonly etag: string | undefined;
}

/** Back to the value that was read is no edit. */
export function stageValue(
  staged: Staged,
  known: KnownRow,
  [column, value]: readonly [string, Cell],
): Staged {
  const before = staged.edits.get(known.id);
  const { [column]: _old, ...others } = before?.values ?? {};
  const isAsRead = isSame(ownValue(known.row, column) ?? null, value);
  if (isAsRead && ownValue(before?.values ?? {}, column) === undefined) return staged;
  const values = isAsRead ? others : { ...others, [column]: value };
  const edits = new Map(staged.edits);
  if (Object.keys(values).length === 0) edits.delete(known.id);
  else
    edits.set(known.id, {
      row: before?.row ?? known.row,
      etag: before?.etag ?? known.etag,
      values,
    });
  return { ...staged, edits };
}

/** Digits are the same number whether they came as a number or were typed. */
export function isSame(a: Cell, b: Cell): boolean {
  return comparable(a) === comparable(b);
}

function comparable(value: Cell): string {
  const isNumber = typeof value === 'number' || value instanceof NumberToken;
  return JSON.stringify(isNumber ? String(value) : value);
}

export function revertValue(staged: Staged, known: KnownRow, column: string): Staged {
  return stageValue(staged, known, [column, ownValue(known.row, column) ?? null]);
}

export function stageNewRow(staged: Staged, values: Values = {}): Staged {
  const next = Math.max(0, ...staged.created.keys()) + 1;
  return { ...staged, created: new Map([...staged.created, [next, values]]) };
}

/** `undefined` is the column's default. */
export function stageNewValue(
  staged: Staged,
  number: number,
  [column, value]: readonly [string, Cell | undefined],
): Staged {
  const { [column]: _old, ...others } = staged.created.get(number) ?? {};
  const values = value === undefined ? others : { ...others, [column]: value };
  return { ...staged, created: new Map(staged.created).set(number, values) };
}

export function dropNewRow(staged: Staged, number: number): Staged {
  const created = new Map(staged.created);
  created.delete(number);
  return { ...staged, created };
}

/** Marks a row to be removed, or takes the mark away. */
export function toggleRemoval(staged: Staged, { id, row, etag }: KnownRow): Staged {
  const removed = new Map(staged.removed);
  if (!removed.delete(id)) removed.set(id, { row, etag });
  return { ...staged, removed };
}

/** The body of one request that does it all: edits of rows that are removed anyway are left out. */
export function changesBody({ edits, created, removed }: Staged): string {
  const kept = [...edits].filter(([id]) => !removed.has(id));
  const update = kept.map(([id, { etag, values }]) => {
    const match = etag === undefined ? '' : `"if_match":${JSON.stringify(etag)},`;
    return `{"id":${JSON.stringify(idText(id))},${match}"values":${valuesText(values)}}`;
  });
  const removals = [...removed].map(([id, { etag }]) =>
    JSON.stringify(etag === undefined ? idText(id) : { id: idText(id), if_match: etag }),
  );
  const create = [...created.values()].map(valuesText);
  return `{"create":[${create.join()}],"update":[${update.join()}],"delete":[${removals.join()}]}`;
}

/** JSON that was typed goes as it was typed: the order of its keys and all its digits are its own. */
function valuesText(values: Values): string {
  const members = Object.entries(values).map(
    ([name, value]) => `${JSON.stringify(name)}:${sentSource(value) ?? JSON.stringify(value)}`,
  );
  return `{${members.join()}}`;
}

/** In a body an id of one column is the value itself. */
function idText(id: string): string {
  return id.includes(',') ? id : decodeURIComponent(id.replace(/^~(?=~*\.{0,2}$)/, ''));
}

/** Which staged change an answer's `list` and `index` mean. */
export function stagedAt(
  { edits, created, removed }: Staged,
  { list, index }: { readonly list: string; readonly index: number },
): { readonly id?: string; readonly number?: number } {
  const kept = [...edits.keys()].filter((id) => !removed.has(id));
  const id = { update: kept[index], delete: [...removed.keys()][index] }[list];
  const number = list === 'create' ? [...created.keys()][index] : undefined;
  return { ...(id === undefined ? {} : { id }), ...(number === undefined ? {} : { number }) };
}
