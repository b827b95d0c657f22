import { translated } from './arrangement.ts';
import type { Arrangement } from './arrangement.ts';
import { framePad, smallTitle } from '../portable/drawing/frame-pad.ts';
import { frameAround } from './frames.ts';
import { toneNumber } from '../portable/drawing/palette.ts';
import { printable } from '../portable/drawing/printable.ts';
import type { RelationLine } from './relation-line.ts';
import type { TableBox } from './table-box.ts';

/** With more namespaces, one beside the other, the drawing would be too wide. */
const maxBands = 8;

/**
 * Returns the namespaces in the order from left to right, each of which gets a vertical band of the
 * drawing. Empty if there is only one namespace, or if there are too many.
 */
export function namespaceBands(
  boxes: readonly TableBox[],
  lines: readonly RelationLine[],
): readonly string[] {
  const names = [...new Set(boxes.map(namespaceOf))].toSorted(byCode);
  return names.length < 2 || names.length > maxBands
    ? []
    : orderByRelations(names, weights(boxes, lines));
}

export function namespaceOf({ table }: TableBox): string {
  return table.namespace ?? '';
}

/** Returns the number of relations between two namespaces. */
type Weights = (a: string, b: string) => number;

function weights(boxes: readonly TableBox[], lines: readonly RelationLine[]): Weights {
  const byTable = new Map(boxes.map((box) => [box.table.name, namespaceOf(box)]));
  const counts = new Map<string, number>();
  for (const { child, parent } of lines) {
    const pair = [byTable.get(child.table) ?? '', byTable.get(parent.table) ?? ''].toSorted(byCode);
    const key = JSON.stringify(pair);
    counts.set(key, (counts.get(key) ?? 0) + 1);
  }
  return (a, b) => counts.get(JSON.stringify([a, b].toSorted(byCode))) ?? 0;
}

/** Local search: swaps pairs as long as the weighted distance between related namespaces shrinks. */
function orderByRelations(names: readonly string[], weight: Weights): readonly string[] {
  let best = names;
  for (let i = 0; i < names.length; i++) {
    for (let j = i + 1; j < names.length; j++) {
      const swapped = best.with(i, best[j] ?? '').with(j, best[i] ?? '');
      if (length(swapped, weight) >= length(best, weight)) continue;
      best = swapped;
      [i, j] = [0, 0];
    }
  }
  return best;
}

function length(names: readonly string[], weight: Weights): number {
  let sum = 0;
  for (const [i, a] of names.entries()) {
    for (const [j, b] of names.entries()) if (i < j) sum += (j - i) * weight(a, b);
  }
  return sum;
}

/** Adds a frame around the tables of each namespace. Namespaces in alphabetical order have the colors. */
export function addFrames(arrangement: Arrangement, namespaces: readonly string[]): Arrangement {
  const byNamespace = Map.groupBy(arrangement.boxes, ({ box }) => namespaceOf(box));
  const frames = [...byNamespace].map(([name, placedBoxes]) =>
    frameAround(
      {
        name,
        title: printable(name === '' ? 'default' : name),
        titleSize: smallTitle,
        tone: toneNumber(Math.max(0, namespaces.indexOf(name))),
        tables: placedBoxes.map(({ box }) => box.table.name),
      },
      placedBoxes,
    ),
  );
  const { width, height } = arrangement;
  const pad = framePad(smallTitle);
  return {
    ...translated({ ...arrangement, frames }, { x: pad.side, y: pad.top }),
    width: width + 2 * pad.side,
    height: height + pad.top + pad.bottom,
  };
}

/** Compares by code unit, so that the order does not depend on the locale. */
function byCode(a: string, b: string): number {
  return a < b ? -1 : Number(a > b);
}
