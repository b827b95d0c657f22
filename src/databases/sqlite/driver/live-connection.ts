import { connect } from './driver.ts';
import { fileIdentity, vanished } from './files.ts';
import type { ConnectOptions, Connection } from './driver.ts';

/** A connection that notices when its file is removed, or another is put in its place. */
export interface LiveConnection {
  /** The connection to the file that is there now. In a transaction it stays the same. */
  current(): Connection;
  /** How many files have stood in this place. */
  readonly generation: number;
  /** Ends the connection, with its settings and temporary tables; whoever comes next gets another. */
  renew(): void;
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
      if (found === undefined) throw vanished(options.path);
      if (found !== identity) replace(found);
      return connection;
    },
    get generation() {
      return generation;
    },
    renew: () => {
      closeQuietly(connection);
      identity = '';
    },
    close: () => closeQuietly(connection),
  };
}

/** A stream that is still open keeps the old file open until it is collected. */
function closeQuietly(connection: Connection): void {
  try {
    connection.close();
  } catch (error) {
    if (!(error instanceof TypeError)) throw error;
  }
}
