/** What the users of a database have saved in the studio: queries, and positions of tables in the diagram. */
import { join } from 'node:path';
import { stateFileName } from '../core/state-file-name.ts';
import { openSavedItems } from './saved-items.ts';
import type { ShownColumns } from '../../diagram/table-box.ts';
import type { SavedItems } from './saved-items.ts';

/** x and y in pixels, in the coordinates of `GET /diagram`. */
export type SavedPosition = readonly [number, number];

export interface SavedState {
  /** Statements by the names of the queries. */
  readonly queries: SavedItems<string>;
  /** Positions by the names of the tables: a diagram with other columns has other sizes, and so other positions. */
  readonly positions: Readonly<Record<ShownColumns, SavedItems<SavedPosition>>>;
}

const maxQueries = 1000;
const maxPositions = 10_000;

export function openSavedState(stateFolder: string, url: string): SavedState {
  const folder = join(stateFolder, 'saved', stateFileName(url));
  const positions = (columns: ShownColumns): SavedItems<SavedPosition> =>
    openSavedItems({
      folder: join(folder, `positions-${columns}`),
      maxItems: maxPositions,
      plural: 'positions',
      isValue: isPosition,
    });
  return {
    queries: openSavedItems({
      folder: join(folder, 'queries'),
      maxItems: maxQueries,
      plural: 'queries',
      isValue: (value) => typeof value === 'string',
    }),
    positions: { all: positions('all'), keys: positions('keys'), none: positions('none') },
  };
}

function isPosition(value: unknown): value is SavedPosition {
  return Array.isArray(value) && value.length === 2 && value.every((each) => Number.isFinite(each));
}
