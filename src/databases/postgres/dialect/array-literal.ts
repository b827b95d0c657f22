import { parseExactJson } from '../../../model/values/exact-json.ts';
import type { JsonNode, JsonObject } from '../../../model/values/exact-json.ts';

/** The items of an array literal: texts, NULLs and nested arrays. */
export type ArrayItem = string | null | readonly ArrayItem[];

/** Parses `{1,"a b",NULL,{2}}`. Undefined for other texts, such as an array with explicit bounds (`[2:3]={…}`). */
export function readArrayLiteral(text: string, delimiter = ','): readonly ArrayItem[] | undefined {
  if (!text.startsWith('{')) return undefined;
  const cursor: LiteralCursor = { text, at: 0, delimiter };
  const items = readItems(cursor);
  return cursor.at === text.length ? items : undefined;
}

interface LiteralCursor {
  readonly text: string;
  at: number;
  readonly delimiter: string;
}

/** Parses from an opening brace past its closing one; undefined if that is missing. */
function readItems(cursor: LiteralCursor): readonly ArrayItem[] | undefined {
  const { text } = cursor;
  const items: ArrayItem[] = [];
  cursor.at++;
  if (text[cursor.at] === '}') cursor.at++;
  else {
    do {
      const item = readItem(cursor);
      if (item === undefined) return undefined;
      items.push(item);
    } while (text[cursor.at++] === cursor.delimiter);
    if (text[cursor.at - 1] !== '}') return undefined;
  }
  return items;
}

function readItem(cursor: LiteralCursor): ArrayItem | undefined {
  const first = cursor.text[cursor.at];
  if (first === '{') return readItems(cursor);
  if (first === '"') return readQuoted(cursor);
  const bare = readBare(cursor);
  return bare.toUpperCase() === 'NULL' ? null : bare;
}

const quoted = /"((?:[^"\\]|\\[^])*)"/y;

function readQuoted(cursor: LiteralCursor): string | undefined {
  quoted.lastIndex = cursor.at;
  const content = quoted.exec(cursor.text)?.[1];
  if (content === undefined) return undefined;
  cursor.at = quoted.lastIndex;
  return content.includes('\\') ? content.replaceAll(/\\([^])/g, '$1') : content;
}

function readBare(cursor: LiteralCursor): string {
  const start = cursor.at;
  while (cursor.at < cursor.text.length && !isEnd(cursor)) cursor.at++;
  return cursor.text.slice(start, cursor.at);
}

function isEnd({ text, at, delimiter }: LiteralCursor): boolean {
  return text[at] === delimiter || text[at] === '}';
}

/** How the items of an array type are written in a literal. */
export interface ArraySyntax {
  readonly delimiter: string;
  /** The items are JSON documents, so a string item keeps its JSON quotes. */
  readonly itemsAreJson: boolean;
}

const defaultForm: ArraySyntax = { delimiter: ',', itemsAreJson: false };

/** Converts a JSON array to a literal. Other texts are returned unchanged. */
export function arrayLiteral(value: string, form: ArraySyntax = defaultForm): string {
  if (!isJsonArray(value)) return value;
  return itemText(parseExactJson(value, 'invalid_value'), { ...form, json: value });
}

/** A literal with explicit bounds also begins with a bracket: `[2:3]={…}`. */
function isJsonArray(text: string): boolean {
  return text.startsWith('[') && !/^\[[+-]?\d+:/.test(text);
}

interface ItemContext extends ArraySyntax {
  readonly json: string;
}

function itemText(node: JsonNode, context: ItemContext): string {
  switch (node.kind) {
    case 'array':
      return `{${node.items.map((item) => itemText(item, context)).join(context.delimiter)}}`;
    case 'null':
      return 'NULL';
    case 'number':
      return node.digits;
    case 'boolean':
      return String(node.value);
    case 'string':
      return quoteItem(
        context.itemsAreJson ? context.json.slice(node.start, node.end) : node.value,
        context.delimiter,
      );
    default:
      return quoteItem(objectText(node, context.json), context.delimiter);
  }
}

/** `{"$base64": "…"}` is bytea, `{"$json": null}` is the JSON value null; any other object is JSON. */
function objectText(node: JsonObject, json: string): string {
  const [only, another] = node.members;
  const isMarked = only !== undefined && another === undefined;
  if (isMarked && only.name === '$base64' && only.value.kind === 'string') {
    return `\\x${Buffer.from(only.value.value, 'base64').toString('hex')}`;
  }
  const { start, end } = isMarked && only.name === '$json' ? only.value : node;
  return json.slice(start, end);
}

/** Quotes as the server does, because keys of types without `=` are compared by their text. */
function quoteItem(text: string, delimiter: string): string {
  const isPlain =
    text !== '' &&
    text.toUpperCase() !== 'NULL' &&
    !/["\\{}\t-\r ]/.test(text) &&
    !text.includes(delimiter);
  if (isPlain) return text;
  return `"${text.replaceAll(/["\\]/g, String.raw`\$&`)}"`;
}
