/** Where a person put tables, by their names: kept in the browser, whatever becomes of the structure. */
export type Places = Readonly<Record<string, Place>>;

export interface Place {
  readonly x: number;
  readonly y: number;
}

export function readPlaces(key: string): Places {
  try {
    const kept: unknown = JSON.parse(localStorage.getItem(key) ?? '{}');
    const entries = Object.entries(kept as Record<string, unknown>).filter(isPlaced);
    return Object.fromEntries(entries);
  } catch {
    return {};
  }
}

function isPlaced(entry: [string, unknown]): entry is [string, Place] {
  const place = entry[1] as Partial<Place> | null;
  return Number.isFinite(place?.x) && Number.isFinite(place?.y);
}

export function keepPlaces(key: string, places: Places): void {
  if (Object.keys(places).length === 0) localStorage.removeItem(key);
  else localStorage.setItem(key, JSON.stringify(places));
}
