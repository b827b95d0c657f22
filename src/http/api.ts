import { Hono } from 'hono';
import { openApiDocument } from '../contract/openapi.ts';
import { pathReader } from '../contract/path.ts';
import { queryReader } from '../contract/read-query.ts';
import { routes } from '../contract/routes.ts';
import { StudioError } from '../model/errors.ts';
import { replyAnswer, toResponse, unlessUnchanged } from './answer.ts';
import { handlers } from './handlers.ts';
import { lazily } from './lazily.ts';
import { missingRoute, wrongMethod } from './missing-route.ts';
import type { Account } from './read-account.ts';
import { readJsonText } from './read-body.ts';
import { withSpooledBody } from './spool.ts';
import { basePath } from './target.ts';
import { createTransfers } from './followed-transfers.ts';
import { download, upload } from './transfers.ts';

import type { Route } from '../contract/route.ts';
import type { RouteId } from '../contract/routes.ts';
import type { Studio } from '../studio/studio.ts';
import type { AccessControl, Visitor } from './access.ts';
import type { Answer } from './answer.ts';
import type { Log } from './errors.ts';
import type { Call } from './handlers.ts';
import type { Guard } from './guard.ts';
import type { HeaderFields } from './headers.ts';
import type { RequestTarget } from './target.ts';
import type { BreakOff } from './transfers.ts';

/** A request on its way: what of it has been found out already. */
export interface Visit extends Visitor {
  /** Its path is below `<prefix>/api`. */
  readonly target: RequestTarget;
  readonly cors?: HeaderFields;
  readonly breakOff?: BreakOff;
}

/** The API: its failures are thrown. */
export interface Api {
  answer(visit: Visit): Promise<Response>;
  /** The methods that a path takes; none when there is no such route. */
  methodsOf(path: string): readonly string[];
}

const methods = ['GET', 'HEAD', 'POST', 'PUT', 'DELETE'];

/** Serves the contract's routes from a studio. */
export function createApi(studio: Studio, doors: Doors): Api {
  const hono = new Hono<{ Bindings: Visit }>({ getPath: (_request, options) => rawPath(options) });
  const base = `${basePath(studio.config.prefix)}/api`;
  const transfers = createTransfers();
  const openApi = lazily(() => JSON.stringify(openApiDocument(studio.config.prefix)));
  for (const [id, route] of Object.entries(routes)) {
    const serve = serveRoute(id as RouteId, { ...doors, studio, openApi, base, transfers });
    hono.on(route.method, route.path, (context) => serve(context.env));
  }
  const methodsOf = (path: string): readonly string[] => {
    const isTaken = (method: string): boolean => hono.router.match(method, path)[0].length > 0;
    return methods.filter((method) => isTaken(method === 'HEAD' ? 'GET' : method));
  };
  hono.notFound(async ({ env }) => {
    await doors.access.check(env);
    const { request, target } = env;
    const allowed = methodsOf(target.path);
    throw allowed.length === 0
      ? missingRoute(request.method, target.path)
      : wrongMethod(request.method, [...allowed, 'OPTIONS']);
  });
  hono.onError((error) => {
    throw error;
  });
  return { methodsOf, answer: async (visit) => hono.fetch(visit.request, visit) };
}

/** The router is to see the path raw, which Hono would decode. */
function rawPath(options: { readonly env?: Visit } = {}): string {
  return options.env?.target.path ?? '/';
}

export interface Doors {
  readonly access: AccessControl;
  readonly guard: Guard;
  readonly log: Log | undefined;
}

interface Site extends Doors, Pick<Call<RouteId>, 'studio' | 'openApi' | 'transfers'> {
  /** What the API's addresses begin with. */
  readonly base: string;
}

/** All that can be worked out about a route beforehand is, here. */
function serveRoute(id: RouteId, site: Site): (visit: Visit) => Promise<Response> {
  const route: Route = routes[id];
  const readPath = pathReader(route.path);
  const readQuery = queryReader({
    parameters: route.query,
    takesFilters: route.takesFilters ?? false,
  });
  // What the readers give is what the route's types say: both are made from its data.
  const handle = handlers[id] as (call: unknown) => Answer | Promise<Answer>;

  const takesJson = route.body !== undefined && 'json' in route.body;

  return async (visit) => {
    const { request, target, cors } = visit;
    if (route.startsJob === true) site.guard.checkOrigin(request, visit.isSecure);
    if (route.access !== 'open') await site.access.check(visit);
    if (route.access === 'write' && site.studio.config.readOnly) throw readOnly();
    const { values: query, filters } = readQuery(target.query);
    const params = readPath(target.path.split('/'));
    const body = takesJson ? await readJsonText(request) : '';
    const ifMatch = route.takesIfMatch === true ? request.headers.get('if-match') : null;
    const answer = await handle({
      ...site,
      params,
      query,
      filters,
      body,
      signal: request.signal,
      ...(ifMatch === null ? {} : { ifMatch }),
      ...performers(site, visit),
      login: (account: Account) => site.access.login(visit, account),
      logout: () => site.access.logout(visit),
    });
    const ifNoneMatch = route.conditional === true ? request.headers.get('if-none-match') : null;
    return toResponse(unlessUnchanged(answer, ifNoneMatch), request, cors);
  };
}

function readOnly(): StudioError {
  return new StudioError('read_only', 'The studio is read-only: it takes no writes.');
}

function performers(
  { studio, base, log, transfers }: Site,
  { request, breakOff }: Visit,
): Pick<Call<RouteId>, 'perform' | 'performWithFile' | 'download' | 'upload'> {
  const perform: Call<RouteId>['perform'] = async (operation, input) =>
    replyAnswer(await studio.perform(operation, input, { signal: request.signal }), base);
  return {
    perform,
    performWithFile: (operation, input) =>
      withSpooledBody(request, studio.config.maxUploadBytes, (file) =>
        perform(operation, { ...input, file }),
      ),
    download: (name, input, transfer) => {
      const followed = transfer === undefined ? {} : { followed: transfers.follow(transfer) };
      const from = { studio, request, log, ...(breakOff && { breakOff }) };
      return download(from, { name, input, ...followed });
    },
    upload: (job, input) => upload({ studio, request, log }, job, input),
  };
}
