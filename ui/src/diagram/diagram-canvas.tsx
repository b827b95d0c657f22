import { useNavigate } from '@tanstack/react-router';
import {
  Background,
  MiniMap,
  ReactFlow,
  applyNodeChanges,
  getNodesBounds,
  getViewportForBounds,
  useReactFlow,
  useStore,
} from '@xyflow/react';
import type { Dimensions, NodeChange, Rect, Viewport } from '@xyflow/react';
import { useMemo, useState } from 'react';
import type { CSSProperties, JSX, KeyboardEvent } from 'react';
import type { ChangeView, DiagramView } from './diagram-address.ts';
import { EmphasisContext } from './emphasis.ts';
import type { Emphasis } from './emphasis.ts';
import { edgesOf, nodesOf } from './flow-elements.ts';
import type { TableNodeType } from './flow-elements.ts';
import { FocusBar } from './focus-bar.tsx';
import { GroupAreas } from './group-areas.tsx';
import { localStore } from '../parts/browser-storage.ts';
import type { SavedPosition } from './saved-positions.ts';
import type { Layout } from './layout.ts';
import { positionsOf, moveTables, useTablePositions } from './table-positions-store.ts';
import type { SavedPositions } from './saved-positions.ts';
import { RelationEdge } from './relation-edge.tsx';
import { ShownTablesContext, shownTablesOf } from './shown-tables.ts';
import type { ShownTables } from './relation-routes.ts';
import { toneStyle } from './tone-style.ts';
import { TableNode } from './table-node.tsx';
import { ZoomBar } from './zoom-bar.tsx';
import { diagramTexts as texts } from '../texts/diagram.ts';

interface DiagramCanvasProps {
  readonly layout: Layout;
  /** The names of the tables that are not drawn. */
  readonly hidden: ReadonlySet<string>;
  readonly emphasis: Omit<Emphasis, 'isZoomedOut'>;
  readonly view: DiagramView;
  readonly onChange: ChangeView;
  /** The key under which the positions of moved tables are stored. */
  readonly positionsKey: string;
  /** The size of the canvas, in pixels. */
  readonly size: Dimensions;
}

const nodeTypes = { table: TableNode };
const edgeTypes = { relation: RelationEdge };

/** At a smaller zoom, column names are illegible. */
const zoomedOutBelow = 0.42;

const minZoom = 0.03;

/** The width of lines that is about one pixel on the screen. In steps, since each one draws all lines again. */
function farLineWidth(zoom: number): number {
  return 1 / 2 ** Math.ceil(Math.log2(zoom));
}

/** The last viewport of each layout, to restore it when the user returns from a table. */
const lastViewports = new WeakMap<Layout, Viewport>();

/** The tables and relations, which can be moved and zoomed. Only those in view are rendered. */
export function DiagramCanvas(props: DiagramCanvasProps): JSX.Element {
  const { layout, hidden, emphasis, view, onChange } = props;
  const { around, neighborhood, column, counts } = emphasis;
  const isZoomedOut = useStore((state) => state.transform[2] < zoomedOutBelow);
  const lineWidth = useStore((state) => farLineWidth(state.transform[2]));
  const navigate = useNavigate();
  const { nodes, shown, onNodesChange } = useNodes(props);
  const appearance = useMemo(
    () => ({ around, neighborhood, column, counts, isZoomedOut }),
    [around, neighborhood, column, counts, isZoomedOut],
  );
  const edges = useMemo(() => edgesOf(layout, hidden), [layout, hidden]);
  const { fitView } = useReactFlow();
  const goTo = (name: string): void => {
    onChange({ around: name, hidesOthers: false });
    void fitView({ nodes: [{ id: name }], maxZoom: 1, minZoom: 0.6, duration: 300 });
  };
  const onKeyDown = useTableKeys(props, { nodes, onNodesChange });
  return (
    <ShownTablesContext value={shown}>
      {around !== undefined && <FocusBar around={around} view={view} onChange={onChange} />}
      <EmphasisContext value={appearance}>
        <ReactFlow
          key={keyOf(layout)}
          className={`diagram ${around === undefined ? '' : 'around'}`}
          style={{ '--far-line-width': `${lineWidth}px` } as CSSProperties}
          nodes={nodes}
          edges={edges}
          nodeTypes={nodeTypes}
          edgeTypes={edgeTypes}
          onNodesChange={onNodesChange}
          onNodeClick={({ target }, { id }) => {
            const labeled = labelTarget(target);
            if (labeled !== undefined) goTo(labeled);
            else if (!isLink(target)) onChange({ around: id });
          }}
          onNodeDoubleClick={(_, { id }) =>
            void navigate({ to: '/tables/$table', params: { table: id } })
          }
          onPaneClick={() =>
            around !== undefined && onChange({ around: undefined, hidesOthers: false })
          }
          onMoveEnd={(_, viewport) => lastViewports.set(layout, viewport)}
          onKeyDown={onKeyDown}
          defaultViewport={lastViewports.get(layout) ?? initialViewport(nodes, props)}
          {...modes}
        >
          <Overlays {...props} />
        </ReactFlow>
      </EmphasisContext>
    </ShownTablesContext>
  );
}

const ariaLabels = {
  'node.a11yDescription.default': texts.focusAndMoveHint,
  'node.a11yDescription.keyboardDisabled': texts.focusHint,
};

/** xyflow options: tables can be moved, but not connected or deleted. */
const modes = {
  onlyRenderVisibleElements: true,
  minZoom: minZoom,
  maxZoom: 2,
  nodesConnectable: false,
  edgesFocusable: false,
  elevateNodesOnSelect: false,
  zoomOnDoubleClick: false,
  deleteKeyCode: null,
  selectionKeyCode: null,
  multiSelectionKeyCode: null,
  proOptions: { hideAttribution: true },
  ariaLabelConfig: ariaLabels,
} as const;

/** The layers behind and above the tables. */
function Overlays({ layout, hidden, emphasis }: DiagramCanvasProps): JSX.Element {
  const { around, neighborhood } = emphasis;
  const [isMinimapShown, toggleMinimap] = useMinimap();
  const classOf = (name: string): string =>
    name === around ? 'foc' : neighborhood?.has(name) === false ? 'dim' : '';
  return (
    <>
      <Background gap={22} size={1.4} />
      <GroupAreas layout={layout} hidden={hidden} />
      {isMinimapShown && (
        <MiniMap<TableNodeType>
          pannable
          zoomable
          ariaLabel={texts.minimap}
          nodeBorderRadius={8}
          nodeStrokeWidth={0}
          maskStrokeWidth={1.5}
          nodeClassName={({ id }) => classOf(id)}
          nodeColor={({ id, data: { color } }) =>
            color === undefined || classOf(id) !== '' ? '' : (toneStyle(color)['--tone'] ?? '')
          }
        />
      )}
      <ZoomBar isMinimapShown={isMinimapShown} onToggleMinimap={toggleMinimap} />
    </>
  );
}

/** Whether the minimap is shown, which the browser remembers. */
function useMinimap(): readonly [boolean, () => void] {
  const key = 'studio.minimap';
  const [isShown, setShown] = useState(() => localStore.read(key) !== 'hidden');
  const toggle = (): void => {
    setShown(!isShown);
    localStore.write(key, isShown ? 'hidden' : null);
  };
  return [isShown, toggle];
}

/** On a phone a whole diagram is too small to read, so it begins at the table in the URL or the first one. */
const phoneWidth = 640;
const phoneZoom = 0.6;

/** Fits the whole diagram, or the table in the URL with its neighbors. */
function initialViewport(
  nodes: TableNodeType[],
  { emphasis: { neighborhood }, size, view: { around } }: DiagramCanvasProps,
): Viewport {
  const target = nodes.filter(
    ({ id, hidden = false }) => !hidden && neighborhood?.has(id) !== false,
  );
  const bounds = getNodesBounds(target);
  const wholeDiagram = getViewportForBounds(bounds, size.width, size.height, minZoom, 1, 0.06);
  const first = target.find(({ id }) => id === around) ?? target[0];
  if (size.width >= phoneWidth || wholeDiagram.zoom >= phoneZoom || first === undefined)
    return wholeDiagram;
  if (around !== undefined) return focusedViewport(bounds, getNodesBounds([first]), size);
  const margin = 12;
  return {
    zoom: phoneZoom,
    x: margin - first.position.x * phoneZoom,
    y: margin - first.position.y * phoneZoom,
  };
}

/** The bar of the focused table, with the space around it. */
const focusBarHeight = 58;

/** On a phone, below the bar: all neighbors if they can be read, or the focused table in the middle. */
function focusedViewport(bounds: Rect, focused: Rect, size: Dimensions): Viewport {
  const height = size.height - focusBarHeight;
  const fit = getViewportForBounds(bounds, size.width, height, minZoom, 1, 0.03);
  if (fit.zoom >= zoomedOutBelow) return { ...fit, y: fit.y + focusBarHeight };
  const left = (size.width - focused.width * phoneZoom) / 2;
  const top = focusBarHeight + Math.max(6, (height - focused.height * phoneZoom) / 2);
  return {
    zoom: phoneZoom,
    x: left - focused.x * phoneZoom,
    y: top - focused.y * phoneZoom,
  };
}

/** React key: a new layout remounts the canvas. */
function keyOf({ width, height, tables }: Layout): string {
  return `${width} ${height} ${tables.length}`;
}

/** The browser handles clicks on links. */
function isLink(target: EventTarget): boolean {
  return target instanceof Element && target.closest('a') !== null;
}

/** The table that a label names. */
function labelTarget(target: EventTarget): string | undefined {
  const label = target instanceof Element ? target.closest('.line-label[data-target]') : null;
  return label instanceof HTMLElement ? label.dataset['target'] : undefined;
}

function nodeAt(target: EventTarget): string | undefined {
  const isNode = target instanceof HTMLElement && target.classList.contains('react-flow__node');
  return isNode ? target.dataset['id'] : undefined;
}

/** How far an arrow key moves a table, in pixels: as xyflow does for selected ones. */
const keySteps = { plain: 5, withShift: 20 };

const arrows: Readonly<Record<string, SavedPosition>> = {
  ArrowUp: { x: 0, y: -1 },
  ArrowDown: { x: 0, y: 1 },
  ArrowLeft: { x: -1, y: 0 },
  ArrowRight: { x: 1, y: 0 },
};

/** Keys on a table that has the focus. */
function useTableKeys(
  { view: { hidden }, onChange }: DiagramCanvasProps,
  { nodes, onNodesChange }: Pick<DiagramNodes, 'nodes' | 'onNodesChange'>,
): (event: KeyboardEvent) => void {
  return (event) => {
    const unfocused = { around: undefined, hidesOthers: false };
    if (event.key === 'Escape') onChange(unfocused);
    const node = nodes.find(({ id }) => id === nodeAt(event.target));
    if (node === undefined || event.ctrlKey || event.metaKey || event.altKey) return;
    if (event.key === 'Enter') onChange({ around: node.id });
    if (event.key === 'h') onChange({ ...unfocused, hidden: [...hidden, node.id] });
    const arrow = arrows[event.key];
    // xyflow moves selected tables.
    if (arrow === undefined || node.selected === true) return;
    event.preventDefault();
    const step = event.shiftKey ? keySteps.withShift : keySteps.plain;
    const { x, y } = node.position;
    const position = { x: x + arrow.x * step, y: y + arrow.y * step };
    onNodesChange([{ id: node.id, type: 'position', position, dragging: false }]);
  };
}

interface DiagramNodes {
  readonly nodes: TableNodeType[];
  readonly shown: ShownTables;
  readonly onNodesChange: (changes: NodeChange<TableNodeType>[]) => void;
}

/** The nodes of the layout, which the user can drag. Their new positions are stored. */
function useNodes({
  layout,
  hidden,
  positionsKey,
}: Pick<DiagramCanvasProps, 'layout' | 'hidden' | 'positionsKey'>): DiagramNodes {
  const positions = useTablePositions(positionsKey);
  const [dragged, setDragged] = useState<DraggedNodes>();
  const isCurrent =
    dragged?.layout === layout && dragged.hidden === hidden && dragged.positions === positions;
  const laidOut = useMemo(() => nodesOf(layout, positions, hidden), [layout, positions, hidden]);
  const shown = useMemo(() => shownTablesOf(laidOut), [laidOut]);
  const nodes = isCurrent ? dragged.nodes : laidOut;
  const onNodesChange = (changes: NodeChange<TableNodeType>[]): void => {
    const next = applyNodeChanges(changes, nodes);
    const movedPositions = movedTables(changes, laidOut);
    if (movedPositions.size > 0) moveTables(positionsKey, movedPositions);
    setDragged({
      layout,
      hidden,
      positions: movedPositions.size > 0 ? positionsOf(positionsKey) : positions,
      nodes: next,
    });
  };
  return { nodes, shown, onNodesChange };
}

interface DraggedNodes {
  readonly layout: Layout;
  readonly hidden: ReadonlySet<string>;
  readonly positions: SavedPositions;
  readonly nodes: TableNodeType[];
}

/** The tables that were dropped elsewhere than they were. */
function movedTables(
  changes: readonly NodeChange[],
  before: readonly TableNodeType[],
): ReadonlyMap<string, SavedPosition> {
  const droppedTables = changes.flatMap((change) =>
    change.type === 'position' && change.dragging !== true && change.position !== undefined
      ? [[change.id, change.position] as const]
      : [],
  );
  return new Map(
    droppedTables.filter(([name, { x, y }]) => {
      const { position } = before.find(({ id }) => id === name) ?? {};
      return position?.x !== x || position.y !== y;
    }),
  );
}
