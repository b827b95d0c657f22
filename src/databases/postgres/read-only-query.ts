/** A statement in a read-only transaction of its own, at the price of one round trip. */

/** `Client.query` parses each once for a connection; after that they are only bound. */
const begin = { name: 'studio_begin_read', text: 'BEGIN READ ONLY' };
const end = { name: 'studio_end_read', text: 'ROLLBACK' };

/** What the driver's own types leave out. */
interface Pipeline {
  bind(target: { readonly statement: string }): void;
  execute(target: { readonly portal?: string }): void;
  sync(): void;
}

interface ExtendedQuery {
  readonly portal: string;
  prepare(pipeline: Pipeline): void;
  handleCommandComplete(message: unknown, pipeline: Pipeline): void;
  _getRows(pipeline: Pipeline): void;
}

/** Prepares a connection for `inReadOnlyTransaction`. */
export async function prepareReadOnly(client: {
  query(statement: typeof begin): Promise<unknown>;
}): Promise<void> {
  for (const statement of [begin, end]) await client.query(statement);
}

/**
 * BEGIN READ ONLY, the statement and ROLLBACK travel together, before one Sync. The rollback takes
 * back the settings that a function of a view may have changed. After an error the server skips
 * the rest, and the caller must roll back.
 */
export function inReadOnlyTransaction<Q extends object>(query: Q): Q {
  const extended = query as unknown as ExtendedQuery;
  const prepare = extended.prepare.bind(query);
  const complete = extended.handleCommandComplete.bind(query);
  let completed = 0;
  const overrides: Omit<ExtendedQuery, 'portal'> = {
    prepare: (pipeline) => {
      run(pipeline, begin.name);
      prepare(pipeline);
    },
    _getRows: (pipeline) => {
      pipeline.execute({ portal: extended.portal });
      run(pipeline, end.name);
      pipeline.sync();
    },
    handleCommandComplete: (message, pipeline) => {
      completed += 1;
      // The first is the answer to BEGIN and the third to ROLLBACK.
      if (completed === 2) complete(message, pipeline);
    },
  };
  return Object.assign(query, overrides);
}

function run(pipeline: Pipeline, statement: string): void {
  pipeline.bind({ statement });
  pipeline.execute({});
}
