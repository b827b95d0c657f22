import type { Duplex } from 'node:stream';

/** The bytes that a socket has sent and received. TLS sockets count those of their content. */
export function transferredBytes(socket: Duplex | undefined): number {
  const { bytesRead = 0, bytesWritten = 0 } = (socket ?? {}) as {
    readonly bytesRead?: number;
    readonly bytesWritten?: number;
  };
  return bytesRead + bytesWritten;
}
