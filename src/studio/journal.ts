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

export interface Journal {
  /** Returns when the name is on disk. */
  note(table: string): Promise<void>;
  /** What was noted is not to be undone any more. */
  close(): Promise<void>;
}

type Place = Pick<JobContext, 'stateDir' | 'target'>;

const noJournal: Journal = { note: () => Promise.resolve(), close: () => Promise.resolve() };

/** Without a state folder there is nothing to write to, and a crash leaves what was made. */
export async function openJournal({ stateDir, target }: Place): Promise<Journal> {
  if (stateDir === undefined) return noJournal;
  const folder = folderOf(stateDir, target.url);
  await mkdir(folder, { recursive: true, mode: 0o700 });
  const path = join(folder, `${randomUUID()}.journal`);
  const file = await open(path, 'ax', 0o600);
  return {
    note: async (table) => {
      await file.write(`${JSON.stringify(table)}\n`);
      await file.datasync();
    },
    close: async () => {
      await file.close();
      await rm(path, { force: true });
    },
  };
}

/** One folder a database. */
function folderOf(stateDir: string, url: string): string {
  return join(stateDir, 'journals', stateNameOf(url));
}

/** Undoes what crashes have left of this database; gives the tables that were removed. */
export async function undoJournals(
  context: Place & { readonly database: Database },
): Promise<readonly string[]> {
  const { stateDir, target, database } = context;
  if (stateDir === undefined || target.readOnly || database.dialect.ddl.undoing === undefined)
    return [];
  const folder = folderOf(stateDir, target.url);
  const removed: string[] = [];
  for (const name of await journalsIn(folder)) {
    const path = join(folder, name);
    removed.push(...(await removeMade(database, await readNotes(path), 'empty')));
    await rm(path, { force: true });
  }
  return removed;
}

async function journalsIn(folder: string): Promise<readonly string[]> {
  try {
    return (await readdir(folder)).filter((name) => name.endsWith('.journal'));
  } catch {
    return [];
  }
}

/** A last line that a crash cut off stands for nothing that was made. */
async function readNotes(path: string): Promise<readonly string[]> {
  const lines = (await readFile(path, 'utf8')).split('\n');
  return lines.slice(0, -1).map((line) => JSON.parse(line) as string);
}

/**
 * Removes tables and views by name. After a crash only those without rows: one that has some has
 * been used by others since.
 */
export async function removeMade(
  database: Database,
  names: readonly string[],
  which: 'all' | 'empty',
): Promise<readonly string[]> {
  const { undoing } = database.dialect.ddl;
  if (undoing === undefined || names.length === 0) return [];
  const schema = await database.introspect();
  const isMade = ({ name }: Table): boolean => names.includes(name);
  const views = schema.views.filter(isMade);
  const made = schema.tables.filter(isMade);
  return database.transaction('write', async (session) => {
    const tables: Table[] = [];
    for (const table of made)
      if (which === 'all' || (await isEmpty(session, database, table))) tables.push(table);
    for (const text of undoing.remove({ tables, views })) await session.run({ text, params: [] });
    return [...views, ...tables].map(({ name }) => name);
  });
}

async function isEmpty(session: Session, { dialect }: Database, table: Table): Promise<boolean> {
  const text = `SELECT COUNT(*) FROM ${dialect.tableName(table)}`;
  const { rows } = await session.run({ text, params: [] });
  return String(rows[0]?.[0]) === '0';
}
