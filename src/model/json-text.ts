/** JSON objects put together from members whose text is ready. */
export function jsonObject(members: Readonly<Record<string, string | undefined>>): string {
  let text = '';
  for (const [name, member] of Object.entries(members)) {
    if (member !== undefined) text += `${text === '' ? '{' : ','}${JSON.stringify(name)}:${member}`;
  }
  return text === '' ? '{}' : `${text}}`;
}

/** By adding, not by `join`: V8 puts the pieces of a sum together once, when its bytes are asked for. */
export function jsonArray(items: readonly string[]): string {
  let text = '';
  for (const item of items) text += `${text === '' ? '[' : ','}${item}`;
  return text === '' ? '[]' : `${text}]`;
}
