import { createApi } from './api.ts';
import { toResponse, unlessNotModified } from './http-response.ts';
import { errorResponse } from './errors.ts';
import { createGuard, preflightHeaders } from './guard.ts';
import { apiHeaders } from './headers.ts';
import { missingRoute, wrongMethod } from './missing-route.ts';
import { createLifecycle } from './lifecycle.ts';
import { createRequestMetrics } from './metrics.ts';
import { createPages } from './pages.ts';
import { serverTiming, traceOf } from './request-trace.ts';
import { basePath, targetOf } from './target.ts';
import type { Studio } from '../studio/studio.ts';
import type { HttpResponse } from './http-response.ts';
import { createAccess } from './access.ts';
import type { AccessOptions } from './access.ts';
import type { Api, Visit } from './api.ts';
import type { Log } from './errors.ts';
import type { Guard, GuardOptions } from './guard.ts';
import type { Lifecycle } from './lifecycle.ts';
import type { RequestMetrics } from './metrics.ts';
import type { RequestTrace } from './request-trace.ts';
import type { CodingOptions } from './encoding.ts';
import type { PageOptions, Pages } from './pages.ts';
import { createFindClient } from './proxies.ts';
import type { ProxyOptions } from './proxies.ts';
import type { CloseConnection } from './transfers.ts';

export interface AppOptions
  extends
    GuardOptions,
    PageOptions,
    CodingOptions,
    ProxyOptions,
    Pick<AccessOptions, 'credentials' | 'authenticate' | 'secret' | 'stateDir'> {
  readonly log?: Log;
  /**
   * Adds the `traceparent` of a request to its statements, as a comment (sqlcommenter). Servers of
   * databases then find no statement in their caches of prepared statements.
   */
  readonly traceSql?: boolean;
}

/** Used if the server does not pass the socket's address. */
const unknownCaller: Caller = { address: '' };

/** The studio as a fetch handler, for any server with the Request and Response API. */
export interface App {
  fetch(request: Request, from?: Caller): Promise<Response>;
  /** Before the end of the process: makes balancers send their requests elsewhere. */
  drain(): void;
  /** Cancels all requests that run, also those that go on when their clients disconnect. They get status 503. */
  stop(): void;
  /** Resolves when no request runs, apart from downloads. */
  settled(): Promise<void>;
}

/** Information about the connection that a Request lacks. */
export interface Caller {
  /** The peer address of the socket. */
  readonly address: string;
  /** Closes the socket when a streamed response fails midway. */
  readonly closeConnection?: CloseConnection;
}

export function createApp(studio: Studio, options: AppOptions = {}): App {
  const checks = createChecks(options);
  return createCheckedApp(createSite(studio, checks), checks);
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
  return createCheckedApp(respond, createChecks(options));
}

interface Checks {
  readonly options: AppOptions;
  readonly guard: Guard;
  readonly lifecycle: Lifecycle;
  readonly metrics: RequestMetrics;
}

function createChecks(options: AppOptions): Checks {
  return {
    options,
    guard: createGuard(options),
    lifecycle: createLifecycle(),
    metrics: createRequestMetrics(),
  };
}

/** Checks host and origin, finds the client, and turns errors into responses. */
function createCheckedApp(respond: RouteContext, checks: Checks): App {
  const { options, guard, lifecycle } = checks;
  const findClient = createFindClient(options);
  const respondTo = async (
    request: Request,
    from: Caller,
    trace: RequestTrace,
  ): Promise<Response> => {
    const headers = {
      ...guard.corsHeaders(request),
      'X-Request-Id': trace.id,
    };
    try {
      const client = findClient(request, from.address);
      guard.check(request, client.isSecure);
      const target = targetOf(request.url);
      return await respond({ ...from, ...client, request, trace, target, headers });
    } catch (error) {
      // The client has disconnected, so nobody reads this response.
      if (request.signal.aborted) return new Response(null, { status: 499 });
      return toResponse(errorResponse(error, options.log, trace), request, headers);
    }
  };
  return {
    async fetch(request, from = unknownCaller) {
      const trace = traceOf(request, options.traceSql === true);
      const startedAt = performance.now();
      const response = await respondTo(request, from, trace);
      const { status } = response;
      const { method } = request;
      const seconds = (performance.now() - startedAt) / 1000;
      const { id, route, traceId } = trace;
      checks.metrics.record({ route, method, status, seconds });
      const traced = traceId === undefined ? {} : { trace_id: traceId };
      options.log?.info?.({ request: id, ...traced, route, method, status, seconds }, 'Request');
      // Exact times would help to guess passwords.
      if (status !== 401) response.headers.set('Server-Timing', serverTiming(trace, seconds));
      // A client that keeps using this connection would not notice that the load balancer avoids the studio.
      if (lifecycle.isDraining()) response.headers.set('Connection', 'close');
      return response;
    },
    drain: () => lifecycle.drain(),
    stop: () => lifecycle.stop(),
    settled: () => lifecycle.settled(),
  };
}

type RouteContext = (visit: Visit) => Promise<Response> | Response;

/** Routes requests below `<prefix>/api` to the API and all others to the pages. */
function createSite(studio: Studio, checks: Checks): RouteContext {
  const { options, guard, lifecycle, metrics } = checks;
  const base = basePath(studio.config.prefix);
  const apiBase = `${base}/api`;
  const api = createApi(studio, {
    log: options.log,
    guard,
    lifecycle,
    metrics,
    compress: options.compress ?? true,
    access: createAccess({ ...options, cookiePath: base === '' ? '/' : base }),
  });
  const pages = createPages(base, options);
  return (visit) => {
    const { path, query } = visit.target;
    if (!path.startsWith(`${apiBase}/`)) return servePage(pages, visit, options);
    const inside = { ...visit, target: { path: path.slice(apiBase.length), query } };
    return visit.request.method === 'OPTIONS' ? serveOptions(api, inside) : api.respond(inside);
  };
}

function servePage(
  pages: Pages,
  { request, trace, target, headers }: Visit,
  { compress = true }: CodingOptions,
): Response {
  trace.route = 'page';
  const acceptEncoding = compress ? request.headers.get('accept-encoding') : null;
  const response = pages.find(target.path, acceptEncoding);
  const isRead = request.method === 'GET' || request.method === 'HEAD';
  if (!isRead) throw wrongMethod(request.method, ['GET', 'HEAD']);
  return toResponse(
    unlessNotModified(response, request.headers.get('if-none-match')),
    request,
    headers,
  );
}

/** Responds with the allowed methods of a path, and with CORS headers to allowed origins. */
function serveOptions(api: Api, { request, target, headers }: Visit): Response {
  const methods = api.methodsOf(target.path);
  if (methods.length === 0) throw missingRoute('OPTIONS', target.path);
  const allow = [...methods, 'OPTIONS'].join(', ');
  const isListed = headers['Access-Control-Allow-Origin'] !== undefined;
  const preflight = isListed ? { ...preflightHeaders, 'Access-Control-Allow-Methods': allow } : {};
  const response: HttpResponse = {
    status: 204,
    headers: { ...apiHeaders, ...preflight, Allow: allow },
    body: null,
  };
  return toResponse(response, request, headers);
}
