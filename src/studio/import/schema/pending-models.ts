/**
 * An import of models stores them before it commits their tables. A file with the previous models
 * stays beside them until the commit is certain. Models and tables thus change together or not at all,
 * even if the import is killed.
 */
import { randomUUID } from 'node:crypto';
import { readFile, readdir, rm } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { mergeModels, readStoredModels, writeStoredModels } from '../../core/models.ts';
import { stateUnavailable } from '../../core/state-folder.ts';
import { writeAtomically } from '../../core/write-atomically.ts';
import type { Migration } from '../../../gorm/migration/plan-migration.ts';
import type { TableModel } from '../../../model/table-model.ts';
import type { ModelSettings } from '../../core/models.ts';

/** An object that the import creates: a table, or a column of an existing table. */
interface CreatedObject {
  readonly table: string;
  readonly column?: string;
}

interface PendingRecord {
  /** The process of the import. */
  readonly pid: number;
  readonly created: readonly CreatedObject[];
  /** The tables of the imported models. */
  readonly imported: readonly string[];
  /** The previous models of these tables. */
  readonly before: readonly TableModel[];
}

export interface PendingModels {
  /** Called when the tables are committed. */
  confirm(): Promise<void>;
  /** Restores the previous models: the tables were not committed. */
  revert(): Promise<void>;
}

export interface PendingImport {
  readonly imported: readonly TableModel[];
  readonly migration: Pick<Migration, 'statements'>;
  /** The name of the import's journal. It identifies the import to the studio that started it. */
  readonly journal: string | undefined;
}

export async function savePendingModels(
  { file }: ModelSettings,
  { imported, migration, journal = randomUUID() }: PendingImport,
): Promise<PendingModels> {
  if (file === undefined) return { confirm: async () => {}, revert: async () => {} };
  const path = pendingPath(file, journal);
  const tables = imported.map(({ table }) => table);
  const storedModels = await readStoredModels(file);
  const record: PendingRecord = {
    pid: process.pid,
    created: migration.statements.flatMap(objectsCreatedBy),
    imported: tables,
    before: storedModels.filter(({ table }) => tables.includes(table)),
  };
  try {
    await writeAtomically(path, JSON.stringify(record));
    await writeStoredModels(file, mergeModels(storedModels, imported));
  } catch (error) {
    await rm(path, { force: true });
    throw stateUnavailable('written', error, dirname(dirname(file)));
  }
  return {
    confirm: () => rm(path, { force: true }),
    revert: () => revertModels(file, path, record),
  };
}

function objectsCreatedBy({
  table,
  column,
  creates,
}: Migration['statements'][number]): readonly CreatedObject[] {
  if (creates === true) return [{ table }];
  return column === undefined ? [] : [{ table, column }];
}

async function revertModels(
  file: string,
  path: string,
  { imported, before }: PendingRecord,
): Promise<void> {
  const otherModels = (await readStoredModels(file)).filter(
    ({ table }) => !imported.includes(table),
  );
  await writeStoredModels(file, [...otherModels, ...before]);
  await rm(path, { force: true });
}

/** The names of the columns of each existing table. */
export type ColumnsByTable = ReadonlyMap<string, readonly string[]>;

/**
 * Completes what killed imports have left: models whose tables were committed stay, others are
 * reverted. Applies to the import with this journal. If no journal is given, it applies to every import
 * whose process has ended. Returns false if an import is still running.
 */
export async function settlePendingModels(
  { file }: ModelSettings,
  structure: () => Promise<ColumnsByTable>,
  journal?: string,
): Promise<boolean> {
  if (file === undefined) return true;
  let isSettled = true;
  const paths = journal === undefined ? await listPendingPaths(file) : [pendingPath(file, journal)];
  for (const path of paths) {
    const record = await readPendingRecord(path);
    if (record === undefined) continue;
    if (journal === undefined && isRunning(record.pid)) {
      isSettled = false;
      continue;
    }
    const tables = await structure();
    const exists = ({ table, column }: CreatedObject): boolean =>
      tables.get(table)?.some((name) => column === undefined || name === column) === true;
    if (record.created.every(exists)) await rm(path, { force: true });
    else await revertModels(file, path, record);
  }
  return isSettled;
}

const pendingExtension = '.pending';

function pendingPath(file: string, journal: string): string {
  return `${file}.${journal}${pendingExtension}`;
}

async function listPendingPaths(file: string): Promise<readonly string[]> {
  const names = await readdir(dirname(file)).catch(() => []);
  return names
    .filter((name) => name.startsWith(`${basename(file)}.`) && name.endsWith(pendingExtension))
    .map((name) => join(dirname(file), name));
}

/** Undefined if the file does not exist. */
async function readPendingRecord(path: string): Promise<PendingRecord | undefined> {
  try {
    return JSON.parse(await readFile(path, 'utf8')) as PendingRecord;
  } catch {
    return undefined;
  }
}

function isRunning(pid: number): boolean {
  if (pid === process.pid) return false;
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM';
  }
}
