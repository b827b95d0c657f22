import { ViewportPortal, useStore } from '@xyflow/react';
import type { CSSProperties, JSX } from 'react';
import { framePad } from '../../../src/portable/drawing/frame-pad.ts';
import { toneStyle } from './tone-style.ts';
import type { Layout, PlacedGroup, PlacedTable } from './layout.ts';
import { commonTexts } from '../texts/common.ts';

interface GroupAreasProps {
  readonly layout: Layout;
  /** The names of the tables that are not drawn. */
  readonly hidden: ReadonlySet<string>;
}

/** Draws the area of each group around the current positions of its tables, and the headings. */
export function GroupAreas({ layout, hidden }: GroupAreasProps): JSX.Element {
  const areas = useAreas(layout, hidden);
  const zoom = useStore((state) => steppedZoom(state.transform[2]));
  return (
    <ViewportPortal>
      {areas.map(({ group, x, y, width, height }, i) => (
        <div
          key={`area ${i}`}
          className="ground area"
          title={group.name}
          style={{
            transform: `translate(${x}px, ${y}px)`,
            width,
            height,
            paddingInline: framePad(group.title_size).side,
            fontSize: titleSize(group, { width, zoom }),
            ...(toneStyle(group.color) as CSSProperties),
          }}
        >
          {group.name === '' ? commonTexts.defaultNamespace : group.title}
        </div>
      ))}
      {layout.headings.map(({ text, x, y }) => (
        <div key={text} className="ground" style={{ transform: `translate(${x}px, ${y - 14}px)` }}>
          {text}
        </div>
      ))}
    </ViewportPortal>
  );
}

/** In steps, since each one draws all names again. */
function steppedZoom(zoom: number): number {
  return 2 ** (Math.round(2 * Math.log2(zoom)) / 2);
}

/** The size in pixels on the screen below which a name is enlarged, and by how much at most. */
const leastTitle = 14;
const maxEnlargement = 1.15;
/** The average width of a bold letter, relative to its size. */
const letterWidth = 0.65;

/** The size of a name in the drawing: legible also at a small zoom, as far as it has space. */
function titleSize(
  { title, title_size: size }: PlacedGroup,
  { width, zoom }: { readonly width: number; readonly zoom: number },
): number {
  const fitting = (width - 2 * framePad(size).side) / (letterWidth * Math.max(1, title.length));
  const most = Math.max(size, Math.min(size * maxEnlargement, fitting));
  return Math.min(most, Math.max(size, leastTitle / zoom));
}

interface Area {
  readonly group: PlacedGroup;
  readonly x: number;
  readonly y: number;
  readonly width: number;
  readonly height: number;
}

function useAreas({ groups, tables }: Layout, hidden: ReadonlySet<string>): readonly Area[] {
  // The selector returns a text, so that `useStore` renders again only if an area changes.
  const text = useStore((state) => {
    const byName = new Map(tables.map((table) => [table.name, table]));
    const areas = groups.flatMap((group) => {
      const inside = group.tables.flatMap((name) =>
        hidden.has(name) ? [] : (byName.get(name) ?? []),
      );
      if (inside.length === 0) return [];
      const positionOf = (table: PlacedTable) =>
        state.nodeLookup.get(table.name)?.internals.positionAbsolute ?? table;
      const isMoved = inside.some((table) => {
        const { x, y } = positionOf(table);
        return x !== table.x || y !== table.y;
      });
      if (!isMoved) return [{ ...group, group }];
      const boxes = inside.map((table) => {
        const { x, y } = positionOf(table);
        const right = Math.max(table.width, ...table.labels.map((label) => label.x + label.width));
        return { left: x, top: y, right: x + right, bottom: y + table.height };
      });
      return [areaAround(group, boxes)];
    });
    return JSON.stringify(areas);
  });
  return JSON.parse(text) as readonly Area[];
}

interface Edges {
  readonly left: number;
  readonly top: number;
  readonly right: number;
  readonly bottom: number;
}

function areaAround(group: PlacedGroup, boxes: readonly Edges[]): Area {
  const pad = framePad(group.title_size);
  const x = Math.min(...boxes.map(({ left }) => left)) - pad.side;
  const y = Math.min(...boxes.map(({ top }) => top)) - pad.top;
  const right = Math.max(...boxes.map((box) => box.right)) + pad.side;
  const bottom = Math.max(...boxes.map((box) => box.bottom)) + pad.bottom;
  return { group, x, y, width: right - x, height: bottom - y };
}
