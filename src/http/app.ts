import { createApi } from './api.ts';
import { toResponse } from './answer.ts';
import { errorAnswer } from './errors.ts';
import { createGuard, preflightHeaders } from './guard.ts';
import { apiHeaders } from './headers.ts';
import { missingRoute, wrongMethod } from './missing-route.ts';
import { createPages } from './pages.ts';
import { basePath, targetOf } from './target.ts';
import type { Studio } from '../studio/studio.ts';
import type { Answer } from './answer.ts';
import { createAccess } from './access.ts';
import type { AccessOptions } from './access.ts';
import type { Api, Visit } from './api.ts';
import type { Log } from './errors.ts';
import type { Guard, GuardOptions } from './guard.ts';
import type { Pages } from './pages.ts';
import { createFindClient } from './proxies.ts';
import type { ProxyOptions } from './proxies.ts';
import type { BreakOff } from './transfers.ts';

export interface AppOptions
  extends GuardOptions, ProxyOptions, Pick<AccessOptions, 'credentials' | 'authenticate'> {
  readonly log?: Log;
}

/** A request that no socket is known of. */
const nowhere: Caller = { address: '' };

/** The studio over HTTP, for any server that speaks Request and Response. */
export interface App {
  fetch(request: Request, from?: Caller): Promise<Response>;
}

/** What only the socket tells. */
export interface Caller {
  /** Where the request came from. */
  readonly address: string;
  /** Ends the connection under an answer that cannot be gone on with. */
  readonly breakOff?: BreakOff;
}

export function createApp(studio: Studio, options: AppOptions = {}): App {
  const guard = createGuard(options);
  const findClient = createFindClient(options);
  const site = createSite(studio, options, guard);
  return {
    async fetch(request, from = nowhere) {
      const cors = guard.corsHeaders(request);
      try {
        const client = findClient(request, from.address);
        guard.check(request, client.isSecure);
        return await site({
          ...from,
          ...client,
          request,
          target: targetOf(request.url),
          ...(cors === undefined ? {} : { cors }),
        });
      } catch (error) {
        // Nobody is there any more to be told.
        if (request.signal.aborted) return new Response(null, { status: 499 });
        return toResponse(errorAnswer(error, options.log), request, cors);
      }
    },
  };
}

type Site = (visit: Visit) => Promise<Response> | Response;

/** The API below `<prefix>/api`, pages elsewhere. */
function createSite(studio: Studio, options: AppOptions, guard: Guard): Site {
  const base = basePath(studio.config.prefix);
  const apiBase = `${base}/api`;
  const api = createApi(studio, {
    log: options.log,
    guard,
    access: createAccess({ ...options, cookiePath: base === '' ? '/' : base }),
  });
  const pages = createPages(base);
  return (visit) => {
    const { path, query } = visit.target;
    if (!path.startsWith(`${apiBase}/`)) return answerPage(pages, visit);
    const inside = { ...visit, target: { path: path.slice(apiBase.length), query } };
    return visit.request.method === 'OPTIONS' ? answerOptions(api, inside) : api.answer(inside);
  };
}

function answerPage(pages: Pages, { request, target, cors }: Visit): Response {
  const answer = pages.find(target.path);
  const isRead = request.method === 'GET' || request.method === 'HEAD';
  if (!isRead) throw wrongMethod(request.method, ['GET', 'HEAD']);
  return toResponse(answer, request, cors);
}

/** What a path takes, and to a page of a listed origin that it may. */
function answerOptions(api: Api, { request, target, cors }: Visit): Response {
  const methods = api.methodsOf(target.path);
  if (methods.length === 0) throw missingRoute('OPTIONS', target.path);
  const allow = [...methods, 'OPTIONS'].join(', ');
  const isListed = cors?.['Access-Control-Allow-Origin'] !== undefined;
  const preflight = isListed ? { ...preflightHeaders, 'Access-Control-Allow-Methods': allow } : {};
  const answer: Answer = {
    status: 204,
    headers: { ...apiHeaders, ...preflight, Allow: allow },
    body: null,
  };
  return toResponse(answer, request, cors);
}
