/**
 * Measures of a layout: nothing overlaps, lines end where they should, and little space is wasted.
 */
import type { Arrangement, PlacedBox, Route } from '../../src/diagram/arrangement.ts';
import type { Point } from '../../src/portable/drawing/drawing.ts';
import { countCrossings } from '../../src/diagram/crossings.ts';

export interface Rectangle extends Point {
  readonly width: number;
  readonly height: number;
}

export function rectangleOf({ x, y, box }: PlacedBox): Rectangle {
  return { x, y, width: box.width, height: box.height };
}

export function overlaps({ boxes }: Arrangement): readonly string[] {
  return boxes.flatMap((one, i) =>
    boxes
      .slice(i + 1)
      .filter((other) => intersect(rectangleOf(one), rectangleOf(other)))
      .map((other) => `${one.box.table.name} lies on ${other.box.table.name}`),
  );
}

function intersect(a: Rectangle, b: Rectangle): boolean {
  return a.x < b.x + b.width && b.x < a.x + a.width && a.y < b.y + b.height && b.y < a.y + a.height;
}

/** Lines that cross a table, including the two that they connect. */
export function linesThroughTables({ boxes, routes }: Arrangement): readonly string[] {
  return routes.flatMap((route) =>
    segmentsOf(route).flatMap((segment) =>
      boxes
        .filter((placedBox) =>
          intersect(withoutEdge(rectangleOf(placedBox)), rectangleAround(segment)),
        )
        .map(({ box }) => `${describe(route)} goes through ${box.table.name}`),
    ),
  );
}

type Segment = readonly [Point, Point];

function segmentsOf({ points }: Route): readonly Segment[] {
  return points.slice(1).map((to, i) => [points[i] ?? to, to]);
}

function withoutEdge({ x, y, width, height }: Rectangle): Rectangle {
  return { x: x + 0.5, y: y + 0.5, width: width - 1, height: height - 1 };
}

function rectangleAround([from, to]: Segment): Rectangle {
  return {
    x: Math.min(from.x, to.x) - 0.1,
    y: Math.min(from.y, to.y) - 0.1,
    width: Math.abs(from.x - to.x) + 0.2,
    height: Math.abs(from.y - to.y) + 0.2,
  };
}

export function slantedLines({ routes }: Arrangement): readonly string[] {
  return routes
    .filter((route) => segmentsOf(route).some(([a, b]) => !isEqual(a.x, b.x) && !isEqual(a.y, b.y)))
    .map(describe);
}

/** Lines with an end that is not at the edge of its table, within the row of its column. */
export function detachedEnds({ boxes, routes }: Arrangement): readonly string[] {
  const byName = new Map(boxes.map((placedBox) => [placedBox.box.table.name, placedBox]));
  return routes.flatMap((route) => {
    const { child, parent } = route.line;
    const ends = [
      { end: child, at: route.points[0] },
      { end: parent, at: route.points.at(-1) },
    ];
    return ends
      .filter(({ end, at }) => !isAtRow(byName.get(end.table), end.column, at))
      .map(({ end }) => `${describe(route)} does not end at ${end.table}.${end.column}`);
  });
}

function isAtRow(
  placedBox: PlacedBox | undefined,
  column: string | undefined,
  at: Point | undefined,
): boolean {
  if (placedBox === undefined || at === undefined) return false;
  const row = placedBox.box.rows.find((item) => item.column.name === column);
  const isAtEdge = isEqual(at.x, placedBox.x) || isEqual(at.x, placedBox.x + placedBox.box.width);
  const [middle, half] = row === undefined ? [16, 16] : [row.y, 12];
  return isAtEdge && Math.abs(at.y - placedBox.y - middle) <= half + rounding;
}

/** Coordinates are sums of doubles, in pixels. The product ignores moves below 0.01. */
const rounding = 0.011;

function isEqual(one: number, two: number): boolean {
  return Math.abs(one - two) <= rounding;
}

function describe({ line: { child, parent } }: Route): string {
  return `${child.table}.${child.column} to ${parent.table}.${parent.column}`;
}

/** Tables and lines outside of the drawing. */
export function outside({ width, height, boxes, routes }: Arrangement): readonly string[] {
  const isOut = ({ x, y }: Point): boolean =>
    x < -rounding || y < -rounding || x > width + rounding || y > height + rounding;
  const tables = boxes.filter((placedBox) => {
    const { x, y, width: tableWidth, height: tableHeight } = rectangleOf(placedBox);
    return isOut({ x, y }) || isOut({ x: x + tableWidth, y: y + tableHeight });
  });
  return [
    ...tables.map(({ box }) => box.table.name),
    ...routes.filter(({ points }) => points.some(isOut)).map(describe),
  ];
}

export interface Shape {
  readonly aspect: number;
  /** The area of the drawing relative to the area of all tables. */
  readonly area: number;
  readonly crossingsPerLine: number;
}

export function shapeOf(arrangement: Arrangement): Shape {
  const { width, height, boxes, routes } = arrangement;
  const tables = boxes.reduce((sum, { box }) => sum + box.width * box.height, 0);
  return {
    aspect: width / height,
    area: (width * height) / tables,
    crossingsPerLine: countCrossings(routes) / Math.max(1, routes.length),
  };
}
