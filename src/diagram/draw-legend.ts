import type { Group, Label, Shape, TextStyle } from './drawing.ts';
import { baseline } from './draw-table.ts';
import { endShapes } from './route-shapes.ts';
import { iconShapes } from './icons.ts';
import type { Icon } from './icons.ts';
import { fit } from './measure.ts';
import type { Measure } from './measure.ts';
import { printable } from './printable.ts';
import type { Count } from './relation-line.ts';

/** What is said of the whole, above it. */
export interface LegendFacts {
  /** The database's name. */
  readonly name: string;
  /** What follows it: the server and its version, counts, a date. */
  readonly facts: readonly string[];
  /** What could not be shown as it is, a sentence each. */
  readonly warnings: readonly string[];
}

const styles = {
  name: { face: 'bold', size: 18 },
  facts: { face: 'text', size: 12.5 },
  key: { face: 'text', size: 11.5 },
} as const satisfies Record<string, TextStyle>;

const line = 20;
export const titleHeight = 58;

interface Place {
  readonly x: number;
  readonly y: number;
  readonly width: number;
  readonly measure: Measure;
}

/** Name and facts, at the top. */
export function drawTitle({ name, facts }: LegendFacts, place: Place): readonly Shape[] {
  const { x, y } = place;
  const text = fit(printable(facts.join('  ·  ')), styles.facts, place);
  return [
    label(fit(printable(name), styles.name, place), { x, y: y + 15, style: styles.name }),
    { ...label(text, { x, y: y + 37, style: styles.facts }), ink: 'faint' },
  ];
}

interface LabelPlace {
  readonly x: number;
  readonly y: number;
  readonly style: TextStyle;
}

function label(text: string, { x, y, style }: LabelPlace): Label {
  return { kind: 'label', x, y, text, ink: 'text', ...style };
}

/** What a sign means. */
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
    text: 'may be NULL',
    draw: (x, middle) => [
      {
        ...label('?', {
          x: x + 2,
          y: baseline(middle, styles.key),
          style: { face: 'mono', size: 12 },
        }),
        ink: 'faint',
      },
    ],
  },
  endEntry('one', 'exactly one'),
  endEntry('zero-or-one', 'none or one'),
  endEntry('zero-or-many', 'none or more'),
];

function iconEntry(icon: Icon, text: string): Entry {
  return {
    width: 18,
    text,
    draw: (x, middle) =>
      iconShapes(icon, { x, y: middle - 6.5, ink: icon === 'key' ? 'key' : 'faint' }),
  };
}

/** A line that ends at the edge of a table, on the right. */
function endEntry(count: Count, text: string): Entry {
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

export interface Key {
  readonly height: number;
  readonly shapes: readonly Shape[];
}

/** A line that no constraint stands for. */
const modelEntry: Entry = {
  width: 42,
  text: 'by the models alone',
  draw: (x, middle) => [
    { kind: 'line', path: `M${x} ${middle}H${x + 34}`, stroke: 'edge', width: 1.2, dashed: true },
  ],
};

export interface KeyFacts extends LegendFacts {
  /** Whether there are lines that only models tell of. */
  readonly isModelled: boolean;
}

/** The signs, in as many lines as they take, then the warnings. */
export function drawKey({ warnings, isModelled }: KeyFacts, place: Place): Key {
  const shapes: Group[] = [];
  let [x, y] = [place.x, place.y + line / 2];
  for (const entry of isModelled ? [...entries, modelEntry] : entries) {
    const width = entry.width + place.measure(entry.text, styles.key) + 24;
    if (x > place.x && x + width - 24 > place.x + place.width) [x, y] = [place.x, y + line];
    const text = label(entry.text, {
      x: x + entry.width,
      y: baseline(y, styles.key),
      style: styles.key,
    });
    shapes.push({ kind: 'group', shapes: [...entry.draw(x, y), { ...text, ink: 'faint' }] });
    x += width;
  }
  const below = y + line * 1.2;
  const notes = warnings.map((warning, i) => ({
    ...label(fit(warning, styles.key, place), {
      x: place.x,
      y: below + i * line,
      style: styles.key,
    }),
    ink: 'muted' as const,
  }));
  return { height: y + line / 2 + warnings.length * line - place.y, shapes: [...shapes, ...notes] };
}
