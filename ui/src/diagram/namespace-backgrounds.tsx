import { ViewportPortal, useStore } from '@xyflow/react';
import type { JSX } from 'react';
import type { Layout } from './layout-query.ts';
import { commonTexts } from '../texts/common.ts';

/** Padding around the tables of a namespace. The top has space for its name. */
const pad = { side: 18, top: 40, bottom: 18 };

interface NamespaceBackgroundsProps {
  readonly layout: Layout;
  /** The names of the tables that are not drawn. */
  readonly hidden: ReadonlySet<string>;
}

/** Draws the background of each namespace around the current positions of its tables, and the headings. */
export function NamespaceBackgrounds({ layout, hidden }: NamespaceBackgroundsProps): JSX.Element {
  const frames = useFrames(layout, hidden);
  return (
    <ViewportPortal>
      {frames.map(({ name, x, y, width, height }) => (
        <div
          key={`frame ${name}`}
          className="ground frame"
          style={{ transform: `translate(${x}px, ${y}px)`, width, height }}
        >
          {name === '' ? commonTexts.defaultNamespace : name}
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

interface Frame {
  readonly name: string;
  readonly x: number;
  readonly y: number;
  readonly width: number;
  readonly height: number;
}

function useFrames({ namespaces, tables }: Layout, hidden: ReadonlySet<string>): readonly Frame[] {
  // The selector returns a text, so that `useStore` renders again only if a frame changes.
  const text = useStore((state) => {
    const drawn = tables.filter(({ name, kind }) => kind === 'table' && !hidden.has(name));
    const frames = namespaces.flatMap(({ name }) => {
      const inside = drawn.filter((table) => table.schema === name);
      if (inside.length === 0) return [];
      const boxes = inside.map((table) => {
        const { x, y } = state.nodeLookup.get(table.name)?.internals.positionAbsolute ?? table;
        return { left: x, top: y, right: x + table.width, bottom: y + table.height };
      });
      return [frameAround(name, boxes)];
    });
    return JSON.stringify(frames);
  });
  return JSON.parse(text) as readonly Frame[];
}

interface Edges {
  readonly left: number;
  readonly top: number;
  readonly right: number;
  readonly bottom: number;
}

function frameAround(name: string, boxes: readonly Edges[]): Frame {
  const x = Math.min(...boxes.map(({ left }) => left)) - pad.side;
  const y = Math.min(...boxes.map(({ top }) => top)) - pad.top;
  const right = Math.max(...boxes.map((box) => box.right)) + pad.side;
  const bottom = Math.max(...boxes.map((box) => box.bottom)) + pad.bottom;
  return { name, x, y, width: right - x, height: bottom - y };
}
