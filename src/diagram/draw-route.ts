import type { Route } from './arrangement.ts';
import type { Group } from '../portable/drawing/drawing.ts';
import { shortened } from '../portable/drawing/printable.ts';
import {
  endOf,
  endShapes,
  junctionDot,
  roundedPath,
  stroke,
} from '../portable/drawing/route-shapes.ts';

export function drawRoute({ line, points, junctions, branches }: Route): Group {
  const { child, parent, columns, referencedColumns, modelCondition } = line;
  const from = columns.join(', ');
  const to = columns.map((_, i) => referencedColumns[i] ?? '').join(', ');
  const by =
    modelCondition === undefined ? '' : `, from models${modelCondition && `: ${modelCondition}`}`;
  const dashed = modelCondition === undefined ? {} : { dashed: true };
  const path = roundedPath(points);
  return {
    kind: 'group',
    title: shortened(`${child.table} (${from}) → ${parent.table} (${to})${by}`),
    shapes: [
      { kind: 'line', path, ...stroke, ...dashed },
      ...branches.map(({ points: branch }) => ({
        kind: 'line' as const,
        path: roundedPath(branch),
        ...stroke,
        ...dashed,
      })),
      ...branches.flatMap(({ points: branch }) => branch.slice(-1).map(junctionDot)),
      ...junctions.map(junctionDot),
      ...endShapes(child.count, endOf(points)),
      ...endShapes(parent.count, endOf(points.toReversed())),
    ],
  };
}
