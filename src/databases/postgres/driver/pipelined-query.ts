/** Sends a statement and the statements around it in one round trip. */
import { namedCheck, replacedStatementsQuery, unlockAndCheckQuery } from './replaced-statements.ts';
import type { StatementState } from './replaced-statements.ts';

/** Members that the driver's type declarations omit. */
export interface StatementPipeline {
  parse(statement: { readonly text: string; readonly name?: string }): void;
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
  handleDataRow(message: { readonly fields: readonly unknown[] }): void;
  handleCommandComplete(message: unknown, pipeline: Pipeline): void;
  handleError(error: unknown, pipeline: Pipeline): void;
  _getRows(pipeline: Pipeline): void;
}

/**
 * Sends the statement, the check for replaced prepared statements and, for a read, `begin`
 * and ROLLBACK around them, followed by a single Sync. `begin` is empty unless it is a read. The rollback undoes settings that a function of a view
 * changed, and the check releases locks that it took. After an error the server skips the rest, so
 * the caller must roll back and check. Only the statement itself and the check of a read may have a
 * name: a function could replace or remove the others.
 */
export function inPipeline<Q extends object>(
  query: Q,
  begin: readonly string[],
  statements: StatementState,
): Q {
  const readOnly = begin.length > 0;
  const extended = query as unknown as ExtendedQuery;
  const prepare = extended.prepare.bind(query);
  const complete = extended.handleCommandComplete.bind(query);
  const takeRow = extended.handleDataRow.bind(query);
  const fail = extended.handleError.bind(query);
  const { name } = extended;
  // The position of the query's own statement among those that complete.
  const ownIndex = begin.length + 1;
  const check = checkOf(readOnly, statements);
  let isNew = false;
  let completed = 0;
  const overrides: Omit<ExtendedQuery, 'name' | 'hasBeenParsed'> = {
    portal: check.portal,
    prepare: (pipeline) => {
      for (const text of begin) sendUnnamed(pipeline, text);
      check.begin(pipeline);
      isNew = name !== undefined && !extended.hasBeenParsed(pipeline);
      // A function may have prepared a statement of that name.
      if (name !== undefined && isNew) pipeline.close({ type: 'S', name });
      prepare(pipeline);
    },
    _getRows: (pipeline) => {
      pipeline.execute({ portal: check.portal });
      check.execute(pipeline);
      if (readOnly) sendUnnamed(pipeline, 'ROLLBACK');
      pipeline.sync();
    },
    handleDataRow: (message) => {
      if (completed < ownIndex) takeRow(message);
      else check.takeRow(message);
    },
    handleCommandComplete: (message, pipeline) => {
      completed += 1;
      if (completed === ownIndex) complete(message, pipeline);
      else if (completed === ownIndex + 1) check.complete();
    },
    handleError: (error, pipeline) => {
      // The driver has taken the ParseComplete of BEGIN for that of the statement.
      if (name !== undefined && isNew) delete pipeline.parsedStatements[name];
      fail(error, pipeline);
    },
  };
  return Object.assign(query, overrides);
}

/** The check of one pipeline. */
interface Check {
  /** The portal of the statement that is checked. */
  readonly portal: string;
  /** Before that statement. */
  begin(pipeline: Pipeline): void;
  /** After it. */
  execute(pipeline: Pipeline): void;
  takeRow(message: { readonly fields: readonly unknown[] }): void;
  complete(): void;
}

function checkOf(readOnly: boolean, statements: StatementState): Check {
  const isVerified = readOnly && statements.areVerified && !statements.areLost;
  statements.areVerified = false;
  return isVerified ? boundCheck(statements) : unnamedCheck(readOnly, statements);
}

/** Is parsed after the statement, so that a function cannot have replaced it. Returns a row for replaced statements. */
function unnamedCheck(readOnly: boolean, statements: StatementState): Check {
  let isReplaced = false;
  return {
    portal: '',
    begin: () => {},
    execute: (pipeline) =>
      sendUnnamed(pipeline, readOnly ? unlockAndCheckQuery : replacedStatementsQuery),
    takeRow: () => {
      isReplaced = true;
    },
    complete: () => {
      statements.areLost ||= isReplaced;
      statements.areVerified = readOnly && !isReplaced;
    },
  };
}

/**
 * Costs half as much, because it is prepared by name. It is bound to the unnamed portal before the
 * statement runs, so a function that replaces it has no effect on this execution, and is found by it. A
 * function cannot open another unnamed portal. If it closes this one, the pipeline fails (`isPortalClosed`); if it
 * fetches from it, the check returns no row.
 */
function boundCheck(statements: StatementState): Check {
  let isIntact = false;
  return {
    portal: 'studio_read',
    begin: (pipeline) => {
      const { name, text } = namedCheck;
      if (!statements.hasCheck) {
        pipeline.close({ type: 'S', name });
        pipeline.parse({ name, text });
      }
      pipeline.bind({ statement: name });
    },
    execute: (pipeline) => pipeline.execute({}),
    takeRow: ({ fields: [isReplaced] }) => {
      isIntact = String(isReplaced) === 'f';
    },
    complete: () => {
      statements.areLost ||= !isIntact;
      statements.areVerified = isIntact;
      statements.hasCheck = isIntact;
    },
  };
}

/** Sends a statement without a name and without parameters. */
export function sendUnnamed(pipeline: StatementPipeline, text: string): void {
  pipeline.parse({ text });
  pipeline.bind({});
  pipeline.execute({});
}
