/** The undo history of a table as JSON. Its states have most changes in common, which are stored once. */
import type { Cell } from '../../../src/contract/client/client.ts';
import type { Row } from '../api/responses.ts';
import type { History } from './history.ts';
import { readJsonText, sourceOf } from './json-source.ts';
import type { Edit, Removal, Staged, Values } from './staged.ts';

/** Typed JSON is kept as its source text, in the third place. */
type StoredValues = readonly (readonly [column: string, value: Cell, source?: string])[];
type Index = number;
type StoredState = readonly [
  edits: readonly Index[],
  created: readonly Index[],
  removed: readonly Index[],
];

export interface StoredHistory {
  readonly rows: readonly Row[];
  readonly edits: readonly (readonly [
    id: string,
    row: Index,
    etag: string | null,
    values: StoredValues,
  ])[];
  readonly created: readonly (readonly [number: number, values: StoredValues])[];
  readonly removed: readonly (readonly [id: string, row: Index, etag: string | null])[];
  readonly past: readonly StoredState[];
  readonly present: StoredState;
  readonly future: readonly StoredState[];
}

/** The changes of all stored earlier and undone states together. The oldest states are not stored. */
const maxStoredChanges = 100_000;

export function storeHistory({ past, present, future }: History<Staged>): StoredHistory {
  const rows = new Pool<Row>();
  const edits = new Pool<readonly [string, Edit], Edit>(([, edit]) => edit);
  const created = new Pool<readonly [number, Values], Values>(([, values]) => values);
  const removed = new Pool<readonly [string, Removal], Removal>(([, removal]) => removal);
  const store = (staged: Staged): StoredState => [
    [...staged.edits].map((entry) => edits.add(entry)),
    [...staged.created].map((entry) => created.add(entry)),
    [...staged.removed].map((entry) => removed.add(entry)),
  ];
  const isWithinLimit = storageLimit();
  const states = {
    past: past.toReversed().filter(isWithinLimit).toReversed().map(store),
    present: store(present),
    future: future.filter(isWithinLimit).map(store),
  };
  return {
    ...states,
    edits: edits.items.map(([id, { row, etag = null, values }]) => [
      id,
      rows.add(row),
      etag,
      storeValues(values),
    ]),
    created: created.items.map(([number, values]) => [number, storeValues(values)]),
    removed: removed.items.map(([id, { row, etag = null }]) => [id, rows.add(row), etag]),
    rows: rows.items,
  };
}

/** Distinct objects with their indexes. States share the objects that did not change between them. */
class Pool<T, K = T> {
  readonly items: T[] = [];
  readonly #indexes = new Map<K | T, number>();
  readonly #keyOf: (item: T) => K | T;

  constructor(keyOf: (item: T) => K | T = (item) => item) {
    this.#keyOf = keyOf;
  }

  add(item: T): number {
    const key = this.#keyOf(item);
    const index = this.#indexes.get(key) ?? this.items.push(item) - 1;
    this.#indexes.set(key, index);
    return index;
  }
}

/** Returns a filter of states that accepts them until they have too many changes. */
function storageLimit(): (staged: Staged) => boolean {
  let remainingChanges = maxStoredChanges;
  return ({ edits, created, removed }) => {
    remainingChanges -= edits.size + created.size + removed.size;
    return remainingChanges >= 0;
  };
}

function storeValues(values: Values): StoredValues {
  return Object.entries(values).map(([column, value]) => {
    const source = sourceOf(value);
    return source === undefined ? [column, value] : [column, null, source];
  });
}

export function restoreHistory(storedHistory: StoredHistory): History<Staged> {
  const { rows, past, present, future } = storedHistory;
  const edits = storedHistory.edits.map(
    ([id, row, etag, values]) =>
      [id, { ...versionOf(rows, row, etag), values: restoreValues(values) }] as const,
  );
  const created = storedHistory.created.map(
    ([number, values]) => [number, restoreValues(values)] as const,
  );
  const removed = storedHistory.removed.map(
    ([id, row, etag]) => [id, versionOf(rows, row, etag)] as const,
  );
  const restore = ([editIndexes, newIndexes, removedIndexes]: StoredState): Staged => ({
    edits: new Map(at(edits, editIndexes)),
    created: new Map(at(created, newIndexes)),
    removed: new Map(at(removed, removedIndexes)),
  });
  return { past: past.map(restore), present: restore(present), future: future.map(restore) };
}

/** Returns the number of changes that are staged. */
export function countStored({ present }: StoredHistory): number {
  return present.flat().length;
}

function at<T>(items: readonly T[], indexes: readonly Index[]): readonly T[] {
  return indexes.flatMap((index) => items.slice(index, index + 1));
}

function versionOf(rows: readonly Row[], index: Index, etag: string | null): Removal {
  return { row: rows[index] ?? {}, etag: etag ?? undefined };
}

function restoreValues(values: StoredValues): Values {
  return Object.fromEntries(
    values.map(([column, value, source]) => [
      column,
      source === undefined ? value : readJsonText(source),
    ]),
  );
}
