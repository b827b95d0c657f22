import { draw } from '../../src/diagram/draw.ts';
import type { Drawing } from '../../src/portable/drawing/drawing.ts';
import { createFontStack, measureWith } from '../../src/diagram/fonts.ts';
import { arrangeTables } from '../../src/diagram/layout.ts';
import { createElkRunner } from '../../src/diagram/run-elk.ts';
import type { Schema } from '../../src/model/schema.ts';
import { hostileNames } from './hostile.ts';
import { column, keyTo, schemaOf, tableOf } from './schemas.ts';

export const fonts = createFontStack();

const drawings = new Map<Schema, Promise<Drawing>>();

/** The cached drawing of a schema. */
export function drawingOf(schema: Schema): Promise<Drawing> {
  const drawing = drawings.get(schema) ?? makeDrawing(schema);
  drawings.set(schema, drawing);
  return drawing;
}

async function makeDrawing(schema: Schema): Promise<Drawing> {
  await using elk = createElkRunner({ timeMs: 60_000, heapMb: 1024 });
  const texts = { name: schema.database, details: ['postgres 17.2', '2026-11-21'], warnings: [] };
  const measure = measureWith(fonts);
  const arrangement = await arrangeTables(schema, { columns: 'all', measure, runElk: elk.run });
  return draw(schema, arrangement, { texts, measure });
}

/**
 * Every hostile name as the name of a table and of a column, and as a comment. Each table
 * references the previous one.
 */
export const hostileSchema: Schema = {
  ...schemaOf(
    hostileNames.map((name, i) => {
      const before = hostileNames[i - 1];
      const columns = [column('id', 'text'), column(`${name} `, name, true)];
      return {
        ...tableOf(name, columns, before === undefined ? [] : [keyTo(before, `${name} `)]),
        comment: name,
      };
    }),
  ),
  database: '<db>&"\'\0',
};
