import { databaseNames, kindOf } from '../databases/index.ts';
import { StudioError } from '../model/errors.ts';
import { sweepFolders } from '../processes/scratch-folder.ts';
import { boundedDatabase } from './execution/bounded-database.ts';
import { withDiagramCache } from './execution/diagram-cache.ts';
import { createLanes } from './execution/lanes.ts';
import { createLocalExecutor } from './execution/local-executor.ts';
import { settlingModels } from './execution/settling-models.ts';
import { openModels } from './core/models.ts';
import { startRecovery } from './execution/recovery.ts';
import { withServedStructure } from './execution/served-structure.ts';
import { createJobStarter } from './execution/start-job.ts';
import type { Database, DatabaseKind, PoolStats, Target } from '../model/database.ts';
import type { TableModel } from '../model/table-model.ts';
import type { Access } from './core/context.ts';
import type { ModelSettings } from './core/models.ts';
import type { Executor, PerformOptions } from './execution/executor.ts';
import type { OperationName } from './execution/operations.ts';
import type { Reply } from './core/reply.ts';
import type { JobStarter, StartJob } from './execution/start-job.ts';

export interface StudioOptions {
  /** A path, or a URL: `sqlite:`, `file:`, `:memory:`. */
  readonly url: string;
  readonly readOnly?: boolean;
  readonly disableSql?: boolean;
  /** Raw SQL may change structure. */
  readonly allowDdl?: boolean;
  /** Where the studio is mounted; `/studio` when absent. */
  readonly prefix?: string;
  /** A database file that is not there is made. */
  readonly create?: boolean;
  /** The time limit of a statement in milliseconds; 30,000 when absent. */
  readonly statementTimeoutMs?: number;
  /** Where what outlives the studio is kept (imported models, journals); without it, nothing is. */
  readonly stateDir?: string;
  /** What Go models say of tables (`readModelSources`), besides those that are imported. */
  readonly models?: readonly TableModel[];
  /** Font files for diagrams as PNG and PDF, to look in before the system's. */
  readonly fonts?: readonly string[];
  /** The largest upload in bytes; 1 GiB when absent. */
  readonly maxUploadBytes?: number;
  /** Receives a sentence about each interrupted import that the studio undoes or cannot undo. */
  readonly onRecovery?: (sentence: string) => void;
}

export interface StudioConfig {
  readonly readOnly: boolean;
  readonly disableSql: boolean;
  readonly prefix: string;
  readonly maxUploadBytes: number;
}

/** A studio over one database: every operation of the API, without HTTP. */
export interface Studio {
  readonly config: StudioConfig;
  perform(operation: OperationName, input: unknown, options?: PerformOptions): Promise<Reply>;
  /** Starts an import or export; resolves with the first bytes of its file, or when it is done. */
  readonly start: StartJob;
  stats(): Promise<PoolStats>;
  /** Whether the database answers. */
  ready(signal?: AbortSignal): Promise<boolean>;
  /** Ends what still runs; takes some 15 s at most, whatever the database does. */
  close(): Promise<void>;
}

/** Opens a studio; fails with `database_unavailable` when the database cannot be opened. */
export async function createStudio(options: StudioOptions): Promise<Studio> {
  const { executor, starter, release } = await open(options);
  const perform: Studio['perform'] = (operation, input, extra = {}) =>
    executor.perform(operation, input, extra);
  return {
    config: {
      readOnly: options.readOnly ?? false,
      disableSql: options.disableSql ?? false,
      prefix: options.prefix ?? '/studio',
      maxUploadBytes: uploadLimit(options),
    },
    perform,
    start: withDiagramCache(starter.start, async (input) => {
      const { body } = await perform('find-diagram-key', input);
      return (JSON.parse(String(body)) as { key: string }).key;
    }),
    stats: async () => executor.stats(),
    ready: (signal) =>
      perform('ping', {}, { limitMs: 5000, ...(signal && { signal }) }).then(
        () => true,
        () => false,
      ),
    close: async () => {
      await starter.close();
      await executor.close();
      await release();
    },
  };
}

const defaultUploadBytes = 2 ** 30;
const defaultLimitMs = 30_000;

function uploadLimit({ maxUploadBytes }: StudioOptions): number {
  return maxUploadBytes ?? defaultUploadBytes;
}

interface Opened {
  readonly executor: Executor;
  readonly starter: JobStarter;
  readonly release: () => Promise<void>;
}

async function open(options: StudioOptions): Promise<Opened> {
  const kind = await findKind(options.url);
  await sweepFolders();
  const { target, release } = await kind.prepare({
    url: options.url,
    readOnly: options.readOnly ?? false,
    create: options.create ?? false,
  });
  const access: Access = {
    readOnly: options.readOnly ?? false,
    disableSql: options.disableSql ?? false,
    allowDdl: options.allowDdl ?? false,
  };
  const kept = await openModels(target.url, options);
  const models = kept.settings;
  const { stateDir, fonts = [] } = options;
  const limitMs = options.statementTimeoutMs ?? defaultLimitMs;
  const plain = limited(
    kind.isolated
      ? createLanes({ target, access, models }, kind.readsBlockWrites)
      : await recovering(await kind.open(target), { options, target, access, models }),
    limitMs,
  );
  const executor = await settlingModels(plain, models);
  const settings = { target, access, models, fonts, maxUploadBytes: uploadLimit(options) };
  const starter = createJobStarter(
    stateDir === undefined ? settings : { ...settings, stateDir },
    executor,
  );
  return {
    executor: withServedStructure(executor),
    starter,
    release: async () => void (await Promise.all([release(), kept.release()])),
  };
}

/** Operations have the time limit of statements where they are given none. */
function limited(executor: Executor, limitMs: number): Executor {
  const perform: Executor['perform'] = (name, input, options) =>
    executor.perform(name, input, { limitMs, ...options });
  return { ...executor, perform };
}

interface Opening {
  readonly options: StudioOptions;
  readonly target: Target;
  readonly access: Access;
  readonly models: ModelSettings;
}

/** Operations in this process, after interrupted imports of the database were undone. */
async function recovering(
  database: Database,
  { options, target, access, models }: Opening,
): Promise<Executor> {
  const { stateDir, onRecovery, statementTimeoutMs = defaultLimitMs } = options;
  const place = { target, database, ...(stateDir === undefined ? {} : { stateDir }) };
  const recovery = await startRecovery(place, onRecovery);
  const bounded = boundedDatabase(database, { limitMs: statementTimeoutMs });
  const executor = createLocalExecutor(bounded, access, models);
  return {
    ...executor,
    recover: recovery.recover,
    close: async () => {
      recovery.close();
      await executor.close();
    },
  };
}

async function findKind(url: string): Promise<DatabaseKind> {
  const kind = await kindOf(url);
  if (kind !== undefined) return kind;
  throw new StudioError(
    'invalid_parameter',
    `This is no database URL that the studio knows (${databaseNames.join(', ')}).`,
  );
}
