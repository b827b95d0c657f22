/** Lines of the diagram follow the server's routes as long as the positions of two tables agree with them. */
import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { branchFrom, routeBetween, wholeRoute } from '../../src/portable/drawing/route-between.ts';
import { endOf } from '../../src/portable/drawing/route-shapes.ts';

const coordinate = fc.double({ min: -1e5, max: 1e5, noNaN: true });
const point = fc.record({ x: coordinate, y: coordinate });
const table = fc.record({
  x: coordinate,
  y: coordinate,
  width: fc.double({ min: 80, max: 600, noNaN: true }),
});
const relation = fc.record({
  from: table,
  to: table,
  relation: fc.record({
    points: fc.array(point, { minLength: 2, maxLength: 8 }),
    junctions: fc.array(point, { maxLength: 2 }),
    branches: fc.constant([]),
    isLabeled: fc.constant(false),
  }),
});
type Relation = Parameters<typeof routeBetween>[0];

/** The positions as the page computes them: from the ends of the line, whose sums are rounded. */
function positionsOf({ from, to }: Relation, offset: { readonly x: number; readonly y: number }) {
  const sourceX = from.x + offset.x + from.width;
  return {
    from: { x: sourceX - from.width, y: from.y + offset.y },
    to: { x: to.x + offset.x, y: to.y + offset.y },
  };
}

test('tables that were not moved have exactly the route of the server', () => {
  fc.assert(
    fc.property(relation, (data) => {
      const { points, junctions } = data.relation;
      expect(routeBetween(data, positionsOf(data, { x: 0, y: 0 }))).toEqual({
        points,
        junctions,
        branches: [],
      });
    }),
  );
});

test('tables that were moved by the same distance have that route, moved with them', () => {
  fc.assert(
    fc.property(relation, point, (data, offset) => {
      const { points } = routeBetween(data, positionsOf(data, offset));
      expect(points).toHaveLength(data.relation.points.length);
      for (const [i, { x, y }] of data.relation.points.entries()) {
        expect(Math.abs(points[i]!.x - x - offset.x)).toBeLessThan(0.02);
        expect(Math.abs(points[i]!.y - y - offset.y)).toBeLessThan(0.02);
      }
    }),
  );
});

test('tables that were moved apart have a line that ends at their edges', () => {
  fc.assert(
    fc.property(relation, point, (data, distance) => {
      fc.pre(Math.abs(distance.x) > 1 || Math.abs(distance.y) > 1);
      const current = positionsOf(data, { x: 0, y: 0 });
      const from = { x: current.from.x + distance.x, y: current.from.y + distance.y };
      const { points } = routeBetween(data, { ...current, from });
      const edgesOf = (x: number, width: number): readonly number[] => [x, x + width];
      expect(edgesOf(from.x, data.from.width)).toContain(points[0]!.x);
      expect(edgesOf(current.to.x, data.to.width)).toContain(points.at(-1)!.x);
    }),
  );
});

test('branches keep their columns and their distance when tables are moved apart', () => {
  const depth = fc.integer({ min: 1, max: 28 });
  fc.assert(
    fc.property(
      relation,
      point,
      fc.array(coordinate, { maxLength: 3 }),
      depth,
      (data, distance, heights, at) => {
        fc.pre(Math.abs(distance.x) > 1 || Math.abs(distance.y) > 1);
        const before = endOf(data.relation.points);
        const branches = heights.map((y) => ({
          at: 'from' as const,
          points: branchFrom(before, { y: before.y + y, depth: at }),
        }));
        const current = positionsOf(data, { x: 0, y: 0 });
        const from = { x: current.from.x + distance.x, y: current.from.y + distance.y };
        const withBranches = { ...data, relation: { ...data.relation, branches } };
        const after = routeBetween(withBranches, { ...current, from });
        const end = endOf(after.points);
        expect(after.branches).toHaveLength(heights.length);
        for (const [i, { points }] of after.branches.entries()) {
          expect(points[0]!.x).toBe(end.x);
          expect(Math.abs(points[0]!.y - end.y - heights[i]!)).toBeLessThan(0.02);
          expect(Math.abs(points[1]!.x - end.x - end.direction * at)).toBeLessThan(0.02);
          expect(points[2]!.y).toBe(end.y);
        }
      },
    ),
  );
});

test('a line with a label moves with the table that it begins at, and leads to the other one on demand', () => {
  fc.assert(
    fc.property(
      relation,
      point,
      point,
      fc.integer({ min: 0, max: 999 }),
      (data, one, other, height) => {
        const labeled = { ...data, relation: { ...data.relation, isLabeled: true } };
        const from = { x: data.from.x + one.x, y: data.from.y + one.y };
        const to = { x: data.to.x + other.x, y: data.to.y + other.y };
        const short = routeBetween(labeled, { from, to });
        for (const [i, { x, y }] of data.relation.points.entries()) {
          expect(Math.abs(short.points[i]!.x - x - one.x)).toBeLessThan(0.02);
          expect(Math.abs(short.points[i]!.y - y - one.y)).toBeLessThan(0.02);
        }
        const whole = wholeRoute(
          labeled,
          { from, to },
          { endHeight: height, obstacles: undefined },
        );
        expect([to.x, to.x + data.to.width]).toContain(whole.points.at(-1)!.x);
        expect(whole.points.at(-1)!.y).toBe(to.y + height);
      },
    ),
  );
});
