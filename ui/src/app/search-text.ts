/** The URL's query parameters as plain names and texts, in the API's format. A name can occur several times. */
export type SearchText = Readonly<Record<string, string | readonly string[]>>;

export function parseSearch(text: string): SearchText {
  const search: Record<string, string | string[]> = {};
  for (const [name, value] of new URLSearchParams(text)) {
    const previous = search[name];
    if (previous === undefined) search[name] = value;
    else search[name] = [...(Array.isArray(previous) ? previous : [previous]), value];
  }
  return search;
}

export function stringifySearch(search: Readonly<Record<string, unknown>>): string {
  const text = new URLSearchParams();
  for (const [name, value] of Object.entries(search)) {
    for (const item of Array.isArray(value) ? value : [value]) {
      if (item !== undefined && item !== null) text.append(name, String(item));
    }
  }
  return text.size === 0 ? '' : `?${text.toString()}`;
}

/** All values of a name, in order. */
export function valuesOf(search: SearchText, name: string): readonly string[] {
  const value = search[name];
  if (value === undefined) return [];
  return typeof value === 'string' ? [value] : value;
}

export function valueOf(search: SearchText, name: string): string | undefined {
  return valuesOf(search, name).at(-1);
}
