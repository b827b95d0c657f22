/** Reading values of a JSON or YAML document, each failure with the place where it stands. */
import { StudioError } from '../model/errors.ts';
import { didYouMean } from '../model/nearest.ts';
import { lineColumn } from '../sql/position.ts';
import type { JsonArray, JsonNode, JsonObject } from '../model/exact-json.ts';

/** A document's text, for the places of its nodes. */
export interface DocumentSource {
  readonly text: string;
  /** Every object that was read. */
  readonly opened: Map<JsonNode, Members>;
}

export function parseFailure(
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
  /** The names that were looked for. */
  readonly asked: Set<string>;
  /** What the object is, for messages: `tables[3].columns[0]`. */
  readonly path: string;
}

export function failAt(source: DocumentSource, node: JsonNode, why: string): StudioError {
  const place = lineColumn(source.text, node.start);
  return parseFailure(`${why} (line ${place.line}, column ${place.column}).`, place);
}

export function membersOf(source: DocumentSource, node: JsonNode, path: string): Members {
  if (node.kind !== 'object') throw failAt(source, node, `${path} is no object`);
  const byName = new Map<string, JsonNode>();
  for (const { name, value } of node.members) {
    if (byName.has(name)) {
      throw failAt(source, value, `${path} has ${JSON.stringify(name)} twice`);
    }
    byName.set(name, value);
  }
  const asked = source.opened.get(node)?.asked ?? new Set<string>();
  const members = { source, node, byName, path, asked };
  source.opened.set(node, members);
  return members;
}

/** A name that nothing looks for is misspelt, or says what would be lost. `others`: names that need no looking at. */
export function rejectUnknownMembers(
  { opened }: DocumentSource,
  others: (path: string) => readonly string[],
): void {
  for (const { source, path, byName, asked } of opened.values()) {
    const known = [...asked, ...others(path)];
    for (const [name, node] of byName)
      if (!known.includes(name)) throw unknownMember({ source, path }, { name, node, known });
  }
}

interface UnknownMember {
  readonly name: string;
  readonly node: JsonNode;
  readonly known: readonly string[];
}

export function unknownMember(
  { source, path }: Pick<Members, 'source' | 'path'>,
  { name, node, known }: UnknownMember,
): StudioError {
  const what = `${path} has a member ${JSON.stringify(name)}, which means nothing here`;
  return failAt(source, node, `${what}.${didYouMean(name, known)}`.replace(/[.?]$/, ''));
}

/** A member that is there and not null. */
function present({ byName, asked }: Members, name: string): JsonNode | undefined {
  asked.add(name);
  const node = byName.get(name);
  return node?.kind === 'null' ? undefined : node;
}

/** Numbers and words are texts too, by their digits: a default of `0`, a name of `2024`. */
export function textIn(members: Members, name: string): string | undefined {
  const node = present(members, name);
  if (node === undefined) return undefined;
  const text = textOf(node);
  if (text === undefined)
    throw failAt(members.source, node, `${memberPath(members, name)} is no text`);
  return text;
}

/** As `textIn`; the empty text says nothing. */
export function wordIn(members: Members, name: string): string | undefined {
  const text = textIn(members, name);
  return text === '' ? undefined : text;
}

export function requiredText(members: Members, name: string): string {
  const text = textIn(members, name);
  if (text !== undefined) return text;
  throw failAt(members.source, members.node, `${members.path} has no ${name}`);
}

export function flagIn(members: Members, name: string): boolean | undefined {
  const node = present(members, name);
  if (node === undefined) return undefined;
  if (node.kind !== 'boolean') {
    throw failAt(members.source, node, `${memberPath(members, name)} is neither true nor false`);
  }
  return node.value;
}

export function numberIn(members: Members, name: string): number | undefined {
  const node = present(members, name);
  if (node === undefined) return undefined;
  const value = node.kind === 'number' ? Number(node.digits) : NaN;
  if (!Number.isSafeInteger(value)) {
    throw failAt(members.source, node, `${memberPath(members, name)} is no integer`);
  }
  return value;
}

/** One of the texts; undefined where there is none. */
export function choiceIn<T extends string>(
  members: Members,
  name: string,
  choices: readonly T[],
): T | undefined {
  const text = wordIn(members, name);
  const chosen = choices.find((choice) => choice === text?.toLowerCase());
  if (text !== undefined && chosen === undefined) {
    const list = choices.join(', ');
    const node = members.byName.get(name) ?? members.node;
    throw failAt(members.source, node, `${memberPath(members, name)} is none of ${list}`);
  }
  return chosen;
}

/** The items of a list; none where there is no such member. */
export function itemsIn(members: Members, name: string): readonly Members[] {
  return listIn(members, name).map((item, i) =>
    membersOf(members.source, item, `${memberPath(members, name)}[${i}]`),
  );
}

export function textsIn(members: Members, name: string): readonly string[] | undefined {
  if (present(members, name) === undefined) return undefined;
  return listIn(members, name).map((item, i) => {
    const text = textOf(item);
    if (text !== undefined) return text;
    throw failAt(members.source, item, `${memberPath(members, name)}[${i}] is no text`);
  });
}

export function objectIn(members: Members, name: string): Members | undefined {
  const node = present(members, name);
  return node === undefined
    ? undefined
    : membersOf(members.source, node, memberPath(members, name));
}

function listIn(members: Members, name: string): JsonArray['items'] {
  const node = present(members, name);
  if (node === undefined) return [];
  if (node.kind === 'array') return node.items;
  throw failAt(members.source, node, `${memberPath(members, name)} is no list`);
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
