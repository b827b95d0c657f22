/**
 * A second writer changes the rows that foreign keys delete, while the first one makes the changes that a
 * preview has shown. Either the first is rejected and nothing is written, or foreign keys delete as many
 * rows as the preview said.
 */
import * as fc from 'fast-check';
import { expect } from 'vitest';
import { StudioError } from '../../../src/model/errors.ts';
import { readBody } from './harness.ts';
import { columnOf, foreignKeyTo, int, optional, tableOf } from './tables.ts';
import type { Studio } from '../../../src/studio/studio.ts';
import type { Harness, JsonRow } from './harness.ts';

const cascadingTables = [
  tableOf('shelves', [columnOf('id', int), optional('n', int)], {
    primaryKey: { columns: ['id'] },
  }),
  tableOf('boxes', [columnOf('id', int), optional('shelf_id', int)], {
    primaryKey: { columns: ['id'] },
    foreignKeys: [foreignKeyTo('shelves', ['shelf_id'], { onDelete: 'cascade' })],
  }),
  tableOf('items', [columnOf('id', int), optional('box_id', int)], {
    primaryKey: { columns: ['id'] },
    foreignKeys: [foreignKeyTo('boxes', ['box_id'], { onDelete: 'cascade' })],
  }),
  tableOf('labels', [columnOf('id', int), optional('shelf_id', int)], {
    primaryKey: { columns: ['id'] },
    foreignKeys: [foreignKeyTo('shelves', ['shelf_id'], { onDelete: 'set null' })],
  }),
];

interface Parent {
  readonly table: string;
  readonly column: string;
  readonly action: 'delete' | 'set_null';
}

/** What each table references, in the order in which a deletion reaches them. */
const parents: Readonly<Record<string, Parent>> = {
  boxes: { table: 'shelves', column: 'shelf_id', action: 'delete' },
  items: { table: 'boxes', column: 'box_id', action: 'delete' },
  labels: { table: 'shelves', column: 'shelf_id', action: 'set_null' },
};

/** The value of the foreign key by the id of the row, for each table. */
export type Contents = Readonly<Record<string, ReadonlyMap<number, number | null>>>;

const ids = { shelves: 2, boxes: 3, items: 4, labels: 2 };
const shelf = fc.integer({ min: 1, max: ids.shelves });
const box = fc.integer({ min: 1, max: ids.boxes });
const initial = fc.record({
  boxes: fc.array(shelf, { minLength: ids.boxes, maxLength: ids.boxes }),
  items: fc.array(box, { minLength: ids.items, maxLength: ids.items }),
  labels: fc.array(fc.option(shelf), { minLength: ids.labels, maxLength: ids.labels }),
});

const kinds = ['insert', 'move', 'remove'] as const;

const write = fc.record({
  // A label outlives its shelf, so other writes of it would succeed before and after the deletion.
  kindAndTable: fc.constantFrom(
    ['insert', 'labels'] as const,
    ...kinds.flatMap((kind) => [[kind, 'boxes'] as const, [kind, 'items'] as const]),
  ),
  id: fc.integer({ min: 1, max: ids.items }),
  parent: fc.integer({ min: 1, max: ids.shelves }),
  delayMs: fc.integer({ min: 0, max: 6 }),
});

type OtherWrite = typeof write extends fc.Arbitrary<infer T> ? T : never;

const race = fc.record({
  initial,
  // The result of several moves of one row would depend on their order.
  writes: fc.uniqueArray(write, {
    minLength: 1,
    maxLength: 4,
    selector: ({ kindAndTable: [kind, table], id, delayMs }) =>
      kind === 'move' ? `${table} ${id}` : `${kind} ${table} ${id} ${delayMs}`,
  }),
  delayMs: fc.integer({ min: 0, max: 6 }),
});

/** Why a write of the race may fail. Nothing is written then. */
const changesErrors = /^(cascades_changed|write_conflict|database_busy)$/;
const otherErrors = /^(foreign_key_violation|row_not_found|write_conflict|database_busy)$/;

export async function expectConfirmedCascades(harness: Harness, runs: number): Promise<void> {
  await harness.createTables(cascadingTables);
  const other = await harness.openStudio();
  let written = 0;
  let rejected = 0;
  await fc.assert(
    fc.asyncProperty(race, async ({ initial: rows, writes, delayMs }) => {
      const before = await fill(harness, rows);
      const body = { delete: ['1'] };
      const { cascades } = await preview(harness.studio, body);
      const changes = outcomeOf(delayMs, () =>
        changeShelves(harness.studio, { ...body, expected_cascades: cascades }),
      );
      const others = writes.map((each, i) =>
        outcomeOf(each.delayMs, () => writeRow(other, each, i)),
      );
      const [changed, ...outcomes] = await Promise.all([changes, ...others]);
      for (const code of outcomes) expect(code ?? 'foreign_key_violation').toMatch(otherErrors);
      const model = withWrites(
        before,
        writes
          .map((each, i) => ({ ...each, index: i }))
          .filter((_, i) => outcomes[i] === undefined),
      );
      if (changed === undefined) {
        written++;
        expect(sorted(cascadesIn(model))).toEqual(sorted(cascades));
        expect(await contentsOf(harness)).toEqual(withoutShelf(model));
      } else {
        rejected++;
        expect(changed).toMatch(changesErrors);
        expect(await contentsOf(harness)).toEqual(model);
      }
    }),
    { numRuns: runs },
  );
  // In some runs the changes succeed, in others they are rejected.
  expect(written).toBeGreaterThan(0);
  expect(rejected).toBeGreaterThan(0);
}

/** Undefined if it succeeds, otherwise the code of its error. */
async function outcomeOf(
  delayMs: number,
  work: () => Promise<unknown>,
): Promise<string | undefined> {
  await new Promise((resolve) => setTimeout(resolve, delayMs));
  try {
    await work();
    return undefined;
  } catch (error) {
    if (error instanceof StudioError) return error.code;
    throw error;
  }
}

async function fill(
  harness: Harness,
  rows: Readonly<Record<'boxes' | 'items' | 'labels', readonly (number | null)[]>>,
): Promise<Contents> {
  for (const table of ['items', 'boxes', 'labels', 'shelves'])
    await harness.database.run(`DELETE FROM ${table}`);
  const shelves = [1, 2].map((id) => ({ id, n: null }));
  await harness.insertRows('shelves', shelves);
  for (const table of ['boxes', 'items', 'labels'] as const) {
    const { column } = parents[table]!;
    const list = rows[table].map((parent, i) => ({ id: i + 1, [column]: parent }));
    await harness.insertRows(table, list);
  }
  return contentsOf(harness);
}

async function contentsOf(harness: Harness): Promise<Contents> {
  const entries: [string, ReadonlyMap<number, number | null>][] = [];
  for (const [table, column] of [
    ['shelves', 'n'],
    ...Object.entries(parents).map(([name, parent]) => [name, parent.column]),
  ] as [string, string][]) {
    const { data } = await harness.list(table, {
      sort: [{ column: 'id', descending: false }],
      pageSize: 100,
    });
    entries.push([
      table,
      new Map(data.map((row) => [Number(row['id']), row[column] as number | null])),
    ]);
  }
  return Object.fromEntries(entries);
}

export interface PreviewBody {
  readonly cascades: readonly JsonRow[];
}

const flags = { showDeleted: false, permanent: false, partial: false };

export async function preview(studio: Studio, body: object): Promise<PreviewBody> {
  const input = { ...flags, table: 'shelves', body: JSON.stringify(body) };
  return readBody(await studio.perform('preview-changes', input)) as PreviewBody;
}

export async function changeShelves(studio: Studio, body: object): Promise<unknown> {
  const input = { ...flags, table: 'shelves', body: JSON.stringify(body) };
  return studio.perform('change-rows', input);
}

function newId(index: number): number {
  return 100 + index;
}

function writeRow(
  studio: Studio,
  { kindAndTable: [kind, table], id, parent }: OtherWrite,
  index: number,
): Promise<unknown> {
  const { column } = parents[table]!;
  const row = { ...flags, table, id: `${id}` };
  if (kind === 'remove') return studio.perform('delete-row', row);
  if (kind === 'move')
    return studio.perform('update-row', { ...row, body: JSON.stringify({ [column]: parent }) });
  const body = JSON.stringify({ id: newId(index), [column]: parent });
  return studio.perform('create-row', { table, body });
}

interface IndexedWrite extends OtherWrite {
  readonly index: number;
}

/**
 * The contents after writes that succeeded. Removals come last: another write of a row succeeds only
 * before its removal.
 */
function withWrites(contents: Contents, writes: readonly IndexedWrite[]): Contents {
  const isRemoval = ({ kindAndTable: [kind] }: OtherWrite): boolean => kind === 'remove';
  const ordered = [
    ...writes.filter((each) => !isRemoval(each)),
    ...writes.filter((each) => isRemoval(each)),
  ];
  return ordered.reduce(withWrite, contents);
}

function withWrite(
  contents: Contents,
  { kindAndTable: [kind, table], id, parent, index }: IndexedWrite,
): Contents {
  const rows = new Map(contents[table]);
  if (kind === 'remove') {
    rows.delete(id);
    const child = Object.keys(parents).find((name) => parents[name]!.table === table);
    const result = { ...contents, [table]: rows };
    return child === undefined
      ? result
      : { ...result, [child]: withoutParents(contents[child]!, new Set([id])) };
  }
  if (kind === 'move') rows.set(id, parent);
  else rows.set(newId(index), parent);
  return { ...contents, [table]: rows };
}

function withoutParents(
  rows: ReadonlyMap<number, number | null>,
  gone: ReadonlySet<number | null>,
): ReadonlyMap<number, number | null> {
  return new Map([...rows].filter(([, parent]) => parent === null || !gone.has(parent)));
}

function deletedIds(contents: Contents): Readonly<Record<string, ReadonlySet<number>>> {
  const deleted: Record<string, ReadonlySet<number>> = { shelves: new Set([1]) };
  for (const [table, { table: parent, action }] of Object.entries(parents)) {
    const rows = [...contents[table]!].filter(
      ([, key]) => key !== null && deleted[parent]!.has(key),
    );
    if (action === 'delete') deleted[table] = new Set(rows.map(([id]) => id));
  }
  return deleted;
}

/** What foreign keys do when the first shelf is deleted. */
function cascadesIn(contents: Contents): readonly JsonRow[] {
  const deleted = deletedIds(contents);
  return Object.entries(parents).flatMap(([table, { table: parent, column, action }]) => {
    const rows = [...contents[table]!].filter(
      ([, key]) => key !== null && deleted[parent]!.has(key),
    ).length;
    const columns = action === 'delete' ? {} : { columns: [column] };
    return rows === 0 ? [] : [{ table, action, rows, ...columns }];
  });
}

/** The contents after the first shelf was deleted. */
function withoutShelf(contents: Contents): Contents {
  const deleted = deletedIds(contents);
  return Object.fromEntries(
    Object.entries(contents).map(([table, rows]) => {
      const parent = parents[table];
      const isGone = (id: number) => deleted[table]?.has(id) === true;
      const isCleared = (key: number | null) =>
        parent?.action === 'set_null' && key !== null && deleted[parent.table]!.has(key);
      return [
        table,
        new Map(
          [...rows].flatMap(([id, key]) =>
            isGone(id) ? [] : [[id, isCleared(key) ? null : key] as const],
          ),
        ),
      ];
    }),
  );
}

function sorted(rows: readonly JsonRow[]): readonly JsonRow[] {
  return rows.toSorted((a, b) => String(a['table']).localeCompare(String(b['table'])));
}
