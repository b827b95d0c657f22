/** Converts the layout to xyflow nodes (tables) and edges (relations). */
import { Position } from '@xyflow/react';
import type { Edge, Node, NodeHandle } from '@xyflow/react';
import type { SavedPositions } from './saved-positions.ts';
import type { Layout, PlacedRelation, PlacedTable } from './layout.ts';
import { diagramTexts as texts } from '../texts/diagram.ts';

export type TableNodeType = Node<TableData, 'table'>;
export type RelationEdgeType = Edge<RelationData, 'relation'>;

export interface TableData extends Record<string, unknown> {
  readonly table: PlacedTable;
  /** The color of its group. */
  readonly color: number | undefined;
  /** The colors of all groups, by the name of a table. */
  readonly colors: ReadonlyMap<string, number>;
}

export interface RelationData extends Record<string, unknown> {
  readonly relation: PlacedRelation;
  /** The tables at its ends, with their positions in the server's layout. */
  readonly from: PlacedTable;
  readonly to: PlacedTable;
}

/** Explicit sizes save xyflow from measuring every node in the DOM. */
export function nodesOf(
  { tables, relations, groups }: Layout,
  positions: SavedPositions,
  hidden: ReadonlySet<string>,
): TableNodeType[] {
  const related = relatedNames(relations);
  const colors = new Map(
    groups.flatMap((group) => group.tables.map((name) => [name, group.color] as const)),
  );
  return tables.map((table) => {
    const { name, x, y, width, height } = table;
    return {
      id: name,
      type: 'table',
      hidden: hidden.has(name),
      position: Object.hasOwn(positions, name) ? (positions[name] ?? { x, y }) : { x, y },
      width,
      height,
      measured: { width, height },
      handles: handlesOf(width),
      data: { table, color: colors.get(name), colors },
      ariaLabel: accessibleName(table, related.get(name) ?? new Set()),
    };
  });
}

/** xyflow requires handles for edges. The route determines where a line actually ends. */
function handlesOf(width: number): NodeHandle[] {
  const size = { y: 0, width: 0, height: 0 };
  return [
    { type: 'source', position: Position.Right, x: width, ...size },
    { type: 'target', position: Position.Left, x: 0, ...size },
  ];
}

function relatedNames(relations: Layout['relations']): ReadonlyMap<string, ReadonlySet<string>> {
  const pairs = relations.flatMap(({ from, to }) => [
    [from.table, to.table] as const,
    [to.table, from.table] as const,
  ]);
  const groups = Map.groupBy(pairs, ([name]) => name);
  return new Map([...groups].map(([name, all]) => [name, new Set(all.map(([, other]) => other))]));
}

function accessibleName(
  { name, kind, columns }: PlacedTable,
  related: ReadonlySet<string>,
): string {
  const label = kind === 'table' ? name : texts.view({ name });
  const counted = texts.columns({ count: columns.length });
  const parts = [label, ...(columns.length === 0 ? [] : [counted])];
  return [
    ...parts,
    ...(related.size === 0 ? [] : [texts.relatedTo({ tables: [...related].join(', ') })]),
  ].join(', ');
}

export function edgesOf(
  { tables, relations }: Layout,
  hidden: ReadonlySet<string>,
): RelationEdgeType[] {
  const byName = new Map(tables.map((table) => [table.name, table]));
  return relations.flatMap((relation, i) => {
    const [from, to] = [byName.get(relation.from.table), byName.get(relation.to.table)];
    if (from === undefined || to === undefined) return [];
    const { name: source } = from;
    const { name: target } = to;
    const data = { relation, from, to };
    const isHidden = hidden.has(source) || hidden.has(target);
    return {
      id: String(i),
      type: 'relation',
      source,
      target,
      hidden: isHidden,
      focusable: false,
      data,
    };
  });
}
