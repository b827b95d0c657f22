/**
 * What an import has made where every statement commits at once, written down before it is made: a
 * failure undoes it from there, and so does the next start after a crash.
 */
import { randomUUID } from 'node:crypto';
import { mkdir, open, readFile, readdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { stateNameOf } from './state-name.ts';
import type { Database, Session } from '../model/database.ts';
import type { Table } from '../model/schema.ts';
import type { JobContext } from './job.ts';

/** What is added to a table that was there. */
export interface Addition {
  readonly table: string;
  /** The statement that takes it back. */
  readonly undo: string;
  /** Set for a column, whose values are looked at before it goes. */
  readonly column?: string;
}

export interface Journal {
  /** Marks the session's journal as being written: until its end nobody else undoes it. */
  hold(session: Session): Promise<void>;
  /** A table or view by its name. Returns when it is on disk. */
  note(entry: string | Addition): Promise<void>;
  /** What was noted is not to be undone any more. */
  close(): Promise<void>;
  /** What was noted is to be undone at the next start. */
  leave(): Promise<void>;
}

type Place = Pick<JobContext, 'stateDir' | 'target' | 'database'>;

const nothing = (): Promise<void> => Promise.resolve();
const noJournal: Journal = { hold: nothing, note: nothing, close: nothing, leave: nothing };

/** Without a state folder there is nothing to write to, and a crash leaves what was made. */
export async function openJournal({ stateDir, target, database }: Place): Promise<Journal> {
  if (stateDir === undefined) return noJournal;
  const folder = folderOf(stateDir, target.url);
  await mkdir(folder, { recursive: true, mode: 0o700 });
  const name = randomUUID();
  const path = join(folder, `${name}${ending}`);
  const file = await open(path, 'ax', 0o600);
  return {
    hold: async (session) => {
      await mayUndo(session, database, name);
    },
    note: async (entry) => {
      await file.write(`${JSON.stringify(entry)}\n`);
      await file.datasync();
    },
    close: async () => {
      await file.close();
      await rm(path, { force: true });
    },
    leave: () => file.close(),
  };
}

/** Does what the journal is of. When it fails it is undone: now, or at the next start where the database has gone. */
export async function withJournal<T>(
  place: Place,
  work: (journal: Journal) => Promise<T>,
  undo: () => Promise<void>,
): Promise<T> {
  const journal = await openJournal(place);
  try {
    const result = await work(journal);
    await journal.close();
    return result;
  } catch (error) {
    const isUndone = await undo().then(
      () => true,
      () => false,
    );
    await (isUndone ? journal.close() : journal.leave());
    throw error;
  }
}

const ending = '.journal';

/** Whether no other session writes the journal; this one holds it from now on. */
async function mayUndo(session: Session, { dialect }: Database, name: string): Promise<boolean> {
  const text = dialect.ddl.undoing?.hold(name);
  if (text === undefined) return false;
  const { rows } = await session.run({ text, params: [] });
  return String(rows[0]?.[0]) === '1';
}

/** One folder a database. */
function folderOf(stateDir: string, url: string): string {
  return join(stateDir, 'journals', stateNameOf(url));
}

/** Undoes what crashes have left of this database; gives the tables that were removed. */
export async function undoJournals(context: Place): Promise<readonly string[]> {
  const { stateDir, target, database } = context;
  if (stateDir === undefined || target.readOnly || database.dialect.ddl.undoing === undefined)
    return [];
  const folder = folderOf(stateDir, target.url);
  const removed: string[] = [];
  for (const file of await journalsIn(folder)) {
    const path = join(folder, file);
    const name = file.slice(0, -ending.length);
    await database.transaction('write', async (session) => {
      if (!(await mayUndo(session, database, name))) return;
      const entries = await readNotes(path);
      for (const entry of entries.toReversed())
        if (typeof entry === 'object') await takeBack(session, database, entry);
      const made = entries.filter((entry) => typeof entry === 'string');
      removed.push(...(await removeMade({ database, session }, made, 'empty')));
      await rm(path, { force: true });
    });
  }
  return removed;
}

/** Unless the crash came before it was there, or the column has been written to by others since. */
async function takeBack(session: Session, database: Database, addition: Addition): Promise<void> {
  const { table, column, undo } = addition;
  const written = column && database.dialect.ddl.undoing?.writtenTo(table, column);
  const isWritten =
    written !== undefined && written !== '' && (await countOf(session, written)) !== '0';
  if (!isWritten) await session.run({ text: undo, params: [] }).catch(() => undefined);
}

/** The count that a query gives; undefined where it cannot be had. */
async function countOf(session: Session, text: string): Promise<string | undefined> {
  try {
    const { rows } = await session.run({ text, params: [] });
    return String(rows[0]?.[0]);
  } catch {
    return undefined;
  }
}

async function journalsIn(folder: string): Promise<readonly string[]> {
  try {
    return (await readdir(folder)).filter((name) => name.endsWith(ending));
  } catch {
    return [];
  }
}

/** A last line that a crash cut off stands for nothing that was made. */
async function readNotes(path: string): Promise<readonly (string | Addition)[]> {
  const lines = (await readFile(path, 'utf8')).split('\n');
  return lines.slice(0, -1).map((line) => JSON.parse(line) as string | Addition);
}

/** What an import has made that failed. */
export async function removeAll(database: Database, made: readonly string[]): Promise<void> {
  await database.transaction('write', (session) => removeMade({ database, session }, made, 'all'));
}

/**
 * Removes tables and views by name. After a crash only those without rows: one that has some has
 * been used by others since.
 */
async function removeMade(
  { database, session }: Removing,
  names: readonly string[],
  which: 'all' | 'empty',
): Promise<readonly string[]> {
  const { undoing } = database.dialect.ddl;
  if (undoing === undefined || names.length === 0) return [];
  const schema = await database.introspect();
  const isMade = ({ name }: Table): boolean => names.includes(name);
  const views = schema.views.filter(isMade);
  const tables: Table[] = [];
  for (const table of schema.tables.filter(isMade))
    if (which === 'all' || (await isEmpty(session, database, table))) tables.push(table);
  for (const text of undoing.remove({ tables, views })) await session.run({ text, params: [] });
  return [...views, ...tables].map(({ name }) => name);
}

interface Removing {
  readonly database: Database;
  readonly session: Session;
}

async function isEmpty(session: Session, { dialect }: Database, table: Table): Promise<boolean> {
  return (await countOf(session, `SELECT COUNT(*) FROM ${dialect.tableName(table)}`)) === '0';
}
