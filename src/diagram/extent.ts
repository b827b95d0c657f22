import type { Box, Label, Line, Shape } from './drawing.ts';

/** A single mark and from where to where it reaches, downward. */
export interface Mark {
  readonly shape: Box | Line | Label;
  readonly top: number;
  readonly bottom: number;
}

/** For strokes and the parts of letters below their line. */
const rim = 2;

/** Everything that is drawn, without its groups, in order. */
export function marksOf(shapes: readonly Shape[]): readonly Mark[] {
  return shapes.flatMap((shape) =>
    shape.kind === 'group' ? marksOf(shape.shapes) : [markOf(shape)],
  );
}

function markOf(shape: Box | Line | Label): Mark {
  switch (shape.kind) {
    case 'box':
      return { shape, top: shape.y - rim, bottom: shape.y + shape.height + rim };
    case 'label':
      return { shape, top: shape.y - 1.5 * shape.size, bottom: shape.y + shape.size };
    case 'line':
      return { shape, ...reachOf(shape.path) };
  }
}

function reachOf(path: string): Omit<Mark, 'shape'> {
  let [top, bottom] = [Infinity, -Infinity];
  for (const [, command = '', numbers = ''] of path.matchAll(/([A-Z])([^A-Z]*)/g)) {
    for (const y of downwardOf(
      command,
      numbers
        .trim()
        .split(/[\s,]+/)
        .map(Number),
    )) {
      top = Math.min(top, y);
      bottom = Math.max(bottom, y);
    }
  }
  return { top: top - rim - arcReach, bottom: bottom + rim + arcReach };
}

/** Rings are drawn as arcs from side to side. */
const arcReach = 4;

function downwardOf(command: string, numbers: readonly number[]): readonly number[] {
  if (command === 'H' || command === 'Z') return [];
  if (command === 'V') return numbers;
  if (command === 'A') return numbers.slice(6, 7);
  return numbers.filter((_, i) => i % 2 === 1);
}
