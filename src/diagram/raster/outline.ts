/** Flattens paths and glyph outlines to polylines, which the rasterizer fills. */
import type { PathCommand } from 'fontkit';
import type { Point } from '../../portable/drawing/drawing.ts';

/** If it is closed, a segment leads from the last point back to the first. */
export interface Polyline {
  readonly points: readonly Point[];
  readonly isClosed: boolean;
}

/** Maps coordinates of a drawing or a font to pixels. */
export type Transform = (point: Point) => Point;

export interface Pen {
  move(to: Point): void;
  line(to: Point): void;
  quadratic(control: Point, to: Point): void;
  cubic(controls: readonly [Point, Point], to: Point): void;
  close(): void;
  readonly lines: readonly Polyline[];
}

/** Creates a pen that flattens curves in pixel space, with segments too short to be visible. */
export function createPen(transform: Transform): Pen {
  const lines: { points: Point[]; isClosed: boolean }[] = [];
  let points: Point[] = [];
  const curve = (a: Point, b: Point, to: Point): void => {
    const from = points.at(-1) ?? to;
    const steps = Math.min(64, Math.ceil(2 + 1.6 * Math.sqrt(distance(from, a) + distance(b, to))));
    for (let i = 1; i <= steps; i++) points.push(pointOn([from, a, b, to], i / steps));
  };
  return {
    lines,
    move(to) {
      points = [transform(to)];
      lines.push({ points, isClosed: false });
    },
    line: (to) => void points.push(transform(to)),
    quadratic(control, to) {
      const [from, middle, end] = [
        points.at(-1) ?? transform(to),
        transform(control),
        transform(to),
      ];
      curve(toward(from, middle, 2 / 3), toward(end, middle, 2 / 3), end);
    },
    cubic: ([a, b], to) => curve(transform(a), transform(b), transform(to)),
    close() {
      const line = lines.at(-1);
      if (line !== undefined) line.isClosed = true;
    },
  };
}

function distance(a: Point, b: Point): number {
  return Math.hypot(b.x - a.x, b.y - a.y);
}

function toward(from: Point, to: Point, part: number): Point {
  return { x: from.x + (to.x - from.x) * part, y: from.y + (to.y - from.y) * part };
}

type Cubic = readonly [from: Point, a: Point, b: Point, to: Point];

function pointOn([from, a, b, to]: Cubic, part: number): Point {
  const rest = 1 - part;
  const [first, last] = [rest * rest * rest, part * part * part];
  const [second, third] = [3 * rest * rest * part, 3 * rest * part * part];
  return {
    x: first * from.x + second * a.x + third * b.x + last * to.x,
    y: first * from.y + second * a.y + third * b.y + last * to.y,
  };
}

/** Draws path data with the commands that `Line` allows. */
export function drawPath(path: string, pen: Pen): void {
  let [x, y] = [0, 0];
  for (const [, command = '', text = ''] of path.matchAll(/([A-Z])([^A-Z]*)/g)) {
    const numbers =
      text === ''
        ? []
        : text
            .trim()
            .split(/[\s,]+/)
            .map(Number);
    const from = { x, y };
    if (command === 'H') x = numbers[0] ?? x;
    else if (command === 'V') y = numbers[0] ?? y;
    else [x, y] = [numbers.at(-2) ?? x, numbers.at(-1) ?? y];
    drawStep(pen, { command, numbers, from, to: { x, y } });
  }
}

interface Step {
  readonly command: string;
  readonly numbers: readonly number[];
  readonly from: Point;
  readonly to: Point;
}

function drawStep(pen: Pen, { command, numbers, from, to }: Step): void {
  const [a = 0, b = 0, c = 0, d = 0] = numbers;
  if (command === 'M') pen.move(to);
  else if (command === 'Z') pen.close();
  else if (command === 'Q') pen.quadratic({ x: a, y: b }, to);
  else if (command === 'C')
    pen.cubic(
      [
        { x: a, y: b },
        { x: c, y: d },
      ],
      to,
    );
  else if (command === 'A') halfCircle(pen, from, to);
  else pen.line(to);
}

/** Draws a clockwise half circle as two quarters. Drawings contain no other arcs. */
function halfCircle(pen: Pen, from: Point, to: Point): void {
  const middle = { x: (from.x + to.x) / 2, y: (from.y + to.y) / 2 };
  const out = { x: middle.x - from.x, y: middle.y - from.y };
  const up = { x: out.y, y: -out.x };
  const at = (along: number, upward: number): Point => ({
    x: middle.x + along * out.x + upward * up.x,
    y: middle.y + along * out.y + upward * up.y,
  });
  pen.cubic([at(-1, quarter), at(-quarter, 1)], at(0, 1));
  pen.cubic([at(quarter, 1), at(1, quarter)], to);
}

/** Distance of the Bézier control points of a quarter circle from its ends, as a fraction of the radius. */
const quarter = 0.5523;

export function drawRoundedBox(box: RoundedBox, pen: Pen): void {
  const { x, y, width, height } = box;
  const r = Math.min(box.radius ?? 0, width / 2, height / 2);
  const [right, bottom, c] = [x + width, y + height, r * (1 - quarter)];
  pen.move({ x: x + r, y });
  pen.line({ x: right - r, y });
  pen.cubic(
    [
      { x: right - c, y },
      { x: right, y: y + c },
    ],
    { x: right, y: y + r },
  );
  pen.line({ x: right, y: bottom - r });
  pen.cubic(
    [
      { x: right, y: bottom - c },
      { x: right - c, y: bottom },
    ],
    { x: right - r, y: bottom },
  );
  pen.line({ x: x + r, y: bottom });
  pen.cubic(
    [
      { x: x + c, y: bottom },
      { x, y: bottom - c },
    ],
    { x, y: bottom - r },
  );
  pen.line({ x, y: y + r });
  pen.cubic(
    [
      { x, y: y + c },
      { x: x + c, y },
    ],
    { x: x + r, y },
  );
  pen.close();
}

export interface RoundedBox extends Point {
  readonly width: number;
  readonly height: number;
  readonly radius?: number;
}

/** Draws the outline of a glyph. */
export function drawGlyph(commands: readonly PathCommand[], pen: Pen): void {
  for (const { command, args } of commands) {
    const [a = 0, b = 0, c = 0, d = 0, e = 0, f = 0] = args;
    if (command === 'moveTo') pen.move({ x: a, y: b });
    else if (command === 'lineTo') pen.line({ x: a, y: b });
    else if (command === 'quadraticCurveTo') pen.quadratic({ x: a, y: b }, { x: c, y: d });
    else if (command === 'bezierCurveTo')
      pen.cubic(
        [
          { x: a, y: b },
          { x: c, y: d },
        ],
        { x: e, y: f },
      );
    else pen.close();
  }
}
