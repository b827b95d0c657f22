import type { LineEnd, RelationLine } from './relation-line.ts';
import { boxSizes } from './table-box.ts';
import type { TableBox } from './table-box.ts';

export type Side = 'EAST' | 'WEST';

/** Where lines meet a table: those of one column that say the same there share a port. */
export interface Port {
  readonly id: string;
  readonly table: string;
  readonly side: Side;
  /** From the table's top. */
  readonly y: number;
}

/** A line whose ends have their sides. */
export interface SidedLine {
  readonly line: RelationLine;
  readonly child: Side;
  readonly parent: Side;
}

/** Between ports at one row. */
const step = 10;

export function portId(end: LineEnd, side: Side): string {
  return JSON.stringify([end.table, end.column, side, end.count]);
}

/** The ports of all tables, by their ids. */
export function portsOf(
  boxes: readonly TableBox[],
  lines: readonly SidedLine[],
): ReadonlyMap<string, Port> {
  const byName = new Map(boxes.map((box) => [box.table.name, box]));
  const ends = lines.flatMap(({ line, child, parent }) => [
    { end: line.child, side: child },
    { end: line.parent, side: parent },
  ]);
  const places = Map.groupBy(ends, ({ end, side }) =>
    JSON.stringify([end.table, rowMiddle(byName.get(end.table), end.column), side]),
  );
  const ports = [...places.values()].flatMap((place) => portsAt(place, byName));
  return new Map(ports.map((port) => [port.id, port]));
}

interface SidedEnd {
  readonly end: LineEnd;
  readonly side: Side;
}

/** Above each other, around the middle of the row. */
function portsAt(
  place: readonly SidedEnd[],
  boxes: ReadonlyMap<string, TableBox>,
): readonly Port[] {
  const byId = new Map(place.map((item) => [portId(item.end, item.side), item]));
  const ids = [...byId.keys()].toSorted();
  const gap = Math.min(step, Math.floor((2 * step) / ids.length));
  return ids.flatMap((id, i) => {
    const item = byId.get(id);
    if (item === undefined) return [];
    const { end, side } = item;
    const middle = rowMiddle(boxes.get(end.table), end.column);
    return [{ id, table: end.table, side, y: middle + (i - (ids.length - 1) / 2) * gap }];
  });
}

/** Lines of columns that are not drawn end at the head. */
function rowMiddle(box: TableBox | undefined, column: string): number {
  return box?.rows.find((row) => row.column.name === column)?.y ?? boxSizes.head / 2;
}
