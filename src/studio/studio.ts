import { join } from 'node:path';
import { databaseNames, kindOf } from '../databases/index.ts';
import { StudioError } from '../model/errors.ts';
import { sweepFolders } from '../processes/scratch-folder.ts';
import { boundedDatabase } from './execution/bounded-database.ts';
import { withDiagramCache } from './execution/diagram-cache.ts';
import { createLanes } from './execution/lanes.ts';
import { createLocalExecutor } from './execution/local-executor.ts';
import { withSettledModels } from './execution/with-settled-models.ts';
import { createCacheUseCounter, sumOfCacheUses } from './core/cache-uses.ts';
import { capabilitiesOf } from './core/capabilities.ts';
import { modelSettings } from './core/models.ts';
import { startRecovery } from './execution/recovery.ts';
import { createRejectedFiles } from './import/rejected-files.ts';
import { createReadiness } from './execution/readiness.ts';
import { createServerStateWatch } from './execution/server-state-watch.ts';
import { openSavedState } from './saved/saved-state.ts';
import { openStateFolder } from './core/state-folder.ts';
import { stateFileName } from './core/state-file-name.ts';
import { withReplica } from './execution/read-replica.ts';
import { withServedStructure } from './execution/served-structure.ts';
import { createJobStarter } from './execution/start-job.ts';
import type { DatabaseKind, PoolStats, DatabaseTarget, ServerState } from '../model/database.ts';
import type { TableModel } from '../model/table-model.ts';
import type { CapableDatabase } from './core/capabilities.ts';
import type { CacheUses } from './core/cache-uses.ts';
import type { Access } from './core/context.ts';
import type { ModelSettings } from './core/models.ts';
import type { StandbyState } from '../model/server-state.ts';
import type { ConnectedServer } from './execution/standby.ts';
import type { Executor, PerformOptions } from './execution/executor.ts';
import type { OperationName } from './execution/operations.ts';
import type { Reply } from './core/reply.ts';
import type { JobCounts, JobStarter, StartJob } from './execution/start-job.ts';
import type { RejectedFiles } from './import/rejected-files.ts';
import type { SavedState } from './saved/saved-state.ts';

export interface StudioOptions {
  /** A path, `:memory:`, or a URL: `sqlite:`, `file:`, `postgres:`, `mysql:`, `sqlserver:`. */
  readonly url: string;
  readonly readOnly?: boolean;
  readonly disableSql?: boolean;
  /** Raw SQL may change structure. */
  readonly allowDdl?: boolean;
  /** Where the studio is mounted; `/studio` when absent. */
  readonly prefix?: string;
  /** Creates the database file if it does not exist. */
  readonly create?: boolean;
  /** Reads a database file through a memory mapping, unless it is on a network; true when absent. */
  readonly mapFiles?: boolean;
  /** The time limit of a statement in milliseconds; 30,000 when absent. */
  readonly statementTimeoutMs?: number;
  /** A standby of the PostgreSQL database, for pages of rows and their totals. */
  readonly readUrl?: string;
  /** Reads of a cluster wait for what its other servers have committed; commits of PostgreSQL for its synchronous standbys. */
  readonly readYourWrites?: boolean;
  /** The folder for what outlives the studio: imported models, saved queries, positions in the diagram, and journals. Without it, nothing is stored. */
  readonly stateDir?: string;
  /** Configured Go models (`readModelSources`), in addition to the imported ones. */
  readonly models?: readonly TableModel[];
  /** Font files for diagrams as PNG and PDF. They take precedence over the system's fonts. */
  readonly fonts?: readonly string[];
  /** The largest upload in bytes; 1 GiB when absent. */
  readonly maxUploadBytes?: number;
  /** Closed after one operation, as by a command: nothing is prepared for later ones. */
  readonly singleUse?: boolean;
  /** Receives a sentence about each interrupted import that the studio undoes or cannot undo. */
  readonly onRecovery?: (sentence: string) => void;
}

export interface StudioConfig {
  readonly readOnly: boolean;
  readonly disableSql: boolean;
  readonly allowDdl: boolean;
  readonly prefix: string;
  readonly maxUploadBytes: number;
}

export type { JobCounts };

/** A studio on one database: every operation of the API, without HTTP. */
export interface Studio {
  readonly config: StudioConfig;
  /** What the studio can do with its database. */
  readonly database: CapableDatabase;
  perform(operation: OperationName, input: unknown, options?: PerformOptions): Promise<Reply>;
  /** What users have saved in the studio, not in the database. */
  readonly saved: SavedState;
  /** The folder in which copies of the studio see each other's downloads. Undefined if nothing outlives this studio. */
  readonly transferFolder: string | undefined;
  /** The folder in which copies of the studio find the outcomes of requests that a client repeats. Undefined as above. */
  readonly outcomeFolder: string | undefined;
  /** Rows that imports have left out, for their clients to download. */
  readonly rejectedFiles: RejectedFiles;
  /** Starts an import or export. Resolves when the first bytes of its file are available, or when it is complete. */
  readonly start: StartJob;
  stats(): Promise<PoolStats>;
  cacheUses(): CacheUses;
  jobs(): JobCounts;
  /**
   * Why the database takes no writes although the studio allows them, such as that it is a standby, and
   * how far it is behind; as of two seconds ago at most.
   */
  serverState(): Promise<ServerState>;
  /** The state of the standby of `readUrl`; undefined without one. */
  standby(): Promise<StandbyState | undefined>;
  /** Whether the database responds. Resolves after two seconds at most. */
  ready(): Promise<boolean>;
  /** Ends operations and jobs that are still running. Takes about 15 s at most, even if the database does not respond. */
  close(): Promise<void>;
}

/** Opens a studio; fails with `database_unavailable` when the database cannot be opened. */
export async function createStudio(options: StudioOptions): Promise<Studio> {
  const kind = await findDatabaseKind(options.url);
  const { name } = kind.dialect;
  const database: CapableDatabase = { name, capabilities: capabilitiesOf(kind.dialect) };
  const access = accessTo(database, options);
  const { executor, starter, saved, transferFolder, outcomeFolder, opensReadOnly, release } =
    await openParts(kind, access, options);
  const rejectedFiles = createRejectedFiles({ maxBytes: uploadLimit(options) });
  const diagramUses = createCacheUseCounter();
  const perform: Studio['perform'] = (operation, input, performOptions = {}) =>
    executor.perform(operation, input, performOptions);
  return {
    config: {
      readOnly: access.readOnly,
      disableSql: access.disableSql,
      allowDdl: access.allowDdl,
      prefix: options.prefix ?? '/studio',
      maxUploadBytes: uploadLimit(options),
    },
    database,
    perform,
    saved,
    transferFolder,
    outcomeFolder,
    rejectedFiles,
    start: withDiagramCache(starter.start, findDiagramKey(perform), diagramUses),
    stats: async () => executor.stats(),
    cacheUses: () => sumOfCacheUses(executor.cacheUses(), diagramUses.counted()),
    jobs: () => starter.counts(),
    standby: async () => executor.standby?.(),
    serverState: serverStateOf({ kind, access, opensReadOnly }, createServerStateWatch(perform)),
    ready: createReadiness(perform),
    close: async () => {
      await starter.close();
      await executor.close();
      await rejectedFiles.close();
      await release();
    },
  };
}

function findDiagramKey(perform: Studio['perform']): (input: unknown) => Promise<string> {
  return async (input) => {
    const { body } = await perform('find-diagram-key', input);
    return (JSON.parse(String(body)) as { key: string }).key;
  };
}

const defaultUploadBytes = 2 ** 30;
const defaultStatementTimeoutMs = 30_000;

function uploadLimit({ maxUploadBytes }: StudioOptions): number {
  return maxUploadBytes ?? defaultUploadBytes;
}

interface StateContext {
  readonly kind: DatabaseKind;
  readonly access: Access;
  readonly opensReadOnly: boolean;
}

/** The database has no reason of its own where the operator or the URL has decided. */
function serverStateOf(
  { kind, access, opensReadOnly }: StateContext,
  watch: Studio['serverState'],
): Studio['serverState'] {
  const decided: ServerState = access.readOnly
    ? {}
    : { readOnlyReason: 'The URL of the database opens it read-only.' };
  if (!access.readOnly && !opensReadOnly) return watch;
  // Only a server with positions can be behind others.
  if (kind.reportsPosition !== true) return () => Promise.resolve(decided);
  return async () => ({ ...decided, lagSeconds: (await watch()).lagSeconds });
}

interface StudioParts {
  readonly executor: Executor;
  readonly starter: JobStarter;
  readonly saved: SavedState;
  readonly transferFolder: string | undefined;
  readonly outcomeFolder: string | undefined;
  /** Whether the URL opens the database read-only, whatever the operator allows. */
  readonly opensReadOnly: boolean;
  readonly release: () => Promise<void>;
}

/** What the operator allows, as far as the database is capable of it. */
function accessTo({ capabilities }: CapableDatabase, options: StudioOptions): Access {
  return {
    readOnly: options.readOnly === true || !capabilities.write,
    disableSql: options.disableSql === true || !capabilities.sql,
    allowDdl: options.allowDdl ?? false,
  };
}

async function openParts(
  kind: DatabaseKind,
  access: Access,
  options: StudioOptions,
): Promise<StudioParts> {
  if (options.readUrl !== undefined) await mustBeOfKind(kind, options.readUrl);
  await sweepFolders();
  const {
    target: prepared,
    release,
    removeUnused,
  } = await kind.prepare({
    url: options.url,
    readOnly: access.readOnly,
    create: options.create ?? false,
  });
  const target = { ...prepared, readsYourWrites: options.readYourWrites ?? false };
  const stateFolder = await openStateFolder(options.stateDir);
  const models = modelSettings(stateFolder.path, target.url, options.models);
  const { stateDir, fonts = [] } = options;
  const limitMs = options.statementTimeoutMs ?? defaultStatementTimeoutMs;
  const baseExecutor = withTimeLimit(
    kind.runsInChildProcess
      ? createLanes(
          { target: { ...target, mapsFileIntoMemory: options.mapFiles ?? true }, access, models },
          kind,
        )
      : await createServerExecutor(kind, { options, target, access, models }),
    limitMs,
  );
  // Keeps stored models consistent with the database after interrupted imports.
  const executor = await withSettledModels(baseExecutor, {
    models,
    target,
    ...(stateDir === undefined ? {} : { stateDir }),
  });
  const settings = { target, access, models, fonts, maxUploadBytes: uploadLimit(options) };
  const starter = createJobStarter(
    stateDir === undefined ? settings : { ...settings, stateDir },
    executor,
    { singleUse: options.singleUse ?? false, onRecovery: options.onRecovery },
  );
  const sharedFolder = (name: string): string | undefined =>
    stateDir === undefined ? undefined : join(stateDir, name, stateFileName(target.url));
  return {
    // Rejects writes by ids from a structure that has changed since a response showed it.
    executor: withServedStructure(executor),
    starter,
    saved: openSavedState(stateFolder.path, target.url),
    transferFolder: sharedFolder('transfers'),
    outcomeFolder: sharedFolder('outcomes'),
    opensReadOnly: target.readOnly,
    release: async () => {
      // A command that has failed leaves no empty file. Other programs may have opened that of a server.
      if (options.singleUse === true) await removeUnused?.();
      await Promise.all([release(), stateFolder.release()]);
    },
  };
}

/** Applies the time limit of statements to operations that are performed without a limit of their own. */
function withTimeLimit(executor: Executor, limitMs: number): Executor {
  const perform: Executor['perform'] = (name, input, options) =>
    executor.perform(name, input, { limitMs, ...options });
  return { ...executor, perform };
}

interface ServerSettings {
  readonly options: StudioOptions;
  readonly target: DatabaseTarget;
  readonly access: Access;
  readonly models: ModelSettings;
}

/** Performs operations in this process, after undoing interrupted imports into the database. */
async function createServerExecutor(
  kind: DatabaseKind,
  settings: ServerSettings,
): Promise<Executor> {
  const { options, target, access, models } = settings;
  const { readUrl } = options;
  const database = await kind.open(target);
  const { stateDir, onRecovery, statementTimeoutMs = defaultStatementTimeoutMs } = options;
  const journalContext = { target, database, ...(stateDir === undefined ? {} : { stateDir }) };
  const recovery = await startRecovery(journalContext, onRecovery);
  const bounded = boundedDatabase(database, { limitMs: statementTimeoutMs });
  const local = createLocalExecutor(bounded, access, models);
  const openReplica = (): Promise<ConnectedServer> => openReplicaOf(kind, settings);
  const executor =
    readUrl === undefined ? local : withReplica({ executor: local, database }, openReplica);
  return {
    ...executor,
    recover: recovery.recover,
    close: async () => {
      recovery.close();
      await executor.close();
    },
  };
}

async function openReplicaOf(
  kind: DatabaseKind,
  { options, target, access, models }: ServerSettings,
): Promise<ConnectedServer> {
  const { readUrl = '', statementTimeoutMs = defaultStatementTimeoutMs } = options;
  const database = await kind.open({ ...target, url: readUrl, readOnly: true });
  const bounded = boundedDatabase(database, { limitMs: statementTimeoutMs });
  const readOnly: Access = { ...access, readOnly: true };
  return { database, executor: createLocalExecutor(bounded, readOnly, models) };
}

/** A database without positions of its log could not tell when a standby has applied a write. */
async function mustBeOfKind(kind: DatabaseKind, readUrl: string): Promise<void> {
  if ((await kindOf(readUrl)) === kind && kind.reportsPosition === true) return;
  throw new StudioError(
    'invalid_parameter',
    'The URL for reads must be that of a standby of PostgreSQL, and so must be that of the database.',
  );
}

async function findDatabaseKind(url: string): Promise<DatabaseKind> {
  const kind = await kindOf(url);
  if (kind !== undefined) return kind;
  throw new StudioError(
    'invalid_parameter',
    `The database URL is not of a supported kind (${databaseNames.join(', ')}).`,
  );
}
