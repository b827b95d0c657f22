/** How the cost of a request or a transfer grows with one dimension. */

/** The cost of each server at one size, by the name of the server. */
export interface GrowthPoint {
  readonly size: number;
  readonly costs: ReadonlyMap<string, number>;
}

export interface GrowthCurve {
  /** What is measured, such as "First page of 50 rows". */
  readonly title: string;
  /** What grows, such as "rows in the table". */
  readonly dimension: string;
  /** The unit of all costs. */
  readonly unit: 'ms' | 's';
  readonly points: readonly GrowthPoint[];
}

/** The name of the lower bound: a minimal server for requests, the `sqlite3` client for transfers. */
export const limitName = 'limit';
export const studioName = 'studio';

/**
 * The exponent of a server's curve over its two largest sizes: 0 if the cost does not change, 1 if it is
 * proportional to the size. Undefined with fewer than two points.
 */
export function exponentOf({ points }: GrowthCurve, server: string): number | undefined {
  const measured = points.filter(({ costs }) => costs.has(server));
  const [before, last] = measured.slice(-2);
  if (before === undefined || last === undefined) return undefined;
  const costs = Math.log(last.costs.get(server)! / before.costs.get(server)!);
  return costs / Math.log(last.size / before.size);
}

/** Differences of exponents below this one are noise. */
const noise = 0.15;

export function isSteeperThanLimit(curve: GrowthCurve): boolean {
  const [studio, limit] = [exponentOf(curve, studioName), exponentOf(curve, limitName)];
  return studio !== undefined && limit !== undefined && studio > Math.max(limit, 0) + noise;
}
