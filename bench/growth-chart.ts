/** Draws growth curves as one SVG: a panel for each, both axes logarithmic. */
import { studioName } from './growth-curves.ts';
import type { GrowthCurve } from './growth-curves.ts';

const panel = { width: 320, height: 220, left: 52, right: 12, top: 34, bottom: 40 } as const;
const panelsInRow = 3;
const legendHeight = 36;
const palette = ['#1f6feb', '#57606a', '#bf3989', '#9a6700', '#1a7f37', '#8250df'];

interface Axis {
  readonly from: number;
  readonly to: number;
  /** Powers of ten within the axis. */
  readonly ticks: readonly number[];
  position(value: number): number;
}

interface AxisRange {
  readonly values: readonly number[];
  readonly start: number;
  readonly end: number;
}

/** From the power of ten below the least value to the one above the greatest. */
function logAxis({ values, start, end }: AxisRange): Axis {
  const first = Math.floor(Math.log10(Math.min(...values)));
  const last = Math.max(first + 1, Math.ceil(Math.log10(Math.max(...values))));
  const ticks = Array.from({ length: last - first + 1 }, (_, i) => 10 ** (first + i));
  const position = (value: number): number =>
    start + ((Math.log10(value) - first) / (last - first)) * (end - start);
  return { from: 10 ** first, to: 10 ** last, ticks, position };
}

const units: readonly (readonly [number, string])[] = [
  [1e9, 'G'],
  [1e6, 'M'],
  [1e3, 'k'],
];

function tickText(value: number): string {
  const unit = units.find(([size]) => value >= size);
  return unit === undefined ? String(Number(value.toPrecision(2))) : `${value / unit[0]}${unit[1]}`;
}

function escapeText(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;');
}

const round = (value: number): string => value.toFixed(1);

function drawGrid(x: Axis, y: Axis): string {
  const { left, right, top, bottom, width, height } = panel;
  const columns = x.ticks.map(
    (tick) =>
      `<path class="grid" d="M${round(x.position(tick))} ${top}V${height - bottom}"/>` +
      `<text x="${round(x.position(tick))}" y="${height - bottom + 14}" text-anchor="middle">${tickText(tick)}</text>`,
  );
  const rows = y.ticks.map(
    (tick) =>
      `<path class="grid" d="M${left} ${round(y.position(tick))}H${width - right}"/>` +
      `<text x="${left - 6}" y="${round(y.position(tick) + 4)}" text-anchor="end">${tickText(tick)}</text>`,
  );
  return [...columns, ...rows].join('');
}

interface Line {
  readonly server: string;
  readonly color: string;
  readonly x: Axis;
  readonly y: Axis;
}

function drawLine(curve: GrowthCurve, { server, color, x, y }: Line): string {
  const points = curve.points
    .filter(({ costs }) => costs.has(server))
    .map(({ size, costs }) => [x.position(size), y.position(costs.get(server)!)] as const);
  const path = points.map(([px, py]) => `${round(px)} ${round(py)}`).join('L');
  const dots = points.map(([px, py]) => `<circle cx="${round(px)}" cy="${round(py)}" r="2.5"/>`);
  return `<g stroke="${color}" fill="${color}"><path d="M${path}" fill="none"/>${dots.join('')}</g>`;
}

/** By the name of the server. */
type Colors = ReadonlyMap<string, string>;

interface PanelToDraw {
  readonly curve: GrowthCurve;
  readonly index: number;
  readonly colors: Colors;
}

function drawPanel({ curve, index, colors }: PanelToDraw): string {
  const { left, right, top, bottom, width, height } = panel;
  const x = logAxis({
    values: curve.points.map(({ size }) => size),
    start: left,
    end: width - right,
  });
  const costs = curve.points.flatMap((point) => [...point.costs.values()]);
  const y = logAxis({ values: costs, start: height - bottom, end: top });
  const lines = serversIn([curve]).map((server) =>
    drawLine(curve, { server, color: colors.get(server)!, x, y }),
  );
  const [column, row] = [index % panelsInRow, Math.floor(index / panelsInRow)];
  return [
    `<g transform="translate(${column * width} ${legendHeight + row * height})">`,
    `<text class="title" x="${left}" y="20">${escapeText(curve.title)}, ${curve.unit}</text>`,
    `<text x="${(left + width - right) / 2}" y="${height - 8}" text-anchor="middle">${escapeText(curve.dimension)}</text>`,
    drawGrid(x, y),
    ...lines,
    '</g>',
  ].join('');
}

function drawLegend(colors: Colors): string {
  return [...colors]
    .map(
      ([server, color], i) =>
        `<g transform="translate(${panel.left + i * 130} 20)"><path d="M0 0H24" stroke="${color}" stroke-width="2"/>` +
        `<text x="30" y="4">${escapeText(server)}</text></g>`,
    )
    .join('');
}

const style =
  'text{font:11px system-ui,sans-serif;fill:#57606a}.title{font-weight:600;fill:#1f2328}.grid{stroke:#d0d7de;stroke-width:.5}path{stroke-width:1.5}';

/** The studio first. */
function serversIn(curves: readonly GrowthCurve[]): readonly string[] {
  const points = curves.flatMap((curve) => curve.points);
  const servers = [...new Set(points.flatMap(({ costs }) => [...costs.keys()]))];
  return servers.toSorted((a, b) => Number(b === studioName) - Number(a === studioName));
}

export function drawGrowth(curves: readonly GrowthCurve[]): string {
  const colors = new Map(
    serversIn(curves).map((server, i) => [server, palette[i % palette.length]!] as const),
  );
  const width = panelsInRow * panel.width;
  const height = legendHeight + Math.ceil(curves.length / panelsInRow) * panel.height;
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${width} ${height}" width="${width}" height="${height}">`,
    `<style>${style}</style><rect width="100%" height="100%" fill="#fff"/>`,
    drawLegend(colors),
    ...curves.map((curve, index) => drawPanel({ curve, index, colors })),
    '</svg>\n',
  ].join('\n');
}
