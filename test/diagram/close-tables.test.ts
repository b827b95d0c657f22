/** Lines run behind no table where tables are close to each other, touch or overlap. */
import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import type { PlacedBox, Route } from '../../src/diagram/arrangement.ts';
import { moveTables } from '../../src/diagram/move-tables.ts';
import type { Point } from '../../src/portable/drawing/drawing.ts';
import type { Obstacle } from '../../src/portable/drawing/line-distances.ts';
import { arranged } from './arranged.ts';
import { largeSchema } from './large-schemas.ts';
import { detachedBranches, unconnectedColumns } from './measures.ts';
import { generatedSchema } from './schemas.ts';

type Boxes = ReadonlyMap<string, Obstacle>;

function boxesOf(placed: readonly PlacedBox[]): Boxes {
  return new Map(
    placed.map(({ x, y, box: { table, width, height } }) => [table.name, { x, y, width, height }]),
  );
}

/** Whether the rectangle between two points is in the box by more than half a pixel. */
function isBehind(a: Point, b: Point, { x, y, width, height }: Obstacle): boolean {
  return (
    Math.min(a.x, b.x) < x + width - 0.5 &&
    Math.max(a.x, b.x) > x + 0.5 &&
    Math.min(a.y, b.y) < y + height - 0.5 &&
    Math.max(a.y, b.y) > y + 0.5
  );
}

/** The tables other than its own two that the line or one of its branches runs behind. */
function tablesOver({ line, points, branches }: Route, boxes: Boxes): readonly string[] {
  const own = [line.child.table, line.parent.table];
  const paths = [points, ...branches.map((branch) => branch.points)];
  return [...boxes].flatMap(([name, box]) =>
    !own.includes(name) &&
    paths.some((path) => path.slice(1).some((to, i) => isBehind(path[i]!, to, box)))
      ? [name]
      : [],
  );
}

interface Placement {
  readonly gap: number;
  readonly side: 'right' | 'left' | 'above' | 'below';
  /** The table beside which this one is moved, and how far along its edge. */
  readonly beside: number;
  readonly along: number;
}

const placement: fc.Arbitrary<Placement> = fc.record({
  gap: fc.integer({ min: 0, max: 40 }),
  side: fc.constantFrom('right', 'left', 'above', 'below'),
  beside: fc.nat(1000),
  along: fc.integer({ min: -120, max: 120 }),
});

/** Moves each table beside or over one of those before it. */
function overlappingPositions(boxes: Boxes, drafts: readonly Placement[]): Map<string, Point> {
  const positions = new Map<string, Point>();
  for (const [i, [name, { width, height }]] of [...boxes].entries()) {
    const { gap, beside, along } = drafts[i] ?? { gap: 40, beside: i - 1, along: 0 };
    const [base, at] = [...positions][beside % Math.max(1, i)] ?? [name, { x: 0, y: 0 }];
    const { width: baseWidth, height: baseHeight } = boxes.get(base)!;
    const x = i % 2 === 0 ? at.x + along : at.x + (i % 3 === 0 ? baseWidth + gap - 50 : 50 - width);
    const y =
      i % 2 === 0 ? at.y + (i % 3 === 0 ? baseHeight + gap - 50 : 50 - height) : at.y + along;
    positions.set(name, { x, y });
  }
  return positions;
}

/** Whether there is a way between two points beside all boxes, by filling the space between their edges. */
function isConnected(from: readonly Point[], to: readonly Point[], boxes: Boxes): boolean {
  const all = [...boxes.values()];
  const edgesOf = (low: number, size: number): readonly number[] => [
    low - 0.5,
    low,
    low + size,
    low + size + 0.5,
  ];
  const ordered = (values: readonly number[]): readonly number[] => [
    ...new Set([-Infinity, ...values.toSorted((a, b) => a - b), Infinity]),
  ];
  const xs = ordered(all.flatMap(({ x, width }) => edgesOf(x, width)));
  const ys = ordered(all.flatMap(({ y, height }) => edgesOf(y, height)));
  const cellOf = ({ x, y }: Point): string =>
    `${xs.findLastIndex((low) => low <= x)} ${ys.findLastIndex((low) => low <= y)}`;
  const isFree = (i: number, j: number): boolean =>
    i >= 0 &&
    j >= 0 &&
    i < xs.length - 1 &&
    j < ys.length - 1 &&
    all.every(
      ({ x, y, width, height }) =>
        xs[i]! >= x + width || xs[i + 1]! <= x || ys[j]! >= y + height || ys[j + 1]! <= y,
    );
  const reached = new Set(from.map(cellOf).filter((cell) => isFree(...pairOf(cell))));
  for (const cell of reached) {
    const [i, j] = pairOf(cell);
    for (const [x, y] of [
      [i + 1, j],
      [i - 1, j],
      [i, j + 1],
      [i, j - 1],
    ] as const)
      if (isFree(x, y)) reached.add(`${x} ${y}`);
  }
  return to.some((end) => reached.has(cellOf(end)));
}

function pairOf(cell: string): [number, number] {
  const [i = 0, j = 0] = cell.split(' ').map(Number);
  return [i, j];
}

/** Beside both edges of the table, at the height of the end of the line. */
function exitsAt(end: Point, { x, width }: Obstacle): readonly Point[] {
  return [
    { x: x - 0.25, y: end.y },
    { x: x + width + 0.25, y: end.y },
  ];
}

/** Moves each table beside one of those before it, with the given gap, unless it would cover another one. */
function closePositions(boxes: Boxes, placements: readonly Placement[]): Map<string, Point> {
  const names = [...boxes.keys()];
  const moved = new Map<string, Obstacle>([[names[0]!, boxes.get(names[0]!)!]]);
  for (const [i, { gap, side, beside, along }] of placements.entries()) {
    const name = names[i + 1];
    if (name === undefined) break;
    const size = boxes.get(name)!;
    const base = [...moved.values()][beside % moved.size]!;
    const corner = {
      right: { x: base.x + base.width + gap, y: base.y + along },
      left: { x: base.x - size.width - gap, y: base.y + along },
      above: { x: base.x + along, y: base.y - size.height - gap },
      below: { x: base.x + along, y: base.y + base.height + gap },
    }[side];
    const box = { ...size, ...corner };
    const end = { x: box.x + box.width, y: box.y + box.height };
    if ([...moved.values()].every((other) => !isBehind(corner, end, other))) moved.set(name, box);
  }
  for (const [i, name] of names.filter((other) => !moved.has(other)).entries())
    moved.set(name, { ...boxes.get(name)!, x: 20_000, y: i * 3000 });
  return new Map([...moved].map(([name, { x, y }]) => [name, { x, y }]));
}

const placements = fc.array(placement, { minLength: 15, maxLength: 15 });

test.each([
  ['single keys', generatedSchema({ tables: 16 })],
  ['composite keys', largeSchema({ tables: 16, seed: 3, parts: 'nothing' })],
])(
  'lines run behind no table where tables with %s are 0 to 40 pixels apart',
  { timeout: 120_000 },
  async (_, schema) => {
    const before = await arranged(schema, 'keys');
    expect(before.routes.length).toBeGreaterThan(9);
    fc.assert(
      fc.property(placements, (drafts) => {
        const after = moveTables(before, closePositions(boxesOf(before.boxes), drafts));
        for (const route of after.routes)
          expect(tablesOver(route, boxesOf(after.boxes))).toEqual([]);
        expect(detachedBranches(after)).toEqual([]);
        expect(unconnectedColumns(after)).toEqual([]);
      }),
      { numRuns: 150 },
    );
  },
);

test(
  'lines run behind no table where tables overlap, if there is a way',
  { timeout: 120_000 },
  async () => {
    const before = await arranged(generatedSchema({ tables: 12 }), 'keys');
    let connected = 0;
    fc.assert(
      fc.property(placements, (drafts) => {
        const after = moveTables(before, overlappingPositions(boxesOf(before.boxes), drafts));
        const boxes = boxesOf(after.boxes);
        for (const route of after.routes) {
          const [from, to] = [
            boxes.get(route.line.child.table)!,
            boxes.get(route.line.parent.table)!,
          ];
          const [start, end] = [exitsAt(route.points[0]!, from), exitsAt(route.points.at(-1)!, to)];
          if (!isConnected(start, end, boxes)) continue;
          connected++;
          expect(tablesOver(route, boxes)).toEqual([]);
        }
      }),
      { numRuns: 200 },
    );
    expect(connected).toBeGreaterThan(200);
  },
);
