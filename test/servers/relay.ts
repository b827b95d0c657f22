/** Forwards connections to a server, and can stop forwarding, like a network that drops packets. */
import { connect, createServer } from 'node:net';
import type { AddressInfo, Socket } from 'node:net';

export interface Relay {
  readonly port: number;
  /** Stops forwarding in both directions without closing any connection. */
  silence(): void;
  /** Forwards what was held back, and everything after it. */
  resume(): void;
  /** Breaks all connections. New ones are forwarded. */
  cut(): void;
  close(): Promise<void>;
}

/** Changes a chunk of bytes on its way, in either direction; as latin1, so that no byte is lost. */
export type Rewrite = (chunk: string) => string;

export async function startRelay(port: number, rewrite?: Rewrite): Promise<Relay> {
  const sockets = new Set<Socket>();
  let isSilent = false;
  const pass = (from: Socket, to: Socket): void => {
    sockets.add(from);
    from.on('data', (chunk: Buffer) => {
      to.write(
        rewrite === undefined ? chunk : Buffer.from(rewrite(chunk.toString('latin1')), 'latin1'),
      );
    });
    from.on('error', () => {});
    from.on('close', () => {
      sockets.delete(from);
      to.destroy();
    });
    if (isSilent) from.pause();
  };
  const cut = (): void => {
    for (const socket of sockets) socket.destroy();
  };
  const server = createServer((client) => {
    const upstream = connect(port, '127.0.0.1');
    pass(client, upstream);
    pass(upstream, client);
  });
  await new Promise<void>((resolve) => void server.listen(0, '127.0.0.1', resolve));
  return {
    port: (server.address() as AddressInfo).port,
    silence: () => {
      isSilent = true;
      for (const socket of sockets) socket.pause();
    },
    resume: () => {
      isSilent = false;
      for (const socket of sockets) socket.resume();
    },
    cut,
    close: async () => {
      cut();
      await new Promise((resolve) => void server.close(resolve));
    },
  };
}
