import type { PerformOptions } from '../../src/studio/execution/executor.ts';
import type { OperationName } from '../../src/studio/execution/operations.ts';
import type { Reply, ReplyMeta } from '../../src/studio/core/reply.ts';
import type { Studio, StudioConfig } from '../../src/studio/studio.ts';

interface Asked {
  readonly operation: OperationName;
  readonly input: unknown;
  readonly options: PerformOptions;
}

/** A studio that records what it is asked, and replies what it is told to. */
export interface FakeStudio extends Studio {
  readonly asked: Asked[];
}

interface FakeOptions {
  readonly config?: Partial<StudioConfig>;
  readonly ready?: boolean;
  readonly body?: Reply['body'];
  readonly meta?: ReplyMeta;
  /** What a job is. */
  readonly start?: Studio['start'];
  /** Instead of a reply. */
  readonly reply?: (asked: Asked) => Promise<Reply>;
}

export function fakeStudio(options: FakeOptions = {}): FakeStudio {
  const asked: Asked[] = [];
  return {
    asked,
    config: {
      readOnly: false,
      disableSql: false,
      prefix: '/studio',
      maxUploadBytes: 1_000_000,
      ...options.config,
    },
    perform: async (operation, input, performOptions = {}) => {
      const call = { operation, input, options: performOptions };
      asked.push(call);
      if (options.reply !== undefined) return options.reply(call);
      return { body: options.body ?? '{}', meta: options.meta ?? {} };
    },
    stats: async () => ({
      maxOpenConnections: 10,
      openConnections: 3,
      inUse: 1,
      idle: 2,
      waitCount: 4,
      waitDurationMs: 1.5,
    }),
    start: options.start ?? (() => Promise.reject(new Error('No job was expected.'))),
    ready: async () => options.ready ?? true,
    close: async () => {},
  };
}
