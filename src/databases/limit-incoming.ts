import type { Duplex } from 'node:stream';
import { answerTooLong, mostAnswerBytes } from '../model/answer-limit.ts';

/** What has come in by a connection. */
export interface Incoming {
  /** Somebody has taken all of it: the count begins again. */
  taken(): void;
}

/** Ends a connection by which more comes at once than can be held, before the driver makes texts of it. */
export function limitIncoming(socket: Duplex): Incoming {
  let bytes = 0;
  socket.prependListener('data', (chunk: Uint8Array) => {
    bytes += chunk.length;
    if (bytes > mostAnswerBytes && !socket.destroyed) socket.destroy(answerTooLong());
  });
  return { taken: () => void (bytes = 0) };
}
