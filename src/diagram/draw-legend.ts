import type { Group, Label, Shape, TextStyle } from '../portable/drawing/drawing.ts';
import { baseline } from './draw-table.ts';
import { endShapes } from '../portable/drawing/route-shapes.ts';
import { iconShapes } from './icons.ts';
import type { Icon } from './icons.ts';
import { truncate } from './measure.ts';
import type { Measure } from './measure.ts';
import { printable } from '../portable/drawing/printable.ts';
import type { Cardinality } from '../portable/drawing/route-shapes.ts';

/** The texts above and below the tables. */
export interface DiagramTexts {
  /** The database's name. */
  readonly name: string;
  /** Shown below the name: the server and its version, counts, a date. */
  readonly details: readonly string[];
  /** One sentence for each thing that the drawing cannot show faithfully. */
  readonly warnings: readonly string[];
}

const styles = {
  name: { face: 'bold', size: 18 },
  details: { face: 'text', size: 12.5 },
  legend: { face: 'text', size: 11.5 },
} as const satisfies Record<string, TextStyle>;

const line = 20;
export const titleHeight = 58;

interface LegendArea {
  readonly x: number;
  readonly y: number;
  readonly width: number;
  readonly measure: Measure;
}

/** Draws the name and the details at the top. */
export function drawTitle({ name, details }: DiagramTexts, area: LegendArea): readonly Shape[] {
  const { x, y } = area;
  const text = truncate(printable(details.join('  ·  ')), styles.details, area);
  return [
    label(truncate(printable(name), styles.name, area), { x, y: y + 15, style: styles.name }),
    { ...label(text, { x, y: y + 37, style: styles.details }), ink: 'faint' },
  ];
}

interface LabelOptions {
  readonly x: number;
  readonly y: number;
  readonly style: TextStyle;
}

function label(text: string, { x, y, style }: LabelOptions): Label {
  return { kind: 'label', x, y, text, ink: 'text', ...style };
}

/** A symbol and its meaning. */
interface Entry {
  readonly width: number;
  readonly text: string;
  draw(x: number, middle: number): readonly Shape[];
}

const entries: readonly Entry[] = [
  iconEntry('key', 'primary key'),
  iconEntry('link', 'foreign key'),
  iconEntry('unique', 'unique'),
  {
    width: 12,
    text: 'nullable',
    draw: (x, middle) => [
      {
        ...label('?', {
          x: x + 2,
          y: baseline(middle, styles.legend),
          style: { face: 'mono', size: 12 },
        }),
        ink: 'faint',
      },
    ],
  },
  endEntry('one', 'exactly one'),
  endEntry('zero-or-one', 'zero or one'),
  endEntry('zero-or-many', 'zero or more'),
];

function iconEntry(icon: Icon, text: string): Entry {
  return {
    width: 18,
    text,
    draw: (x, middle) =>
      iconShapes(icon, { x, y: middle - 6.5, ink: icon === 'key' ? 'key' : 'faint' }),
  };
}

/** Shows a line that ends at the left edge of a table. */
function endEntry(count: Cardinality, text: string): Entry {
  const length = 34;
  return {
    width: length + 8,
    text,
    draw: (x, middle) => [
      { kind: 'line', path: `M${x} ${middle}H${x + length}`, stroke: 'edge', width: 1.2 },
      ...endShapes(count, { x: x + length, y: middle, direction: -1 }),
      {
        kind: 'line',
        path: `M${x + length} ${middle - 8}V${middle + 8}`,
        stroke: 'border',
        width: 1.5,
      },
    ],
  };
}

export interface Legend {
  readonly height: number;
  readonly shapes: readonly Shape[];
}

/** A relation that is known from models only, without a foreign key constraint. */
const modelEntry: Entry = {
  width: 42,
  text: 'from models only',
  draw: (x, middle) => [
    { kind: 'line', path: `M${x} ${middle}H${x + 34}`, stroke: 'edge', width: 1.2, dashed: true },
  ],
};

export interface LegendInput extends DiagramTexts {
  /** Whether the drawing has relations without a foreign key constraint. */
  readonly hasModelRelations: boolean;
}

/** Draws the symbols with their meanings, wrapped to the width, and the warnings below them. */
export function drawLegend({ warnings, hasModelRelations }: LegendInput, area: LegendArea): Legend {
  const shapes: Group[] = [];
  let [x, y] = [area.x, area.y + line / 2];
  for (const entry of hasModelRelations ? [...entries, modelEntry] : entries) {
    const width = entry.width + area.measure(entry.text, styles.legend) + 24;
    if (x > area.x && x + width - 24 > area.x + area.width) [x, y] = [area.x, y + line];
    const text = label(entry.text, {
      x: x + entry.width,
      y: baseline(y, styles.legend),
      style: styles.legend,
    });
    shapes.push({ kind: 'group', shapes: [...entry.draw(x, y), { ...text, ink: 'faint' }] });
    x += width;
  }
  const below = y + line * 1.2;
  const notes = warnings.map((warning, i) => ({
    ...label(truncate(warning, styles.legend, area), {
      x: area.x,
      y: below + i * line,
      style: styles.legend,
    }),
    ink: 'muted' as const,
  }));
  return { height: y + line / 2 + warnings.length * line - area.y, shapes: [...shapes, ...notes] };
}
