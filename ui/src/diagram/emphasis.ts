import { createContext, use } from 'react';

/** The emphasized tables of the diagram, and the level of detail. */
export interface Emphasis {
  readonly around: string | undefined;
  /** The focused table and its neighbors. Undefined for all tables. */
  readonly neighborhood: ReadonlySet<string> | undefined;
  /** The column that the search found, in the focused table. */
  readonly column: string | undefined;
  /** Whether the zoom is so small that column names are illegible. */
  readonly isZoomedOut: boolean;
  /** The number of rows of a table, as text. */
  readonly counts: ReadonlyMap<string, string>;
}

export const EmphasisContext = createContext<Emphasis>({
  around: undefined,
  neighborhood: undefined,
  column: undefined,
  isZoomedOut: false,
  counts: new Map(),
});

export function useEmphasis(): Emphasis {
  return use(EmphasisContext);
}
