import type { PlacedBox, Route } from './arrangement.ts';
import type { Point } from '../portable/drawing/drawing.ts';
import { portId } from './ports.ts';
import type { Port } from './ports.ts';
import type { RelationLine } from './relation-line.ts';

/** Distances of loops from the table, in pixels. They leave space for the crow's feet of both ends. */
const loopSizes = { first: 26, step: 10, margin: 8 };

export function refersToItself({ child, parent }: RelationLine): boolean {
  return child.table === parent.table;
}

/** Returns the width that the self-references of a table take on its right. */
export function loopWidth(table: string, lines: readonly RelationLine[]): number {
  const count = lines.filter((line) => refersToItself(line) && line.child.table === table).length;
  return count === 0 ? 0 : loopSizes.first + (count - 1) * loopSizes.step + loopSizes.margin;
}

/** Routes self-references on the right side of their table. */
export function loopRoutes(
  placedBoxes: readonly PlacedBox[],
  lines: readonly RelationLine[],
  ports: ReadonlyMap<string, Port>,
): readonly Route[] {
  return placedBoxes.flatMap(({ box, x, y }) => {
    const right = x + box.width;
    const ownLines = lines.filter(
      (line) => refersToItself(line) && line.child.table === box.table.name,
    );
    return ownLines.map((line, i) => {
      const [from, to] = [line.child, line.parent].map(
        (end) => y + (ports.get(portId(end, 'EAST'))?.y ?? 0),
      );
      const points = loopPoints(right, { from: from ?? y, to: to ?? y, index: i });
      return { line, points, junctions: [], branches: [], isLabeled: false };
    });
  });
}

interface Loop {
  readonly from: number;
  readonly to: number;
  /** Index of the loop, counted from the table outward. */
  readonly index: number;
}

function loopPoints(right: number, { from, to, index }: Loop): readonly Point[] {
  const x = right + loopSizes.first + index * loopSizes.step;
  return [
    { x: right, y: from },
    { x, y: from },
    { x, y: to },
    { x: right, y: to },
  ];
}
