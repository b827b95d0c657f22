/** Lays out related tables with the layered algorithm of ELK. */
import type { ElkExtendedEdge, ElkNode, ElkPort } from 'elkjs/lib/elk-api.js';
import type { Arrangement, PlacedBox, Route } from './arrangement.ts';
import type { Point } from '../portable/drawing/drawing.ts';
import { emptyArrangement } from './arrangement.ts';
import { assignLayers } from './assign-layers.ts';
import type { LayerShape } from './assign-layers.ts';
import { countCrossings, lengthOf } from './crossings.ts';
import { waste } from './pack.ts';
import { portId, portsOf } from './ports.ts';
import type { Port, SidedLine } from './ports.ts';
import type { RelationLine } from './relation-line.ts';
import { loopWidth, loopRoutes, refersToItself } from './self-reference.ts';
import { widthWithLabels } from './table-box.ts';
import type { TableBox } from './table-box.ts';

/** Tables that are laid out together, and the relations between them. */
export interface TableGraph {
  readonly boxes: readonly TableBox[];
  readonly lines: readonly RelationLine[];
  /** The index of the vertical band of a table. There is one band for each namespace, from left to right. */
  bandOf(box: TableBox): number;
}

/** Runs ELK. `balanced` draws straighter lines; `quick` takes a fraction of the time for large graphs. */
export type RunElk = (graph: ElkNode, mode: ElkMode) => Promise<ElkNode>;
export type ElkMode = 'balanced' | 'quick';

export interface LayeredOptions {
  /** Target ratio of width to height. */
  readonly aspect: number;
  readonly runElk: RunElk;
  /** The maximum number of layouts to choose from. */
  readonly maxTries?: number;
  /** Depends on the size of the graph by default. */
  readonly mode?: ElkMode;
}

/** Graphs with more tables plus dummy nodes (layers that a relation passes through) use the quick mode. */
const maxBalancedWeight = 700;

/**
 * Small components are cheap: several layouts are computed and the best one is taken. The balanced
 * mode increases the height to straighten lines, hence the wider target shapes.
 */
function shapesToTry(tables: number, aspect: number): readonly LayerShape[] {
  const shapes = (factors: readonly number[], seeds: readonly number[]): readonly LayerShape[] =>
    seeds.flatMap((seed) => factors.map((factor) => ({ aspect: factor * aspect, seed })));
  if (tables <= 3) return shapes([1.2], [1]);
  if (tables <= 16) return shapes([0.8, 1.2, 1.6, 2.4], [1, 2]);
  if (tables <= 24) return shapes([0.8, 1.2, 1.6, 2.4], [1]);
  return tables <= 40 ? shapes([1.1, 1.6], [1]) : shapes([1.35], [1]);
}

/** Computes several layouts and returns the one with the lowest cost. */
export async function bestLayered(
  graph: TableGraph,
  options: LayeredOptions,
): Promise<Arrangement> {
  let best: Arrangement | undefined;
  const shapes = shapesToTry(graph.boxes.length, options.aspect);
  const tried = new Set<string>();
  for (const shape of shapes.slice(0, options.maxTries ?? shapes.length)) {
    const plan = planOf(graph, shape);
    // The layers determine the layout. Small graphs often get the same ones for several shapes.
    if (tried.size === tried.add(plan.layers.join()).size) continue;
    const next = await layered(plan, options);
    if (best === undefined || cost(next, options.aspect) < cost(best, options.aspect)) best = next;
  }
  return best ?? emptyArrangement;
}

/** In square pixels. The weights of line length and crossings were tuned by eye. */
function cost(arrangement: Arrangement, aspect: number): number {
  const length = arrangement.routes.reduce((sum, route) => sum + lengthOf(route), 0);
  return waste(arrangement, aspect) + 40 * length + 20_000 * countCrossings(arrangement.routes);
}

interface Plan {
  readonly boxes: readonly TableBox[];
  readonly lines: readonly SidedLine[];
  readonly layers: readonly number[];
  readonly ports: ReadonlyMap<string, Port>;
}

async function layered(plan: Plan, { runElk, mode }: LayeredOptions): Promise<Arrangement> {
  const ownMode = mode ?? (weightOf(plan) > maxBalancedWeight ? 'quick' : 'balanced');
  const laidOutGraph = await runElk(elkGraph(plan), ownMode);
  const boxes = plan.boxes.map((box, i) => placedBox(box, laidOutGraph.children?.[i]));
  const { width = 0, height = 0 } = laidOutGraph;
  return { ...emptyArrangement, width, height, boxes, routes: routesOf(plan, boxes, laidOutGraph) };
}

function planOf({ boxes: unalignedBoxes, lines, bandOf }: TableGraph, shape: LayerShape): Plan {
  const indexes = new Map(unalignedBoxes.map((box, i) => [box.table.name, i]));
  const edges = lines
    .map(
      ({ child, parent }) =>
        [indexes.get(child.table) ?? 0, indexes.get(parent.table) ?? 0] as const,
    )
    .filter(([a, b]) => a !== b);
  const nodes = unalignedBoxes.map((box) => ({
    width: widthWithLabels(box),
    height: box.height,
    band: bandOf(box),
  }));
  const layers = assignLayers({ nodes, edges }, shape);
  const boxes = equallyWide(unalignedBoxes, layers);
  const sided = lines.map((line) => sidedLine(line, { layers, indexes }));
  return { boxes, layers, lines: sided, ports: portsOf(boxes, sided) };
}

function weightOf({ boxes, lines, layers }: Plan): number {
  const layerOf = new Map(boxes.map((box, i) => [box.table.name, layers[i] ?? 0]));
  const passed = lines.map(({ line: { child, parent } }) =>
    Math.max(0, Math.abs((layerOf.get(child.table) ?? 0) - (layerOf.get(parent.table) ?? 0)) - 1),
  );
  return passed.reduce((sum, count) => sum + count, boxes.length);
}

/** Gives all tables of a layer the width of the widest, except for those with columns in several blocks. */
function equallyWide(boxes: readonly TableBox[], layers: readonly number[]): readonly TableBox[] {
  const widths = new Map<number, number>();
  for (const [i, { width, blocks }] of boxes.entries()) {
    const layer = layers[i] ?? 0;
    if (blocks === 1) widths.set(layer, Math.max(width, widths.get(layer) ?? 0));
  }
  return boxes.map((box, i) =>
    box.blocks > 1 ? box : { ...box, width: widths.get(layers[i] ?? 0) ?? box.width },
  );
}

interface LayerAssignment {
  readonly layers: readonly number[];
  /** Of `layers`, by the name of the table. */
  readonly indexes: ReadonlyMap<string, number>;
}

/** Each end is on the side that faces the other table. Both ends of a self-reference are on the right. */
function sidedLine(line: RelationLine, { layers, indexes }: LayerAssignment): SidedLine {
  const child = layers[indexes.get(line.child.table) ?? 0] ?? 0;
  const parent = layers[indexes.get(line.parent.table) ?? 0] ?? 0;
  return {
    line,
    child: child > parent ? 'WEST' : 'EAST',
    parent: parent > child ? 'WEST' : 'EAST',
  };
}

// Conversion to ELK's input.

/** Larger than any table's width: ELK's INTERACTIVE strategy derives the layers from the x coordinates. */
const layerStep = 10_000;

function elkGraph(plan: Plan): ElkNode {
  const portsByTable = Map.groupBy(plan.ports.values(), ({ table }) => table);
  const usedPorts = new Set(plan.lines.filter(isRouted).flatMap(endIds));
  const children = plan.boxes.map((box, i) => ({
    id: `n${i}`,
    x: (plan.layers[i] ?? 0) * layerStep,
    y: 0,
    width: box.width + roomBeside(plan, box),
    height: box.height,
    layoutOptions: { 'elk.portConstraints': 'FIXED_POS', 'elk.alignment': 'LEFT' },
    ports: (portsByTable.get(box.table.name) ?? [])
      .filter((port) => usedPorts.has(port.id))
      .map((port) => elkPort(port, box.width + roomBeside(plan, box))),
  }));
  const edges = plan.lines.flatMap((line, i) => (isRouted(line) ? [elkEdge(line, `e${i}`)] : []));
  return { id: 'root', children, edges };
}

/** Self-references are not passed to ELK. The node's width reserves space for them. */
function isRouted({ line }: SidedLine): boolean {
  return !refersToItself(line);
}

/** The space of self-references and labels on the right of a table. */
function roomBeside({ lines }: Plan, box: TableBox): number {
  const loops = loopWidth(
    box.table.name,
    lines.map(({ line }) => line),
  );
  return Math.max(loops, widthWithLabels(box) - box.width);
}

function endIds({ line, child, parent }: SidedLine): readonly [string, string] {
  return [portId(line.child, child), portId(line.parent, parent)];
}

function elkPort({ id, side, y }: Port, width: number): ElkPort {
  const x = side === 'EAST' ? width : 0;
  return { id, x, y, width: 0, height: 0, layoutOptions: { 'elk.port.side': side } };
}

/** ELK edges run from left to right, so the source may be the child or the parent. */
function elkEdge(line: SidedLine, id: string): ElkExtendedEdge {
  const [child, parent] = endIds(line);
  return line.child === 'EAST'
    ? { id, sources: [child], targets: [parent] }
    : { id, sources: [parent], targets: [child] };
}

// Conversion of ELK's output.

function placedBox(box: TableBox, node: ElkNode | undefined): PlacedBox {
  return { box, x: Math.round(node?.x ?? 0), y: Math.round(node?.y ?? 0) };
}

function routesOf(
  plan: Plan,
  boxes: readonly PlacedBox[],
  laidOutGraph: ElkNode,
): readonly Route[] {
  const byTable = new Map(boxes.map((box) => [box.box.table.name, box]));
  const edges = new Map(laidOutGraph.edges?.map((edge) => [edge.id, edge]));
  const routes = plan.lines.flatMap((sided, i) => {
    if (!isRouted(sided)) return [];
    const ends = endIds(sided).map((id) => pointOf(plan.ports.get(id), byTable));
    const [child = { x: 0, y: 0 }, parent = child] = ends;
    const edge = edges.get(`e${i}`);
    const points = between(child, parent, bendsOf(sided, edge));
    return [
      {
        line: sided.line,
        points,
        junctions: edge?.junctionPoints ?? [],
        branches: [],
        isLabeled: false,
      },
    ];
  });
  const lines = plan.lines.map(({ line }) => line);
  return [...routes, ...loopRoutes(boxes, lines, plan.ports)];
}

function pointOf(port: Port | undefined, boxes: ReadonlyMap<string, PlacedBox>): Point {
  const boxOfPort = boxes.get(port?.table ?? '');
  if (port === undefined || boxOfPort === undefined) return { x: 0, y: 0 };
  return {
    x: boxOfPort.x + (port.side === 'EAST' ? boxOfPort.box.width : 0),
    y: boxOfPort.y + port.y,
  };
}

/** Returns the bend points in the order from child to parent. */
function bendsOf(sided: SidedLine, edge: ElkExtendedEdge | undefined): readonly Point[] {
  const bends = edge?.sections?.[0]?.bendPoints ?? [];
  return sided.child === 'EAST' ? bends : bends.toReversed();
}

/** Connects the bends with the exact ends: rounding moves the tables by up to half a pixel. */
function between(child: Point, parent: Point, bends: readonly Point[]): readonly Point[] {
  if (bends.length === 0) return [child, { x: parent.x, y: child.y }];
  const last = bends.length - 1;
  const corners = bends.map(({ x, y }, i) => ({
    x: Math.round(x),
    y: i === 0 ? child.y : i === last ? parent.y : y,
  }));
  return [child, ...corners, parent];
}
