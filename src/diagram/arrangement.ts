import type { Point } from '../portable/drawing/drawing.ts';
import type { RelationLine } from './relation-line.ts';
import type { TableBox } from './table-box.ts';

export interface Size {
  readonly width: number;
  readonly height: number;
}

export interface PlacedBox extends Point {
  readonly box: TableBox;
}

/** The path of a relation from the referencing table to the referenced one. All corners are right angles. */
export interface Route {
  readonly line: RelationLine;
  readonly points: readonly Point[];
  /** Points where it branches off from relations that share one of its ends. */
  readonly junctions: readonly Point[];
}

/** A caption above a group of tables. */
export interface Heading extends Point {
  readonly text: string;
}

/** The background rectangle of the tables of one namespace. */
export interface Frame extends Point, Size {
  readonly namespace: string;
}

/** Tables and relations with their coordinates. The origin is the top left corner. */
export interface Arrangement extends Size {
  readonly boxes: readonly PlacedBox[];
  readonly routes: readonly Route[];
  readonly headings: readonly Heading[];
  readonly frames: readonly Frame[];
}

export const emptyArrangement: Arrangement = {
  width: 0,
  height: 0,
  boxes: [],
  routes: [],
  headings: [],
  frames: [],
};

export function translated(arrangement: Arrangement, { x, y }: Point): Arrangement {
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

/** Overlays arrangements that are already positioned. */
export function combined(parts: readonly Arrangement[], size: Size): Arrangement {
  return {
    ...size,
    boxes: parts.flatMap((part) => part.boxes),
    routes: parts.flatMap((part) => part.routes),
    headings: parts.flatMap((part) => part.headings),
    frames: parts.flatMap((part) => part.frames),
  };
}
