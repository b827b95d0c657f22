import { noCacheUses } from '../../src/studio/core/cache-uses.ts';
import { createRejectedFiles } from '../../src/studio/import/rejected-files.ts';
import type { PerformOptions } from '../../src/studio/execution/executor.ts';
import type { OperationName } from '../../src/studio/execution/operations.ts';
import type { ServerState } from '../../src/model/server-state.ts';
import type { Reply, ReplyMeta } from '../../src/studio/core/reply.ts';
import type { Studio, StudioConfig } from '../../src/studio/studio.ts';

interface RecordedCall {
  readonly operation: OperationName;
  readonly input: unknown;
  readonly options: PerformOptions;
}

/** A studio that records its calls and returns the given replies. */
export interface FakeStudio extends Studio {
  readonly calls: RecordedCall[];
}

interface FakeOptions {
  readonly config?: Partial<StudioConfig>;
  readonly ready?: boolean;
  readonly state?: ServerState;
  readonly transferFolder?: string;
  readonly body?: Reply['body'];
  readonly meta?: ReplyMeta;
  /** Starts a job. */
  readonly start?: Studio['start'];
  /** Throws this instead of returning a reply. */
  readonly reply?: (call: RecordedCall) => Promise<Reply>;
}

const noItems = {
  all: async () => new Map<string, never>(),
  change: async () => {},
  remove: async () => false,
};

export function fakeStudio(options: FakeOptions = {}): FakeStudio {
  const calls: RecordedCall[] = [];
  return {
    calls,
    config: {
      readOnly: false,
      disableSql: false,
      allowDdl: false,
      prefix: '/studio',
      maxUploadBytes: 1_000_000,
      ...options.config,
    },
    database: {
      name: 'sqlite',
      capabilities: { write: true, load: true, script: true, sql: true, ddl: true, gorm: true },
    },
    perform: async (operation, input, performOptions = {}) => {
      const call = { operation, input, options: performOptions };
      calls.push(call);
      if (options.reply !== undefined) return options.reply(call);
      return { body: options.body ?? '{}', meta: options.meta ?? {} };
    },
    transferFolder: options.transferFolder,
    outcomeFolder: undefined,
    saved: {
      queries: noItems,
      positions: { all: noItems, keys: noItems, none: noItems },
    },
    rejectedFiles: createRejectedFiles({ maxBytes: 1_000_000 }),
    stats: async () => ({
      maxOpenConnections: 10,
      openConnections: 3,
      inUse: 1,
      idle: 2,
      waitCount: 4,
      waitDurationMs: 1.5,
    }),
    cacheUses: () => noCacheUses,
    jobs: () => ({ running: 0, waiting: 0 }),
    start: options.start ?? (() => Promise.reject(new Error('No job was expected.'))),
    standby: async () => undefined,
    serverState: async () => options.state ?? {},
    ready: async () => options.ready ?? true,
    close: async () => {},
  };
}
