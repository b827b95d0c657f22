import { checkReads, mustOnlyRead } from '../core/check-reads.ts';
import { completeStructure } from '../core/complete-structure.ts';
import { canBeHeld } from '../core/cached-tables.ts';
import { hasColumns } from './all-rows.ts';
import { inCurrentSnapshot, untilUnchanged } from './current-snapshot.ts';
import type { Database, Session } from '../../model/database.ts';
import type { Schema, Table } from '../../model/schema.ts';
import type { JobContext } from '../core/job.ts';

/** An export of some tables in one transaction. */
interface TablesExport<T> {
  /** Whether the file depends on foreign keys, which the revision of a table does not cover. */
  readonly needsForeignKeys: boolean;
  choose(schema: Schema): readonly Table[];
  send(session: Session, schema: Schema): Promise<T>;
}

/** A table that is changed again and again may be readable without being held. */
const maxHeldAttempts = 3;

/**
 * Sends the tables with the structure that they have while they are read. It is the one that the studio
 * has cached, if the database confirms that, or else is read.
 */
export async function exportTables<T extends object>(
  { database, schemas, cachedTables }: JobContext,
  tablesExport: TablesExport<T>,
): Promise<T> {
  const { needsForeignKeys, choose, send } = tablesExport;
  if (cachedTables !== undefined && !needsForeignKeys) {
    const sent = await sendHeld(database, cachedTables, tablesExport);
    if (sent !== 'changed' && sent !== 'not held') return sent;
  }
  return untilUnchanged(schemas, async (attempt) => {
    const { schema } = await completeStructure(schemas, choose);
    const tables = choose(schema).filter(hasColumns);
    await checkReads({ database }, tables);
    await mustOnlyRead({ database }, tables);
    if (attempt < maxHeldAttempts && canBeHeld(tables)) {
      const sent = await sendHeld(database, schema, tablesExport);
      if (sent !== 'not held') return sent;
    }
    return inCurrentSnapshot(database, tables, (session) => send(session, schema));
  });
}

async function sendHeld<T extends object>(
  database: Database,
  schema: Schema,
  { choose, send }: TablesExport<T>,
): Promise<T | 'changed' | 'not held'> {
  return database.transaction('read', async (session) => {
    const state = await hold(database, session, choose(schema));
    return state === 'held' ? send(session, schema) : state;
  });
}

async function hold(
  { dialect, holdTables }: Database,
  session: Session,
  tables: readonly Table[],
): Promise<'held' | 'changed' | 'not held'> {
  if (holdTables === undefined) return 'not held';
  try {
    return (await holdTables(session, tables)) ? 'held' : 'changed';
  } catch (error) {
    const causes = [error, error instanceof Error ? error.cause : undefined];
    return causes.some((cause) => dialect.isStructureError(cause)) ? 'changed' : 'not held';
  }
}
