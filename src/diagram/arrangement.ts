import type { Point, ToneNumber } from '../portable/drawing/drawing.ts';
import type { Branch } from '../portable/drawing/route-between.ts';
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
  /** Lines from the other columns of a composite key. */
  readonly branches: readonly Branch[];
  /** Whether it ends at a label that names the other table. */
  readonly isLabeled: boolean;
}

/** A caption above a group of tables. */
export interface Heading extends Point {
  readonly text: string;
}

/** The background rectangle of a group of tables. */
export interface Frame extends Point, Size {
  /** Empty for the default namespace. */
  readonly name: string;
  /** The name as drawn. */
  readonly title: string;
  readonly titleSize: number;
  readonly tone: ToneNumber;
  /** The names of its tables. */
  readonly tables: readonly string[];
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
      branches: route.branches.map((branch) => ({ ...branch, points: branch.points.map(move) })),
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
