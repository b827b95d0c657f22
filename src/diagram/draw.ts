import type { Schema } from '../model/schema.ts';
import type { Arrangement, Frame, Heading } from './arrangement.ts';
import { translated } from './arrangement.ts';
import { drawLegend, drawTitle, titleHeight } from './draw-legend.ts';
import type { DiagramTexts } from './draw-legend.ts';
import { framePad } from '../portable/drawing/frame-pad.ts';
import { drawRoute } from './draw-route.ts';
import { drawTable } from './draw-table.ts';
import type { Drawing, Shape, TextStyle, ToneNumber } from '../portable/drawing/drawing.ts';
import type { Measure } from './measure.ts';
import { toneNumber } from '../portable/drawing/palette.ts';

export interface DrawOptions {
  readonly texts: DiagramTexts;
  readonly measure: Measure;
}

const margin = 32;
/** Keeps the legend to a few lines in drawings of few tables. */
const minWidth = 420;

/** Combines all shapes. Relations come before tables, so that tables cover them and stay legible. */
export function draw(schema: Schema, arrangement: Arrangement, options: DrawOptions): Drawing {
  const width = Math.ceil(Math.max(arrangement.width, minWidth));
  const { texts, measure } = options;
  const { frames, headings, routes, boxes } = translated(arrangement, {
    x: margin,
    y: margin + titleHeight,
  });
  const toneOf = tonesOf(schema, frames);
  const bottom = margin + titleHeight + arrangement.height + 28;
  const hasModelRelations = routes.some(({ line }) => line.modelCondition !== undefined);
  const legend = drawLegend(
    { ...texts, hasModelRelations },
    { x: margin, y: bottom, width, measure },
  );
  return {
    width: width + 2 * margin,
    height: Math.ceil(bottom + legend.height + margin - 8),
    title: [texts.name, ...texts.details].join(' · '),
    shapes: [
      ...drawTitle(texts, { x: margin, y: margin, width, measure }),
      ...frames.flatMap(drawFrame),
      ...headings.map(drawHeading),
      ...routes.map(drawRoute),
      ...boxes.map((placedBox) => drawTable(placedBox, toneOf)),
      ...legend.shapes,
    ],
  };
}

/** Returns the color of a table: that of its group, or else of its namespace. */
function tonesOf(
  { tables, views }: Schema,
  frames: readonly Frame[],
): (table: string) => ToneNumber {
  const all = [...tables, ...views];
  const namespaces = [...new Set(all.map(({ namespace }) => namespace ?? ''))].toSorted();
  const tones = new Map(
    all.map(({ name, namespace = '' }) => [name, toneNumber(namespaces.indexOf(namespace))]),
  );
  for (const { tone, tables: names } of frames) for (const name of names) tones.set(name, tone);
  return (table) => tones.get(table) ?? 0;
}

const style = { face: 'bold', size: 12.5 } as const satisfies TextStyle;

function drawFrame(frame: Frame): readonly Shape[] {
  const { x, y, width, height, title, titleSize, tone } = frame;
  return [
    { kind: 'box', x, y, width, height, radius: 12, fill: `wash-${tone}` },
    {
      kind: 'label',
      x: x + framePad(titleSize).side,
      y: y + 13 + titleSize,
      text: title,
      ink: `tone-${tone}`,
      face: 'bold',
      size: titleSize,
    },
  ];
}

function drawHeading({ x, y, text }: Heading): Shape {
  return { kind: 'label', x, y, text, ink: 'faint', ...style };
}
