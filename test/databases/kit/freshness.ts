/**
 * Reads and writes of a studio while another client changes rows and structure. The reference is the
 * database's own client: what it reads before and after determines what must happen.
 */
import {
  array,
  assert,
  asyncProperty,
  boolean,
  constant,
  constantFrom,
  integer,
  oneof,
  record,
} from 'fast-check';
import type { Arbitrary } from 'fast-check';
import { expect } from 'vitest';
import { StudioError } from '../../../src/model/errors.ts';
import { listDefaults, readBody, rowOf } from './harness.ts';
import type { Harness, JsonRow, Page } from './harness.ts';
import { columnOf, name, tableWithId } from './tables.ts';

/** The table as the other client left it. */
interface Shape {
  readonly name: string;
  key: 'id' | 'other';
  soft: boolean;
  note: 'note' | 'remark';
  /** Whether the structure has changed since the studio last showed that it knows it. */
  isNew: boolean;
  /**
   * Whether the structure has changed since the studio last wrote. A list does not show what the
   * key is.
   */
  isUnwritten: boolean;
}

type Row = Readonly<Record<string, unknown>>;

/** Selects one of the existing rows; sometimes a row that does not exist. */
const rowChoice = integer({ min: 0, max: 50 });
const structure = constantFrom('soft', 'key', 'rename', 'recreate', 'widen');

/**
 * Requests between the change and a write by which the studio may notice the change. Only a schema
 * response shows the table.
 */
const between = constantFrom('nothing', 'another table', 'a missing row', 'schema');

/**
 * `suddenly`: the other client changes the structure, once or several times, just before the studio
 * writes.
 */
const actions = {
  list: constant('list'),
  get: record({ get: rowChoice }),
  create: record({ create: integer({ min: 1, max: 9 }) }),
  update: record({ update: rowChoice, guarded: boolean(), by: constantFrom('row', 'changes') }),
  remove: record({
    remove: rowChoice,
    guarded: boolean(),
    by: constantFrom('row', 'changes', 'bulk'),
  }),
  poll: record({ poll: between }),
  removeAfterChanges: record({
    changesBefore: array(
      record({ change: oneof(constantFrom('soft', 'key'), structure), between }),
      {
        minLength: 1,
        maxLength: 3,
      },
    ),
    remove: rowChoice,
    guarded: boolean(),
    by: constantFrom('row', 'changes', 'bulk'),
  }),
  elsewhere: constantFrom('insert', 'change', 'delete', 'empty'),
  structure,
};

type Generated<K extends keyof typeof actions> =
  (typeof actions)[K] extends Arbitrary<infer T> ? T : never;
type Action = { readonly [K in keyof typeof actions]: Generated<K> }[keyof typeof actions];

const action: Arbitrary<Action> = oneof(
  { arbitrary: actions.list, weight: 4 },
  { arbitrary: actions.get, weight: 2 },
  { arbitrary: actions.create, weight: 2 },
  { arbitrary: actions.update, weight: 4 },
  { arbitrary: actions.remove, weight: 4 },
  { arbitrary: actions.elsewhere, weight: 4 },
  { arbitrary: actions.structure, weight: 2 },
  { arbitrary: actions.poll, weight: 2 },
  { arbitrary: actions.removeAfterChanges, weight: 4 },
);

const retryMs = 20_000;
/** A table that does not change. */
const otherTable = 'unchanged';

/** The meaning of the table's ids, and the effect of a deletion. */
interface IdMeaning {
  readonly key: Shape['key'];
  readonly soft: boolean;
}

/**
 * Whether a write that assumes the first meaning would change another row, or delete permanently,
 * under the second.
 */
function isHarmful(assumed: IdMeaning, now: IdMeaning): boolean {
  return assumed.key !== now.key || (assumed.soft && !now.soft);
}

class Freshness {
  readonly #harness: Harness;
  readonly #shape: Shape;
  /** Entity tags that the studio returned, by id, each with its row. */
  readonly #tags = new Map<
    string,
    { readonly tag: string; readonly row: string; readonly structure: number }
  >();
  #count = 0;
  /** The number of structure changes. */
  #structure = 0;
  /** The structures that the studio may still assume: it notices changes with a delay. */
  #present: readonly IdMeaning[];
  /** How the table was last shown to a client. Several possibilities if that is uncertain. */
  #shown: readonly IdMeaning[] = [];

  constructor(harness: Harness, name: string) {
    this.#harness = harness;
    this.#shape = { name, key: 'id', soft: false, note: 'note', isNew: true, isUnwritten: true };
    this.#present = [{ key: 'id', soft: false }];
  }

  async begin(): Promise<void> {
    await this.#createTable([1, 2, 3, 4].map((id) => ({ id, other: 10 - id, text: `row ${id}` })));
  }

  async perform(step: Action): Promise<void> {
    if (step === 'list') return this.#list();
    if (typeof step === 'string') return this.#changeElsewhere(step);
    if ('get' in step) return this.#get(await this.#pick(step.get));
    if ('create' in step) return this.#create(step.create);
    if ('poll' in step) return this.#poll(step.poll);
    if ('update' in step) return this.#update(await this.#pick(step.update), step);
    const id = await this.#pick(step.remove);
    for (const { change, between: read } of 'changesBefore' in step ? step.changesBefore : []) {
      await this.#changeElsewhere(change);
      await this.#poll(read);
    }
    return this.#remove(id, step);
  }

  async end(): Promise<void> {
    await this.#list();
    await this.#harness.database.run(`DROP TABLE ${this.#quoted}`);
    await eventually(async () => {
      const error = await failure(this.#harness.list(this.#shape.name));
      expect(error?.code).toBe('table_not_found');
    });
  }

  get #quoted(): string {
    return this.#harness.underTest.dialect.quoteName(this.#shape.name);
  }

  get #columns(): readonly string[] {
    const { soft, note } = this.#shape;
    return ['id', 'other', note, ...(soft ? ['deleted_at'] : [])];
  }

  /** The table as the other client sees it. */
  async #rows(): Promise<readonly Row[]> {
    const columns = this.#columns;
    const text = `SELECT ${columns.join(', ')} FROM ${this.#quoted} ORDER BY id`;
    const rows = await this.#harness.database.query(text);
    return rows.map((row) => Object.fromEntries(columns.map((name, i) => [name, row[i]])));
  }

  async #pick(number: number): Promise<string> {
    const rows = await this.#rows();
    const row = number % 10 === 0 ? undefined : rows[number % rows.length];
    return row === undefined ? String(number) : this.#idOf(row);
  }

  #isVisible = (row: Row): boolean => !this.#shape.soft || row['deleted_at'] === null;

  #idOf = (row: Row): string => String(row[this.#shape.key]);

  async #createTable(
    rows: readonly { readonly id: unknown; readonly other: unknown; readonly text: unknown }[],
  ): Promise<void> {
    const { key, note, soft } = this.#shape;
    const column = (name: string, rest: string): string => `${name} ${rest}`;
    const parts = [
      column('id', `int NOT NULL${key === 'id' ? ' PRIMARY KEY' : ''}`),
      column('other', `int NOT NULL${key === 'other' ? ' PRIMARY KEY' : ''}`),
      column(note, 'varchar(40)'),
      ...(soft ? [`deleted_at ${this.#timestamp} NULL`] : []),
    ];
    const values = rows.map(
      ({ id, other, text }) => `(${String(id)}, ${String(other)}, '${String(text)}')`,
    );
    await this.#harness.database.run(`CREATE TABLE ${this.#quoted} (${parts.join(', ')})`);
    if (values.length > 0)
      await this.#harness.database.run(
        `INSERT INTO ${this.#quoted} (id, other, ${note}) VALUES ${values.join(', ')}`,
      );
  }

  get #timestamp(): string {
    return this.#harness.underTest.dialect.ddl.columnType({ type: { kind: 'timestamp' } });
  }

  async #changeElsewhere(change: Generated<'elsewhere'> | Generated<'structure'>): Promise<void> {
    const { database } = this.#harness;
    const table = this.#quoted;
    const shape = this.#shape;
    this.#count += 1;
    const free = 100 + this.#count;
    if (change === 'insert')
      return database.run(
        `INSERT INTO ${table} (id, other, ${shape.note}) VALUES (${free}, ${free}, 'new ${free}')`,
      );
    if (change === 'change')
      return database.run(`UPDATE ${table} SET ${shape.note} = 'changed ${free}' WHERE id < 4`);
    if (change === 'delete') return database.run(`DELETE FROM ${table} WHERE id = 2`);
    if (change === 'empty')
      return database.run(
        this.#harness.underTest.name === 'sqlite'
          ? `DELETE FROM ${table}`
          : `TRUNCATE TABLE ${table}`,
      );
    await this.#restructure(change);
    this.#structure += 1;
    shape.isNew = true;
    shape.isUnwritten = true;
    this.#present = [...this.#present, { key: shape.key, soft: shape.soft }];
  }

  async #restructure(change: Generated<'structure'>): Promise<void> {
    const { database } = this.#harness;
    const table = this.#quoted;
    const shape = this.#shape;
    if (change === 'soft') {
      await database.run(
        shape.soft
          ? `ALTER TABLE ${table} DROP COLUMN deleted_at`
          : `ALTER TABLE ${table} ADD deleted_at ${this.#timestamp} NULL`,
      );
      shape.soft = !shape.soft;
      return;
    }
    if (change === 'widen')
      return database.run(`ALTER TABLE ${table} ADD extra_${this.#count} int NULL`);
    if (change === 'rename') {
      const note = shape.note === 'note' ? 'remark' : 'note';
      await database.run(`ALTER TABLE ${table} RENAME COLUMN ${shape.note} TO ${note}`);
      shape.note = note;
      return;
    }
    const rows = change === 'key' ? await this.#rows() : [];
    await database.run(`DROP TABLE ${table}`);
    if (change === 'key') shape.key = shape.key === 'id' ? 'other' : 'id';
    const retained = rows.map((row) => ({
      id: row['id'],
      other: row['other'],
      text: row[shape.note],
    }));
    await this.#createTable(
      change === 'key'
        ? retained
        : [3, 4, 5].map((id) => ({ id, other: 10 - id, text: `again ${id}` })),
    );
  }

  get #meaning(): IdMeaning {
    const { key, soft } = this.#shape;
    return { key, soft };
  }

  /**
   * The studio answered by the current structure, or by an earlier one if it has not noticed the
   * change.
   */
  #rememberShown(): void {
    if (this.#harness.underTest.name === 'sqlite') this.#present = [this.#meaning];
    this.#shown = this.#present;
  }

  /** Another read, by which the studio may notice the change. */
  async #poll(read: Generated<'poll'>['poll']): Promise<void> {
    if (read === 'another table') await this.#harness.list(otherTable);
    if (read === 'a missing row')
      expect((await failure(this.#harness.get(otherTable, '77')))?.code).toBe('row_not_found');
    if (read !== 'schema') return;
    await this.#harness.perform('get-schema', {});
    this.#rememberShown();
  }

  /**
   * At once if the studio knows the structure; otherwise after it had time to notice the change.
   */
  async #soon(check: () => Promise<void>): Promise<void> {
    await (this.#shape.isNew ? eventually(check) : check());
    this.#shape.isNew = false;
  }

  async #list(): Promise<void> {
    const rows = (await this.#rows()).filter(this.#isVisible);
    await this.#soon(async () => {
      const query = { ...listDefaults, pageSize: 500, count: 'exact' as const, etags: true };
      const page = readBody(
        await this.#harness.perform('list-rows', { table: this.#shape.name, query }),
      ) as Page;
      this.#rememberShown();
      expect(page.total).toBe(rows.length);
      expect(sorted(page.data.map(this.#visible))).toEqual(sorted(rows.map(this.#visible)));
      const ownColumns = Object.keys(page.data[0] ?? {}).filter(
        (name) => !name.startsWith('extra'),
      );
      if (page.data.length > 0) expect(ownColumns).toEqual(this.#columns);
      page.data.forEach((row, i) => this.#rememberTag(this.#idOf(row), page.etags?.[i], rows));
    });
  }

  /** The values that can be compared without knowing how the client formats a timestamp. */
  #visible = (row: Row): string =>
    JSON.stringify([Number(row['id']), Number(row['other']), row[this.#shape.note] ?? null]);

  #rememberTag(id: string, tag: string | undefined, rows: readonly Row[]): void {
    const row = rows.find((candidate) => this.#idOf(candidate) === id);
    if (tag !== undefined && row !== undefined)
      this.#tags.set(id, { tag, row: JSON.stringify(row), structure: this.#structure });
  }

  async #get(id: string): Promise<void> {
    const rows = (await this.#rows()).filter(this.#isVisible);
    const row = rows.find((candidate) => this.#idOf(candidate) === id);
    await this.#soon(async () => {
      const reply = await this.#harness.get(this.#shape.name, id).catch(expectStudioError);
      if (row === undefined) return expect(codeOf(reply)).toBe('row_not_found');
      if (reply instanceof StudioError) throw reply;
      this.#rememberShown();
      expect(this.#visible(readBody(reply) as JsonRow)).toBe(this.#visible(row));
      expect(Object.keys(readBody(reply) as JsonRow)).toEqual(
        expect.arrayContaining([...this.#columns]),
      );
      this.#rememberTag(id, reply.meta.etag, rows);
      return undefined;
    });
  }

  async #create(id: number): Promise<void> {
    const { note, name, key } = this.#shape;
    const before = await this.#rows();
    const other = 10 - id;
    const isTaken = before.some((row) => Number(row[key]) === (key === 'id' ? id : other));
    const outcome = await this.#harness
      .create(name, { id, other, [note]: 'made' })
      .catch(expectStudioError);
    const after = await this.#rows();
    if (outcome instanceof StudioError) {
      expect([isTaken, outcome.code]).toEqual([true, 'unique_violation']);
      expect(after).toEqual(before);
      return;
    }
    expect(isTaken).toBe(false);
    expect(after).toHaveLength(before.length + 1);
    expect(this.#visible(rowOf(outcome))).toBe(JSON.stringify([id, other, 'made']));
    this.#written();
    this.#showIfNew();
  }

  /** The studio has noticed every change by now. */
  #written(): void {
    this.#shape.isNew = false;
    this.#shape.isUnwritten = false;
    this.#present = [this.#meaning];
  }

  /** The response to a write shows a table that no client has seen yet. */
  #showIfNew(): void {
    if (this.#shown.length === 0) this.#shown = this.#present;
  }

  #succeeded(): void {
    this.#written();
    this.#showIfNew();
    this.#shown = this.#shown.filter((assumed) => !isHarmful(assumed, this.#meaning));
  }

  async #update(id: string, { guarded, by }: Generated<'update'>): Promise<void> {
    const { note, name } = this.#shape;
    this.#count += 1;
    const text = `updated ${this.#count}`;
    const ifMatch = guarded ? this.#tags.get(id)?.tag : undefined;
    await this.#write(id, ifMatch, {
      send: () =>
        by === 'changes'
          ? this.#harness.changeRows(name, {
              update: [{ id, ...guard(ifMatch), values: { [note]: text } }],
            })
          : this.#harness.update(name, id, {
              body: { [note]: text },
              ...(ifMatch === undefined ? {} : { ifMatch }),
            }),
      expected: (row) => ({ ...row, [note]: text }),
    });
  }

  async #remove(id: string, { guarded, by }: Generated<'remove'>): Promise<void> {
    const { name, soft } = this.#shape;
    const ifMatch = guarded && by !== 'bulk' ? this.#tags.get(id)?.tag : undefined;
    await this.#write(id, ifMatch, {
      send: () => {
        if (by === 'bulk') return this.#harness.bulkDelete(name, { ids: [id] });
        if (by === 'changes')
          return this.#harness.changeRows(name, { delete: [{ id, ...guard(ifMatch) }] });
        return this.#harness.remove(name, id, ifMatch === undefined ? {} : { ifMatch });
      },
      mayMiss: by === 'bulk',
      expected: (row) => (soft ? { ...row, deleted_at: 'a time' } : undefined),
    });
  }

  /**
   * Either exactly that row has changed as expected, or nothing has changed and the error is
   * correct.
   */
  async #write(
    id: string,
    ifMatch: string | undefined,
    { send, expected, mayMiss = false }: Write,
  ): Promise<void> {
    const before = await this.#rows();
    const target = before.find((row) => this.#isVisible(row) && this.#idOf(row) === id);
    const outcome = await send().catch(expectStudioError);
    const after = await this.#rows();
    if (outcome instanceof StudioError) {
      expect(after).toEqual(before);
      this.#checkRejection(outcome, target, ifMatch === undefined ? undefined : id);
      return;
    }
    const expectedRows = before.flatMap((row): readonly Row[] => {
      if (row !== target) return [row];
      const changed = expected(row);
      return changed === undefined ? [] : [changed];
    });
    this.#expectOutcome('not to be rejected');
    if (!mayMiss) expect(target).toBeDefined();
    if (ifMatch !== undefined) expect(this.#tags.get(id)?.row).toBe(JSON.stringify(target));
    expect(after.map(withoutDeletionTime)).toEqual(expectedRows.map(withoutDeletionTime));
    this.#succeeded();
    this.#rememberTag(id, outcome.meta.etag, after);
  }

  /** A write is rejected exactly when it would no longer do what the client was shown. */
  #expectOutcome(outcome: 'to be rejected' | 'not to be rejected'): void {
    const harmful = this.#shown.filter((assumed) => isHarmful(assumed, this.#meaning));
    const possible =
      // No client has seen the table, so what the studio assumes when the request arrives counts.
      this.#shown.length === 0
        ? this.#present.map((assumed) => isHarmful(assumed, this.#meaning))
        : [harmful.length > 0, harmful.length === this.#shown.length];
    expect(possible).toContain(outcome === 'to be rejected');
  }

  #checkRejection(
    error: StudioError,
    target: Row | undefined,
    guardedId: string | undefined,
  ): void {
    const wasNew = this.#shape.isUnwritten;
    const isRejected = error.code === 'structure_changed';
    this.#expectOutcome(isRejected ? 'to be rejected' : 'not to be rejected');
    this.#written();
    if (isRejected) {
      this.#shown = [this.#meaning];
      return undefined;
    }
    if (target === undefined) return expect(error.code).toBe('row_not_found');
    expect(error.code).toBe('row_changed');
    // The row and the structure are unchanged since the entity tag, so nothing may reject the
    // write.
    const noted = guardedId === undefined ? undefined : this.#tags.get(guardedId);
    const isSame = noted?.structure === this.#structure && noted.row === JSON.stringify(target);
    if (!wasNew && isSame) expect(noted.tag).toBe('another');
    return undefined;
  }
}

interface Write {
  send(): ReturnType<Harness['get']>;
  expected(row: Row): Row | undefined;
  /** Whether a missing row is no error. */
  readonly mayMiss?: boolean;
}

function guard(ifMatch: string | undefined): { readonly if_match?: string } {
  return ifMatch === undefined ? {} : { if_match: ifMatch };
}

function withoutDeletionTime(row: Row): Row {
  return { ...row, deleted_at: (row['deleted_at'] ?? null) !== null };
}

function sorted(texts: readonly string[]): readonly string[] {
  return texts.toSorted();
}

function expectStudioError(error: unknown): StudioError {
  if (error instanceof StudioError) return error;
  throw error;
}

function codeOf(value: unknown): string | undefined {
  return value instanceof StudioError ? value.code : undefined;
}

async function failure(work: Promise<unknown>): Promise<StudioError | undefined> {
  return work.then(() => undefined, expectStudioError);
}

/** Retries until the check passes; rethrows its last error at the deadline. */
export async function eventually(check: () => Promise<void>): Promise<void> {
  const deadline = Date.now() + retryMs;
  for (;;) {
    try {
      return await check();
    } catch (error) {
      if (Date.now() > deadline) throw error;
      await new Promise((resolve) => {
        setTimeout(resolve, 100);
      });
    }
  }
}

interface FreshnessOptions {
  readonly runs: number;
  readonly steps: number;
  readonly prefix?: string;
  /** Other clients read another table at the same time. */
  readonly underLoad?: boolean;
}

/** Checks sequences of such actions, each on a table of its own. */
export async function checkFreshness(
  harness: Harness,
  { runs, steps, prefix = 'fresh', underLoad = false }: FreshnessOptions,
): Promise<void> {
  let number = 0;
  let isOver = false;
  const poll = async (): Promise<void> => {
    while (!isOver) await harness.list(otherTable);
  };
  await harness.createTables([tableWithId(otherTable, [columnOf('title', name)])]);
  const polls = Promise.all(underLoad ? [poll(), poll(), poll()] : []);
  try {
    await assert(
      asyncProperty(
        array(action, { minLength: steps, maxLength: steps, size: 'max' }),
        async (sequence) => {
          number += 1;
          const freshness = new Freshness(harness, `${prefix}_${number}`);
          await freshness.begin();
          for (const step of sequence) await freshness.perform(step);
          await freshness.end();
        },
      ),
      { numRuns: runs, endOnFailure: true },
    );
  } finally {
    isOver = true;
    await polls;
    await harness.dropTables([otherTable]);
  }
}
