import { rowWriteRoutes } from './row-writes.ts';
import { rowRoutes } from './rows.ts';
import { schemaRoutes } from './schema.ts';
import { sqlRoutes } from './sql.ts';
import { diagramRoutes } from './diagram.ts';
import { exportRoutes } from './exports.ts';
import { importRoutes } from './imports.ts';
import { sessionRoutes } from './session.ts';
import { serviceRoutes } from './service.ts';
import { savedRoutes } from './saved.ts';
import { transferRoutes } from './transfers.ts';
import type { PathParameterName } from './path.ts';
import type { QueryParameter, QueryParameters } from './parameter.ts';
import type { Route } from './route.ts';

/** Every route of the API, by operation id. */
export const routes = {
  ...schemaRoutes,
  ...rowRoutes,
  ...rowWriteRoutes,
  ...sqlRoutes,
  ...diagramRoutes,
  ...savedRoutes,
  ...exportRoutes,
  ...transferRoutes,
  ...importRoutes,
  ...sessionRoutes,
  ...serviceRoutes,
} as const satisfies Readonly<Record<string, Route>>;

export type Routes = typeof routes;
export type RouteId = keyof Routes;

/** The decoded path parameters of a route. */
export type ParamsOf<Id extends RouteId> = Readonly<
  Record<PathParameterName<Routes[Id]['path']>, string>
>;

type ValueOf<P> =
  P extends QueryParameter<infer T>
    ? P extends { readonly repeated: true }
      ? readonly T[]
      : T
    : never;

/** Names of parameters without a default. */
type NamesWithoutDefault<Q> = {
  [Name in keyof Q]: Q[Name] extends { readonly repeated: true } | { readonly default: unknown }
    ? never
    : Name;
}[keyof Q];

/** The values of a route's query parameters. */
export type QueryOf<Q extends QueryParameters> = {
  readonly [Name in Exclude<keyof Q, NamesWithoutDefault<Q>>]: ValueOf<Q[Name]>;
} & { readonly [Name in NamesWithoutDefault<Q>]?: ValueOf<Q[Name]> };
