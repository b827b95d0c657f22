import { createApi } from './api.ts';
import { toResponse, unlessNotModified } from './http-response.ts';
import { errorResponse } from './errors.ts';
import { createGuard, preflightHeaders } from './guard.ts';
import { apiHeaders } from './headers.ts';
import { missingRoute, wrongMethod } from './missing-route.ts';
import { createPages } from './pages.ts';
import { basePath, targetOf } from './target.ts';
import type { Studio } from '../studio/studio.ts';
import type { HttpResponse } from './http-response.ts';
import { createAccess } from './access.ts';
import type { AccessOptions } from './access.ts';
import type { Api, Visit } from './api.ts';
import type { Log } from './errors.ts';
import type { Guard, GuardOptions } from './guard.ts';
import type { PageOptions, Pages } from './pages.ts';
import { createFindClient } from './proxies.ts';
import type { ProxyOptions } from './proxies.ts';
import type { CloseConnection } from './transfers.ts';

export interface AppOptions
  extends
    GuardOptions,
    PageOptions,
    ProxyOptions,
    Pick<AccessOptions, 'credentials' | 'authenticate' | 'secret' | 'stateDir'> {
  readonly log?: Log;
}

/** Used if the server does not pass the socket's address. */
const unknownCaller: Caller = { address: '' };

/** The studio as a fetch handler, for any server with the Request and Response API. */
export interface App {
  fetch(request: Request, from?: Caller): Promise<Response>;
}

/** Information about the connection that a Request lacks. */
export interface Caller {
  /** The peer address of the socket. */
  readonly address: string;
  /** Closes the socket when a streamed response fails midway. */
  readonly closeConnection?: CloseConnection;
}

export function createApp(studio: Studio, options: AppOptions = {}): App {
  const guard = createGuard(options);
  return createCheckedApp(createSite(studio, options, guard), { options, guard });
}

/** Serves one path, behind the same checks of host, origin and credentials as the studio. */
export function createEndpoint(
  path: string,
  handle: (request: Request) => Promise<Response>,
  options: AppOptions,
): App {
  const access = createAccess({ ...options, cookiePath: '/' });
  const respond: RouteContext = async (visit) => {
    await access.check(visit);
    if (visit.target.path !== path) throw missingRoute(visit.request.method, visit.target.path);
    return handle(visit.request);
  };
  return createCheckedApp(respond, { options, guard: createGuard(options) });
}

interface Checks {
  readonly options: AppOptions;
  readonly guard: Guard;
}

/** Checks host and origin, finds the client, and turns errors into responses. */
function createCheckedApp(respond: RouteContext, { options, guard }: Checks): App {
  const findClient = createFindClient(options);
  return {
    async fetch(request, from = unknownCaller) {
      const cors = guard.corsHeaders(request);
      try {
        const client = findClient(request, from.address);
        guard.check(request, client.isSecure);
        return await respond({
          ...from,
          ...client,
          request,
          target: targetOf(request.url),
          ...(cors === undefined ? {} : { cors }),
        });
      } catch (error) {
        // The client has disconnected, so nobody reads this response.
        if (request.signal.aborted) return new Response(null, { status: 499 });
        return toResponse(errorResponse(error, options.log), request, cors);
      }
    },
  };
}

type RouteContext = (visit: Visit) => Promise<Response> | Response;

/** Routes requests below `<prefix>/api` to the API and all others to the pages. */
function createSite(studio: Studio, options: AppOptions, guard: Guard): RouteContext {
  const base = basePath(studio.config.prefix);
  const apiBase = `${base}/api`;
  const api = createApi(studio, {
    log: options.log,
    guard,
    access: createAccess({ ...options, cookiePath: base === '' ? '/' : base }),
  });
  const pages = createPages(base, options);
  return (visit) => {
    const { path, query } = visit.target;
    if (!path.startsWith(`${apiBase}/`)) return servePage(pages, visit);
    const inside = { ...visit, target: { path: path.slice(apiBase.length), query } };
    return visit.request.method === 'OPTIONS' ? serveOptions(api, inside) : api.respond(inside);
  };
}

function servePage(pages: Pages, { request, target, cors }: Visit): Response {
  const response = pages.find(target.path, request.headers.get('accept-encoding'));
  const isRead = request.method === 'GET' || request.method === 'HEAD';
  if (!isRead) throw wrongMethod(request.method, ['GET', 'HEAD']);
  return toResponse(
    unlessNotModified(response, request.headers.get('if-none-match')),
    request,
    cors,
  );
}

/** Responds with the allowed methods of a path, and with CORS headers to allowed origins. */
function serveOptions(api: Api, { request, target, cors }: Visit): Response {
  const methods = api.methodsOf(target.path);
  if (methods.length === 0) throw missingRoute('OPTIONS', target.path);
  const allow = [...methods, 'OPTIONS'].join(', ');
  const isListed = cors?.['Access-Control-Allow-Origin'] !== undefined;
  const preflight = isListed ? { ...preflightHeaders, 'Access-Control-Allow-Methods': allow } : {};
  const response: HttpResponse = {
    status: 204,
    headers: { ...apiHeaders, ...preflight, Allow: allow },
    body: null,
  };
  return toResponse(response, request, cors);
}
