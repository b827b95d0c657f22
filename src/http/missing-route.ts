import { routes } from '../contract/routes.ts';
import { StudioError } from '../model/errors.ts';
import { closestName } from '../model/nearest.ts';
import type { Route } from '../contract/route.ts';

/** The edit distance takes quadratic time, so longer paths get no suggestion. */
const maxComparedLength = 200;

/** Returns 404 with a suggestion. `path` is relative to `<prefix>/api`. */
export function missingRoute(method: string, path: string): StudioError {
  const shownPath = path.length > maxComparedLength ? `${path.slice(0, maxComparedLength)}…` : path;
  const closest = path.length > maxComparedLength ? undefined : nearestRoute(method, path);
  const hint =
    closest === undefined ? 'openapi.json lists all routes.' : `Did you mean ${closest}?`;
  return new StudioError(
    'not_found',
    `There is no route ${method} ${shownPath} in this API. ${hint}`,
    closest === undefined ? {} : { nearest: closest },
  );
}

export function wrongMethod(method: string, allow: readonly string[]): StudioError {
  return new StudioError(
    'method_not_allowed',
    `${method} is not supported here. Supported: ${allow.join(', ')}.`,
    { allow },
  );
}

/** Inserts the given parameters into each route's path, so that only its fixed segments are compared. */
function nearestRoute(method: string, path: string): string | undefined {
  const segments = path.split('/');
  const candidates = Map.groupBy(Object.values<Route>(routes), (route) =>
    fillPathParameters(route.path, segments),
  );
  const closest = closestName(path, [...candidates.keys()]);
  const sameCandidates = closest === undefined ? [] : (candidates.get(closest) ?? []);
  const route =
    sameCandidates.find((candidate) => candidate.method === method) ?? sameCandidates[0];
  return route && `${route.method} ${route.path}`;
}

function fillPathParameters(path: string, segments: readonly string[]): string {
  return path
    .split('/')
    .map((part, i) => (part.startsWith(':') ? (segments[i] ?? part) : part))
    .join('/');
}
