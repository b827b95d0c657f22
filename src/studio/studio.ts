import { databaseKinds, kindOf } from '../databases/index.ts';
import { StudioError } from '../model/errors.ts';
import { createLanes } from './lanes.ts';
import { createLocalExecutor } from './local-executor.ts';
import type { PoolStats, Target } from '../model/database.ts';
import type { Access } from './context.ts';
import type { Executor, PerformOptions } from './executor.ts';
import type { OperationName } from './operations.ts';
import type { Reply } from './reply.ts';

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
}

export interface StudioConfig {
  readonly readOnly: boolean;
  readonly disableSql: boolean;
  readonly prefix: string;
}

/** A studio over one database: every operation of the API, without HTTP. */
export interface Studio {
  readonly config: StudioConfig;
  perform(operation: OperationName, input: unknown, options?: PerformOptions): Promise<Reply>;
  stats(): Promise<PoolStats>;
  /** Whether the database answers. */
  ready(): Promise<boolean>;
  close(): Promise<void>;
}

/** Opens a studio; fails with `database_unavailable` when the database cannot be opened. */
export async function createStudio(options: StudioOptions): Promise<Studio> {
  const { executor, release } = await open(options);
  const limitMs = options.statementTimeoutMs ?? 30_000;
  const perform: Studio['perform'] = (operation, input, extra) =>
    executor.perform(operation, input, { limitMs, ...extra });
  return {
    config: {
      readOnly: options.readOnly ?? false,
      disableSql: options.disableSql ?? false,
      prefix: options.prefix ?? '/studio',
    },
    perform,
    stats: async () => executor.stats(),
    ready: () =>
      perform('ping', {}, { limitMs: 5000 }).then(
        () => true,
        () => false,
      ),
    close: async () => {
      await executor.close();
      await release();
    },
  };
}

async function open(
  options: StudioOptions,
): Promise<{ executor: Executor; release: () => Promise<void> }> {
  const kind = kindOf(options.url);
  if (kind === undefined) {
    const known = databaseKinds.map(({ dialect }) => dialect.name).join(', ');
    throw new StudioError(
      'invalid_parameter',
      `This is no database URL that the studio knows (${known}).`,
    );
  }
  const wanted: Target = {
    url: options.url,
    readOnly: options.readOnly ?? false,
    create: options.create ?? false,
  };
  const { target, release } = await kind.prepare(wanted);
  const access: Access = {
    readOnly: wanted.readOnly,
    disableSql: options.disableSql ?? false,
    allowDdl: options.allowDdl ?? false,
  };
  const executor = kind.isolated
    ? createLanes(target, access)
    : createLocalExecutor(await kind.open(target), access);
  return { executor, release };
}
