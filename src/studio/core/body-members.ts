/** The members of JSON objects in request bodies. */
import { StudioError } from '../../model/errors.ts';
import { membersByName } from '../../model/values/exact-json.ts';
import type { JsonNode, JsonObject } from '../../model/values/exact-json.ts';

/** Fails unless the value is a JSON object. `subject` names it in the error, such as "The body". */
export function objectOf(node: JsonNode | undefined, subject: string): JsonObject {
  if (node?.kind === 'object') return node;
  throw new StudioError(
    'invalid_body',
    `${subject} must be a JSON object, not ${node === undefined ? 'absent' : describe(node)}.`,
  );
}

function describe(node: JsonNode): string {
  return node.kind === 'null' ? 'null' : node.kind === 'array' ? 'an array' : `a ${node.kind}`;
}

/** Rejects members that are not listed: a misspelled one, such as `if_match`, would silently have no effect. */
export function acceptedMembers(
  node: JsonNode | undefined,
  subject: string,
  names: readonly string[],
): ReadonlyMap<string, JsonNode> {
  const members = membersByName(objectOf(node, subject));
  const unknown = [...members.keys()].find((name) => !names.includes(name));
  if (unknown === undefined) return members;
  throw new StudioError(
    'invalid_body',
    `${subject} has an unknown member "${unknown}"; ${listMembers(names)}.`,
  );
}

function listMembers(names: readonly string[]): string {
  return names.length === 1
    ? `the only member is ${names[0]}`
    : `the members are ${names.join(', ')}`;
}
