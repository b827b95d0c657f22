import { localStore } from '../parts/browser-storage.ts';

/** Positions of tables that the user moved, by table name. They are stored in the browser. */
export type SavedPositions = Readonly<Record<string, SavedPosition>>;

export interface SavedPosition {
  readonly x: number;
  readonly y: number;
}

export function readSavedPositions(key: string): SavedPositions {
  try {
    const stored: unknown = JSON.parse(localStore.read(key) ?? '{}');
    const entries = Object.entries(stored as Record<string, unknown>).filter(isSavedPosition);
    return Object.fromEntries(entries);
  } catch {
    return {};
  }
}

function isSavedPosition(entry: [string, unknown]): entry is [string, SavedPosition] {
  const position = entry[1] as Partial<SavedPosition> | null;
  return Number.isFinite(position?.x) && Number.isFinite(position?.y);
}

export function savePositions(key: string, positions: SavedPositions): void {
  const isEmpty = Object.keys(positions).length === 0;
  localStore.write(key, isEmpty ? null : JSON.stringify(positions));
}
