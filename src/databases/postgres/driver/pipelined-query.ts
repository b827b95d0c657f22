/** Sends a statement and the statements around it in one round trip. */
import { replacedStatementsQuery, unlockAndCheckQuery } from './replaced-statements.ts';

/** Members that the driver's type declarations omit. */
export interface StatementPipeline {
  parse(statement: { readonly text: string }): void;
  bind(target: object): void;
  execute(target: { readonly portal?: string }): void;
}

interface Pipeline extends StatementPipeline {
  readonly parsedStatements: Record<string, string>;
  close(target: { readonly type: 'S'; readonly name: string }): void;
  sync(): void;
}

interface ExtendedQuery {
  readonly name?: string | undefined;
  readonly portal: string;
  hasBeenParsed(pipeline: Pipeline): unknown;
  prepare(pipeline: Pipeline): void;
  handleDataRow(message: unknown): void;
  handleCommandComplete(message: unknown, pipeline: Pipeline): void;
  handleError(error: unknown, pipeline: Pipeline): void;
  _getRows(pipeline: Pipeline): void;
}

interface PipelineOptions {
  /** Runs the statement in a read-only transaction of its own. */
  readonly readOnly: boolean;
  /** Called where a function of the database may have replaced the studio's prepared statements. */
  readonly onReplaced: () => void;
}

/**
 * Sends the statement, the check for replaced prepared statements and, for a read, BEGIN READ ONLY
 * and ROLLBACK around them, followed by a single Sync. The rollback undoes settings that a function of a view
 * changed, and the check releases locks that it took. After an error the server skips the rest, so
 * the caller must roll back and check. Only the statement itself may have a name: a function could
 * replace or remove the others.
 */
export function inPipeline<Q extends object>(query: Q, options: PipelineOptions): Q {
  const { readOnly, onReplaced } = options;
  const extended = query as unknown as ExtendedQuery;
  const prepare = extended.prepare.bind(query);
  const complete = extended.handleCommandComplete.bind(query);
  const takeRow = extended.handleDataRow.bind(query);
  const fail = extended.handleError.bind(query);
  const { name } = extended;
  // The position of the query's own statement among those that complete.
  const ownIndex = readOnly ? 2 : 1;
  let isNew = false;
  let completed = 0;
  const overrides: Omit<ExtendedQuery, 'portal' | 'name' | 'hasBeenParsed'> = {
    prepare: (pipeline) => {
      if (readOnly) sendUnnamed(pipeline, 'BEGIN READ ONLY');
      isNew = name !== undefined && !extended.hasBeenParsed(pipeline);
      // A function may have prepared a statement of that name.
      if (name !== undefined && isNew) pipeline.close({ type: 'S', name });
      prepare(pipeline);
    },
    _getRows: (pipeline) => {
      pipeline.execute({ portal: extended.portal });
      sendUnnamed(pipeline, readOnly ? unlockAndCheckQuery : replacedStatementsQuery);
      if (readOnly) sendUnnamed(pipeline, 'ROLLBACK');
      pipeline.sync();
    },
    handleDataRow: (message) => {
      if (completed < ownIndex) takeRow(message);
      else onReplaced();
    },
    handleCommandComplete: (message, pipeline) => {
      completed += 1;
      if (completed === ownIndex) complete(message, pipeline);
    },
    handleError: (error, pipeline) => {
      // The driver has taken the ParseComplete of BEGIN for that of the statement.
      if (name !== undefined && isNew) delete pipeline.parsedStatements[name];
      fail(error, pipeline);
    },
  };
  return Object.assign(query, overrides);
}

/** Sends a statement without a name and without parameters. */
export function sendUnnamed(pipeline: StatementPipeline, text: string): void {
  pipeline.parse({ text });
  pipeline.bind({});
  pipeline.execute({});
}
