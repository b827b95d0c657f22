import { once } from 'node:events';
import { createServer } from 'node:http';
import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import type { Writable } from 'node:stream';
import { getRequestListener } from '@hono/node-server';
import { StudioError } from '../model/errors.ts';
import { toResponse } from './answer.ts';
import { errorAnswer } from './errors.ts';
import type { App } from './app.ts';

/** For node:http, and for anything that hands on its requests and responses. */
export type NodeListener = (request: IncomingMessage, response: ServerResponse) => Promise<void>;

export interface ListenOptions {
  readonly app: App;
  readonly host: string;
  /** 0 takes a free port. */
  readonly port: number;
}

export interface Listening {
  /** `http://127.0.0.1:4555`, with the port that was taken. */
  readonly address: string;
  /**
   * Takes no more requests, and resolves when those that are running are answered; those that still
   * run after `graceMs` are cut off.
   */
  close(graceMs?: number): Promise<void>;
}

/** Long filters fit; what is longer is no request of ours. */
const maxHeaderBytes = 64 * 1024;
const headersTimeoutMs = 30_000;
/** Longer than proxies keep their connections, so that they do not meet one that is just being closed. */
const keepAliveTimeoutMs = 65_000;
/** While closing: how often connections that have become idle are ended. */
const closingIntervalMs = 25;

/** Serves an app from Node's own HTTP server; fails when the address cannot be had. */
export async function listen({ app, host, port }: ListenOptions): Promise<Listening> {
  const answer = requestListener(app);
  const server = createServer(
    {
      maxHeaderSize: maxHeaderBytes,
      headersTimeout: headersTimeoutMs,
      keepAliveTimeout: keepAliveTimeoutMs,
      // An upload may take hours; bodies have limits of their own where they are read.
      requestTimeout: 0,
      // Refused like any other request that cannot be read.
      requireHostHeader: false,
    },
    (request, response) => void answer(request, response),
  );
  server.on('clientError', refuse);
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen({ host: host.replace(/^\[(.*)\]$/, '$1'), port }, resolve);
  });
  return { address: addressOf(server), close: (graceMs) => close(server, graceMs) };
}

/** In a program of its own the studio takes the faster Request and Response of node-server for all. */
export function requestListener(
  app: App,
  options: { readonly keepsGlobals: boolean } = { keepsGlobals: false },
): NodeListener {
  const answer = getRequestListener(
    (request, { incoming, outgoing }) =>
      app.fetch(request, {
        address: incoming.socket.remoteAddress ?? '',
        breakOff: () => breakOff(outgoing),
      }),
    { errorHandler: refuseTarget, overrideGlobalObjects: !options.keepsGlobals },
  );
  return async (request, response) => {
    await answer(request, response);
  };
}

async function breakOff(outgoing: Writable): Promise<void> {
  outgoing.destroy();
  if (!outgoing.closed) await once(outgoing, 'close');
}

const unreadableTarget = new StudioError(
  'invalid_parameter',
  'The URL or the Host header cannot be read.',
);

function refuseTarget(): Response {
  return toResponse(errorAnswer(unreadableTarget), { method: 'GET' });
}

const refusals: Readonly<Record<string, { readonly status: string; readonly error: StudioError }>> =
  {
    HPE_HEADER_OVERFLOW: {
      status: '431 Request Header Fields Too Large',
      error: new StudioError(
        'too_large',
        `The request line and headers may take ${maxHeaderBytes / 1024} kB.`,
      ),
    },
    HPE_INVALID_URL: {
      status: '400 Bad Request',
      error: new StudioError(
        'invalid_parameter',
        'The URL holds characters that are to be percent-encoded.',
      ),
    },
    ERR_HTTP_REQUEST_TIMEOUT: {
      status: '408 Request Timeout',
      error: new StudioError('invalid_parameter', 'The request did not arrive in time.'),
    },
  };

const malformed = {
  status: '400 Bad Request',
  error: new StudioError('invalid_parameter', 'This is not HTTP that can be read.'),
};

/** What never becomes a request is answered on the bare socket, in the one shape of failures. */
function refuse(error: NodeJS.ErrnoException, socket: Socket): void {
  if (!socket.writable || error.code === 'ECONNRESET') {
    socket.destroy();
    return;
  }
  const refusal = refusals[error.code ?? ''] ?? malformed;
  const { headers, body } = errorAnswer(refusal.error);
  const lines = Object.entries({
    ...headers,
    'Content-Length': String(Buffer.byteLength(body)),
    Connection: 'close',
  }).map(([name, value]) => `${name}: ${value}\r\n`);
  socket.end(`HTTP/1.1 ${refusal.status}\r\n${lines.join('')}\r\n${body}`);
}

function addressOf(server: Server): string {
  const address = server.address();
  if (address === null || typeof address === 'string') return String(address);
  const host = address.family === 'IPv6' ? `[${address.address}]` : address.address;
  return `http://${host}:${address.port}`;
}

/** Kept-alive connections would hold a closing server open: they are ended as soon as they are idle. */
async function close(server: Server, graceMs: number | undefined): Promise<void> {
  const cut =
    graceMs === undefined ? undefined : setTimeout(() => server.closeAllConnections(), graceMs);
  const sweep = setInterval(() => server.closeIdleConnections(), closingIntervalMs);
  try {
    await new Promise<void>((resolve, reject) => {
      server.close((error) => (error === undefined ? resolve() : reject(error)));
    });
  } finally {
    clearInterval(sweep);
    clearTimeout(cut);
  }
}
