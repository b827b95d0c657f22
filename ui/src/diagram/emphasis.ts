import { createContext, use } from 'react';

/** What of the diagram is looked at, and from how far. */
export interface Emphasis {
  readonly around: string | undefined;
  /** The table and its neighbours; all when undefined. */
  readonly near: ReadonlySet<string> | undefined;
  /** So small that no column could be read. */
  readonly isFar: boolean;
  /** How many rows a table has, as text. */
  readonly counts: ReadonlyMap<string, string>;
}

export const EmphasisContext = createContext<Emphasis>({
  around: undefined,
  near: undefined,
  isFar: false,
  counts: new Map(),
});

export function useEmphasis(): Emphasis {
  return use(EmphasisContext);
}
