import { runCancelable } from '../../cancel-statement.ts';
import { fieldInfo } from '../dialect/types.ts';
import type { RunOptions } from '../../../model/database.ts';
import type { RowStream } from '../../../model/rows.ts';
import type { ColumnInfo } from '../../../model/schema.ts';
import type { Row } from '../../../model/values.ts';
import type { Cancelable } from '../../cancel-statement.ts';
import type { WireField } from '../dialect/types.ts';

/** A running statement that pushes its rows. */
export interface RowEmitter<R> {
  listen(listener: RowListener<R>): void;
  pause(): void;
  resume(): void;
}

export interface RowListener<R> {
  fields(fields: readonly WireField[]): void;
  row(row: R): void;
  /** Number of rows written by a statement that returns none. */
  affected(rows: number): void;
  ended(): void;
  failed(error: unknown): void;
}

/** Collects rows into batches. */
export interface RowCollector<R> {
  add(row: R): void;
  /** Completes the current batch. */
  finish(): void;
  /** Number of complete batches. */
  count(): number;
  take(fields: readonly WireField[]): readonly Row[] | undefined;
  clear(): void;
}

export interface StreamOptions {
  readonly columns: readonly ColumnInfo[] | undefined;
  readonly runOptions: RunOptions;
  readonly cancelable: Cancelable;
  /** Called when the connection is idle again. */
  done(): void;
}

/** Streams the rows in batches, with backpressure. If the reader stops early, the statement is ended in the server. */
export async function streamRows<R>(
  emitter: RowEmitter<R>,
  collector: RowCollector<R>,
  options: StreamOptions,
): Promise<RowStream> {
  const collected = collectRows(emitter, collector);
  const cancelable: Cancelable = {
    cancel: () => {
      collected.discard();
      return options.cancelable.cancel();
    },
    destroy: () => options.cancelable.destroy(),
  };
  const end = runCancelable(cancelable, options.runOptions, () => collected.end).finally(() =>
    options.done(),
  );
  // The error reaches the reader of `batches`, who may start later, so it is not unhandled.
  end.catch(() => {});
  const fields = await collected.fields.catch(async (error: unknown) => {
    // If the statement was ended, this throws the reason.
    await end;
    throw error;
  });
  return {
    columns: options.columns ?? fields.map(fieldInfo),
    batches: read(collected, { end, cancelable }),
    rowsAffected: collected.rowsAffected,
  };
}

interface RunningStatement {
  readonly end: Promise<void>;
  readonly cancelable: Cancelable;
}

async function* read(
  collected: CollectedRows,
  { end, cancelable }: RunningStatement,
): AsyncGenerator<readonly Row[]> {
  try {
    for (let rows = await collected.next(); rows !== undefined; rows = await collected.next())
      yield rows;
    await end;
  } finally {
    if (!collected.hasEnded()) await cancelable.cancel().catch(() => cancelable.destroy());
    await end.catch(() => {});
  }
}

interface CollectedRows {
  readonly fields: Promise<readonly WireField[]>;
  /** Resolves when the server has sent everything; rejects with its error. */
  readonly end: Promise<void>;
  hasEnded(): boolean;
  rowsAffected(): number | undefined;
  /** The next batch; undefined after the last one and after `discard`. */
  next(): Promise<readonly Row[] | undefined>;
  /** Drops all further rows, so that the statement can end. */
  discard(): void;
}

interface CollectState {
  discarding: boolean;
  ended: boolean;
  affected?: number;
  wake: () => void;
}

/** The emitter is paused while this many batches wait. */
const maxWaiting = 2;

function collectRows<R>(emitter: RowEmitter<R>, batches: RowCollector<R>): CollectedRows {
  const fields = Promise.withResolvers<readonly WireField[]>();
  const end = Promise.withResolvers<void>();
  const state: CollectState = { discarding: false, ended: false, wake: () => {} };

  const settle = (): void => {
    state.ended = true;
    batches.finish();
    state.wake();
  };
  emitter.listen({
    fields: fields.resolve,
    row: (row) => {
      if (state.discarding) return;
      batches.add(row);
      if (batches.count() > 0) state.wake();
      if (batches.count() >= maxWaiting) emitter.pause();
    },
    affected: (rows) => (state.affected = rows),
    ended: () => {
      fields.resolve([]);
      if (state.discarding)
        end.reject(new Error('The reader stopped before the end of the result.'));
      else end.resolve();
      settle();
    },
    failed: (error) => {
      fields.reject(error);
      end.reject(error);
      settle();
    },
  });

  const next = async (): Promise<readonly Row[] | undefined> => {
    while (batches.count() === 0 && !state.ended && !state.discarding) {
      await new Promise<void>((resolve) => (state.wake = resolve));
    }
    const rows = batches.take(await fields.promise);
    emitter.resume();
    return rows;
  };
  const discard = (): void => {
    state.discarding = true;
    batches.clear();
    emitter.resume();
    state.wake();
  };
  return {
    fields: fields.promise,
    end: end.promise,
    hasEnded: () => state.ended,
    rowsAffected: () => state.affected,
    next,
    discard,
  };
}
