import { translated, emptyArrangement, combined } from './arrangement.ts';
import type { Arrangement } from './arrangement.ts';
import { partGap, waste } from './pack.ts';
import { portsOf } from './ports.ts';
import type { RelationLine } from './relation-line.ts';
import { loopWidth, loopRoutes } from './self-reference.ts';
import type { TableBox } from './table-box.ts';

/** Space between tables, and from the heading's baseline to the first table. */
const gap = 36;
const headingHeight = 26;

export interface GridPart {
  readonly heading: string;
  readonly boxes: readonly TableBox[];
  /** Self-references of these tables. */
  readonly lines: readonly RelationLine[];
}

/** Places tables below a heading. Each table goes to the column that is shortest so far. */
function grid({ heading, boxes, lines }: GridPart, width: number): Arrangement {
  const widest = Math.max(...boxes.map((box) => box.width));
  const loopSpace = Math.max(...boxes.map((box) => loopWidth(box.table.name, lines)));
  const step = widest + loopSpace + gap;
  const columns = Math.min(boxes.length, Math.max(1, Math.floor((width + gap) / step)));
  const heights = Array.from({ length: columns }, () => headingHeight);
  const placedBoxes = boxes.map((box) => {
    const column = heights.indexOf(Math.min(...heights));
    const y = heights[column] ?? headingHeight;
    heights[column] = y + box.height + gap;
    return { box: { ...box, width: widest }, x: column * step, y };
  });
  const ports = portsOf(
    boxes,
    lines.map((line) => ({ line, child: 'EAST', parent: 'EAST' })),
  );
  return {
    ...emptyArrangement,
    width: columns * step - gap,
    height: Math.max(...heights) - gap,
    boxes: placedBoxes,
    routes: loopRoutes(placedBoxes, lines, ports),
    headings: [{ text: heading, x: 0, y: 12 }],
  };
}

/** Places the grids below or beside the main arrangement, whichever is closer to the aspect ratio. */
export function withGrids(
  main: Arrangement,
  grids: readonly GridPart[],
  aspect: number,
): Arrangement {
  if (grids.length === 0) return main;
  const candidates = [
    ...gridWidths(grids, main.width, aspect).map((width) =>
      positionBelow(main, stack(grids, width)),
    ),
    ...gridWidths(grids, 0, aspect).map((width) => positionBeside(main, stack(grids, width))),
  ];
  return candidates.reduce((best, next) =>
    waste(next, aspect) < waste(best, aspect) ? next : best,
  );
}

/** Candidate widths: one column, two columns and so on, but more than `minWidth`. */
function gridWidths(
  grids: readonly GridPart[],
  minWidth: number,
  aspect: number,
): readonly number[] {
  const boxes = grids.flatMap((part) => part.boxes);
  const widest = Math.max(...boxes.map((box) => box.width));
  const area = boxes.reduce((sum, box) => sum + (box.width + gap) * (box.height + gap), 0);
  const maxWidth = Math.max(minWidth, Math.sqrt(area * aspect));
  const columns = Math.ceil(maxWidth / (widest + gap));
  const widths = Array.from({ length: columns }, (_, i) => (i + 1) * (widest + gap));
  return [...widths.filter((width) => width > minWidth), maxWidth];
}

function stack(grids: readonly GridPart[], width: number): Arrangement {
  return grids.map((part) => grid(part, width)).reduce(positionBelow);
}

function positionBelow(upper: Arrangement, lower: Arrangement): Arrangement {
  if (upper.height === 0) return lower;
  const y = upper.height + partGap;
  return combined([upper, translated(lower, { x: 0, y })], {
    width: Math.max(upper.width, lower.width),
    height: y + lower.height,
  });
}

function positionBeside(left: Arrangement, right: Arrangement): Arrangement {
  if (left.width === 0) return right;
  const x = left.width + partGap;
  return combined([left, translated(right, { x, y: 0 })], {
    width: x + right.width,
    height: Math.max(left.height, right.height),
  });
}
