/** Leaves tables out of an arrangement. The others stay where they are. */
import { emptyArrangement } from './arrangement.ts';
import type { Arrangement } from './arrangement.ts';
import { frameAround } from './frames.ts';
import { fitted } from './move-tables.ts';

export function hideTables(arrangement: Arrangement, hidden: ReadonlySet<string>): Arrangement {
  if (hidden.size === 0) return arrangement;
  const isShown = (name: string): boolean => !hidden.has(name);
  const boxes = arrangement.boxes.filter(({ box }) => isShown(box.table.name));
  if (boxes.length === 0) return emptyArrangement;
  const shown = new Map(boxes.map((placedBox) => [placedBox.box.table.name, placedBox]));
  return fitted({
    ...arrangement,
    boxes,
    routes: arrangement.routes.filter(
      ({ line: { child, parent } }) => isShown(child.table) && isShown(parent.table),
    ),
    frames: arrangement.frames.flatMap((frame) => {
      const tables = frame.tables.filter(isShown);
      if (tables.length === frame.tables.length) return [frame];
      if (tables.length === 0) return [];
      return [
        frameAround(
          { ...frame, tables },
          tables.flatMap((name) => shown.get(name) ?? []),
        ),
      ];
    }),
  });
}
