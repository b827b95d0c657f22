import { Readable } from 'node:stream';
import { hasChangedSession } from './session-changes.ts';
import type mysql from 'mysql2';

export interface LoadResult {
  readonly rowsAffected: number;
  /** Number of warnings, for example about skipped rows and changed values. */
  readonly warnings: number;
  readonly changedSession: boolean;
}

/** A statement of LOAD DATA LOCAL. */
export interface LoadStatement {
  readonly text: string;
  /** What the server receives, whichever file it requests. */
  readonly file: Buffer;
  /** Called once the file is sent. */
  readonly onSent?: (() => void) | undefined;
}

export function loadText(
  client: mysql.Connection,
  { text, file, onSent }: LoadStatement,
): Promise<LoadResult> {
  return new Promise((resolve, reject) => {
    const infileStreamFactory = (): Readable => {
      const stream = Readable.from(packetsOf(file));
      // The driver sends the end of the file at the same event.
      if (onSent !== undefined) stream.once('end', () => setImmediate(onSent));
      return stream;
    };
    client.query({ sql: text, infileStreamFactory }, (error, result) => {
      if (error !== null) {
        reject(error);
        return;
      }
      const { affectedRows, warningStatus } = result as mysql.ResultSetHeader;
      const changedSession = hasChangedSession(result);
      resolve({ rowsAffected: affectedRows, warnings: warningStatus, changedSession });
    });
  });
}

const packetBytes = 1_000_000;

function* packetsOf(file: Buffer): Generator<Buffer, void> {
  for (let at = 0; at < file.length; at += packetBytes) yield file.subarray(at, at + packetBytes);
}
