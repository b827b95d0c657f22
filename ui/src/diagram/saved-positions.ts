import { localStore } from '../parts/browser-storage.ts';

/** Positions of tables that were moved, by table name. */
export type SavedPositions = Readonly<Record<string, SavedPosition>>;

export interface SavedPosition {
  readonly x: number;
  readonly y: number;
}

/** Changes of positions, by table name. Null returns a table to its place in the layout. */
export type PositionChanges = Readonly<Record<string, SavedPosition | null>>;

/** The changes in this browser that the server does not have. */
export function readLocalChanges(key: string): PositionChanges {
  try {
    const storedPositions: unknown = JSON.parse(localStore.read(key) ?? '{}');
    const entries = Object.entries(storedPositions as Record<string, unknown>).filter(isChange);
    return Object.fromEntries(entries);
  } catch {
    return {};
  }
}

function isChange(entry: [string, unknown]): entry is [string, SavedPosition | null] {
  const position = entry[1] as Partial<SavedPosition> | null;
  return position === null || (Number.isFinite(position.x) && Number.isFinite(position.y));
}

export function storeLocalChanges(key: string, changes: PositionChanges): void {
  const isEmpty = Object.keys(changes).length === 0;
  localStore.write(key, isEmpty ? null : JSON.stringify(changes));
}

export function withChanges(positions: SavedPositions, changes: PositionChanges): SavedPositions {
  const entries = Object.entries({ ...positions, ...changes });
  return Object.fromEntries(entries.flatMap(([name, at]) => (at === null ? [] : [[name, at]])));
}

/** What has to change so that `before` becomes `after`. */
export function changesBetween(before: SavedPositions, after: SavedPositions): PositionChanges {
  const removedNames = Object.keys(before).filter((name) => !Object.hasOwn(after, name));
  const changedPositions = Object.entries(after).filter(([name, position]) => {
    const previousPosition = Object.hasOwn(before, name) ? before[name] : undefined;
    return previousPosition?.x !== position.x || previousPosition.y !== position.y;
  });
  return Object.fromEntries([
    ...removedNames.map((name) => [name, null] as const),
    ...changedPositions,
  ]);
}
