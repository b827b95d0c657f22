import type { RelationLine } from './relation-line.ts';
import type { TableBox } from './table-box.ts';

/** The connected components of the relation graph, by union-find, ordered by their first table. */
export function componentsOf(
  boxes: readonly TableBox[],
  lines: readonly RelationLine[],
): readonly (readonly TableBox[])[] {
  const roots = new Map(boxes.map((box) => [box.table.name, box.table.name]));
  const rootOf = (name: string): string => {
    let root = name;
    for (let next = roots.get(root); next !== undefined && next !== root;) {
      root = next;
      next = roots.get(root);
    }
    roots.set(name, root);
    return root;
  };
  for (const { child, parent } of lines) roots.set(rootOf(child.table), rootOf(parent.table));
  return [...Map.groupBy(boxes, (box) => rootOf(box.table.name)).values()];
}
