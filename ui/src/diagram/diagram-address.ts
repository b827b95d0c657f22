import type { SearchText } from '../app/search-text.ts';
import { valueOf } from '../app/search-text.ts';
import type { ShownColumns } from './layout-query.ts';

/** How far from a table its neighbours are counted. */
export type Depth = '1' | '2' | 'all';

/** What the address says of the diagram. */
export interface DiagramView {
  readonly columns: ShownColumns;
  /** The table that is looked at. */
  readonly around: string | undefined;
  readonly depth: Depth;
  /** Only the table and its neighbours are drawn. */
  readonly isAlone: boolean;
}

export type ChangeView = (changes: Partial<DiagramView>) => void;

export function readDiagramView(search: SearchText): DiagramView {
  const columns = valueOf(search, 'columns');
  const depth = valueOf(search, 'depth');
  const around = valueOf(search, 'around');
  return {
    columns: columns === 'keys' || columns === 'none' ? columns : 'all',
    around,
    depth: depth === '2' || depth === 'all' ? depth : '1',
    isAlone: around !== undefined && valueOf(search, 'only') === 'true',
  };
}

/** What is usual is left out. */
export function diagramSearch({ columns, around, depth, isAlone }: DiagramView): SearchText {
  return {
    ...(columns === 'all' ? {} : { columns }),
    ...(around === undefined ? {} : { around }),
    ...(around === undefined || depth === '1' ? {} : { depth }),
    ...(isAlone ? { only: 'true' } : {}),
  };
}
