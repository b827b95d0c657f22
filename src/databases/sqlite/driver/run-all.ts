import { setImmediate } from 'node:timers/promises';
import { StatementsFailure } from '../../../model/statements-failure.ts';
import type { RunOptions } from '../../../model/database.ts';
import type { Connection } from './driver.ts';

/** After so many statements, events such as an abort are processed. */
const statementsBetweenEvents = 100;

/**
 * Runs statements one after the other, up to the first that fails. Result rows are dropped.
 *
 * A prepared statement lives until it is garbage-collected, and until then each change of the schema
 * has to visit it: thousands of changes take twice as long. Therefore only a text that may have a
 * second statement is prepared, which rejects it.
 */
export async function runAll(
  connection: Connection,
  texts: readonly string[],
  { signal }: RunOptions = {},
): Promise<void> {
  for (const [index, text] of texts.entries()) {
    if (index % statementsBetweenEvents === 0) await setImmediate();
    signal?.throwIfAborted();
    try {
      if (text.includes(';')) runPrepared(connection, text);
      else connection.execute(text);
    } catch (error) {
      throw new StatementsFailure(error, index);
    }
  }
}

function runPrepared(connection: Connection, text: string): void {
  const statement = connection.prepare(text);
  if (statement.isReader) statement.all([], true);
  else statement.execute([]);
}
