/** Reads values of a JSON or YAML document. Every error has the position of its value. */
import { StudioError } from '../model/errors.ts';
import { didYouMean } from '../model/nearest.ts';
import { lineColumn } from '../portable/lexer/position.ts';
import type { JsonArray, JsonNode, JsonObject } from '../model/values/exact-json.ts';

/** A document's text, from which positions are computed. */
export interface DocumentSource {
  readonly text: string;
  /** Every object that was read, to find members that nothing reads. */
  readonly visitedObjects: Map<JsonNode, Members>;
}

export function parseError(
  message: string,
  { line, column }: { readonly line: number; readonly column: number },
): StudioError {
  return new StudioError('parse_failed', message, {
    line,
    column,
    errors: [{ code: 'parse_failed', message, line, column }],
  });
}

/** An object of the document, its members by name. */
export interface Members {
  readonly source: DocumentSource;
  readonly node: JsonObject;
  readonly byName: ReadonlyMap<string, JsonNode>;
  /** The names that have been read, whether present or not. */
  readonly requestedNames: Set<string>;
  /** The path in messages: `tables[3].columns[0]`. */
  readonly path: string;
}

export function errorAt(source: DocumentSource, node: JsonNode, reason: string): StudioError {
  return errorWithHint({ source, node, hint: '' }, reason);
}

interface ErrorLocation {
  readonly source: DocumentSource;
  readonly node: JsonNode;
  /** A sentence after the position, with a space before it, or empty. */
  readonly hint: string;
}

function errorWithHint({ source, node, hint }: ErrorLocation, reason: string): StudioError {
  const position = lineColumn(source.text, node.start);
  return parseError(
    `${reason} (line ${position.line}, column ${position.column}).${hint}`,
    position,
  );
}

export function membersOf(source: DocumentSource, node: JsonNode, path: string): Members {
  if (node.kind !== 'object') throw errorAt(source, node, `${path} is not an object`);
  const byName = new Map<string, JsonNode>();
  for (const { name, value } of node.members) {
    if (byName.has(name)) {
      throw errorAt(source, value, `${path} has ${JSON.stringify(name)} twice`);
    }
    byName.set(name, value);
  }
  const requestedNames = source.visitedObjects.get(node)?.requestedNames ?? new Set<string>();
  const members = { source, node, byName, path, requestedNames };
  source.visitedObjects.set(node, members);
  return members;
}

/** Rejects members that no code has read: a typo would be ignored silently. `ignoredNames` returns names that are allowed. */
export function rejectUnknownMembers(
  { visitedObjects }: DocumentSource,
  ignoredNames: (path: string) => readonly string[],
): void {
  for (const { source, path, byName, requestedNames } of visitedObjects.values()) {
    const knownNames = [...requestedNames, ...ignoredNames(path)];
    for (const [name, node] of byName)
      if (!knownNames.includes(name))
        throw unknownMemberError({ source, path }, { name, node, knownNames });
  }
}

interface UnknownMember {
  readonly name: string;
  readonly node: JsonNode;
  readonly knownNames: readonly string[];
}

export function unknownMemberError(
  { source, path }: Pick<Members, 'source' | 'path'>,
  { name, node, knownNames }: UnknownMember,
): StudioError {
  const reason = `${path} has a member ${JSON.stringify(name)}, which is not known`;
  return errorWithHint({ source, node, hint: didYouMean(name, knownNames) }, reason);
}

/** The member, unless it is missing or null. */
function findMember({ byName, requestedNames }: Members, name: string): JsonNode | undefined {
  requestedNames.add(name);
  const node = byName.get(name);
  return node?.kind === 'null' ? undefined : node;
}

/** Also accepts numbers, by their digits, and true and false: a default of `0`, a name of `2024`. */
export function textIn(members: Members, name: string): string | undefined {
  const node = findMember(members, name);
  if (node === undefined) return undefined;
  const text = textOf(node);
  if (text === undefined)
    throw errorAt(members.source, node, `${memberPath(members, name)} is not a string`);
  return text;
}

/** Like `textIn`; undefined also for the empty string. */
export function nonEmptyTextIn(members: Members, name: string): string | undefined {
  const text = textIn(members, name);
  return text === '' ? undefined : text;
}

export function requiredText(members: Members, name: string): string {
  const text = textIn(members, name);
  if (text !== undefined) return text;
  throw errorAt(members.source, members.node, `${members.path} has no ${name}`);
}

export function booleanIn(members: Members, name: string): boolean | undefined {
  const node = findMember(members, name);
  if (node === undefined) return undefined;
  if (node.kind !== 'boolean') {
    throw errorAt(members.source, node, `${memberPath(members, name)} is neither true nor false`);
  }
  return node.value;
}

export function numberIn(members: Members, name: string): number | undefined {
  const node = findMember(members, name);
  if (node === undefined) return undefined;
  const value = node.kind === 'number' ? Number(node.digits) : NaN;
  if (!Number.isSafeInteger(value)) {
    throw errorAt(members.source, node, `${memberPath(members, name)} is not an integer`);
  }
  return value;
}

/** One of `choices`, ignoring case; undefined if the member is missing. */
export function choiceIn<T extends string>(
  members: Members,
  name: string,
  choices: readonly T[],
): T | undefined {
  const text = nonEmptyTextIn(members, name);
  const found = choices.find((choice) => choice === text?.toLowerCase());
  if (text !== undefined && found === undefined) {
    const list = choices.join(', ');
    const node = members.byName.get(name) ?? members.node;
    throw errorAt(members.source, node, `${memberPath(members, name)} is none of ${list}`);
  }
  return found;
}

/** The objects of a list; empty if the member is missing. */
export function itemsIn(members: Members, name: string): readonly Members[] {
  return listIn(members, name).map((item, i) =>
    membersOf(members.source, item, `${memberPath(members, name)}[${i}]`),
  );
}

export function textsIn(members: Members, name: string): readonly string[] | undefined {
  if (findMember(members, name) === undefined) return undefined;
  return listIn(members, name).map((item, i) => {
    const text = textOf(item);
    if (text !== undefined) return text;
    throw errorAt(members.source, item, `${memberPath(members, name)}[${i}] is not a string`);
  });
}

export function objectIn(members: Members, name: string): Members | undefined {
  const node = findMember(members, name);
  return node === undefined
    ? undefined
    : membersOf(members.source, node, memberPath(members, name));
}

function listIn(members: Members, name: string): JsonArray['items'] {
  const node = findMember(members, name);
  if (node === undefined) return [];
  if (node.kind === 'array') return node.items;
  throw errorAt(members.source, node, `${memberPath(members, name)} is not a list`);
}

function memberPath({ path }: Members, name: string): string {
  return path === documentPath ? name : `${path}.${name}`;
}

export const documentPath = 'the document';

function textOf(node: JsonNode): string | undefined {
  if (node.kind === 'string') return node.value;
  if (node.kind === 'number') return node.digits;
  return node.kind === 'boolean' ? String(node.value) : undefined;
}
