import { once } from 'node:events';
import { createServer } from 'node:http';
import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import type { Writable } from 'node:stream';
import { getRequestListener } from '@hono/node-server';
import { StudioError } from '../model/errors.ts';
import { toResponse } from './http-response.ts';
import { errorResponse } from './errors.ts';
import type { App } from './app.ts';

/** A request listener for node:http and compatible servers. */
export type NodeListener = (request: IncomingMessage, response: ServerResponse) => Promise<void>;

export interface ListenOptions {
  readonly app: App;
  readonly host: string;
  /** 0 picks a free port. */
  readonly port: number;
}

export interface HttpServer {
  /** Such as `http://127.0.0.1:4555`, with the actual port. */
  readonly address: string;
  /**
   * Rejects new requests and resolves when the running ones are answered. Closes connections that are
   * still active when `graceEnd` resolves.
   */
  close(graceEnd?: Promise<void>): Promise<void>;
}

/** Large enough for long filters in the URL. */
const maxHeaderBytes = 64 * 1024;
const headersTimeoutMs = 30_000;
/** Longer than the idle timeout of common proxies, so that they do not reuse a connection that is being closed. */
const keepAliveTimeoutMs = 65_000;
/** While closing: the interval at which idle connections are closed. */
const closingIntervalMs = 25;

/** Serves an app with Node's HTTP server. Rejects if it cannot listen on the address. */
export async function listen({ app, host, port }: ListenOptions): Promise<HttpServer> {
  const listener = requestListener(app);
  const server = createServer(
    {
      maxHeaderSize: maxHeaderBytes,
      headersTimeout: headersTimeoutMs,
      keepAliveTimeout: keepAliveTimeoutMs,
      // An upload may take hours. `limitedBody` limits size and pauses.
      requestTimeout: 0,
      // A missing Host header is handled like other malformed requests.
      requireHostHeader: false,
    },
    (request, response) => void listener(request, response),
  );
  server.on('clientError', rejectUnparsable);
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen({ host: host.replace(/^\[(.*)\]$/, '$1'), port }, resolve);
  });
  return { address: addressOf(server), close: (graceEnd) => close(server, graceEnd) };
}

/** The standalone command replaces the global Request and Response by the faster ones of node-server. */
export function requestListener(
  app: App,
  options: { readonly keepsGlobals: boolean } = { keepsGlobals: false },
): NodeListener {
  const listener = getRequestListener(
    (request, { incoming, outgoing }) =>
      app.fetch(request, {
        address: incoming.socket.remoteAddress ?? '',
        closeConnection: () => closeConnection(outgoing),
      }),
    { errorHandler: rejectUnreadableTarget, overrideGlobalObjects: !options.keepsGlobals },
  );
  return async (request, response) => {
    await listener(request, response);
  };
}

async function closeConnection(outgoing: Writable): Promise<void> {
  outgoing.destroy();
  if (!outgoing.closed) await once(outgoing, 'close');
}

const unreadableTarget = new StudioError(
  'invalid_parameter',
  'The URL or the Host header cannot be read.',
);

function rejectUnreadableTarget(): Response {
  return toResponse(errorResponse(unreadableTarget), { method: 'GET' });
}

const parseErrors: Readonly<
  Record<string, { readonly status: string; readonly error: StudioError }>
> = {
  HPE_HEADER_OVERFLOW: {
    status: '431 Request Header Fields Too Large',
    error: new StudioError(
      'too_large',
      `The request line and headers exceed ${maxHeaderBytes / 1024} kB.`,
    ),
  },
  HPE_INVALID_URL: {
    status: '400 Bad Request',
    error: new StudioError(
      'invalid_parameter',
      'The URL contains characters that must be percent-encoded.',
    ),
  },
  ERR_HTTP_REQUEST_TIMEOUT: {
    status: '408 Request Timeout',
    error: new StudioError('invalid_parameter', 'The request did not arrive in time.'),
  },
};

const malformed = {
  status: '400 Bad Request',
  error: new StudioError('invalid_parameter', 'The HTTP request is malformed.'),
};

/** Writes the response to an unparsable request directly to the socket, in the common error format. */
function rejectUnparsable(error: NodeJS.ErrnoException, socket: Socket): void {
  if (!socket.writable || error.code === 'ECONNRESET') {
    socket.destroy();
    return;
  }
  const parseError = parseErrors[error.code ?? ''] ?? malformed;
  const { headers, body } = errorResponse(parseError.error);
  const lines = Object.entries({
    ...headers,
    'Content-Length': String(Buffer.byteLength(body)),
    Connection: 'close',
  }).map(([name, value]) => `${name}: ${value}\r\n`);
  socket.end(`HTTP/1.1 ${parseError.status}\r\n${lines.join('')}\r\n${body}`);
}

function addressOf(server: Server): string {
  const address = server.address();
  if (address === null || typeof address === 'string') return String(address);
  const host = address.family === 'IPv6' ? `[${address.address}]` : address.address;
  return `http://${host}:${address.port}`;
}

/** Idle keep-alive connections would keep the server open, so they are closed repeatedly. */
async function close(server: Server, graceEnd: Promise<void> | undefined): Promise<void> {
  void graceEnd?.then(() => server.closeAllConnections());
  const idleTimer = setInterval(() => server.closeIdleConnections(), closingIntervalMs);
  try {
    await new Promise<void>((resolve, reject) => {
      server.close((error) => (error === undefined ? resolve() : reject(error)));
    });
  } finally {
    clearInterval(idleTimer);
  }
}
