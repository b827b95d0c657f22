/**
 * Objects whose CREATE was on its way when the import ended. Others may have created an object of the name since, or
 * before, so that the import's CREATE failed.
 */
import type { JournalEntry, Planned } from './journal-files.ts';
import type { UndoSession } from './remove-created.ts';
import type { ScriptProgram } from '../../../model/stored-program.ts';
import type { Table } from '../../../model/schema.ts';

/** What may be of others, and stays. */
export interface Doubtful {
  /** By `Planned.creating`. */
  readonly keys: ReadonlySet<string>;
  /** As in messages. */
  readonly names: readonly string[];
}

/** The entries of a table or view that is about to be created. */
export function plannedRelation({ name, kind, columns }: Table): readonly JournalEntry[] {
  const names = columns.map((column) => column.name);
  return [{ creating: name, ...(kind === 'table' ? { columns: names } : {}) }, name];
}

/** The entries of a trigger or routine that is about to be created. */
export function plannedProgram({ kind, name, text, drop }: ScriptProgram): readonly JournalEntry[] {
  if (drop === undefined) return [];
  return [
    { creating: drop, program: { kind, name, text } },
    { table: name, undo: drop, object: `${kind} ${name}` },
  ];
}

function unconfirmedIn(entries: readonly JournalEntry[]): readonly Planned[] {
  const unconfirmed = new Map<string, Planned>();
  for (const entry of entries) {
    if (typeof entry === 'string') continue;
    if ('creating' in entry) unconfirmed.set(entry.creating, entry);
    if ('created' in entry) unconfirmed.delete(entry.created);
    // Its CREATE has succeeded or failed, and the import has dropped it.
    if ('isReverted' in entry) unconfirmed.delete(entry.undo);
  }
  return [...unconfirmed.values()];
}

/** Finds the objects of unconfirmed names that exist and cannot be distinguished from those of others. */
export async function findDoubtful(
  undoSession: UndoSession,
  entries: readonly JournalEntry[],
): Promise<Doubtful> {
  const unconfirmed = unconfirmedIn(entries);
  if (unconfirmed.length === 0) return { keys: new Set(), names: [] };
  const { tables, views } = await undoSession.database.introspect();
  const doubtful: Planned[] = [];
  for (const planned of unconfirmed) {
    const isOwn =
      planned.program === undefined
        ? isOwnRelation(undoSession, planned, [...tables, ...views])
        : await isOwnProgram(undoSession, planned.program);
    if (!isOwn) doubtful.push(planned);
  }
  return {
    keys: new Set(doubtful.map(({ creating }) => creating)),
    names: doubtful.map(({ creating, program }) =>
      program === undefined ? creating : `${program.kind} ${program.name}`,
    ),
  };
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
