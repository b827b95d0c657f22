import type { LineEnd, RelationLine } from './relation-line.ts';
import { boxSizes } from './table-box.ts';
import type { TableBox } from './table-box.ts';

export type Side = 'EAST' | 'WEST';

/** The point where relations meet a table. Relations of one column with the same cardinality share a port. */
export interface Port {
  readonly id: string;
  readonly table: string;
  readonly side: Side;
  /** Relative to the table's top. */
  readonly y: number;
}

/** A relation with the side of the table that each end is attached to. */
export interface SidedLine {
  readonly line: RelationLine;
  readonly child: Side;
  readonly parent: Side;
}

/** Vertical distance between ports of one row, in pixels. */
const portSpacing = 10;

export function portId(end: LineEnd, side: Side): string {
  return JSON.stringify([end.table, end.column, side, end.count]);
}

/** Returns the ports of all tables by id. */
export function portsOf(
  boxes: readonly TableBox[],
  lines: readonly SidedLine[],
): ReadonlyMap<string, Port> {
  const byName = new Map(boxes.map((box) => [box.table.name, box]));
  const ends = lines.flatMap(({ line, child, parent }) => [
    { end: line.child, side: child },
    { end: line.parent, side: parent },
  ]);
  const endsByPosition = Map.groupBy(ends, ({ end, side }) =>
    JSON.stringify([end.table, rowMiddle(byName.get(end.table), end.column), side]),
  );
  const ports = [...endsByPosition.values()].flatMap((sharedEnds) => portsAt(sharedEnds, byName));
  return new Map(ports.map((port) => [port.id, port]));
}

interface SidedEnd {
  readonly end: LineEnd;
  readonly side: Side;
}

/** Stacks ports vertically, centered on the middle of the row. */
function portsAt(
  sharedEnds: readonly SidedEnd[],
  boxes: ReadonlyMap<string, TableBox>,
): readonly Port[] {
  const byId = new Map(sharedEnds.map((item) => [portId(item.end, item.side), item]));
  const ids = [...byId.keys()].toSorted();
  const gap = Math.min(portSpacing, Math.floor((2 * portSpacing) / ids.length));
  return ids.flatMap((id, i) => {
    const item = byId.get(id);
    if (item === undefined) return [];
    const { end, side } = item;
    const middle = rowMiddle(boxes.get(end.table), end.column);
    return [{ id, table: end.table, side, y: middle + (i - (ids.length - 1) / 2) * gap }];
  });
}

/** Relations of columns that are not drawn end at the table's header. */
export function rowMiddle(box: TableBox | undefined, column: string): number {
  return box?.rows.find((row) => row.column.name === column)?.y ?? boxSizes.head / 2;
}
