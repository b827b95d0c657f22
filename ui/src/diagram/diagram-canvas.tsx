import { useNavigate } from '@tanstack/react-router';
import {
  Background,
  MiniMap,
  ReactFlow,
  applyNodeChanges,
  getNodesBounds,
  getViewportForBounds,
  useStore,
} from '@xyflow/react';
import type { Dimensions, NodeChange, Viewport } from '@xyflow/react';
import { useMemo, useState } from 'react';
import type { JSX, KeyboardEvent } from 'react';
import type { ChangeView, DiagramView } from './diagram-address.ts';
import { EmphasisContext } from './emphasis.ts';
import type { Emphasis } from './emphasis.ts';
import { edgesOf, nodesOf } from './flow-elements.ts';
import type { TableNodeType } from './flow-elements.ts';
import { FocusBar } from './focus-bar.tsx';
import { Grounds } from './grounds.tsx';
import type { SavedPosition } from './saved-positions.ts';
import type { Layout } from './layout-query.ts';
import { placesOf, putTables, usePlaces } from './places-store.ts';
import type { SavedPositions } from './saved-positions.ts';
import { RelationEdge } from './relation-edge.tsx';
import { TableNode } from './table-node.tsx';
import { ZoomBar } from './zoom-bar.tsx';

interface DiagramCanvasProps {
  readonly layout: Layout;
  readonly emphasis: Omit<Emphasis, 'isFar'>;
  readonly view: DiagramView;
  readonly onChange: ChangeView;
  /** Under which moved tables are kept. */
  readonly placesKey: string;
  /** Of the surface, in pixels. */
  readonly size: Dimensions;
}

const nodeTypes = { table: TableNode };
const edgeTypes = { relation: RelationEdge };

/** Below this no column can be read. */
const farZoom = 0.42;

const leastZoom = 0.03;

/** Where each layout was left, so that one comes back to it from a table. */
const left = new WeakMap<Layout, Viewport>();

/** The tables and lines, to be moved and zoomed; only what is seen is drawn. */
export function DiagramCanvas(props: DiagramCanvasProps): JSX.Element {
  const { layout, emphasis, onChange, placesKey } = props;
  const { around, near, counts } = emphasis;
  const isFar = useStore((state) => state.transform[2] < farZoom);
  const shown = useMemo(() => ({ around, near, counts, isFar }), [around, near, counts, isFar]);
  const navigate = useNavigate();
  const [nodes, onNodesChange] = useNodes(layout, placesKey);
  const edges = useMemo(() => edgesOf(layout), [layout]);
  const onKeyDown = (event: KeyboardEvent): void => {
    const name = nodeAt(event.target);
    if (event.key === 'Enter' && name !== undefined) onChange({ around: name });
    if (event.key === 'Escape') onChange({ around: undefined, isAlone: false });
  };
  return (
    <EmphasisContext value={shown}>
      <ReactFlow
        key={keyOf(layout)}
        className={`diagram ${around === undefined ? '' : 'around'}`}
        nodes={nodes}
        edges={edges}
        nodeTypes={nodeTypes}
        edgeTypes={edgeTypes}
        onNodesChange={onNodesChange}
        onNodeClick={({ target }, { id }) => {
          if (!isLink(target)) onChange({ around: id });
        }}
        onNodeDoubleClick={(_, { id }) =>
          void navigate({ to: '/tables/$table', params: { table: id } })
        }
        onPaneClick={() => around !== undefined && onChange({ around: undefined, isAlone: false })}
        onMoveEnd={(_, viewport) => left.set(layout, viewport)}
        onKeyDown={onKeyDown}
        defaultViewport={left.get(layout) ?? startOf(nodes, props)}
        {...modes}
      >
        <Glass {...props} />
      </ReactFlow>
    </EmphasisContext>
  );
}

const spoken = {
  'node.a11yDescription.default':
    'Enter shows the table with its neighbours, the arrow keys then move it; Escape lets go.',
  'node.a11yDescription.keyboardDisabled': 'Enter shows the table with its neighbours.',
};

/** xyflow options: tables can be moved, but not connected or deleted. */
const modes = {
  onlyRenderVisibleElements: true,
  minZoom: leastZoom,
  maxZoom: 2,
  nodesConnectable: false,
  edgesFocusable: false,
  elevateNodesOnSelect: false,
  zoomOnDoubleClick: false,
  deleteKeyCode: null,
  selectionKeyCode: null,
  multiSelectionKeyCode: null,
  proOptions: { hideAttribution: true },
  ariaLabelConfig: spoken,
} as const;

/** What is behind the tables, and what lies on them. */
function Glass({ layout, emphasis, view, onChange }: DiagramCanvasProps): JSX.Element {
  const { around, near } = emphasis;
  const faceOf = (name: string): string =>
    name === around ? 'foc' : near?.has(name) === false ? 'dim' : '';
  return (
    <>
      <Background gap={22} size={1.4} />
      <Grounds layout={layout} />
      <MiniMap<TableNodeType>
        pannable
        zoomable
        ariaLabel="Minimap"
        nodeBorderRadius={8}
        nodeStrokeWidth={0}
        maskStrokeWidth={1.5}
        nodeClassName={({ id }) => faceOf(id)}
      />
      <ZoomBar />
      {around !== undefined && <FocusBar around={around} view={view} onChange={onChange} />}
    </>
  );
}

/** Fits the whole diagram, or the table in the URL with its neighbors. */
function startOf(
  nodes: TableNodeType[],
  { emphasis: { near }, size }: DiagramCanvasProps,
): Viewport {
  const target = nodes.filter(({ id }) => near?.has(id) !== false);
  return getViewportForBounds(getNodesBounds(target), size.width, size.height, leastZoom, 1, 0.06);
}

/** React key: a new layout remounts the canvas. */
function keyOf({ width, height, tables }: Layout): string {
  return `${width} ${height} ${tables.length}`;
}

/** A link leads away by itself. */
function isLink(target: EventTarget): boolean {
  return target instanceof Element && target.closest('a') !== null;
}

function nodeAt(target: EventTarget): string | undefined {
  const isNode = target instanceof HTMLElement && target.classList.contains('react-flow__node');
  return isNode ? target.dataset['id'] : undefined;
}

/** The layout's nodes, moved as a person moves them; where they are put down is kept. */
function useNodes(
  layout: Layout,
  placesKey: string,
): readonly [TableNodeType[], (changes: NodeChange<TableNodeType>[]) => void] {
  const places = usePlaces(placesKey);
  const [held, setHeld] = useState<HeldNodes>();
  const isCurrent = held?.layout === layout && held.places === places;
  const laid = useMemo(() => nodesOf(layout, places), [layout, places]);
  const nodes = isCurrent ? held.nodes : laid;
  const onNodesChange = (changes: NodeChange<TableNodeType>[]): void => {
    const next = applyNodeChanges(changes, nodes);
    const put = putDown(changes);
    if (put.size > 0) putTables(placesKey, put);
    setHeld({ layout, places: put.size > 0 ? placesOf(placesKey) : places, nodes: next });
  };
  return [nodes, onNodesChange];
}

interface HeldNodes {
  readonly layout: Layout;
  readonly places: SavedPositions;
  readonly nodes: TableNodeType[];
}

function putDown(changes: readonly NodeChange[]): ReadonlyMap<string, SavedPosition> {
  return new Map(
    changes.flatMap((change) =>
      change.type === 'position' && change.dragging !== true && change.position !== undefined
        ? [[change.id, change.position] as const]
        : [],
    ),
  );
}
