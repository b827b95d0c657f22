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

function rectangleOf({ x, y, box }: PlacedBox): Rectangle {
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

/** Of the line and of its branches. */
function segmentsOf({ points, branches }: Route): readonly Segment[] {
  return [points, ...branches.map((branch) => branch.points)].flatMap((path) =>
    path.slice(1).map((to, i): Segment => [path[i] ?? to, to]),
  );
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

/** Lines with an end that is not at the edge of its table, within the row of its column, or at its label. */
export function detachedEnds({ boxes, routes }: Arrangement): readonly string[] {
  const byName = new Map(boxes.map((placedBox) => [placedBox.box.table.name, placedBox]));
  return routes.flatMap((route) => {
    const { child, parent } = route.line;
    const [start, end] = [route.points[0], route.points.at(-1)];
    const from = byName.get(child.table);
    const isAtParent = route.isLabeled
      ? isAtLabel(from, parent.table, end)
      : isAtRow(byName.get(parent.table), parent.column, end);
    return [
      ...(isAtRow(from, child.column, start) ? [] : [child]),
      ...(isAtParent ? [] : [parent]),
    ].map(({ table, column }) => `${describe(route)} does not end at ${table}.${column}`);
  });
}

function isAtLabel(from: PlacedBox | undefined, target: string, at: Point | undefined): boolean {
  if (from === undefined || at === undefined) return false;
  return from.box.labels.some(
    ({ direction, tables, x, y }) =>
      direction === 'to' &&
      tables.includes(target) &&
      isEqual(at.x, from.x + from.box.width + x) &&
      isEqual(at.y, from.y + y),
  );
}

/** Drawn columns of keys to which neither the line nor one of its branches leads. */
export function unconnectedColumns({ boxes, routes }: Arrangement): readonly string[] {
  const byName = new Map(boxes.map((placedBox) => [placedBox.box.table.name, placedBox]));
  return routes.flatMap((route) => {
    const { line, points, branches, isLabeled } = route;
    const starts = (at: 'from' | 'to', end: Point | undefined): readonly (Point | undefined)[] => [
      end,
      ...branches.filter((branch) => branch.at === at).map((branch) => branch.points[0]),
    ];
    const ends = [
      { table: line.child.table, columns: line.columns, starts: starts('from', points[0]) },
      ...(isLabeled
        ? []
        : [
            {
              table: line.parent.table,
              columns: line.referencedColumns,
              starts: starts('to', points.at(-1)),
            },
          ]),
    ];
    return ends.flatMap(({ table, columns, starts: all }) =>
      columns
        .filter((column) => !all.some((start) => isAtRow(byName.get(table), column, start)))
        .map((column) => `${describe(route)} leaves out ${table}.${column}`),
    );
  });
}

/** Branches that do not end on their line. */
export function detachedBranches({ routes }: Arrangement): readonly string[] {
  return routes
    .filter((route) => {
      const segments = segmentsOf({ ...route, branches: [] });
      return route.branches.some(({ points }) => {
        const end = points.at(-1);
        return (
          end === undefined ||
          !segments.some((segment) => {
            const { x, y, width, height } = rectangleAround(segment);
            return end.x >= x && end.x <= x + width && end.y >= y && end.y <= y + height;
          })
        );
      });
    })
    .map(describe);
}

/** Frames that overlap, and tables that are in none or several of them, or beyond their own. */
export function misplacedGroups({ boxes, frames }: Arrangement): readonly string[] {
  const overlapping = frames.flatMap((one, i) =>
    frames
      .slice(i + 1)
      .filter((other) => intersect(one, other))
      .map((other) => `${one.name} overlaps ${other.name}`),
  );
  const byName = new Map(boxes.map((placedBox) => [placedBox.box.table.name, placedBox]));
  const counts = new Map<string, number>();
  for (const { tables } of frames)
    for (const name of tables) counts.set(name, (counts.get(name) ?? 0) + 1);
  const uncounted = boxes
    .filter(({ box }) => box.table.kind === 'table' && counts.get(box.table.name) !== 1)
    .map(({ box }) => `${box.table.name} is not in exactly one group`);
  const beyond = frames.flatMap((frame) =>
    frame.tables
      .filter((name) => {
        const placedBox = byName.get(name);
        return placedBox === undefined || !isInside(withLabels(placedBox), frame);
      })
      .map((name) => `${name} is not within ${frame.name}`),
  );
  return [...overlapping, ...uncounted, ...beyond];
}

function isInside(inner: Rectangle, outer: Rectangle): boolean {
  return (
    inner.x >= outer.x &&
    inner.y >= outer.y &&
    inner.x + inner.width <= outer.x + outer.width &&
    inner.y + inner.height <= outer.y + outer.height
  );
}

/** The rectangle of a table and the labels beside it. */
function withLabels(placedBox: PlacedBox): Rectangle {
  const { width, labels } = placedBox.box;
  const right = Math.max(width, ...labels.map((label) => width + label.x + label.width));
  return { ...rectangleOf(placedBox), width: right };
}

/** Labels that lie on tables. */
export function coveredLabels({ boxes }: Arrangement): readonly string[] {
  return boxes.flatMap((placedBox) =>
    placedBox.box.labels.flatMap((label) => {
      const area = {
        x: placedBox.x + placedBox.box.width + label.x,
        y: placedBox.y + label.y - 8,
        width: label.width,
        height: 16,
      };
      return boxes
        .filter((other) => intersect(area, rectangleOf(other)))
        .map(({ box }) => `a label of ${placedBox.box.table.name} lies on ${box.table.name}`);
    }),
  );
}

/** Different names that are drawn as the same text: of tables, and of the columns of each table. */
export function ambiguousTexts({ boxes }: Arrangement): readonly string[] {
  const lists = [
    boxes.map(({ box }) => [box.table.name, box.name] as const),
    ...boxes.map(({ box }) => box.rows.map(({ column, name }) => [column.name, name] as const)),
  ];
  return lists.flatMap((list) => {
    const byText = Map.groupBy(list, ([, text]) => text);
    return [...byText]
      .filter(([, entries]) => new Set(entries.map(([name]) => name)).size > 1)
      .map(([text]) => text);
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
    const { x, y, width: tableWidth, height: tableHeight } = withLabels(placedBox);
    return isOut({ x, y }) || isOut({ x: x + tableWidth, y: y + tableHeight });
  });
  return [
    ...tables.map(({ box }) => box.table.name),
    ...routes
      .filter((route) => segmentsOf(route).some((segment) => segment.some(isOut)))
      .map(describe),
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
