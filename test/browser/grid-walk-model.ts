/** What a user of the grid has stored and staged: a model of a few lines, without the studio. */

/** Typed text, or NULL. */
export type Value = string | null;
export const editedColumns = ['a', 'b'] as const;
export type Column = (typeof editedColumns)[number];
export type Values = Readonly<Partial<Record<Column, Value>>>;
export type Row = Readonly<Record<Column, Value>>;

interface NewRow {
  readonly number: number;
  /** Undefined until it is typed: each row has a name, by which the user knows it. */
  readonly name: string | undefined;
  readonly values: Values;
}

export interface Staged {
  readonly edits: ReadonlyMap<string, Values>;
  readonly created: readonly NewRow[];
  readonly removed: ReadonlySet<string>;
}

const nothing: Staged = { edits: new Map(), created: [], removed: new Set() };

/** The value that the database rejects. */
export const rejectedValue = 'rejected';

function isRejected(staged: Staged): boolean {
  const isBad = ({ a }: Values): boolean => a === rejectedValue;
  return (
    staged.created.some(({ name, values }) => name === undefined || isBad(values)) ||
    [...staged.edits].some(([name, values]) => !staged.removed.has(name) && isBad(values))
  );
}

function applyStaged(stored: ReadonlyMap<string, Row>, staged: Staged): ReadonlyMap<string, Row> {
  const rows = new Map(stored);
  for (const [name, values] of staged.edits) {
    const row = rows.get(name);
    if (row !== undefined) rows.set(name, { ...row, ...values });
  }
  for (const name of staged.removed) rows.delete(name);
  for (const { name, values } of staged.created)
    if (name !== undefined) rows.set(name, { a: null, b: null, ...values });
  return rows;
}

export class GridModel {
  stored: ReadonlyMap<string, Row>;
  /** Rows that another client has changed, and that the page has not read since. */
  readonly stale = new Set<string>();
  #past: Staged[] = [];
  #now: Staged = nothing;
  #future: Staged[] = [];
  #lastNumber = 0;
  /** What a request in flight, or one without a response, has sent. */
  #sent: Staged | undefined;

  constructor(stored: ReadonlyMap<string, Row>) {
    this.stored = stored;
  }

  get staged(): Staged {
    return this.#now;
  }

  get count(): number {
    return this.#now.edits.size + this.#now.created.length + this.#now.removed.size;
  }

  get canUndo(): boolean {
    return this.#past.length > 0;
  }

  get isSending(): boolean {
    return this.#sent !== undefined;
  }

  get isRejected(): boolean {
    return isRejected(this.#now);
  }

  #change(next: Staged): void {
    this.#past.push(this.#now);
    this.#now = next;
    this.#future = [];
  }

  newRow(name: string): NewRow | undefined {
    return this.#now.created.find((row) => row.name === name);
  }

  /** The values that the user sees in a row. Undefined if it is not there or is marked as deleted. */
  seenValuesOf(name: string): Values | undefined {
    if (this.#now.removed.has(name)) return undefined;
    const created = this.newRow(name);
    if (created !== undefined) return created.values;
    const row = this.stored.get(name);
    return row === undefined ? undefined : { ...row, ...this.#now.edits.get(name) };
  }

  /** Values that are typed or pasted together are one step of undo. */
  setAll(rows: ReadonlyMap<string, Values>): void {
    const edits = new Map(this.#now.edits);
    let { created } = this.#now;
    for (const [name, values] of rows)
      if (this.newRow(name) === undefined) edits.set(name, { ...edits.get(name), ...values });
      else
        created = created.map((row) =>
          row.name === name ? { ...row, values: { ...row.values, ...values } } : row,
        );
    this.#change({ ...this.#now, edits, created });
  }

  addRow(): number {
    this.#lastNumber++;
    const row = { number: this.#lastNumber, name: undefined, values: {} };
    this.#change({ ...this.#now, created: [...this.#now.created, row] });
    return this.#lastNumber;
  }

  nameRow(number: number, name: string): void {
    const created = this.#now.created.map((row) =>
      row.number === number ? { ...row, name } : row,
    );
    this.#change({ ...this.#now, created });
  }

  /** Marks rows as deleted. A new row disappears. */
  remove(names: readonly string[]): void {
    const removed = new Set(this.#now.removed);
    for (const name of names) if (this.newRow(name) === undefined) removed.add(name);
    const created = this.#now.created.filter(
      ({ name }) => name === undefined || !names.includes(name),
    );
    this.#change({ ...this.#now, removed, created });
  }

  undo(): void {
    const before = this.#past.pop();
    if (before === undefined) return;
    this.#future.push(this.#now);
    this.#now = before;
  }

  redo(): void {
    const after = this.#future.pop();
    if (after === undefined) return;
    this.#past.push(this.#now);
    this.#now = after;
  }

  discard(): void {
    if (this.count > 0) this.#change(nothing);
  }

  /** Resolves a conflict in favor of the stored version. */
  dropEdit(name: string): void {
    const edits = new Map(this.#now.edits);
    edits.delete(name);
    this.#change({ ...this.#now, edits });
  }

  /** Resolves a conflict in favor of the user's version. This can be undone. */
  rebase(): void {
    this.#change({ ...this.#now });
  }

  changeByOtherClient(name: string, row: Row): void {
    this.stored = new Map(this.stored).set(name, row);
    this.stale.add(name);
  }

  send(): void {
    this.#sent ??= this.#now;
  }

  /** Nothing of the request was saved. */
  rejectSent(): void {
    this.#sent = undefined;
  }

  get isSentRejected(): boolean {
    return this.#sent !== undefined && isRejected(this.#sent);
  }

  /** The request was saved. What has been staged since is still staged. */
  acceptSent(): void {
    const sent = this.#sent ?? nothing;
    const before = this.stored;
    this.stored = applyStaged(this.stored, sent);
    this.#sent = undefined;
    const names = new Set([
      ...this.#now.edits.keys(),
      ...sent.edits.keys(),
      ...sent.created.flatMap(({ name }) => (name === undefined ? [] : [name])),
    ]);
    const edits = new Map<string, Values>();
    for (const name of names) {
      const remainingValues = this.#remainingEdits(name, before);
      if (remainingValues !== undefined) edits.set(name, remainingValues);
    }
    const created = this.#now.created.filter(
      ({ number }) => !sent.created.some((row) => row.number === number),
    );
    const removed = new Set([...this.#now.removed].filter((name) => this.stored.has(name)));
    this.#now = { edits, created, removed };
    this.#past = [];
    this.#future = [];
  }

  #remainingEdits(name: string, before: ReadonlyMap<string, Row>): Values | undefined {
    const stored = this.stored.get(name);
    const row = before.get(name);
    const now = this.newRow(name)?.values ?? { ...row, ...this.#now.edits.get(name) };
    if (stored === undefined) return undefined;
    const remainingColumns = editedColumns.filter(
      (column) => (now[column] ?? null) !== stored[column],
    );
    if (remainingColumns.length === 0) return undefined;
    return Object.fromEntries(remainingColumns.map((column) => [column, now[column] ?? null]));
  }
}

/** A row as one line. */
export function lineOf(name: string, { a, b }: Row): string {
  return `${name}: ${a ?? 'NULL'}, ${b ?? 'NULL'}`;
}
