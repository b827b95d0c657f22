import { routes } from '../contract/routes.ts';
import { StudioError } from '../model/errors.ts';
import { nearest } from '../model/nearest.ts';
import type { Route } from '../contract/route.ts';

/** Comparing names costs their lengths multiplied. */
const longestCompared = 200;

/** 404 with the route that was perhaps meant; `path` is below `<prefix>/api`. */
export function missingRoute(method: string, path: string): StudioError {
  const shown = path.length > longestCompared ? `${path.slice(0, longestCompared)}…` : path;
  const near = path.length > longestCompared ? undefined : nearestRoute(path);
  const hint = near === undefined ? 'openapi.json lists all routes.' : `Did you mean ${near}?`;
  return new StudioError(
    'not_found',
    `There is no route ${method} ${shown} in this API. ${hint}`,
    near === undefined ? {} : { nearest: near },
  );
}

export function wrongMethod(method: string, allow: readonly string[]): StudioError {
  return new StudioError(
    'method_not_allowed',
    `${method} is not taken here; ${allow.join(', ')} are.`,
    { allow },
  );
}

/** Parameters are taken as given, so that only the fixed parts of a path differ. */
function nearestRoute(path: string): string | undefined {
  const given = path.split('/');
  const candidates = new Map<string, Route>(
    Object.values(routes).map((route: Route) => [filledIn(route.path, given), route]),
  );
  const near = nearest(path, [...candidates.keys()]);
  const route = near === undefined ? undefined : candidates.get(near);
  return route && `${route.method} ${route.path}`;
}

function filledIn(path: string, given: readonly string[]): string {
  return path
    .split('/')
    .map((part, i) => (part.startsWith(':') ? (given[i] ?? part) : part))
    .join('/');
}
