/** The tables around which lines run. */
import { createContext, use } from 'react';
import type { TableNodeType } from './flow-elements.ts';
import type { ShownTables } from './relation-routes.ts';

/** While a table is dragged, it is here at its position before. */
export const ShownTablesContext = createContext<ShownTables>({ byName: new Map(), obstacles: [] });

export function useShownTables(): ShownTables {
  return use(ShownTablesContext);
}

export function shownTablesOf(nodes: readonly TableNodeType[]): ShownTables {
  const shown = nodes.filter(({ hidden = false }) => !hidden);
  const byName = new Map(
    shown.map(({ id, position: { x, y }, width = 0, height = 0 }) => [id, { x, y, width, height }]),
  );
  return { byName, obstacles: [...byName.values()] };
}
