import type { Duplex } from 'node:stream';
import { responseTooLongError, maxResponseBytes } from '../model/response-limit.ts';

/** Counts the bytes received on a connection. */
export interface IncomingBytes {
  /** Called when all received data was consumed. */
  resetCount(): void;
}

/** Closes a connection that sends more at once than fits into memory, before the driver decodes it. */
export function limitIncoming(socket: Duplex): IncomingBytes {
  let bytes = 0;
  socket.prependListener('data', (chunk: Uint8Array) => {
    bytes += chunk.length;
    if (bytes > maxResponseBytes && !socket.destroyed) socket.destroy(responseTooLongError());
  });
  return { resetCount: () => void (bytes = 0) };
}
