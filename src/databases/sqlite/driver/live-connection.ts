import { connect } from './driver.ts';
import { fileIdentity, missingFileError } from './files.ts';
import type { ConnectOptions, Connection } from './driver.ts';

/** A connection that detects when its file is removed or replaced. */
export interface LiveConnection {
  /** The connection to the current file. It does not change during a transaction. */
  current(): Connection;
  /** Increases each time the connection is opened anew. */
  readonly generation: number;
  /** Closes the connection, with its settings and temporary tables. The next call of `current` opens another. */
  reset(): void;
  close(): void;
}

export function openLive(options: ConnectOptions): LiveConnection {
  let identity = fileIdentity(options.path);
  let connection = connect(options);
  let generation = 1;

  const replace = (found: string): void => {
    closeQuietly(connection);
    connection = connect(options);
    identity = found;
    generation += 1;
  };

  return {
    current: () => {
      if (connection.inTransaction) return connection;
      const found = fileIdentity(options.path);
      if (found === undefined) throw missingFileError(options.path);
      if (found !== identity) replace(found);
      return connection;
    },
    get generation() {
      return generation;
    },
    reset: () => {
      closeQuietly(connection);
      identity = '';
    },
    close: () => closeQuietly(connection),
  };
}

/** The driver cannot close a connection with an open stream, which is then closed by garbage collection. */
function closeQuietly(connection: Connection): void {
  try {
    connection.close();
  } catch (error) {
    if (!(error instanceof TypeError)) throw error;
  }
}
