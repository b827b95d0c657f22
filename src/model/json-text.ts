/** JSON objects put together from members whose text is ready. */
export function jsonObject(members: Readonly<Record<string, string | undefined>>): string {
  const parts: string[] = [];
  for (const [name, text] of Object.entries(members)) {
    if (text !== undefined) parts.push(`${JSON.stringify(name)}:${text}`);
  }
  return `{${parts.join(',')}}`;
}

export function jsonArray(items: readonly string[]): string {
  return `[${items.join(',')}]`;
}
