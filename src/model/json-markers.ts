/** Members that stand for a value that JSON has no form for, where they are alone in their object. */
const markers: ReadonlySet<unknown> = new Set(['$base64', '$int', '$json', '$cut']);

const firstMember = /^\s*\{\s*("\$(?:[^"\\]|\\.)*"|"\\u0024(?:[^"\\]|\\.)*")\s*:/;

/**
 * Whether a stored JSON document begins like one of the wire's own markers, so that it would be read
 * as another value: it then travels as `{"$json": …}`.
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
