/** Several statements in one pipeline, each sent without waiting for the response of the one before. */
import { StatementsFailure } from '../../../model/statements-failure.ts';
import { runCancelable } from '../../cancel-statement.ts';
import { traceComment } from '../../trace-comment.ts';
import { markIfRead } from '../../errors-of-reads.ts';
import { sendUnnamed } from './pipelined-query.ts';
import { rejectCopy } from './reject-copy.ts';
import { replacedStatementsQuery } from './replaced-statements.ts';
import { attempt } from './send-statement.ts';
import type { RunOptions } from '../../../model/database.ts';
import type { StatementPipeline } from './pipelined-query.ts';
import type { CopyPipeline } from './reject-copy.ts';
import type { StatementContext } from './send-statement.ts';

/** Members that the driver's type declarations omit. */
interface Pipeline extends CopyPipeline, StatementPipeline {
  readonly stream: { cork(): void; uncork(): void };
  flush(): void;
}

/** What the driver's client calls for a query of another kind than its own. */
interface BatchQuery {
  submit(pipeline: Pipeline): null;
  handleRowDescription(): void;
  handleDataRow(): void;
  handlePortalSuspended(): void;
  handleEmptyQuery(): void;
  handleCommandComplete(): void;
  handleCopyInResponse(pipeline: Pipeline): void;
  handleCopyData(): void;
  handleError(error: unknown): void;
  handleReadyForQuery(): void;
}

/** So many that waiting for the server between two batches does not count. */
const batchSize = 100;

/**
 * Runs statements in an open transaction, `batchSize` in one round trip, up to the first that fails.
 * Rows that they return are discarded.
 */
export async function runInBatches(
  context: StatementContext,
  texts: readonly string[],
  runOptions: RunOptions,
): Promise<void> {
  for (let start = 0; start < texts.length; start += batchSize) {
    const batch = texts.slice(start, start + batchSize);
    let completed = 0;
    const onComplete = (): void => void (completed += 1);
    try {
      await runBatch(context, { texts: batch, runOptions, onComplete });
    } catch (error) {
      throw new StatementsFailure(markIfRead(batch[completed] ?? '', error), start + completed);
    }
  }
}

interface StatementBatch {
  readonly texts: readonly string[];
  readonly runOptions: RunOptions;
  /** Called after each statement. */
  readonly onComplete: () => void;
}

function runBatch(
  context: StatementContext,
  { texts, runOptions, onComplete }: StatementBatch,
): Promise<void> {
  const { client, cancelable, loss, statements } = context;
  const comment = traceComment(runOptions);
  const sent = texts.map((text) => `${comment}${text}`);
  return attempt(context, { query: { text: '', params: [] }, runOptions }, () =>
    runCancelable(cancelable, runOptions, (restartLimit) => {
      const { query, done } = createBatchQuery(sent, {
        onComplete: () => {
          onComplete();
          restartLimit();
        },
        onReplaced: () => void (statements.areLost = true),
      });
      (client as unknown as BatchClient).query(query);
      return loss.failOnLoss(done);
    }),
  );
}

interface BatchClient {
  query(query: BatchQuery): void;
}

interface BatchHandlers {
  /** Called after each statement. */
  readonly onComplete: () => void;
  /** Called where a statement may have replaced the studio's prepared statements. */
  readonly onReplaced: () => void;
}

/**
 * The statements and the check for replaced prepared statements, followed by a single Sync: after an
 * error the server skips the rest. A Flush after each statement makes the server report it at once,
 * so that a time limit can be that of one statement.
 */
function createBatchQuery(
  texts: readonly string[],
  { onComplete, onReplaced }: BatchHandlers,
): { readonly query: BatchQuery; readonly done: Promise<void> } {
  const { promise: done, resolve, reject } = Promise.withResolvers<void>();
  let completed = 0;
  const complete = (): void => {
    completed += 1;
    if (completed <= texts.length) onComplete();
  };
  const query: BatchQuery = {
    submit: (pipeline) => {
      // The messages leave in one write.
      pipeline.stream.cork();
      for (const text of texts) {
        sendUnnamed(pipeline, text);
        pipeline.flush();
      }
      sendUnnamed(pipeline, replacedStatementsQuery);
      pipeline.sync();
      pipeline.stream.uncork();
      return null;
    },
    handleRowDescription: () => {},
    handleDataRow: () => {
      if (completed === texts.length) onReplaced();
    },
    handlePortalSuspended: () => {},
    handleEmptyQuery: complete,
    handleCommandComplete: complete,
    handleCopyInResponse: rejectCopy,
    handleCopyData: () => {},
    handleError: reject,
    handleReadyForQuery: resolve,
  };
  return { query, done };
}
