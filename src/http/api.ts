import { Hono } from 'hono';
import { openApiDocument } from '../contract/openapi/openapi.ts';
import { pathReader } from '../contract/path.ts';
import { queryReader } from '../contract/read-query.ts';
import { needsOf } from '../contract/route.ts';
import { routes } from '../contract/routes.ts';
import { StudioError } from '../model/errors.ts';
import { mustHave } from '../studio/core/capabilities.ts';
import { compressJson } from './encoding.ts';
import { replyResponse, toResponse, unlessNotModified } from './http-response.ts';
import { handlers } from './handlers.ts';
import { fileResponse } from './rejected-rows.ts';
import { createIdempotency, createSharedIdempotency, readIdempotencyKey } from './idempotency.ts';
import { lazy } from './lazy.ts';
import { missingRoute, wrongMethod } from './missing-route.ts';
import type { Account } from './read-account.ts';
import { readJsonText } from './read-body.ts';
import { withSpooledBody } from './spool.ts';
import { basePath } from './target.ts';
import { createSharedOutcomes } from './shared-outcomes.ts';
import { createSharedTransfers } from './shared-transfers.ts';
import { createTransfers } from './tracked-transfers.ts';
import type { SharedTransfers } from './shared-transfers.ts';
import { download, upload } from './transfers.ts';

import type { Route } from '../contract/route.ts';
import type { RouteId } from '../contract/routes.ts';
import type { Studio } from '../studio/studio.ts';
import type { AccessControl, Admission, Visitor } from './access.ts';
import type { HttpResponse } from './http-response.ts';
import type { Idempotency } from './idempotency.ts';
import type { Log } from './errors.ts';
import type { Lifecycle } from './lifecycle.ts';
import type { RequestMetrics } from './metrics.ts';
import type { RequestTrace } from './request-trace.ts';
import type { Call } from './handlers.ts';
import type { Guard } from './guard.ts';
import type { HeaderFields } from './headers.ts';
import type { RequestTarget } from './target.ts';
import type { CarryOut, CloseConnection, StoredResponse } from './transfers.ts';

/** A request with its client and its path. */
export interface Visit extends Visitor {
  /** Relative to `<prefix>/api`. */
  readonly target: RequestTarget;
  readonly trace: RequestTrace;
  /** Headers of every response to this request: CORS and the id of the request. */
  readonly headers: HeaderFields;
  readonly closeConnection?: CloseConnection;
}

/** The API. Errors are thrown, not returned. */
export interface Api {
  respond(visit: Visit): Promise<Response>;
  /** Returns the methods of a path; none if no route matches. */
  methodsOf(path: string): readonly string[];
}

const methods = ['GET', 'HEAD', 'POST', 'PUT', 'DELETE'];

/** Serves the contract's routes from a studio. */
export function createApi(studio: Studio, context: ApiContext): Api {
  const hono = new Hono<{ Bindings: Visit }>({ getPath: (_request, options) => rawPath(options) });
  const base = `${basePath(studio.config.prefix)}/api`;
  const transfers = createTransfers(sharedTransfers(studio, context.log));
  const idempotency = openIdempotency(studio, context.log);
  const openApi = lazy(() => openApiDocument(studio.config.prefix));
  for (const [id, route] of Object.entries(routes)) {
    const serve = serveRoute(id as RouteId, {
      ...context,
      studio,
      openApi,
      base,
      transfers,
      idempotency,
    });
    hono.on(route.method, route.path, ({ env }) => serve(env));
  }
  const methodsOf = (path: string): readonly string[] => {
    const isRouted = (method: string): boolean => hono.router.match(method, path)[0].length > 0;
    return methods.filter((method) => isRouted(method === 'HEAD' ? 'GET' : method));
  };
  hono.notFound(async ({ env }) => {
    await context.access.check(env);
    const { request, target } = env;
    const allowed = methodsOf(target.path);
    throw allowed.length === 0
      ? missingRoute(request.method, target.path)
      : wrongMethod(request.method, [...allowed, 'OPTIONS']);
  });
  hono.onError((error) => {
    throw error;
  });
  return { methodsOf, respond: async (visit) => hono.fetch(visit.request, visit) };
}

/** Undefined if the studio has no state folder that copies could share. */
function sharedTransfers(
  { transferFolder }: Studio,
  log: Log | undefined,
): SharedTransfers | undefined {
  if (transferFolder === undefined) return undefined;
  const onFailure = (error: unknown): void =>
    log?.error({ err: error }, 'Other copies of the studio cannot see this download.');
  return createSharedTransfers({ folder: transferFolder, onFailure });
}

function openIdempotency(
  { outcomeFolder, config }: Studio,
  log: Log | undefined,
): Idempotency<StoredResponse> {
  if (outcomeFolder === undefined || config.readOnly) return createIdempotency();
  const onFailure = (error: unknown): void =>
    log?.error(
      { err: error },
      'Other copies of the studio do not know the outcomes of all writes.',
    );
  return createSharedIdempotency(createSharedOutcomes({ folder: outcomeFolder, onFailure }));
}

async function storedResponse(response: HttpResponse): Promise<StoredResponse> {
  const { body } = response;
  return {
    ...response,
    body:
      body === null
        ? null
        : await new Response(body as ConstructorParameters<typeof Response>[0]).text(),
  };
}

/** Hono would decode the path, but ids must be split before they are decoded. */
function rawPath(options: { readonly env?: Visit } = {}): string {
  return options.env?.target.path ?? '/';
}

export interface ApiContext {
  readonly access: AccessControl;
  readonly guard: Guard;
  readonly log: Log | undefined;
  readonly lifecycle: Lifecycle;
  readonly metrics: RequestMetrics;
  /** Whether JSON responses are compressed. */
  readonly compress: boolean;
}

interface RouteContext extends ApiContext, Pick<Call<RouteId>, 'studio' | 'openApi' | 'transfers'> {
  /** The path of the API, `<prefix>/api`. */
  readonly base: string;
  readonly idempotency: Idempotency<StoredResponse>;
}

/** Precomputes the readers of a route and returns its request handler. */
function serveRoute(id: RouteId, context: RouteContext): (visit: Visit) => Promise<Response> {
  const route: Route = routes[id];
  const readPath = pathReader(route.path);
  const readQuery = queryReader({
    parameters: route.query,
    takesFilters: route.takesFilters ?? false,
  });
  // The readers and the types both derive from the route's data, so the cast is safe.
  const handle = handlers[id] as (call: unknown) => HttpResponse | Promise<HttpResponse>;

  const acceptsJson = route.body !== undefined && 'json' in route.body;

  return async (visit) => {
    const { request, trace, target, headers } = visit;
    trace.route = id;
    if (route.startsJob === true) context.guard.checkOrigin(request, visit.isSecure);
    const { client, renewedCookie }: Admission =
      route.access === 'open' ? noClient : await context.access.check(visit);
    mustAllow(route, context.studio);
    const { values: query, filters } = readQuery(target.query);
    const params = readPath(target.path.split('/'));
    const body = acceptsJson ? await readJsonText(request) : '';
    const ifMatch = route.supportsIfMatch === true ? request.headers.get('if-match') : null;
    const carryOut = carryOutOnce(route, context, visit);
    const perform = async (signal: AbortSignal): Promise<HttpResponse> =>
      handle({
        ...context,
        params,
        query,
        filters,
        body,
        signal,
        ...(ifMatch === null ? {} : { ifMatch }),
        ...operationCalls(context, visit, { signal, client, carryOut }),
        hasLogin: context.access.hasLogin,
        login: (account: Account) => context.access.login(visit, account),
        logout: () => context.access.logout(visit),
      });
    const response =
      // The file of an export is sent after the call.
      route.startsJob === true || takesUpload(route)
        ? await perform(request.signal)
        : await carryOut(() => body, perform);
    const ifNoneMatch =
      route.supportsIfNoneMatch === true ? request.headers.get('if-none-match') : null;
    const current = unlessNotModified(response, ifNoneMatch);
    return toResponse(
      context.compress ? await compressJson(current, request) : current,
      request,
      renewedCookie === undefined ? headers : { ...headers, 'Set-Cookie': renewedCookie },
    );
  };
}

/**
 * Returns what carries out the request: with an `Idempotency-Key` once, however often it is sent. Otherwise it is
 * canceled when its client disconnects.
 */
function carryOutOnce(
  route: Route,
  { idempotency, lifecycle }: RouteContext,
  { request, target }: Visit,
): CarryOut {
  const header =
    route.supportsIdempotencyKey === true ? request.headers.get('idempotency-key') : null;
  if (header === null) return (_content, perform) => lifecycle.run(perform, request.signal);
  const key = readIdempotencyKey(header);
  return (content, perform) =>
    // The client repeats the request when it loses the connection, so the write runs to its end.
    lifecycle.run(async (signal) => {
      const wholeContent = [route.method, target.path, target.query, await content()].join('\n');
      return idempotency.run(key, wholeContent, async () => storedResponse(await perform(signal)));
    });
}

/** Routes without credentials. */
const noClient: Admission = { client: '' };

/** Rejects requests that the database or the operator does not allow, before the body is read. */
function mustAllow(route: Route, { config, database }: Studio): void {
  if (route.access === 'write' && config.readOnly) {
    mustHave(database, ['write']);
    throw new StudioError('read_only', 'The studio is read-only and rejects writes.');
  }
  mustHave(database, needsOf(route));
}

/** The content of an upload is known only when its files are stored. */
function takesUpload({ body }: Route): boolean {
  return body !== undefined && 'upload' in body;
}

interface ClientOfCall {
  /** Aborts when the client disconnects. */
  readonly signal: AbortSignal;
  /** The session or credentials of the client. */
  readonly client: string;
  readonly carryOut: CarryOut;
}

function operationCalls(
  { studio, base, log, transfers }: RouteContext,
  { request, trace, closeConnection }: Visit,
  { signal, client, carryOut }: ClientOfCall,
): Pick<Call<RouteId>, 'perform' | 'performWithFile' | 'download' | 'upload' | 'sendRejectedRows'> {
  const perform: Call<RouteId>['perform'] = async (operation, input) =>
    replyResponse(
      await studio.perform(operation, input, { ...trace.statements, timer: trace.timer, signal }),
      base,
    );
  return {
    perform,
    performWithFile: (operation, input) =>
      withSpooledBody(request, studio.config.maxUploadBytes, (file) =>
        perform(operation, { ...input, file }),
      ),
    download: (name, input, transfer) => {
      const tracked = transfer === undefined ? {} : { tracked: transfers.track(transfer) };
      const from = { studio, request, trace, log, ...(closeConnection && { closeConnection }) };
      return download(from, { name, input, ...tracked });
    },
    upload: (job, input) => upload({ studio, request, trace, log, client, carryOut }, job, input),
    sendRejectedRows: (id) => fileResponse(studio.rejectedFiles.find(id, client), signal),
  };
}
