import type { Arrangement } from '../../diagram/arrangement.ts';
import type { Point } from '../../portable/drawing/drawing.ts';
import type { LineEnd } from '../../diagram/relation-line.ts';
import type { BoxRow, TableBox } from '../../diagram/table-box.ts';

/** The diagram response as JSON text: the coordinates of everything in the diagram. */
export function diagramJson(arrangement: Arrangement): string {
  const { width, height, boxes, routes, frames, headings } = arrangement;
  return JSON.stringify({
    width: Math.ceil(width),
    height: Math.ceil(height),
    tables: boxes.map(({ box, x, y }) => ({ ...tableObject(box), ...roundedPoint({ x, y }) })),
    relations: routes.map(({ line, points, junctions }) => ({
      from: endObject(line.child, line.columns),
      to: endObject(line.parent, line.referencedColumns),
      has_foreign_key: line.modelCondition === undefined,
      points: points.map(roundedPoint),
      junctions: junctions.map(roundedPoint),
    })),
    namespaces: frames.map(({ namespace, x, y, width: frameWidth, height: frameHeight }) => ({
      name: namespace,
      ...roundedPoint({ x, y }),
      width: frameWidth,
      height: frameHeight,
    })),
    headings: headings.map(({ text, x, y }) => ({ text, ...roundedPoint({ x, y }) })),
  });
}

function tableObject({ table, width, height, rows }: TableBox): object {
  const all = table.columns.filter((column) => column.isRowNumber !== true);
  return {
    name: table.name,
    kind: table.kind,
    schema: table.namespace ?? '',
    width,
    height,
    columns: rows.map(columnObject),
    columns_left_out: all.length - rows.length,
  };
}

function columnObject({ column, markers, y }: BoxRow): object {
  return {
    name: column.name,
    type: column.nativeType,
    is_nullable: column.nullable,
    is_primary_key: markers.includes('primary'),
    is_foreign_key: markers.includes('foreign'),
    is_unique: markers.includes('unique'),
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
