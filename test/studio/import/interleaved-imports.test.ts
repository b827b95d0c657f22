/**
 * Imports of models and studios that settle them, at several copies with one state folder. Their accesses to the
 * folder and the database happen one at a time in a random order, and they can be stopped or killed at each of them.
 */
import { AsyncLocalStorage } from 'node:async_hooks';
import * as fc from 'fast-check';
import { beforeEach, expect, test, vi } from 'vitest';
import {
  savePendingModels,
  settlePendingModels,
} from '../../../src/studio/import/schema/pending-models.ts';
import { readStoredModels } from '../../../src/studio/core/models.ts';
import type { JournalEntry } from '../../../src/studio/import/schema/journal-files.ts';
import type { TableModel } from '../../../src/model/table-model.ts';

/** An import, or a studio that settles imports, at one of the copies. */
class Actor {
  static readonly current = new AsyncLocalStorage<Actor>();
  state: 'running' | 'frozen' | 'killed' | 'ended' = 'running';
  error: unknown;
  #proceed: (() => void) | undefined;
  #arrived = Promise.withResolvers<void>();

  readonly copy: number;

  constructor(copy: number, work: (actor: Actor) => Promise<void>) {
    this.copy = copy;
    const run = async (): Promise<void> => {
      await this.pause();
      await work(this);
    };
    const end = (): void => {
      if (this.state !== 'killed') this.state = 'ended';
      this.#arrived.resolve();
    };
    void Actor.current
      .run(this, run)
      .catch((error: unknown) => (this.error = error))
      .then(end);
  }

  /** Waits until it may continue. */
  pause(): Promise<void> {
    const { promise, resolve } = Promise.withResolvers<void>();
    this.#proceed = resolve;
    this.#arrived.resolve();
    return promise;
  }

  /** Lets it continue to its next pause. */
  async step(): Promise<void> {
    await this.#arrived.promise;
    if (this.state !== 'running') return;
    this.#arrived = Promise.withResolvers();
    this.#proceed!();
    await this.#arrived.promise;
  }
}

/** The files of the state folder, in memory. */
const disk = new Map<string, string>();

function missing(path: string): Error {
  return Object.assign(new Error(`ENOENT: ${path}`), { code: 'ENOENT' });
}

function fileAt(path: string): string {
  const text = disk.get(path);
  if (text === undefined) throw missing(path);
  return text;
}

vi.mock('node:fs/promises', () => {
  const whenAllowed =
    <A extends readonly unknown[], T>(work: (...args: A) => T) =>
    async (...args: A): Promise<T> => {
      await Actor.current.getStore()?.pause();
      return work(...args);
    };
  return {
    readFile: whenAllowed(fileAt),
    writeFile: whenAllowed((path: string, text: string) => disk.set(path, text)),
    mkdir: whenAllowed(() => undefined),
    rm: whenAllowed((path: string) => disk.delete(path)),
    rename: whenAllowed((from: string, to: string) => {
      disk.set(to, fileAt(from));
      disk.delete(from);
    }),
    readdir: whenAllowed((folder: string) =>
      [...disk.keys()]
        .filter((path) => path.startsWith(`${folder}/`))
        .map((path) => path.slice(folder.length + 1)),
    ),
    lstat: whenAllowed((path: string) => {
      throw missing(path);
    }),
    stat: whenAllowed((path: string) => ({ mtimeMs: fileAt(path).length })),
    utimes: whenAllowed(() => undefined),
  };
});

const actors: Actor[] = [];

vi.mock('../../../src/studio/import/schema/journal-watch.ts', async (original) => ({
  ...(await original<object>()),
  ownerEntries: () => {
    const actor = Actor.current.getStore()!;
    return [{ owner: `copy ${actor.copy}`, pid: actors.indexOf(actor) }];
  },
}));

const file = '/state/models/x.json';
const settings = { file, configured: [] };
const location = { stateDir: '/state', target: { url: 'x', readOnly: false, create: false } };

interface Spec {
  readonly copy: number;
  readonly tables: readonly string[];
  /** Whether it adds columns to existing tables. */
  readonly addsColumns: boolean;
  readonly end: 'committed' | 'rejected' | 'connection lost' | 'response lost';
}

/** What happens to an import, for the judge. */
interface Fate extends Spec {
  readonly id: string;
  begin: number;
  committed?: number;
  /** When its client got a response, or it was killed. */
  ended: number;
  isAcknowledged: boolean;
  /** Others have taken it for ended before the commit. */
  isTakenForEnded: boolean;
  isReverted: boolean;
  created: readonly { readonly table: string; readonly column?: string }[];
  locked: readonly string[];
  commitIfSent?: () => void;
}

/** Tables exist when they are committed; whoever changes one holds it until the end of its transaction. */
class World {
  readonly columns = new Map<string, string[]>();
  readonly holders = new Map<string, Fate>();
  readonly fates: Fate[] = [];
  time = 0;

  addImport(spec: Spec): void {
    const fate: Fate = {
      ...spec,
      id: `i${this.fates.length}`,
      begin: Infinity,
      ended: Infinity,
      isAcknowledged: false,
      isTakenForEnded: false,
      isReverted: false,
      created: [],
      locked: [],
    };
    this.fates.push(fate);
    actors.push(new Actor(spec.copy, (actor) => this.#import(actor, fate)));
  }

  async #import(actor: Actor, fate: Fate): Promise<void> {
    fate.begin = this.time++;
    await this.#change(actor, fate);
    const models = fate.tables.map((table) => ({ struct: fate.id, table, relations: [] }));
    const pending = await savePendingModels(settings, {
      imported: models,
      migration: {
        statements: fate.created.map(({ table, column }) =>
          column === undefined ? { table, text: '', creates: true } : { table, text: '', column },
        ),
      },
      context: { ...location, journal: fate.id },
    });
    fate.commitIfSent = () => this.#commit(fate);
    await actor.pause();
    if (fate.end !== 'connection lost') this.#commit(fate);
    this.rollBack(fate);
    // The client of the database gets the response.
    await actor.pause();
    if (fate.end === 'connection lost' || fate.end === 'response lost') {
      pending.leave();
      await this.settle(actor, fate.id);
    } else if (fate.committed === undefined) {
      await pending.revert();
      fate.isReverted = true;
    } else {
      await pending.confirm();
      fate.isAcknowledged = true;
    }
    fate.ended = this.time++;
  }

  async #change(actor: Actor, fate: Fate): Promise<void> {
    const changed = (): string[] =>
      fate.tables.filter((table) => fate.addsColumns || !this.columns.has(table));
    while (changed().some((table) => this.holders.has(table))) await actor.pause();
    fate.locked = changed();
    for (const table of fate.locked) this.holders.set(table, fate);
    fate.created = fate.locked.map((table) =>
      this.columns.has(table) ? { table, column: fate.id } : { table },
    );
  }

  #commit(fate: Fate): void {
    if (fate.committed !== undefined || fate.end === 'rejected') return;
    fate.committed = this.time++;
    for (const { table, column } of fate.created)
      this.columns.set(table, [
        ...(this.columns.get(table) ?? ['id']),
        ...(column ? [column] : []),
      ]);
    this.rollBack(fate);
  }

  /** Without effect after the commit. */
  rollBack(fate: Fate): void {
    delete fate.commitIfSent;
    for (const table of fate.locked)
      if (this.holders.get(table) === fate) this.holders.delete(table);
  }

  addStudio(copy: number): void {
    actors.push(
      new Actor(copy, async (actor) => {
        for (let attempt = 1; attempt <= 3; attempt++) if (await this.settle(actor)) return;
      }),
    );
  }

  settle(actor: Actor, journal?: string): Promise<boolean> {
    const hasOwnerEnded = ([entry]: readonly JournalEntry[]): boolean => {
      const { owner, pid } = entry as { owner: string; pid: number };
      return owner === `copy ${actor.copy}` && ['killed', 'ended'].includes(actors[pid]!.state);
    };
    const findSilent = async (paths: readonly string[]): Promise<ReadonlySet<string>> => {
      await actor.pause();
      const silent = this.fates.filter(
        ({ id }, index) =>
          paths.includes(`${file}.${id}.pending`) && actors[index]!.state !== 'running',
      );
      for (const fate of silent) if (fate.committed === undefined) fate.isTakenForEnded = true;
      return new Set(silent.map(({ id }) => `${file}.${id}.pending`));
    };
    const structure = async (): Promise<Map<string, string[]>> => {
      await actor.pause();
      return new Map(this.columns);
    };
    const watch = { hasOwnerEnded, findSilent };
    return settlePendingModels(settings, { structure, context: location, journal, watch });
  }

  async act(action: Action): Promise<void> {
    const index = action.actor % actors.length;
    const actor = actors[index]!;
    const fate = this.fates[index];
    if (action.kind === 'step') {
      for (let step = 0; step < action.steps; step++) await actor.step();
      return;
    }
    if (action.kind === 'commit') return fate?.commitIfSent?.();
    if (actor.state === 'ended' || actor.state === 'killed') return;
    actor.state = states[action.kind];
    if (action.kind === 'kill' && fate !== undefined) {
      fate.ended = this.time++;
      this.rollBack(fate);
    }
  }

  /** The imports whose models the table may have in the end. */
  allowed(table: string): readonly (string | undefined)[] {
    if (!this.columns.has(table)) return [undefined];
    const all = this.fates.filter(({ tables }) => tables.includes(table));
    const certain = all.filter(
      ({ isAcknowledged, committed, isTakenForEnded }) =>
        isAcknowledged || (committed !== undefined && !isTakenForEnded),
    );
    const exists = ({ table: name, column }: Fate['created'][number]): boolean =>
      this.columns.get(name)?.includes(column ?? 'id') === true;
    const isPossible = (fate: Fate): boolean =>
      fate.committed !== undefined || (!fate.isReverted && fate.created.every(exists));
    const isReplaced = (fate: Fate): boolean =>
      certain.some(
        (other) =>
          fate.ended < other.begin ||
          (fate.locked.includes(table) &&
            other.locked.includes(table) &&
            (fate.committed ?? -1) < other.committed!),
      );
    const possible = all.filter((fate) => isPossible(fate) && !isReplaced(fate));
    return [...possible.map(({ id }) => id), ...(certain.length === 0 ? [undefined] : [])];
  }
}

interface Action {
  readonly kind: 'step' | 'freeze' | 'thaw' | 'kill' | 'commit';
  readonly actor: number;
  /** How many steps. */
  readonly steps: number;
}

const states = { freeze: 'frozen', thaw: 'running', kill: 'killed' } as const;

const tables = ['a', 'b', 'c'];
const spec: fc.Arbitrary<Spec> = fc.record({
  copy: fc.nat(2),
  tables: fc.uniqueArray(fc.constantFrom(...tables), { minLength: 1 }),
  addsColumns: fc.boolean(),
  end: fc.constantFrom('committed', 'committed', 'rejected', 'connection lost', 'response lost'),
});
const action: fc.Arbitrary<Action> = fc.record({
  kind: fc.oneof(
    { weight: 10, arbitrary: fc.constant('step' as const) },
    { weight: 4, arbitrary: fc.constantFrom('freeze', 'thaw', 'commit') },
    { weight: 1, arbitrary: fc.constant('kill' as const) },
  ),
  actor: fc.nat(20),
  steps: fc.oneof(fc.integer({ min: 1, max: 4 }), fc.integer({ min: 1, max: 40 })),
});

beforeEach(() => {
  vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] });
  return () => vi.useRealTimers();
});

test('committed tables have their models, and others none, in whatever order the copies proceed', async () => {
  const trial = fc.record({
    imports: fc.array(spec, { minLength: 1, maxLength: 4 }),
    studios: fc.array(fc.nat(2), { maxLength: 3 }),
    earlier: fc.uniqueArray(fc.constantFrom(...tables)),
    actions: fc.array(action, { size: 'max', maxLength: 60 }),
  });
  await fc.assert(
    fc.asyncProperty(trial, async ({ imports, studios, earlier, actions }) => {
      disk.clear();
      actors.length = 0;
      const world = new World();
      for (const table of earlier) world.columns.set(table, ['id']);
      const before: TableModel[] = earlier.map((table) => ({ struct: 'e', table, relations: [] }));
      if (before.length > 0) disk.set(file, JSON.stringify({ version: 1, models: before }));
      for (const one of imports) world.addImport(one);
      for (const copy of studios) world.addStudio(copy);
      for (const one of actions) await world.act(one);
      // All that is left runs to its end, and the next studio starts.
      const finish = async (): Promise<void> => {
        for (const actor of actors) if (actor.state === 'frozen') actor.state = 'running';
        for (let round = 0; actors.some(({ state }) => state === 'running'); round++) {
          if (round > 2000) throw new Error('The copies do not end.');
          for (const actor of actors) await actor.step();
        }
      };
      await finish();
      world.addStudio(9);
      await finish();
      expect(actors.map(({ error }) => error).filter((error) => error !== undefined)).toEqual([]);
      const stored = await readStoredModels(file);
      for (const table of tables) {
        const found = stored.filter((model) => model.table === table).map(({ struct }) => struct);
        expect(found.length).toBeLessThanOrEqual(1);
        const allowed = world.allowed(table);
        const isEarlier =
          found[0] === 'e' && earlier.includes(table) && allowed.includes(undefined);
        if (!isEarlier) expect(allowed).toContain(found[0]);
        if (earlier.includes(table)) expect(found).toHaveLength(1);
      }
      expect([...disk.keys()].filter((path) => path.endsWith('.pending'))).toEqual([]);
    }),
    { numRuns: 500 },
  );
});
