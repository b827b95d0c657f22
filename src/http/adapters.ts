import type { IncomingMessage, ServerResponse } from 'node:http';
import { StudioError } from '../model/errors.ts';
import { errorResponse } from './errors.ts';
import { requestListener } from './node.ts';
import type { NodeListener } from './node.ts';
import type { App } from './app.ts';

export function nodeListener(app: App): NodeListener {
  const listen = requestListener(app, { keepsGlobals: true });
  return async (request, response) => {
    if (request.readableDidRead) rejectReadBody(response);
    else await listen(request, response);
  };
}

const bodyIsRead = new StudioError(
  'invalid_body',
  'The request body has already been read by a body parser of the host program, such as express.json(). Mount the studio before it.',
);

/** Without this, the studio would wait for a body that never comes. */
function rejectReadBody(response: ServerResponse): void {
  const { status, headers, body } = errorResponse(bodyIsRead);
  response.writeHead(status, headers).end(body);
}

/** Express removes the mount path from `url` and keeps the original here. */
interface MountedRequest extends IncomingMessage {
  originalUrl?: string;
}

/**
 * For Express: `app.use(expressStudio(studio))`, before body parsers. Requests outside of the
 * studio's prefix go to the next handler.
 */
export function expressHandler(
  app: App,
  prefix: string,
): (request: MountedRequest, response: ServerResponse, next: () => void) => void {
  const listen = nodeListener(app);
  return (request, response, next) => {
    const url = request.originalUrl ?? request.url ?? '/';
    if (!isBelow(url, prefix)) {
      next();
      return;
    }
    request.url = url;
    void listen(request, response);
  };
}

/** The members of a Fastify instance that the plugin uses. */
interface FastifyLike {
  removeAllContentTypeParsers(): void;
  addContentTypeParser(
    type: string,
    parser: (request: unknown, body: unknown, done: (error: null) => void) => void,
  ): void;
  all(
    path: string,
    handler: (request: FastifyRequestLike, reply: FastifyReplyLike) => void,
  ): unknown;
}

interface FastifyRequestLike {
  readonly raw: IncomingMessage;
}

interface FastifyReplyLike {
  readonly raw: ServerResponse;
  hijack(): unknown;
}

/** For Fastify: `fastify.register(fastifyPlugin(studio))`. The studio parses bodies itself. */
export function fastifyPlugin(app: App, prefix: string): (fastify: FastifyLike) => Promise<void> {
  const listen = nodeListener(app);
  return async (fastify) => {
    fastify.removeAllContentTypeParsers();
    fastify.addContentTypeParser('*', (_request, _body, done) => done(null));
    const handle = (request: FastifyRequestLike, reply: FastifyReplyLike): void => {
      reply.hijack();
      void listen(request.raw, reply.raw);
    };
    const base = prefix.replace(/\/+$/, '');
    if (base !== '') fastify.all(base, handle);
    fastify.all(`${base}/*`, handle);
  };
}

function isBelow(url: string, prefix: string): boolean {
  const base = prefix.replace(/\/+$/, '');
  const path = url.split('?')[0] ?? '';
  return path === base || path.startsWith(`${base}/`);
}
