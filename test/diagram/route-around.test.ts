/** Lines between groups run around all tables, also after tables were moved. */
import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { routeAround } from '../../src/portable/drawing/route-around.ts';
import { wholeRoute } from '../../src/portable/drawing/route-between.ts';
import { arranged } from './arranged.ts';
import { largeSchema } from './large-schemas.ts';
import type { Exit } from '../../src/portable/drawing/route-around.ts';
import type { Obstacle } from '../../src/portable/drawing/line-distances.ts';
import type { Point } from '../../src/portable/drawing/drawing.ts';

/** The tables that a segment of the line runs behind. */
function behind(points: readonly Point[], obstacles: readonly Obstacle[]): readonly Obstacle[] {
  return obstacles.filter(({ x, y, width, height }) =>
    points.slice(1).some((to, i) => {
      const from = points[i]!;
      const [left, right] = [Math.min(from.x, to.x), Math.max(from.x, to.x)];
      const [top, bottom] = [Math.min(from.y, to.y), Math.max(from.y, to.y)];
      return left < x + width && right > x && top < y + height && bottom > y;
    }),
  );
}

function expectRightAngles(points: readonly Point[]): void {
  for (const [i, to] of points.slice(1).entries()) {
    const from = points[i]!;
    expect([from, to], 'slanted').toSatisfy(() => from.x === to.x || from.y === to.y);
  }
}

test.each(['prefix', 'nothing'] as const)(
  'lines between groups of tables (%s) run behind no table',
  { timeout: 120_000 },
  async (parts) => {
    const schema = largeSchema({ tables: 150, seed: 11, parts });
    const { boxes, routes } = await arranged(schema);
    const byName = new Map(boxes.map((placed) => [placed.box.table.name, placed]));
    const obstacles = boxes.map(({ x, y, box }) => ({
      x,
      y,
      width: box.width,
      height: box.height,
    }));
    const labeled = routes.filter(({ isLabeled }) => isLabeled);
    expect(labeled.length).toBeGreaterThan(10);
    let directlyBehind = 0;
    for (const route of labeled) {
      const [from, to] = [route.line.child, route.line.parent].map(({ table }) => {
        const { x, y, box } = byName.get(table)!;
        return { x, y, width: box.width };
      });
      const laidOut = { relation: route, from: from!, to: to! };
      const positions = { from: from!, to: to! };
      const direct = wholeRoute(laidOut, positions, { endHeight: 16, obstacles: undefined });
      directlyBehind += behind(direct.points, obstacles).length;
      const { points } = wholeRoute(laidOut, positions, { endHeight: 16, obstacles });
      expect([route.line.child.table, behind(points, obstacles)]).toEqual([
        route.line.child.table,
        [],
      ]);
      expectRightAngles(points);
      expect(points[0]!.y).toBe(direct.points[0]!.y);
      expect(points.at(-1)!.y).toBe(to!.y + 16);
    }
    expect(directlyBehind).toBeGreaterThan(0);
  },
);

const cell = fc.record({
  width: fc.integer({ min: 40, max: 160 }),
  height: fc.integer({ min: 30, max: 220 }),
  isEmpty: fc.boolean(),
});

test('a line is found between any two tables of a loose grid, and runs behind none', () => {
  fc.assert(
    fc.property(
      fc.array(cell, { minLength: 4, maxLength: 60 }),
      fc.nat(1000),
      fc.nat(1000),
      (cells, one, other) => {
        const obstacles = cells.flatMap(({ width, height, isEmpty }, i) =>
          isEmpty && i > 1 ? [] : [{ x: (i % 7) * 240, y: Math.floor(i / 7) * 260, width, height }],
        );
        const [from, to] = [one, other].map((n) => obstacles[n % obstacles.length]!);
        const exits = ({ x, y, width }: Obstacle): readonly Exit[] => [
          { x, y: y + 10, direction: -1 },
          { x: x + width, y: y + 10, direction: 1 },
        ];
        const points = routeAround(obstacles, exits(from!), exits(to!));
        expect(points).toBeDefined();
        expect(behind(points!, obstacles)).toEqual([]);
        expectRightAngles(points!);
      },
    ),
  );
});

test('there is no line out of an enclosed table', () => {
  const walls = [
    { x: -200, y: -200, width: 100, height: 500 },
    { x: 200, y: -200, width: 100, height: 500 },
    { x: -200, y: -200, width: 500, height: 100 },
    { x: -200, y: 200, width: 500, height: 100 },
  ];
  const inside: Exit = { x: 50, y: 20, direction: 1 };
  const outside: Exit = { x: 1000, y: 20, direction: -1 };
  expect(routeAround(walls, [inside], [outside])).toBeUndefined();
  expect(routeAround(walls.slice(1), [inside], [outside])).toBeDefined();
});
