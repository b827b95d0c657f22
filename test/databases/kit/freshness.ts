/**
 * Reads and writes of a studio, with another client changing rows and structure in between. The
 * judge is the database's own client: what it reads before and after says what had to happen.
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
import { listDefaults, readBody, rowOf } from './bench.ts';
import type { Bench, JsonRow, Page } from './bench.ts';

/** The table as the other client has left it. */
interface Shape {
  readonly name: string;
  key: 'id' | 'other';
  soft: boolean;
  note: 'note' | 'remark';
  /** Whether the structure has changed since the studio showed that it knows it. */
  isNew: boolean;
  /** Whether it has changed since the studio wrote last: a list does not show what the key is. */
  isUnwritten: boolean;
}

type Row = Readonly<Record<string, unknown>>;

/** Which of the rows that are there; at times one that is not. */
const which = integer({ min: 0, max: 50 });
const structure = constantFrom('soft', 'key', 'rename', 'recreate', 'widen');

/** `suddenly`: the other client changes the structure just before the studio writes. */
const actions = {
  list: constant('list'),
  get: record({ get: which }),
  create: record({ create: integer({ min: 1, max: 9 }) }),
  update: record({ update: which, guarded: boolean() }),
  remove: record({ remove: which, guarded: boolean() }),
  suddenly: record({
    suddenly: oneof(constantFrom('soft', 'key'), structure),
    remove: which,
    guarded: boolean(),
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
  { arbitrary: actions.suddenly, weight: 4 },
);

const generousMs = 20_000;

class Freshness {
  readonly #bench: Bench;
  readonly #shape: Shape;
  /** Entity tags that the studio gave for ids, with the row that they are of. */
  readonly #tags = new Map<
    string,
    { readonly tag: string; readonly row: string; readonly structure: number }
  >();
  #count = 0;
  /** How often the structure has changed. */
  #structure = 0;

  constructor(bench: Bench, name: string) {
    this.#bench = bench;
    this.#shape = { name, key: 'id', soft: false, note: 'note', isNew: true, isUnwritten: true };
  }

  async begin(): Promise<void> {
    await this.#make([1, 2, 3, 4].map((id) => ({ id, other: 10 - id, text: `row ${id}` })));
  }

  async perform(step: Action): Promise<void> {
    if (step === 'list') return this.#list();
    if (typeof step === 'string') return this.#changeElsewhere(step);
    if ('get' in step) return this.#get(await this.#pick(step.get));
    if ('create' in step) return this.#create(step.create);
    if ('update' in step) return this.#update(await this.#pick(step.update), step.guarded);
    const id = await this.#pick(step.remove);
    if ('suddenly' in step) await this.#changeElsewhere(step.suddenly);
    return this.#remove(id, step.guarded);
  }

  async end(): Promise<void> {
    await this.#list();
    await this.#bench.native.run(`DROP TABLE ${this.#quoted}`);
    await eventually(async () => {
      const error = await failure(this.#bench.list(this.#shape.name));
      expect(error?.code).toBe('table_not_found');
    });
  }

  get #quoted(): string {
    return this.#bench.subject.dialect.quoteName(this.#shape.name);
  }

  get #columns(): readonly string[] {
    const { soft, note } = this.#shape;
    return ['id', 'other', note, ...(soft ? ['deleted_at'] : [])];
  }

  /** What the other client sees. */
  async #rows(): Promise<readonly Row[]> {
    const columns = this.#columns;
    const text = `SELECT ${columns.join(', ')} FROM ${this.#quoted} ORDER BY id`;
    const rows = await this.#bench.native.query(text);
    return rows.map((row) => Object.fromEntries(columns.map((name, i) => [name, row[i]])));
  }

  async #pick(number: number): Promise<string> {
    const rows = await this.#rows();
    const row = number % 10 === 0 ? undefined : rows[number % rows.length];
    return row === undefined ? String(number) : this.#idOf(row);
  }

  #isVisible = (row: Row): boolean => !this.#shape.soft || row['deleted_at'] === null;

  #idOf = (row: Row): string => String(row[this.#shape.key]);

  async #make(
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
    await this.#bench.native.run(`CREATE TABLE ${this.#quoted} (${parts.join(', ')})`);
    if (values.length > 0)
      await this.#bench.native.run(
        `INSERT INTO ${this.#quoted} (id, other, ${note}) VALUES ${values.join(', ')}`,
      );
  }

  get #timestamp(): string {
    return this.#bench.subject.dialect.ddl.columnType({ type: { kind: 'timestamp' } });
  }

  async #changeElsewhere(change: Generated<'elsewhere'> | Generated<'structure'>): Promise<void> {
    const { native } = this.#bench;
    const table = this.#quoted;
    const shape = this.#shape;
    this.#count += 1;
    const free = 100 + this.#count;
    if (change === 'insert')
      return native.run(
        `INSERT INTO ${table} (id, other, ${shape.note}) VALUES (${free}, ${free}, 'new ${free}')`,
      );
    if (change === 'change')
      return native.run(`UPDATE ${table} SET ${shape.note} = 'changed ${free}' WHERE id < 4`);
    if (change === 'delete') return native.run(`DELETE FROM ${table} WHERE id = 2`);
    if (change === 'empty')
      return native.run(
        this.#bench.subject.name === 'sqlite' ? `DELETE FROM ${table}` : `TRUNCATE TABLE ${table}`,
      );
    this.#structure += 1;
    shape.isNew = true;
    shape.isUnwritten = true;
    if (change === 'soft') {
      await native.run(
        shape.soft
          ? `ALTER TABLE ${table} DROP COLUMN deleted_at`
          : `ALTER TABLE ${table} ADD deleted_at ${this.#timestamp} NULL`,
      );
      shape.soft = !shape.soft;
      return;
    }
    if (change === 'widen')
      return native.run(`ALTER TABLE ${table} ADD extra_${this.#count} int NULL`);
    if (change === 'rename') {
      const note = shape.note === 'note' ? 'remark' : 'note';
      await native.run(`ALTER TABLE ${table} RENAME COLUMN ${shape.note} TO ${note}`);
      shape.note = note;
      return;
    }
    const rows = change === 'key' ? await this.#rows() : [];
    await native.run(`DROP TABLE ${table}`);
    if (change === 'key') shape.key = shape.key === 'id' ? 'other' : 'id';
    const kept = rows.map((row) => ({ id: row['id'], other: row['other'], text: row[shape.note] }));
    await this.#make(
      change === 'key'
        ? kept
        : [3, 4, 5].map((id) => ({ id, other: 10 - id, text: `again ${id}` })),
    );
  }

  /** At once where the studio knows the structure; else when it has had time to follow it. */
  async #soon(check: () => Promise<void>): Promise<void> {
    await (this.#shape.isNew ? eventually(check) : check());
    this.#shape.isNew = false;
  }

  async #list(): Promise<void> {
    const rows = (await this.#rows()).filter(this.#isVisible);
    await this.#soon(async () => {
      const query = { ...listDefaults, pageSize: 500, count: 'exact' as const, etags: true };
      const page = readBody(
        await this.#bench.perform('list-rows', { table: this.#shape.name, query }),
      ) as Page;
      expect(page.total).toBe(rows.length);
      expect(sorted(page.data.map(this.#shown))).toEqual(sorted(rows.map(this.#shown)));
      const own = Object.keys(page.data[0] ?? {}).filter((name) => !name.startsWith('extra'));
      if (page.data.length > 0) expect(own).toEqual(this.#columns);
      page.data.forEach((row, i) => this.#note(this.#idOf(row), page.etags?.[i], rows));
    });
  }

  /** What can be compared without knowing how the client shows a timestamp. */
  #shown = (row: Row): string =>
    JSON.stringify([Number(row['id']), Number(row['other']), row[this.#shape.note] ?? null]);

  #note(id: string, tag: string | undefined, rows: readonly Row[]): void {
    const row = rows.find((candidate) => this.#idOf(candidate) === id);
    if (tag !== undefined && row !== undefined)
      this.#tags.set(id, { tag, row: JSON.stringify(row), structure: this.#structure });
  }

  async #get(id: string): Promise<void> {
    const rows = (await this.#rows()).filter(this.#isVisible);
    const row = rows.find((candidate) => this.#idOf(candidate) === id);
    await this.#soon(async () => {
      const reply = await this.#bench.get(this.#shape.name, id).catch(known);
      if (row === undefined) return expect(codeOf(reply)).toBe('row_not_found');
      if (reply instanceof StudioError) throw reply;
      expect(this.#shown(readBody(reply) as JsonRow)).toBe(this.#shown(row));
      expect(Object.keys(readBody(reply) as JsonRow)).toEqual(
        expect.arrayContaining([...this.#columns]),
      );
      this.#note(id, reply.meta.etag, rows);
      return undefined;
    });
  }

  async #create(id: number): Promise<void> {
    const { note, name, key } = this.#shape;
    const before = await this.#rows();
    const other = 10 - id;
    const isTaken = before.some((row) => Number(row[key]) === (key === 'id' ? id : other));
    const outcome = await this.#bench.create(name, { id, other, [note]: 'made' }).catch(known);
    const after = await this.#rows();
    if (outcome instanceof StudioError) {
      expect(outcome.code).toBe(isTaken ? 'unique_violation' : 'structure_changed');
      expect(after).toEqual(before);
      return;
    }
    expect(isTaken).toBe(false);
    expect(after).toHaveLength(before.length + 1);
    expect(this.#shown(rowOf(outcome))).toBe(JSON.stringify([id, other, 'made']));
    this.#written();
  }

  /** By now the studio has heard of every change. */
  #written(): void {
    this.#shape.isNew = false;
    this.#shape.isUnwritten = false;
  }

  async #update(id: string, guarded: boolean): Promise<void> {
    const { note, name } = this.#shape;
    this.#count += 1;
    const text = `updated ${this.#count}`;
    const ifMatch = guarded ? this.#tags.get(id)?.tag : undefined;
    await this.#write(id, ifMatch, {
      send: () =>
        this.#bench.update(name, id, {
          body: { [note]: text },
          ...(ifMatch === undefined ? {} : { ifMatch }),
        }),
      expected: (row) => ({ ...row, [note]: text }),
    });
  }

  async #remove(id: string, guarded: boolean): Promise<void> {
    const { name, soft } = this.#shape;
    const ifMatch = guarded ? this.#tags.get(id)?.tag : undefined;
    await this.#write(id, ifMatch, {
      send: () => this.#bench.remove(name, id, ifMatch === undefined ? {} : { ifMatch }),
      expected: (row) => (soft ? { ...row, deleted_at: 'a time' } : undefined),
    });
  }

  /** Either just that row is as it had to become, or nothing has changed and the error is the right one. */
  async #write(
    id: string,
    ifMatch: string | undefined,
    { send, expected }: Pick<Write, 'send' | 'expected'>,
  ): Promise<void> {
    const before = await this.#rows();
    const target = before.find((row) => this.#isVisible(row) && this.#idOf(row) === id);
    const outcome = await send().catch(known);
    const after = await this.#rows();
    if (outcome instanceof StudioError) {
      expect(after).toEqual(before);
      this.#judge(outcome, target, ifMatch === undefined ? undefined : id);
      return;
    }
    const become = before.flatMap((row): readonly Row[] => {
      if (row !== target) return [row];
      const changed = expected(row);
      return changed === undefined ? [] : [changed];
    });
    expect(target).toBeDefined();
    if (ifMatch !== undefined) expect(this.#tags.get(id)?.row).toBe(JSON.stringify(target));
    expect(after.map(timeless)).toEqual(become.map(timeless));
    this.#written();
    this.#note(id, outcome.meta.etag, after);
  }

  #judge(error: StudioError, target: Row | undefined, guardedId: string | undefined): void {
    const wasNew = this.#shape.isUnwritten;
    this.#written();
    if (error.code === 'structure_changed') return expect(wasNew).toBe(true);
    if (target === undefined) return expect(error.code).toBe('row_not_found');
    expect(error.code).toBe('row_changed');
    // Of a row as it is, with a tag of the structure as it is, there is nothing to refuse.
    const noted = guardedId === undefined ? undefined : this.#tags.get(guardedId);
    const isSame = noted?.structure === this.#structure && noted.row === JSON.stringify(target);
    if (!wasNew && isSame) expect(noted.tag).toBe('another');
    return undefined;
  }
}

interface Write {
  send(): ReturnType<Bench['get']>;
  expected(row: Row): Row | undefined;
}

function timeless(row: Row): Row {
  return { ...row, deleted_at: (row['deleted_at'] ?? null) !== null };
}

function sorted(texts: readonly string[]): readonly string[] {
  return texts.toSorted();
}

function known(error: unknown): StudioError {
  if (error instanceof StudioError) return error;
  throw error;
}

function codeOf(value: unknown): string | undefined {
  return value instanceof StudioError ? value.code : undefined;
}

async function failure(work: Promise<unknown>): Promise<StudioError | undefined> {
  return work.then(() => undefined, known);
}

/** Until it holds; what it fails with when it never does. */
export async function eventually(check: () => Promise<void>): Promise<void> {
  const deadline = Date.now() + generousMs;
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

/** Sequences of such actions, each on a table of its own. */
export async function checkFreshness(
  bench: Bench,
  {
    runs,
    steps,
    prefix = 'fresh',
  }: { readonly runs: number; readonly steps: number; readonly prefix?: string },
): Promise<void> {
  let number = 0;
  await assert(
    asyncProperty(
      array(action, { minLength: steps, maxLength: steps, size: 'max' }),
      async (sequence) => {
        number += 1;
        const freshness = new Freshness(bench, `${prefix}_${number}`);
        await freshness.begin();
        for (const step of sequence) await freshness.perform(step);
        await freshness.end();
      },
    ),
    { numRuns: runs, endOnFailure: true },
  );
}
