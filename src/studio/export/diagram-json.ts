import type { Arrangement } from '../../diagram/arrangement.ts';
import type { Point } from '../../portable/drawing/drawing.ts';
import type { LineEnd } from '../../diagram/relation-line.ts';
import { printable } from '../../portable/drawing/printable.ts';
import { rowExtent } from '../../diagram/table-box.ts';
import type { BoxRow, TableBox } from '../../diagram/table-box.ts';

/** The diagram response as JSON text: the coordinates of everything in the diagram. */
export function diagramJson(arrangement: Arrangement): string {
  const { width, height, boxes, routes, frames, headings } = arrangement;
  return JSON.stringify({
    width: Math.ceil(width),
    height: Math.ceil(height),
    tables: boxes.map(({ box, x, y }) => ({ ...tableObject(box), ...roundedPoint({ x, y }) })),
    relations: routes.map(({ line, points, junctions, branches, isLabeled }) => ({
      from: endObject(line.child, line.columns),
      to: endObject(line.parent, line.referencedColumns),
      has_foreign_key: line.modelCondition === undefined,
      is_labeled: isLabeled,
      points: points.map(roundedPoint),
      junctions: junctions.map(roundedPoint),
      branches: branches.map((branch) => ({
        at: branch.at,
        points: branch.points.map(roundedPoint),
      })),
    })),
    groups: frames.map((frame) => ({
      name: frame.name,
      title: frame.title,
      title_size: frame.titleSize,
      color: frame.tone,
      tables: frame.tables,
      ...roundedPoint(frame),
      width: frame.width,
      height: frame.height,
    })),
    headings: headings.map(({ text, x, y }) => ({ text, ...roundedPoint({ x, y }) })),
  });
}

function tableObject(box: TableBox): object {
  const { table, name, width, height, rows, labels } = box;
  const all = table.columns.filter((column) => column.isRowNumber !== true);
  return {
    name: table.name,
    title: name,
    kind: table.kind,
    schema: table.namespace ?? '',
    width,
    height,
    columns: rows.map((row) => columnObject(box, row)),
    columns_left_out: all.length - rows.length,
    labels: labels.map((label) => ({ ...label, text: printable(label.text), x: width + label.x })),
  };
}

function columnObject(box: TableBox, row: BoxRow): object {
  const { column, name, markers, y } = row;
  return {
    name: column.name,
    title: name,
    type: column.nativeType,
    is_nullable: column.nullable,
    is_primary_key: markers.includes('primary'),
    is_foreign_key: markers.includes('foreign'),
    is_unique: markers.includes('unique'),
    ...rowExtent(box, row),
    y,
  };
}

function endObject({ table, column, count }: LineEnd, columns: readonly string[]): object {
  return { table, columns, column, count };
}

/** Rounds to hundredths of a pixel. */
function roundedPoint({ x, y }: Point): Point {
  return { x: Math.round(x * 100) / 100, y: Math.round(y * 100) / 100 };
}
