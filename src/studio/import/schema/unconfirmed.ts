/**
 * Distinguishes what an ended import has created from what others have created with the same names: since, or before, so
 * that its CREATE failed. A CREATE that was on its way when the import ended is not confirmed.
 */
import { createHash } from 'node:crypto';
import { retainedNames } from './retained-names.ts';
import type { Addition, Created, JournalEntry, Planned } from './journal-files.ts';
import type { UndoSession } from './remove-created.ts';
import type { ScriptProgram } from '../../../model/stored-program.ts';
import type { CreatedObject } from '../../../model/ddl-dialect.ts';
import type { Column, Table } from '../../../model/schema.ts';

/** What is or may be of others, and stays. */
export interface Doubtful {
  /** By `Planned.creating`. */
  readonly keys: ReadonlySet<string>;
  /** As in messages. */
  readonly names: readonly string[];
}

type PlannedRelation = Pick<Table, 'name' | 'kind'> & {
  readonly columns: readonly { readonly name: string }[];
};

/** The entries of a table or view that is about to be created. */
export function plannedRelation({ name, kind, columns }: PlannedRelation): readonly JournalEntry[] {
  const names = columns.map((column) => column.name);
  return [{ creating: name, ...(kind === 'table' ? { columns: names } : {}) }, name];
}

/** The entries of what a statement is about to add to a table that existed before. */
export function plannedAddition(addition: Addition, text: string): readonly JournalEntry[] {
  const { table, column, object = '', undo } = addition;
  const [, kind, name] =
    column === undefined ? (/^(\w+) (.*)$/s.exec(object) ?? []) : ['', 'column', column];
  if (kind === undefined || name === undefined) return [addition];
  return [{ creating: undo, addition: { kind, name, table, text } }, addition];
}

/** The entries of a trigger or routine that is about to be created. */
export function plannedProgram({ kind, name, text, drop }: ScriptProgram): readonly JournalEntry[] {
  if (drop === undefined) return [];
  return [
    { creating: drop, program: { kind, name, text } },
    { table: name, undo: drop, object: `${kind} ${name}` },
  ];
}

interface PlannedObjects {
  readonly unconfirmed: readonly Planned[];
  readonly confirmed: readonly (readonly [planned: Planned, definition: string])[];
}

function plannedIn(entries: readonly JournalEntry[]): PlannedObjects {
  const all = new Map<string, Planned>();
  const created = new Map<string, Created['definition']>();
  for (const entry of entries) {
    if (typeof entry === 'string') continue;
    if ('creating' in entry) {
      all.set(entry.creating, entry);
      created.delete(entry.creating);
    }
    if ('created' in entry) created.set(entry.created, entry.definition);
    // Its CREATE has succeeded or failed, and the import has dropped it.
    if ('isReverted' in entry) all.delete(entry.undo);
  }
  const planned = [...all.values()];
  return {
    unconfirmed: planned.filter(({ creating }) => !created.has(creating)),
    confirmed: planned.flatMap((one) => {
      const definition = created.get(one.creating);
      return definition === undefined ? [] : [[one, definition] as const];
    }),
  };
}

/** An import that is undone. */
export interface FailedImport {
  /** The name of its journal. */
  readonly name: string;
  readonly entries: readonly JournalEntry[];
}

/** Finds the objects of an ended import that exist and cannot be distinguished from those of others, or are of others. */
export async function findDoubtful(
  undoSession: UndoSession,
  failed: FailedImport,
): Promise<Doubtful> {
  const { unconfirmed } = plannedIn(failed.entries);
  const foreign = await findForeign(undoSession, failed);
  if (unconfirmed.length === 0) return foreign;
  const { tables, views } = await undoSession.database.introspect();
  const doubtful: Planned[] = [];
  for (const planned of unconfirmed.filter(({ creating }) => !foreign.keys.has(creating))) {
    const { program, addition } = planned;
    const isOwn =
      program !== undefined
        ? await isOwnProgram(undoSession, program)
        : addition !== undefined
          ? await isOwnAddition(undoSession, addition, tables)
          : isOwnRelation(undoSession, planned, [...tables, ...views]);
    if (!isOwn) doubtful.push(planned);
  }
  const found = doubtfulOf(doubtful);
  return {
    keys: new Set([...foreign.keys, ...found.keys]),
    names: [...foreign.names, ...found.names],
  };
}

/**
 * Finds what others have created with names of confirmed objects, after they had removed those or changed them, and what
 * another import relies on, with all that was added to its tables.
 */
export async function findForeign(
  undoSession: UndoSession,
  { name, entries }: FailedImport,
): Promise<Doubtful> {
  const { confirmed, unconfirmed } = plannedIn(entries);
  const retained = await retainedNames(undoSession, name);
  const isRetained = ({ creating, program, addition }: Planned): boolean =>
    retained.has((program?.name ?? addition?.table ?? creating).toLowerCase());
  const foreign = unconfirmed.filter(isRetained);
  for (const [planned, definition] of confirmed) {
    const stored = isRetained(planned)
      ? 'retained'
      : await storedDefinition(undoSession, createdObjectOf(planned));
    if (stored !== undefined && stored !== definition) foreign.push(planned);
  }
  return doubtfulOf(foreign);
}

/** The names of those planned objects that exist, as in messages. */
export async function findExisting(
  undoSession: UndoSession,
  {
    entries,
    keys,
  }: { readonly entries: readonly JournalEntry[]; readonly keys: readonly string[] },
): Promise<readonly string[]> {
  const { unconfirmed, confirmed } = plannedIn(entries);
  const planned = [...unconfirmed, ...confirmed.map(([one]) => one)];
  const existing: Planned[] = [];
  for (const one of planned.filter(({ creating }) => keys.includes(creating)))
    if ((await storedDefinition(undoSession, createdObjectOf(one))) !== undefined)
      existing.push(one);
  return doubtfulOf(existing).names;
}

function doubtfulOf(planned: readonly Planned[]): Doubtful {
  return {
    keys: new Set(planned.map(({ creating }) => creating)),
    names: planned.map(({ creating, program, addition }) => {
      if (program !== undefined) return `${program.kind} ${program.name}`;
      if (addition === undefined) return creating;
      const { kind, name, table } = addition;
      return kind === 'column' ? `${table}.${name}` : `${kind} ${name}`;
    }),
  };
}

function createdObjectOf({ creating, program, addition }: Planned): CreatedObject {
  return program ?? addition ?? { kind: 'relation', name: creating };
}

/** Confirms that it has been created, and how the database stores it. */
export async function confirmCreated(
  journal: { confirm(creating: string, definition?: string): Promise<void> },
  planned: Planned,
  within: UndoSession,
): Promise<void> {
  const definition = await storedDefinition(within, createdObjectOf(planned));
  await journal.confirm(planned.creating, definition);
}

/** Identifies an object as the database stores it. Undefined for one that does not exist. */
async function storedDefinition(
  { database, session }: UndoSession,
  object: CreatedObject,
): Promise<string | undefined> {
  const results: string[][][] = [];
  for (const text of database.dialect.ddl.ddlUndo?.definitionOf(object) ?? []) {
    const { rows } = await session.run({ text, params: [] });
    results.push(rows.map((row) => row.map(String)));
  }
  if (results.every((rows) => rows.length === 0)) return undefined;
  return createHash('sha256').update(JSON.stringify(results)).digest('hex');
}

/**
 * True for one that does not exist. While other studios lock the names of what they create, nobody else is likely to have
 * created an empty table with the same columns. The text of a view is stored in another form.
 */
function isOwnRelation(
  { database }: UndoSession,
  { creating, columns }: Planned,
  relations: readonly Table[],
): boolean {
  const found = relations.find(({ name }) => name === creating);
  if (found === undefined) return true;
  if (columns === undefined || database.dialect.ddl.ddlUndo?.canLockNames !== true) return false;
  return JSON.stringify(found.columns.map(({ name }) => name)) === JSON.stringify(columns);
}

/** True for one that does not exist, and for one of which the statement of the import has each part. */
async function isOwnAddition(
  undoSession: UndoSession,
  addition: NonNullable<Planned['addition']>,
  tables: readonly Table[],
): Promise<boolean> {
  if ((await storedDefinition(undoSession, addition)) === undefined) return true;
  if (undoSession.database.dialect.ddl.ddlUndo?.canLockNames !== true) return false;
  const { kind, name, text } = addition;
  const table = tables.find((each) => each.name === addition.table);
  const column = table?.columns.find((each) => each.name === name);
  if (kind === 'column') return column !== undefined && isColumnOf(column, text);
  const index = table?.indexes.find((each) => each.name === name);
  if (index === undefined) return true;
  const isUnique = /\bUNIQUE\b/i.test(text);
  return index.unique === isUnique && index.parts.every((part) => text.includes(part.column ?? ''));
}

function isColumnOf({ nativeType, nullable, comment = '' }: Column, text: string): boolean {
  const type = simplified(nativeType);
  return (
    simplified(text).includes(` ${type}`) &&
    /\bunsigned\b/i.test(text) === type.includes('unsigned') &&
    /\bNOT NULL\b/i.test(text) === !nullable &&
    text.includes(comment)
  );
}

/** Types as the server writes them. */
function simplified(text: string): string {
  return text
    .toLowerCase()
    .replace(/\bboolean\b/g, 'tinyint')
    .replace(/int\(\d+\)/g, 'int')
    .replace(/,\s+/g, ',');
}

/** True for one that does not exist. Another one with the same body is no different from that of the import. */
async function isOwnProgram(
  { database, session }: UndoSession,
  { kind, name, text }: NonNullable<Planned['program']>,
): Promise<boolean> {
  const query = database.dialect.ddl.ddlUndo?.bodyOf(kind, name);
  if (query === undefined) return false;
  const { rows } = await session.run({ text: query, params: [] });
  const [body, table = ''] = rows[0]?.map(String) ?? [];
  const hasTable = text.includes(table);
  return body === undefined || (hasTable && withoutEnd(text).endsWith(withoutEnd(body)));
}

function withoutEnd(text: string): string {
  return text.replace(/[\s;]+$/, '');
}
