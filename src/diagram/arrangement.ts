import type { RelationLine } from './relation-line.ts';
import type { TableBox } from './table-box.ts';

export interface Point {
  readonly x: number;
  readonly y: number;
}

export interface Size {
  readonly width: number;
  readonly height: number;
}

export interface PlacedBox extends Point {
  readonly box: TableBox;
}

/** A line's way from the table that has the key to the one it points at, at right angles. */
export interface Route {
  readonly line: RelationLine;
  readonly points: readonly Point[];
  /** Where it parts from lines that share its end. */
  readonly junctions: readonly Point[];
}

/** Words beside tables: what those below them have in common. */
export interface Heading extends Point {
  readonly text: string;
}

/** The ground behind the tables of a namespace. */
export interface Frame extends Point, Size {
  readonly namespace: string;
}

/** Tables and lines in their places, from (0, 0) on. */
export interface Arrangement extends Size {
  readonly boxes: readonly PlacedBox[];
  readonly routes: readonly Route[];
  readonly headings: readonly Heading[];
  readonly frames: readonly Frame[];
}

export const nothing: Arrangement = {
  width: 0,
  height: 0,
  boxes: [],
  routes: [],
  headings: [],
  frames: [],
};

export function moved(arrangement: Arrangement, { x, y }: Point): Arrangement {
  const move = <T extends Point>(item: T): T => ({ ...item, x: item.x + x, y: item.y + y });
  return {
    ...arrangement,
    boxes: arrangement.boxes.map(move),
    routes: arrangement.routes.map((route) => ({
      ...route,
      points: route.points.map(move),
      junctions: route.junctions.map(move),
    })),
    headings: arrangement.headings.map(move),
    frames: arrangement.frames.map(move),
  };
}

/** All of them on one sheet of that size. */
export function together(parts: readonly Arrangement[], size: Size): Arrangement {
  return {
    ...size,
    boxes: parts.flatMap((part) => part.boxes),
    routes: parts.flatMap((part) => part.routes),
    headings: parts.flatMap((part) => part.headings),
    frames: parts.flatMap((part) => part.frames),
  };
}
