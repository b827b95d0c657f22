/** Lines run behind no table after tables were moved to free places, on the page as in exports. */
import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import type { Arrangement, PlacedBox } from '../../src/diagram/arrangement.ts';
import { moveTables } from '../../src/diagram/move-tables.ts';
import type { Point } from '../../src/portable/drawing/drawing.ts';
import { diagramJson } from '../../src/studio/export/diagram-json.ts';
import type { Layout } from '../../ui/src/diagram/layout.ts';
import { relationRoutes } from '../../ui/src/diagram/relation-routes.ts';
import { arranged } from './arranged.ts';
import { largeSchema } from './large-schemas.ts';
import { linesThroughTables } from './measures.ts';

/** Around a table that has space for lines on all sides, in pixels. */
const free = { x: 70, y: 40 };

type Positions = Map<string, Point>;

/** Moves tables one after the other, as far as there is no table where they are moved to. */
function freePositions(
  boxes: readonly PlacedBox[],
  moves: readonly (readonly [index: number, at: Point])[],
): Positions {
  const positions: Positions = new Map();
  for (const [index, at] of moves) {
    const { box } = boxes[index % boxes.length]!;
    const isFree = boxes.every((other) => {
      const { x, y } = positions.get(other.box.table.name) ?? other;
      return (
        other.box === box ||
        at.x > x + other.box.width + free.x ||
        x > at.x + box.width + free.x ||
        at.y > y + other.box.height + free.y ||
        y > at.y + box.height + free.y
      );
    });
    if (isFree) positions.set(box.table.name, at);
  }
  return positions;
}

/** The lines of the page in the order of the layout, with the picture's origin. */
function pageLines(before: Arrangement, positions: Positions): readonly (readonly Point[])[] {
  const layout = JSON.parse(diagramJson(before)) as Layout;
  const byName = new Map(
    layout.tables.map(({ name, x, y, width, height }) => [
      name,
      { x, y, ...positions.get(name), width, height },
    ]),
  );
  const shown = { byName, obstacles: [...byName.values()] };
  const tables = new Map(layout.tables.map((table) => [table.name, table]));
  return layout.relations.map((relation) => {
    const [from, to] = [tables.get(relation.from.table)!, tables.get(relation.to.table)!];
    const current = { from: shown.byName.get(from.name)!, to: shown.byName.get(to.name)! };
    const [route] = relationRoutes({ relation, from, to }, { current, shown, isWhole: false });
    return route!.points;
  });
}

const coordinate = fc.integer({ min: -600, max: 4200 });
const moves = fc.array(fc.tuple(fc.nat(1000), fc.record({ x: coordinate, y: coordinate })), {
  minLength: 1,
  maxLength: 30,
});

test.each(['prefix', 'namespace', 'nothing'] as const)(
  'lines of moved tables (%s) run around the others',
  { timeout: 120_000 },
  async (parts) => {
    const before = await arranged(largeSchema({ tables: 40, seed: 5, parts }), 'keys');
    expect(moveTables(before, new Map([['none', { x: 0, y: 0 }]])).routes.length).toBeGreaterThan(
      9,
    );
    fc.assert(
      fc.property(moves, (drafts) => {
        const positions = freePositions(before.boxes, drafts);
        fc.pre(positions.size > 0);
        const after = moveTables(before, positions);
        expect(linesThroughTables(after)).toEqual([]);
        const [first] = before.boxes;
        const at = positions.get(first!.box.table.name) ?? first!;
        const origin = { x: after.boxes[0]!.x - at.x, y: after.boxes[0]!.y - at.y };
        for (const [i, points] of pageLines(before, positions).entries()) {
          const exported = after.routes[i]!.points;
          expect(points).toHaveLength(exported.length);
          for (const [j, { x, y }] of points.entries()) {
            expect(Math.abs(x + origin.x - exported[j]!.x)).toBeLessThan(0.6);
            expect(Math.abs(y + origin.y - exported[j]!.y)).toBeLessThan(0.6);
          }
        }
      }),
      { numRuns: 60 },
    );
  },
);

test('tables that were not moved have the lines of the layout', { timeout: 120_000 }, async () => {
  const before = await arranged(largeSchema({ tables: 120, seed: 8, parts: 'nothing' }), 'all');
  const layout = JSON.parse(diagramJson(before)) as Layout;
  expect(pageLines(before, new Map())).toEqual(layout.relations.map(({ points }) => points));
});
