/**
 * The icons of a diagram. Lucide's, which the web studio has, use arcs and relative commands, and would
 * need a library that translates paths and draws arcs in PNG, for five icons.
 */
import type { ColorRole, Shape } from '../portable/drawing/drawing.ts';

export type Icon = 'table' | 'view' | 'key' | 'link' | 'unique';

/** Path data in a 16 × 16 box. */
const paths: Readonly<Record<Icon, readonly Stroke[]>> = {
  table: [
    [['M', 2, 3], ['L', 14, 3], ['L', 14, 13], ['L', 2, 13], ['Z']],
    [
      ['M', 2, 6.5],
      ['L', 14, 6.5],
    ],
    [
      ['M', 6, 6.5],
      ['L', 6, 13],
    ],
  ],
  view: [
    [
      ['M', 1.5, 8],
      ['Q', 4.5, 3.5, 8, 3.5],
      ['Q', 11.5, 3.5, 14.5, 8],
      ['Q', 11.5, 12.5, 8, 12.5],
      ['Q', 4.5, 12.5, 1.5, 8],
      ['Z'],
    ],
    circle(8, 8, 2),
  ],
  key: [
    circle(5, 11, 2.6),
    [
      ['M', 7, 9],
      ['L', 13, 3],
    ],
    [
      ['M', 10.5, 5.5],
      ['L', 12.5, 7.5],
    ],
  ],
  link: [
    [
      ['M', 6.8, 9.2],
      ['C', 7.8, 10.2, 9.5, 10.2, 10.5, 9.2],
      ['L', 12.5, 7.2],
      ['C', 13.5, 6.2, 13.5, 4.5, 12.5, 3.5],
      ['C', 11.5, 2.5, 9.8, 2.5, 8.8, 3.5],
      ['L', 8.1, 4.2],
    ],
    [
      ['M', 9.2, 6.8],
      ['C', 8.2, 5.8, 6.5, 5.8, 5.5, 6.8],
      ['L', 3.5, 8.8],
      ['C', 2.5, 9.8, 2.5, 11.5, 3.5, 12.5],
      ['C', 4.5, 13.5, 6.2, 13.5, 7.2, 12.5],
      ['L', 7.9, 11.8],
    ],
  ],
  unique: [
    [
      ['M', 5, 4],
      ['L', 5, 9],
      ['Q', 5, 12, 8, 12],
      ['Q', 11, 12, 11, 9],
      ['L', 11, 4],
    ],
  ],
};

type Step = readonly [command: string, ...numbers: number[]];
type Stroke = readonly Step[];

interface IconOptions {
  readonly x: number;
  readonly y: number;
  readonly ink: ColorRole;
}

/** Icons beside text are smaller than their 16 × 16 box. */
const scale = 0.85;

export function iconShapes(icon: Icon, { x, y, ink }: IconOptions): readonly Shape[] {
  const path = paths[icon].flatMap((stroke) => stroke.map((step) => stepAt(step, x, y))).join('');
  return [{ kind: 'line', path, stroke: ink, width: 1.2 }];
}

function stepAt([command, ...numbers]: Step, x: number, y: number): string {
  const translated = numbers.map((number, i) => round(number * scale + (i % 2 === 0 ? x : y)));
  return command + translated.join(' ');
}

function circle(x: number, y: number, r: number): Stroke {
  const k = r * 0.5523;
  return [
    ['M', x + r, y],
    ['C', x + r, y + k, x + k, y + r, x, y + r],
    ['C', x - k, y + r, x - r, y + k, x - r, y],
    ['C', x - r, y - k, x - k, y - r, x, y - r],
    ['C', x + k, y - r, x + r, y - k, x + r, y],
    ['Z'],
  ];
}

function round(value: number): number {
  return Math.round(value * 100) / 100;
}
