/**
 * The positions of the tables that were moved: those that the server has for all users, and on top of them the
 * changes that it does not have yet, or does not take. `share-positions.ts` exchanges them with the server.
 */
import { useSelector } from '@tanstack/react-store';
import { keyedStores } from '../parts/keyed-stores.ts';
import {
  changesBetween,
  readLocalChanges,
  storeLocalChanges,
  withChanges,
} from './saved-positions.ts';
import type { PositionChanges, SavedPosition, SavedPositions } from './saved-positions.ts';

interface TablePositions {
  /** As on the server. */
  readonly shared: SavedPositions;
  /** Changes that the server does not have. */
  readonly changes: PositionChanges;
  /** `shared` with `changes`. */
  readonly positions: SavedPositions;
  /** What undoes each move and reset since the page was opened, the last one at the end. */
  readonly undoSteps: readonly PositionChanges[];
}

const storeOf = keyedStores<TablePositions>((key) => {
  const changes = readLocalChanges(key);
  return { shared: {}, changes, positions: withChanges({}, changes), undoSteps: [] };
});

const maxUndoSteps = 100;

export function positionsOf(key: string): SavedPositions {
  return storeOf(key).get().positions;
}

export function useTablePositions(key: string): SavedPositions {
  return useSelector(storeOf(key), ({ positions }) => positions);
}

export function useCanUndoMove(key: string): boolean {
  return useSelector(storeOf(key), ({ undoSteps }) => undoSteps.length > 0);
}

export function unsharedChangesOf(key: string): PositionChanges {
  return storeOf(key).get().changes;
}

export function useUnsharedChanges(key: string): PositionChanges {
  return useSelector(storeOf(key), ({ changes }) => changes);
}

export function moveTables(key: string, movedPositions: ReadonlyMap<string, SavedPosition>): void {
  change(key, { ...positionsOf(key), ...Object.fromEntries(movedPositions) });
}

/** Returns all tables to the positions that the server computed. */
export function resetTablePositions(key: string): void {
  change(key, {});
}

/** Returns the tables of the last move or reset to their positions before. */
export function undoMove(key: string): void {
  const { shared, changes, undoSteps } = storeOf(key).get();
  const undo = undoSteps.at(-1);
  if (undo === undefined) return;
  store(key, { shared, changes: { ...changes, ...undo }, undoSteps: undoSteps.slice(0, -1) });
}

/** Takes over what the server has. `sent` are changes that it has received; later ones of the same tables stay. */
export function receivePositions(
  key: string,
  shared: SavedPositions,
  sentChanges: PositionChanges = {},
): void {
  const { changes, undoSteps } = storeOf(key).get();
  const unsentChanges = Object.entries(changes).filter(
    ([name, position]) => !Object.hasOwn(sentChanges, name) || sentChanges[name] !== position,
  );
  store(key, { shared, changes: Object.fromEntries(unsentChanges), undoSteps });
}

function change(key: string, after: SavedPositions): void {
  const { shared, changes, positions: before, undoSteps } = storeOf(key).get();
  store(key, {
    shared,
    changes: { ...changes, ...changesBetween(before, after) },
    undoSteps: [...undoSteps, changesBetween(after, before)].slice(-maxUndoSteps),
  });
}

function store(key: string, state: Omit<TablePositions, 'positions'>): void {
  const before = positionsOf(key);
  const after = withChanges(state.shared, state.changes);
  // The same object means that nothing moves.
  const positions = Object.keys(changesBetween(before, after)).length === 0 ? before : after;
  storeOf(key).setState(() => ({ ...state, positions }));
  storeLocalChanges(key, state.changes);
}
