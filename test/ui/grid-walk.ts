/**
 * Random sequences of user actions on the stores of the grid and the real HTTP API, compared with a
 * model of what the user sees: the text of each cell, and the existing rows. After everything has
 * been saved, the database must contain what the user saw.
 */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import BetterSqlite3 from 'better-sqlite3';
import { createApp } from '../../src/http/app.ts';
import { createStudio } from '../../src/studio/studio.ts';
import { toggleRemoval } from '../../ui/src/editing/staged.ts';
import type { Staged, StoredRow } from '../../ui/src/editing/staged.ts';

type Value = string | number | null;
type Row = Readonly<Record<string, Value>>;

// The types of the page modules that the test uses. The modules themselves need DOM types, which
// these tests do not have.
interface ShownRow {
  readonly kind: 'new' | 'stored';
  readonly number: number;
  readonly stored?: StoredRow;
  readonly isRemoved: boolean;
}
interface ShownRows {
  readonly count: number;
  readonly at: (index: number) => ShownRow | undefined;
}
interface Store {
  readonly staged: Staged;
  readonly canUndo: boolean;
  readonly canRedo: boolean;
  readonly pending: unknown;
  readonly conflict:
    | { readonly remote: unknown; readonly local: { readonly values: object } }
    | undefined;
  readonly change: (make: (staged: Staged) => Staged) => void;
  readonly undo: () => void;
  readonly redo: () => void;
  readonly discard: () => void;
  readonly reset: (staged: Staged) => void;
  readonly setConflict: (conflict: undefined) => void;
}
interface Opened {
  readonly shown: ShownRow;
  readonly column: object;
  readonly since: number;
  readonly position: { readonly row: number; readonly column: number };
}
interface Pages {
  readonly save: (table: object) => Promise<void>;
  readonly stagedTable: (name: string) => Store;
  readonly shownRows: (
    table: object,
    read: object,
    changes: { readonly staged: Staged },
  ) => ShownRows;
  readonly rowKeyOf: (shown: ShownRow) => string | undefined;
  readonly savedNewRow: (table: object, number: number) => StoredRow | undefined;
  readonly saveCount: () => number;
  readonly stageNewRow: (staged: Staged) => Staged;
  readonly dropNewRow: (staged: Staged, number: number) => Staged;
  readonly mergeIntoEdit: (
    staged: Staged,
    conflict: object,
    columns: ReadonlySet<string>,
  ) => Staged;
  readonly stageFinished: (props: object, opened: Opened, values: object) => void;
  readonly retryDelays: number[];
}

async function loadPages(): Promise<Pages> {
  // Imported by variable names, so that tsc does not check the page modules with the settings of
  // the tests.
  const folder = new URL('../../ui/src/', import.meta.url).pathname;
  const files = [
    'editing/save.ts',
    'editing/staged-store.ts',
    'editing/shown-rows.ts',
    'editing/edit-target.ts',
    'editing/rows-after-saves.ts',
    'editing/staged.ts',
    'editing/conflict.ts',
    'editing/send-changes.ts',
    'table/opened-cell.ts',
  ];
  const modules = await Promise.all(
    files.map(async (file) => import(/* @vite-ignore */ `${folder}${file}`) as Promise<object>),
  );
  return Object.assign({}, ...modules) as Pages;
}

/** What happens to a request that saves. */
const deliveries = [
  'received',
  'received',
  'late',
  'never sent',
  'response lost',
  'sent twice',
] as const;
type Delivery = (typeof deliveries)[number];

/** A studio on a SQLite file, whose network the walk controls. */
export interface WalkHarness {
  readonly walk: (seed: number, steps: number) => Promise<WalkOutcome>;
  readonly close: () => Promise<void>;
}

export interface WalkOutcome {
  readonly expected: readonly string[];
  readonly stored: readonly string[];
  readonly log: readonly string[];
}

const columns = [
  { name: 'id', kind: 'integer', is_nullable: false, is_generated: false },
  { name: 'a', kind: 'text', is_nullable: true, is_generated: false },
  { name: 'b', kind: 'integer', is_nullable: true, is_generated: false },
];
const table = { name: 'walked', columns, row_key: ['id'], primary_key: ['id'], rolls_back: true };

export async function openWalkHarness(): Promise<WalkHarness> {
  const folder = mkdtempSync(join(tmpdir(), 'studio-walk-'));
  const file = join(folder, 'walk.db');
  const database = new BetterSqlite3(file);
  database.pragma('journal_mode = WAL');
  database.exec(
    "CREATE TABLE walked (id INTEGER PRIMARY KEY AUTOINCREMENT, a TEXT CHECK (a <> 'rejected'), b INTEGER, c TEXT)",
  );
  const studio = await createStudio({ url: file });
  const app = createApp(studio);
  const network = { delivery: 'received' as Delivery, release: [] as (() => void)[] };
  const send = async (path: string, init: RequestInit = {}): Promise<Response> =>
    app.fetch(new Request(`http://localhost${path}`, init));
  const fetchStub = async (path: string, init: RequestInit = {}): Promise<Response> => {
    if (!path.includes('/changes')) return send(path, init);
    const { delivery } = network;
    if (delivery === 'late') await new Promise<void>((resolve) => network.release.push(resolve));
    if (delivery === 'never sent') throw new TypeError('Failed to fetch');
    const response = await send(path, init);
    if (delivery === 'response lost') throw new TypeError('Failed to fetch');
    // A proxy repeats a request. The page gets one response.
    return delivery === 'sent twice' ? send(path, init) : response;
  };
  Object.assign(globalThis, {
    document: { querySelector: () => null },
    addEventListener: () => undefined,
    fetch: fetchStub,
  });
  const pages = await loadPages();
  pages.retryDelays.fill(0);
  return {
    walk: async (seed, steps) => {
      database.exec('DELETE FROM walked');
      for (let i = 1; i <= 6; i++)
        database
          .prepare('INSERT INTO walked (a, b, c) VALUES (?, ?, ?)')
          .run(i === 2 ? null : `a${i}`, i === 3 ? null : i, 'c');
      pages
        .stagedTable(table.name)
        .reset({ edits: new Map(), created: new Map(), removed: new Map() });
      const walker = new Walker({ pages, database, network, send }, seed);
      await walker.run(steps);
      return walker.outcome();
    },
    close: async () => {
      await studio.close();
      database.close();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

interface WalkerParts {
  readonly pages: Pages;
  readonly database: BetterSqlite3.Database;
  readonly network: { delivery: Delivery; release: (() => void)[] };
  readonly send: (path: string) => Promise<Response>;
}

interface Seen {
  readonly a: string;
  readonly b: string;
}

/** What the user sees, by row key: a row, or nothing for a deleted one. */
type View = ReadonlyMap<string, Seen>;

const text = (value: unknown): string =>
  value === null || value === undefined ? 'NULL' : `'${String(value)}'`;

function losesNewValue(before: Staged, after: Staged): boolean {
  return [...before.created].some(([number, values]) => {
    const remainingRow = after.created.get(number);
    return (
      remainingRow !== undefined &&
      Object.keys(values).some((name) => !Object.hasOwn(remainingRow, name))
    );
  });
}

class Walker {
  readonly #parts: WalkerParts;
  readonly #random: () => number;
  readonly #log: string[] = [];
  /** Undo brings back what was seen with these changes. */
  readonly #seenWith = new WeakMap<Staged, View>();
  #view: View = new Map();
  #read: { data: Row[]; etags: string[] } = { data: [], etags: [] };
  #opened: { readonly opened: Opened; readonly column: 'a' | 'b' } | undefined;
  #running: Promise<void> | undefined;

  constructor(parts: WalkerParts, seed: number) {
    this.#parts = parts;
    let state = seed | 0;
    // mulberry32
    this.#random = () => {
      state = (state + 0x6d2b79f5) | 0;
      let t = Math.imul(state ^ (state >>> 15), 1 | state);
      t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t;
      return ((t ^ (t >>> 14)) >>> 0) / 2 ** 32;
    };
  }

  async run(steps: number): Promise<void> {
    await this.#readRows();
    this.#view = new Map(
      this.#stored().map(({ id, a, b }) => [String(id), { a: text(a), b: text(b) }]),
    );
    this.#remember();
    const actions = [
      this.#openEditor,
      this.#openEditor,
      this.#finishEditor,
      this.#finishEditor,
      this.#addRow,
      this.#toggleRow,
      this.#undo,
      this.#redo,
      this.#discard,
      this.#readRows,
      this.#otherWriter,
      this.#startSave,
      this.#startSave,
      this.#awaitSave,
    ];
    for (let step = 0; step < steps; step++) await this.#pick(actions).call(this);
    await this.#saveEverything();
  }

  outcome(): WalkOutcome {
    const line = ([id, { a, b }]: readonly [string, Seen]): string => `${id}: ${a} ${b}`;
    const expected = [...this.#view].map(([key, seenRow]) => line([this.#idOf(key), seenRow]));
    const stored = this.#stored().map(({ id, a, b }) =>
      line([String(id), { a: text(a), b: text(b) }]),
    );
    return { expected: expected.toSorted(), stored: stored.toSorted(), log: this.#log };
  }

  #idOf(key: string): string {
    return key.startsWith('+')
      ? (this.#parts.pages.savedNewRow(table, Number(key.slice(1)))?.id ?? key)
      : key;
  }

  /** Rows that the other client has inserted are not the user's. */
  #stored(): { id: number; a: Value; b: Value }[] {
    return this.#parts.database
      .prepare("SELECT id, a, b FROM walked WHERE c IS NOT 'other client'")
      .all() as { id: number; a: Value; b: Value }[];
  }

  get #store(): Store {
    return this.#parts.pages.stagedTable(table.name);
  }

  get #rows(): ShownRows {
    const { data, etags } = this.#read;
    const page = { data, etags };
    const read = {
      count: data.length,
      pages: [[0, page]],
      at: (index: number) => ({ page, index }),
    };
    return this.#parts.pages.shownRows(table, read, { staged: this.#store.staged });
  }

  #pick<T>(items: readonly T[]): T {
    const item = items[Math.floor(this.#random() * items.length)];
    if (item === undefined) throw new Error('The list is empty.');
    return item;
  }

  #remember(): void {
    this.#seenWith.set(this.#store.staged, this.#view);
  }

  #see(key: string, seenRow: Seen | undefined): void {
    const view = new Map(this.#view);
    if (seenRow === undefined) view.delete(key);
    else view.set(key, seenRow);
    this.#view = view;
  }

  /** New rows keep their first key in the model. */
  #modelKey(shown: ShownRow): string | undefined {
    const key = this.#parts.pages.rowKeyOf(shown);
    if (key === undefined || key.startsWith('+')) return key;
    return [...this.#view.keys()].find((knownKey) => this.#idOf(knownKey) === key) ?? key;
  }

  #randomRow(): { readonly shown: ShownRow; readonly row: number } | undefined {
    const { count, at } = this.#rows;
    const row = Math.floor(this.#random() * count);
    const shown = at(row);
    return shown === undefined ? undefined : { shown, row };
  }

  async #openEditor(): Promise<void> {
    const found = this.#randomRow();
    if (found === undefined) return;
    const column = this.#pick(['a', 'b'] as const);
    const position = { row: found.row, column: column === 'a' ? 1 : 2 };
    const editedColumn = columns[position.column];
    if (editedColumn === undefined) return;
    const since = this.#parts.pages.saveCount();
    this.#opened = {
      opened: { shown: found.shown, column: editedColumn, since, position },
      column,
    };
  }

  /** The text goes to the record on which the editor was opened, even if rows have moved meanwhile. */
  async #finishEditor(): Promise<void> {
    const { pages } = this.#parts;
    if (this.#opened === undefined) return;
    const { opened, column } = this.#opened;
    this.#opened = undefined;
    const key = this.#modelKey(opened.shown);
    const before = key === undefined ? undefined : this.#view.get(key);
    // A new row whose response was lost is also shown as a stored row, which the model does not know.
    if (
      before === undefined &&
      opened.shown.kind === 'stored' &&
      !this.#isOfOtherClient(opened.shown)
    )
      return;
    const typed =
      column === 'a' ? this.#pick(['', 'x', 'y', null, 'rejected']) : this.#pick(['7', '-1', null]);
    this.#log.push(`type ${text(typed)} into ${key}.${column}`);
    const last = this.#store.staged;
    pages.stageFinished({ table, columns, rows: this.#rows }, opened, { [column]: typed });
    if (key !== undefined && before !== undefined)
      this.#see(key, { ...before, [column]: text(typed) });
    if (this.#store.staged !== last) this.#remember();
  }

  async #addRow(): Promise<void> {
    const { pages } = this.#parts;
    this.#store.change((staged) => pages.stageNewRow(staged));
    const number = [...this.#store.staged.created.keys()].at(-1);
    this.#log.push(`add +${number}`);
    this.#see(`+${number}`, { a: 'NULL', b: 'NULL' });
    this.#remember();
  }

  async #toggleRow(): Promise<void> {
    const found = this.#randomRow();
    const key = found && this.#modelKey(found.shown);
    if (found === undefined || key === undefined || this.#isOfOtherClient(found.shown)) return;
    const { shown } = found;
    // A deletion that was already sent cannot be undone. The page reports that; walks avoid it.
    if (shown.isRemoved || this.#running !== undefined) return;
    this.#log.push(`delete ${key}`);
    if (shown.kind === 'new')
      this.#store.change((staged) => this.#parts.pages.dropNewRow(staged, shown.number));
    else if (shown.stored !== undefined) {
      const { stored } = shown;
      this.#store.change((staged) => toggleRemoval(staged, stored));
    }
    this.#see(key, undefined);
    this.#remember();
  }

  #isOfOtherClient(shown: ShownRow): boolean {
    const row = shown.stored?.row as Row | undefined;
    return row?.['c'] === 'other client';
  }

  async #undo(): Promise<void> {
    this.#step('undo', this.#store.undo, this.#store.redo);
  }

  async #redo(): Promise<void> {
    this.#step('redo', this.#store.redo, this.#store.undo);
  }

  #step(name: string, act: () => void, takeBack: () => void): void {
    const before = this.#store.staged;
    // Marks of deletion that are being saved cannot be taken back.
    const isSent = this.#running !== undefined || this.#store.pending !== undefined;
    if (isSent && before.removed.size > 0) return;
    act();
    if (this.#store.staged === before) return;
    // A value of a new row that is being saved cannot be taken back either: its default is unknown.
    if (isSent && losesNewValue(before, this.#store.staged)) {
      takeBack();
      return;
    }
    this.#log.push(name);
    this.#view = this.#seenWith.get(this.#store.staged) ?? this.#view;
  }

  async #discard(): Promise<void> {
    if (this.#running !== undefined || this.#random() < 0.5) return;
    if (this.#store.pending !== undefined) return;
    this.#log.push('discard');
    this.#store.discard();
    this.#view = new Map(
      this.#stored().map(({ id, a, b }) => [this.#keyOf(String(id)), { a: text(a), b: text(b) }]),
    );
    this.#remember();
  }

  #keyOf(id: string): string {
    return [...this.#view.keys()].find((key) => this.#idOf(key) === id) ?? id;
  }

  /** Another sort, filter or page: the same records are at other positions, or not on screen. */
  async #readRows(): Promise<void> {
    const sort = this.#pick(['id', 'a', 'b', 'c']);
    const order = this.#pick(['asc', 'desc']);
    const size = this.#pick([3, 50]);
    const response = await this.#parts.send(
      `/studio/api/tables/walked/rows?sort_by=${sort}&sort_order=${order}&page_size=${size}&etags=true`,
    );
    this.#read = (await response.json()) as { data: Row[]; etags: string[] };
    this.#log.push(`read by ${sort} ${order}`);
  }

  async #otherWriter(): Promise<void> {
    const { database } = this.#parts;
    if (this.#random() < 0.5) {
      database.prepare("INSERT INTO walked (a, b, c) VALUES ('A', 0, 'other client')").run();
      this.#log.push('the other client inserts');
      return;
    }
    const ids = database
      .prepare("SELECT id FROM walked WHERE c IS NOT 'other client'")
      .pluck()
      .all() as number[];
    if (ids.length === 0) return;
    const id = this.#pick(ids);
    database.prepare("UPDATE walked SET c = c || '!' WHERE id = ?").run(id);
    this.#log.push(`the other client changes ${id}`);
  }

  async #startSave(): Promise<void> {
    if (this.#running !== undefined) return;
    const { network } = this.#parts;
    network.delivery = this.#pick(deliveries);
    this.#log.push(`save: ${network.delivery}`);
    this.#running = this.#saveOnce();
    if (network.delivery !== 'late') await this.#running;
    else await new Promise((resolve) => setTimeout(resolve, 5));
  }

  async #saveOnce(): Promise<void> {
    await this.#parts.pages.save(table);
    // The page reads the rows again after a save, and after a conflict.
    await this.#readRows();
    this.#running = undefined;
    this.#applySaveOutcome();
  }

  async #awaitSave(): Promise<void> {
    const { network } = this.#parts;
    network.delivery = 'received';
    for (const release of network.release.splice(0)) release();
    await this.#running;
  }

  /** After a save: the user keeps what was typed, and sees rows again that could not be deleted. */
  #applySaveOutcome(): void {
    const { pages } = this.#parts;
    const { conflict } = this.#store;
    if (conflict !== undefined) {
      const local = new Set(Object.keys(conflict.local.values));
      this.#log.push('keep mine');
      this.#store.change((staged) => pages.mergeIntoEdit(staged, conflict, local));
      this.#store.setConflict(undefined);
    }
    const { staged, pending } = this.#store;
    // Until the outcome is known, the user sees what was staged.
    if (pending !== undefined) return;
    const knownIds = new Set([...this.#view.keys()].map((key) => this.#idOf(key)));
    for (const { id, a, b } of this.#stored())
      if (!knownIds.has(String(id)) && !staged.removed.has(String(id))) {
        const edited = staged.edits.get(String(id))?.values ?? {};
        const now = { a, b, ...edited };
        this.#log.push(`${id} is visible again`);
        this.#see(String(id), { a: text(now.a), b: text(now.b) });
      }
    this.#remember();
  }

  async #saveEverything(): Promise<void> {
    this.#log.push('save everything');
    await this.#awaitSave();
    this.#opened = undefined;
    this.#replaceRejected();
    for (let attempts = 0; attempts < 40 && this.#isUnsaved(); attempts++) {
      await this.#startSave();
      await this.#awaitSave();
      this.#replaceRejected();
    }
    if (this.#isUnsaved())
      throw new Error(`Some changes cannot be saved:\n${this.#log.join('\n')}`);
  }

  #isUnsaved(): boolean {
    const { staged, pending } = this.#store;
    return (
      pending !== undefined || staged.edits.size + staged.created.size + staged.removed.size > 0
    );
  }

  #replaceRejected(): void {
    const fixed = (values: Readonly<Record<string, unknown>>) =>
      values['a'] === 'rejected' ? { ...values, a: 'fixed' } : values;
    this.#store.change((staged) => ({
      ...staged,
      edits: new Map(
        [...staged.edits].map(([id, edit]) => [
          id,
          { ...edit, values: fixed(edit.values) as typeof edit.values },
        ]),
      ),
      created: new Map(
        [...staged.created].map(([number, values]) => [number, fixed(values) as typeof values]),
      ),
    }));
    for (const [key, seenRow] of this.#view)
      if (seenRow.a === text('rejected')) this.#see(key, { ...seenRow, a: text('fixed') });
  }
}
