import { decodeList, encodeList } from '../../../src/contract/comma-list.ts';
import type { SearchText } from '../app/search-text.ts';
import { valueOf } from '../app/search-text.ts';
import type { ShownColumns } from './layout.ts';

/** The maximum distance of neighbors from the focused table, in relations. */
export type Depth = '1' | '2' | 'all';

/** The state of the diagram in the page's URL. */
export interface DiagramView {
  readonly columns: ShownColumns;
  /** The focused table. */
  readonly around: string | undefined;
  readonly depth: Depth;
  /** Whether only the focused table and its neighbors are shown. */
  readonly hidesOthers: boolean;
  /** The names of the tables that the user has hidden. */
  readonly hidden: readonly string[];
  /** Whether the user asked for all tables on a phone, where a large diagram begins with one of them. */
  readonly isWhole: boolean;
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
    hidesOthers: around !== undefined && valueOf(search, 'only') === 'true',
    hidden: decodeList(valueOf(search, 'hidden') ?? '') ?? [],
    isWhole: valueOf(search, 'whole') === 'true',
  };
}

/** Default values are omitted. */
export function diagramSearch(view: DiagramView): SearchText {
  const { columns, around, depth, hidesOthers, hidden, isWhole } = view;
  return {
    ...(columns === 'all' ? {} : { columns }),
    ...(around === undefined ? {} : { around }),
    ...(around === undefined || depth === '1' ? {} : { depth }),
    ...(hidesOthers ? { only: 'true' } : {}),
    ...(isWhole && around === undefined ? { whole: 'true' } : {}),
    ...(hidden.length === 0 ? {} : { hidden: encodeList(hidden) }),
  };
}
