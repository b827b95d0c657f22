/** The line of a focused table to a table of another group, in full. */
import { wholeRoute } from '../../../src/portable/drawing/route-between.ts';
import type { Route, TablePositions } from '../../../src/portable/drawing/route-between.ts';
import type { Obstacle } from '../../../src/portable/drawing/route-around.ts';
import type { RelationData } from './flow-elements.ts';

interface LaidOut extends Pick<RelationData, 'from' | 'to'> {
  readonly relation: RelationData['relation'] & { readonly isLabeled: boolean };
}

/** By the tables around which the lines run: lines that come into view again are not computed again. */
const routes = new WeakMap<readonly Obstacle[], Map<string, Route>>();

export function focusedRoute(
  laidOut: LaidOut,
  current: TablePositions,
  obstacles: readonly Obstacle[] | undefined,
): Route {
  const whole = (): Route =>
    wholeRoute(laidOut, current, { endHeight: endHeight(laidOut), obstacles });
  if (obstacles === undefined) return whole();
  const known = routes.get(obstacles) ?? new Map<string, Route>();
  routes.set(obstacles, known);
  const { from, to } = laidOut.relation;
  const key = JSON.stringify([from.table, from.columns, to.table, to.columns]);
  const route = known.get(key) ?? whole();
  known.set(key, route);
  return route;
}

/** The height at which the relation meets the referenced table: that of its column, or else of the head. */
function endHeight({ relation, to }: LaidOut): number {
  return to.columns.find(({ name }) => name === relation.to.column)?.y ?? headHeight / 2;
}

const headHeight = 32;
