/**
 * An import of models stores them before it commits their tables, as pending until the commit is certain. Models and
 * tables thus change together or not at all, even if the import is killed: others then look which tables exist.
 */
import { randomUUID } from 'node:crypto';
import { rename, rm, utimes } from 'node:fs/promises';
import { dirname } from 'node:path';
import { stateUnavailable } from '../../core/state-folder.ts';
import { writeAtomically } from '../../core/write-atomically.ts';
import { findJournalFolder, hasEnded, journalPath, readEntries } from './journal-files.ts';
import { beatMs, findSilent, hasOwnerEnded, ownerEntries } from './journal-watch.ts';
import {
  importPath,
  listImports,
  nextSequence,
  readImport,
  removeReplaced,
  updateStoredModels,
} from './model-imports.ts';
import type { JournalContext, Owner } from './journal-files.ts';
import type { ModelImport } from './model-imports.ts';
import type { Migration } from '../../../gorm/migration/plan-migration.ts';
import type { TableModel } from '../../../model/table-model.ts';
import type { StudioError } from '../../../model/errors.ts';
import type { ModelSettings } from '../../core/models.ts';

/** An object that the import creates: a table, or a column of an existing table. */
interface CreatedObject {
  readonly table: string;
  readonly column?: string;
}

interface PendingRecord extends ModelImport {
  /** The process of the import, where it can be distinguished from those of other machines and containers. */
  readonly owner?: Owner;
  readonly created: readonly CreatedObject[];
  /** Whether the import has a journal. The import is complete or undone when that is gone. */
  readonly hasJournal: boolean;
}

/** Of an earlier version, whose imports changed the stored models themselves. */
interface EarlierRecord {
  readonly created: readonly CreatedObject[];
  /** The tables of the imported models. */
  readonly imported: readonly string[];
  /** The previous models of these tables. */
  readonly before: readonly TableModel[];
}

export interface PendingModels {
  /** Called when the tables are committed. Others may have settled the import meanwhile, and not have seen them. */
  confirm(): Promise<void>;
  /** Removes the models: the tables were not committed. */
  revert(): Promise<void>;
  /** Nobody knows whether the tables were committed: the studio that started the import checks. */
  leave(): void;
}

export interface PendingImport {
  readonly imported: readonly TableModel[];
  readonly migration: Pick<Migration, 'statements'>;
  /** Its journal identifies the import to the studio that started it. */
  readonly context: Pick<JournalContext, 'journal' | 'stateDir' | 'target'>;
}

export async function savePendingModels(
  { file }: ModelSettings,
  { imported, migration, context }: PendingImport,
): Promise<PendingModels> {
  if (file === undefined)
    return { confirm: async () => {}, revert: async () => {}, leave: () => {} };
  const { journal = randomUUID() } = context;
  const pending = importPath(file, journal, 'pending');
  const [owner] = ownerEntries();
  let record: PendingRecord;
  try {
    record = {
      sequence: await nextSequence(file),
      models: imported,
      ...(owner === undefined ? {} : { owner }),
      created: migration.statements.flatMap(objectsCreatedBy),
      hasJournal: await journalRemains(await findJournals(context), journal),
    };
    await writeAtomically(pending, JSON.stringify(record));
    await updateStoredModels(file);
  } catch (error) {
    await rm(pending, { force: true });
    await updateStoredModels(file).catch(() => {});
    throw unavailable(file, error);
  }
  return openPending({ file, journal, record });
}

interface SavedImport {
  readonly file: string;
  readonly journal: string;
  readonly record: PendingRecord;
}

function openPending({ file, journal, record }: SavedImport): PendingModels {
  const pending = importPath(file, journal, 'pending');
  const imported = importPath(file, journal, 'imported');
  const heartbeat = startHeartbeat(pending);
  return {
    confirm: async () => {
      clearInterval(heartbeat);
      try {
        if (!(await renameExisting(pending, imported)))
          await writeAtomically(imported, JSON.stringify(record));
        await removeReplaced(file, record);
        await updateStoredModels(file);
      } catch (error) {
        throw unavailable(file, error);
      }
    },
    revert: async () => {
      clearInterval(heartbeat);
      for (const path of [pending, imported]) await rm(path, { force: true });
      await updateStoredModels(file);
    },
    leave: () => clearInterval(heartbeat),
  };
}

function unavailable(file: string, error: unknown): StudioError {
  return stateUnavailable('written', error, dirname(dirname(file)));
}

/** Changes the time of the file, for studios that cannot see the process of the import. */
function startHeartbeat(path: string): NodeJS.Timeout {
  const beat = (): void => {
    const now = new Date();
    utimes(path, now, now).catch(() => {});
  };
  return setInterval(beat, beatMs).unref();
}

function objectsCreatedBy({
  table,
  column,
  creates,
}: Migration['statements'][number]): readonly CreatedObject[] {
  if (creates === true) return [{ table }];
  return column === undefined ? [] : [{ table, column }];
}

/** The names of the columns of each existing table. */
export type ColumnsByTable = ReadonlyMap<string, readonly string[]>;

export interface Settling {
  readonly structure: () => Promise<ColumnsByTable>;
  readonly context: Pick<JournalContext, 'stateDir' | 'target'>;
  /** That of an import whose process has ended. By default, all imports whose processes have ended are settled. */
  readonly journal?: string | undefined;
  /** Ends the wait for signs of life. */
  readonly signal?: AbortSignal;
  /** How to see which imports have ended. */
  readonly watch?: {
    readonly findSilent: typeof findSilent;
    readonly hasOwnerEnded: typeof hasOwnerEnded;
  };
}

/**
 * Completes what killed imports have left: models whose tables were committed stay, others are removed. Waits some
 * seconds for signs of life of imports whose processes it cannot see. Returns false if an import is still running.
 */
export async function settlePendingModels(
  { file }: ModelSettings,
  settling: Settling,
): Promise<boolean> {
  if (file === undefined) return true;
  const pending = await readPending(file, settling.journal);
  const ended = await findEnded(pending, settling);
  if (ended.length > 0) {
    // Not before the imports have ended, which may commit until then.
    const tables = await settling.structure();
    const exists = ({ table, column }: CreatedObject): boolean =>
      tables.get(table)?.some((name) => column === undefined || name === column) === true;
    for (const one of ended) await settleOne(file, one, one.record.created.every(exists));
  }
  await updateStoredModels(file);
  return ended.length === pending.length;
}

interface FoundImport {
  readonly path: string;
  readonly journal: string;
  readonly record: PendingRecord | EarlierRecord;
}

/** Without damaged files, of which nothing is known. */
async function readPending(
  file: string,
  onlyJournal: string | undefined,
): Promise<readonly FoundImport[]> {
  const found: FoundImport[] = [];
  for (const { path, state, journal } of await listImports(file)) {
    if (state !== 'pending' || (onlyJournal !== undefined && journal !== onlyJournal)) continue;
    const record = await readImport<PendingRecord>(path);
    if (record?.created !== undefined)
      found.push({ path, journal, record: record as FoundImport['record'] });
  }
  return found;
}

async function findEnded(
  pending: readonly FoundImport[],
  { context, journal, signal, watch = { findSilent, hasOwnerEnded } }: Settling,
): Promise<readonly FoundImport[]> {
  const ended = new Set<string>();
  const unseen: string[] = [];
  const journalFolder = await findJournals(context);
  for (const one of pending) {
    const { path, record } = one;
    if ('hasJournal' in record && record.hasJournal) {
      if (!(await journalRemains(journalFolder, one.journal))) ended.add(path);
    } else if (one.journal === journal || watch.hasOwnerEnded(ownerOf(record))) ended.add(path);
    else unseen.push(path);
  }
  const silent = await watch.findSilent(unseen, signal);
  return pending.filter(({ path }) => ended.has(path) || silent.has(path));
}

function ownerOf(record: FoundImport['record']): readonly Owner[] {
  return 'owner' in record && record.owner !== undefined ? [record.owner] : [];
}

/** One that others can write to is not used. */
function findJournals(context: Settling['context']): Promise<string | undefined> {
  return findJournalFolder(context).catch(() => undefined);
}

/** Whether the import with that journal is neither complete nor undone. */
async function journalRemains(folder: string | undefined, journal: string): Promise<boolean> {
  if (folder === undefined) return false;
  const entries = await readEntries(journalPath(folder, journal));
  return entries !== undefined && !hasEnded(entries);
}

/** The import, or another studio, may do the same at the same time. */
async function settleOne(
  file: string,
  { path, journal, record }: FoundImport,
  isCommitted: boolean,
): Promise<void> {
  const imported = importPath(file, journal, 'imported');
  if ('models' in record && isCommitted) await renameExisting(path, imported);
  else {
    if ('before' in record && !isCommitted) await revertEarlier(file, imported, record);
    await rm(path, { force: true });
  }
}

async function revertEarlier(
  file: string,
  path: string,
  { imported, before }: EarlierRecord,
): Promise<void> {
  const removed = imported.filter((table) => before.every((model) => model.table !== table));
  const reverted: ModelImport = { sequence: await nextSequence(file), models: before, removed };
  await writeAtomically(path, JSON.stringify(reverted));
}

/** False if the file does not exist. */
async function renameExisting(from: string, to: string): Promise<boolean> {
  try {
    await rename(from, to);
    return true;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return false;
    throw error;
  }
}
