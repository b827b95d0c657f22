/** Objects whose only member is one of these represent values that JSON cannot express. */
const markers: ReadonlySet<unknown> = new Set(['$base64', '$int', '$json', '$cut']);

const firstMember = /^\s*\{\s*("\$(?:[^"\\]|\\.)*"|"\\u0024(?:[^"\\]|\\.)*")\s*:/;

/**
 * Whether a stored JSON document looks like a marker and would be read as another value. It is then
 * sent as `{"$json": …}`.
 */
export function looksMarked(json: string): boolean {
  const [, name] = firstMember.exec(json) ?? [];
  return name !== undefined && markers.has(readName(name));
}

function readName(literal: string): unknown {
  try {
    return JSON.parse(literal);
  } catch {
    return undefined;
  }
}
