import type { RelationLine } from './relation-line.ts';
import type { TableBox } from './table-box.ts';

/** The connected components of the relation graph, by union-find, ordered by their first table. */
export function componentsOf(
  boxes: readonly TableBox[],
  lines: readonly RelationLine[],
): readonly (readonly TableBox[])[] {
  const leaders = new Map(boxes.map((box) => [box.table.name, box.table.name]));
  const leaderOf = (name: string): string => {
    let leader = name;
    for (let next = leaders.get(leader); next !== undefined && next !== leader;) {
      leader = next;
      next = leaders.get(leader);
    }
    leaders.set(name, leader);
    return leader;
  };
  for (const { child, parent } of lines) leaders.set(leaderOf(child.table), leaderOf(parent.table));
  return [...Map.groupBy(boxes, (box) => leaderOf(box.table.name)).values()];
}
