/** A statement in a read-only transaction of its own, at the price of one round trip. */

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
  handleCommandComplete(message: unknown, pipeline: Pipeline): void;
  handleError(error: unknown, pipeline: Pipeline): void;
  _getRows(pipeline: Pipeline): void;
}

/**
 * BEGIN READ ONLY, the statement and ROLLBACK travel together, before one Sync. The rollback takes
 * back the settings that a function of a view may have changed. After an error the server skips
 * the rest, and the caller must roll back. BEGIN and ROLLBACK have no names: a function could
 * replace or remove a named statement of its session.
 */
export function inReadOnlyTransaction<Q extends object>(query: Q): Q {
  const extended = query as unknown as ExtendedQuery;
  const prepare = extended.prepare.bind(query);
  const complete = extended.handleCommandComplete.bind(query);
  const fail = extended.handleError.bind(query);
  const { name } = extended;
  let isNew = false;
  let completed = 0;
  const overrides: Omit<ExtendedQuery, 'portal' | 'name' | 'hasBeenParsed'> = {
    prepare: (pipeline) => {
      run(pipeline, 'BEGIN READ ONLY');
      isNew = name !== undefined && !extended.hasBeenParsed(pipeline);
      // A function may have made a statement of that name.
      if (name !== undefined && isNew) pipeline.close({ type: 'S', name });
      prepare(pipeline);
    },
    _getRows: (pipeline) => {
      pipeline.execute({ portal: extended.portal });
      run(pipeline, 'ROLLBACK');
      pipeline.sync();
    },
    handleCommandComplete: (message, pipeline) => {
      completed += 1;
      // The first is the answer to BEGIN and the third to ROLLBACK.
      if (completed === 2) complete(message, pipeline);
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
