import { StudioError } from '../../model/errors.ts';
import { sqliteDialect } from './dialect/dialect.ts';
import {
  checkFile,
  createFile,
  hasJournal,
  isInWalMode,
  makePrivateFile,
  removeEmptyFile,
} from './driver/files.ts';
import { readLocation, urlOf } from './driver/location.ts';
import type { Capability } from '../../model/capabilities.ts';
import type {
  Database,
  DatabaseKind,
  PreparedTarget,
  BlockedWritesReason,
  DatabaseTarget,
} from '../../model/database.ts';

/** SQLite files, and `:memory:`. */
export const sqlite: DatabaseKind<Capability> = {
  dialect: sqliteDialect,
  runsInChildProcess: true,
  prepare,
  open,
  loadDriver: () => import('./database.ts'),
  whyReadsBlockWrites,
};

/** Checks or creates the file. For `:memory:` it creates a temporary file that only processes of this studio open. */
async function prepare(target: DatabaseTarget): Promise<PreparedTarget> {
  const location = readLocation(target);
  if (location.kind === 'memory') return preparePrivate(target);
  const { path, readOnly, create } = location;
  const isNew = create && !readOnly && (await createFile(path));
  await checkFile(path);
  if (!readOnly && (await hasJournal(path))) await recover(path);
  return {
    target: { url: urlOf(path), readOnly, create: false },
    release: () => Promise.resolve(),
    ...(isNew && { removeUnused: () => removeEmptyFile(path) }),
  };
}

async function preparePrivate({ readOnly }: DatabaseTarget): Promise<PreparedTarget> {
  const { useWriteAheadLog } = await import('./driver/driver.ts');
  const file = await makePrivateFile();
  useWriteAheadLog(file.path);
  return {
    target: { url: urlOf(file.path), readOnly, create: false },
    release: () => file.remove(),
  };
}

/** Rolls back what a crash left unfinished, because read-only connections cannot. A busy file is in use and needs no recovery. */
async function recover(path: string): Promise<void> {
  const { connect } = await import('./driver/driver.ts');
  try {
    connect({ path, readOnly: false }).close();
  } catch (error) {
    if (!isBusy(error)) throw error;
  }
}

/** The private file of `:memory:` is removed when the database is closed. */
async function open(target: DatabaseTarget): Promise<Database<Capability>> {
  const prepared = await prepare(target);
  const location = readLocation(prepared.target);
  if (location.kind === 'memory') throw new Error('A prepared target is a file.');
  const { openDatabase } = await import('./database.ts');
  try {
    return withReleaseOnClose(
      openDatabase({ ...location, mapsFileIntoMemory: target.mapsFileIntoMemory ?? false }),
      prepared,
    );
  } catch (error) {
    await prepared.release();
    throw error;
  }
}

function withReleaseOnClose(
  database: Database<Capability>,
  prepared: PreparedTarget,
): Database<Capability> {
  return {
    ...database,
    close: async () => {
      await database.close();
      await prepared.release();
    },
  };
}

async function whyReadsBlockWrites(
  target: DatabaseTarget,
): Promise<BlockedWritesReason | undefined> {
  const location = readLocation(target);
  if (location.kind === 'memory' || (await isInWalMode(location.path))) return undefined;
  return {
    reason: 'a SQLite file that is not in WAL mode cannot be written while it is read',
    remedy: 'set PRAGMA journal_mode = WAL',
  };
}

function isBusy(error: unknown): boolean {
  return error instanceof StudioError && error.code === 'database_busy';
}
