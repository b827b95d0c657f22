/** The lines of relations at the current positions of the tables. */
import type { Point } from '../../../src/portable/drawing/drawing.ts';
import type { Obstacle } from '../../../src/portable/drawing/line-distances.ts';
import { routeBetween, wholeRoute } from '../../../src/portable/drawing/route-between.ts';
import type { Route, TablePositions } from '../../../src/portable/drawing/route-between.ts';
import type { PlacedRelation, PlacedTable } from './layout.ts';

/** The tables around which lines run. While one is dragged, it is here at its position before. */
export interface ShownTables {
  readonly byName: ReadonlyMap<string, Obstacle>;
  readonly obstacles: readonly Obstacle[];
}

/** A relation with its tables as the server has placed them. */
interface LaidOutRelation {
  readonly relation: PlacedRelation;
  readonly from: PlacedTable;
  readonly to: PlacedTable;
}

interface RoutesOptions {
  /** Where the tables are, also while one is dragged. */
  readonly current: TablePositions;
  readonly shown: ShownTables;
  /** Whether a line with a label in place of its far end is drawn to that end too. */
  readonly isWhole: boolean;
}

/** By the shown tables: lines that come into view again are not computed again. */
const known = new WeakMap<ShownTables, Map<PlacedRelation, Route>>();
const knownWhole = new WeakMap<ShownTables, Map<PlacedRelation, Route>>();

/**
 * The line as exports have it, and on demand the whole line of a relation with a label. Lines of a table that is
 * dragged do not run around tables, which would take too long for each position that it passes.
 */
export function relationRoutes(
  data: LaidOutRelation,
  { current, shown, isWhole }: RoutesOptions,
): readonly Route[] {
  const { relation, from, to } = data;
  const laidOut = { ...data, relation: { ...relation, isLabeled: relation.is_labeled } };
  const [fromTable, toTable] = [shown.byName.get(from.name), shown.byName.get(to.name)];
  if (fromTable === undefined || toTable === undefined) return [routeBetween(laidOut, current)];
  const height = endHeight(data);
  if (!isAt(fromTable, current.from) || !isAt(toTable, current.to)) {
    const route = routeBetween(laidOut, current);
    if (!isWhole) return [route];
    return [route, wholeRoute(laidOut, current, { endHeight: height, obstacles: undefined })];
  }
  const { obstacles } = shown;
  const atRest = { from: fromTable, to: toTable };
  const route = once(known, { shown, relation }, () => routeBetween(laidOut, atRest, obstacles));
  if (!isWhole) return [route];
  const whole = once(knownWhole, { shown, relation }, () =>
    wholeRoute(laidOut, atRest, { endHeight: height, obstacles }),
  );
  return [route, whole];
}

function once(
  cache: WeakMap<ShownTables, Map<PlacedRelation, Route>>,
  { shown, relation }: { readonly shown: ShownTables; readonly relation: PlacedRelation },
  compute: () => Route,
): Route {
  const routes = cache.get(shown) ?? new Map<PlacedRelation, Route>();
  cache.set(shown, routes);
  const route = routes.get(relation) ?? compute();
  routes.set(relation, route);
  return route;
}

/** Positions at the ends of lines are sums of doubles. */
function isAt(table: Point, { x, y }: Point): boolean {
  return Math.abs(table.x - x) < 0.01 && Math.abs(table.y - y) < 0.01;
}

/** The height at which the relation meets the referenced table: that of its column, or else of the head. */
function endHeight({ relation, to }: LaidOutRelation): number {
  return to.columns.find(({ name }) => name === relation.to.column)?.y ?? headHeight / 2;
}

const headHeight = 32;
