/** A statement with what must surround it, at the price of one round trip. */
import { replacedStatements, unlockAndLook } from './replaced-statements.ts';

/** What the driver's own types leave out. */
interface Pipeline {
  readonly parsedStatements: Record<string, string>;
  parse(statement: { readonly text: string }): void;
  bind(target: object): void;
  execute(target: { readonly portal?: string }): void;
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
  /** In a read-only transaction of its own. */
  readonly readOnly: boolean;
  /** Called where a function of the database may have replaced the studio's prepared statements. */
  readonly onReplaced: () => void;
}

/**
 * The statement, a look at the session's prepared statements, and BEGIN READ ONLY and ROLLBACK
 * around them where it only reads, travel together, before one Sync. The rollback takes back the
 * settings that a function of a view may have changed, and the look the locks that it may have taken. After an error the server skips the rest, and
 * the caller must roll back and look. Only the statement itself may have a name: a function could
 * replace or remove a named statement of its session.
 */
export function inPipeline<Q extends object>(query: Q, options: PipelineOptions): Q {
  const { readOnly, onReplaced } = options;
  const extended = query as unknown as ExtendedQuery;
  const prepare = extended.prepare.bind(query);
  const complete = extended.handleCommandComplete.bind(query);
  const takeRow = extended.handleDataRow.bind(query);
  const fail = extended.handleError.bind(query);
  const { name } = extended;
  // How many statements have completed when the query's own has.
  const own = readOnly ? 2 : 1;
  let isNew = false;
  let completed = 0;
  const overrides: Omit<ExtendedQuery, 'portal' | 'name' | 'hasBeenParsed'> = {
    prepare: (pipeline) => {
      if (readOnly) run(pipeline, 'BEGIN READ ONLY');
      isNew = name !== undefined && !extended.hasBeenParsed(pipeline);
      // A function may have made a statement of that name.
      if (name !== undefined && isNew) pipeline.close({ type: 'S', name });
      prepare(pipeline);
    },
    _getRows: (pipeline) => {
      pipeline.execute({ portal: extended.portal });
      run(pipeline, readOnly ? unlockAndLook : replacedStatements);
      if (readOnly) run(pipeline, 'ROLLBACK');
      pipeline.sync();
    },
    handleDataRow: (message) => {
      if (completed < own) takeRow(message);
      else onReplaced();
    },
    handleCommandComplete: (message, pipeline) => {
      completed += 1;
      if (completed === own) complete(message, pipeline);
    },
    handleError: (error, pipeline) => {
      // The driver takes the answer to the parsing of BEGIN for that of the statement.
      if (name !== undefined && isNew) delete pipeline.parsedStatements[name];
      fail(error, pipeline);
    },
  };
  return Object.assign(query, overrides);
}

function run(pipeline: Pipeline, text: string): void {
  pipeline.parse({ text });
  pipeline.bind({});
  pipeline.execute({});
}
