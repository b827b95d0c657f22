import { createContext, use } from 'react';
import type { Obstacle } from '../../../src/portable/drawing/route-around.ts';

/** The emphasized tables of the diagram, and the level of detail. */
export interface Emphasis {
  readonly around: string | undefined;
  /** The focused table and its neighbors. Undefined for all tables. */
  readonly neighborhood: ReadonlySet<string> | undefined;
  /** The column that the search found, in the focused table. */
  readonly column: string | undefined;
  /** Whether the zoom is so small that column names are illegible. */
  readonly isZoomedOut: boolean;
  /** The shown tables, around which the lines of the focused table run. Undefined while one is dragged. */
  readonly obstacles: readonly Obstacle[] | undefined;
  /** The number of rows of a table, as text. */
  readonly counts: ReadonlyMap<string, string>;
}

export const EmphasisContext = createContext<Emphasis>({
  around: undefined,
  neighborhood: undefined,
  column: undefined,
  isZoomedOut: false,
  obstacles: undefined,
  counts: new Map(),
});

export function useEmphasis(): Emphasis {
  return use(EmphasisContext);
}
