import { parseExactJson } from '../../../model/exact-json.ts';
import type { JsonNode, JsonObject } from '../../../model/exact-json.ts';

/** An array's items as PostgreSQL writes them: texts, NULLs and arrays. */
export type ArrayItem = string | null | readonly ArrayItem[];

/** Reads `{1,"a b",NULL,{2}}`; undefined for text that is none, such as an array with bounds of its own (`[2:3]={…}`). */
export function readArrayLiteral(text: string, delimiter = ','): readonly ArrayItem[] | undefined {
  if (!text.startsWith('{')) return undefined;
  const source: Source = { text, at: 0, delimiter };
  const items = readItems(source);
  return source.at === text.length ? items : undefined;
}

interface Source {
  readonly text: string;
  at: number;
  readonly delimiter: string;
}

/** From an opening brace to behind its closing one; undefined when that never comes. */
function readItems(source: Source): readonly ArrayItem[] | undefined {
  const { text } = source;
  const items: ArrayItem[] = [];
  source.at++;
  if (text[source.at] === '}') source.at++;
  else {
    do {
      const item = readItem(source);
      if (item === undefined) return undefined;
      items.push(item);
    } while (text[source.at++] === source.delimiter);
    if (text[source.at - 1] !== '}') return undefined;
  }
  return items;
}

function readItem(source: Source): ArrayItem | undefined {
  const first = source.text[source.at];
  if (first === '{') return readItems(source);
  if (first === '"') return readQuoted(source);
  const bare = readBare(source);
  return bare.toUpperCase() === 'NULL' ? null : bare;
}

const quoted = /"((?:[^"\\]|\\[^])*)"/y;

function readQuoted(source: Source): string | undefined {
  quoted.lastIndex = source.at;
  const content = quoted.exec(source.text)?.[1];
  if (content === undefined) return undefined;
  source.at = quoted.lastIndex;
  return content.includes('\\') ? content.replaceAll(/\\([^])/g, '$1') : content;
}

function readBare(source: Source): string {
  const start = source.at;
  while (source.at < source.text.length && !isEnd(source)) source.at++;
  return source.text.slice(start, source.at);
}

function isEnd({ text, at, delimiter }: Source): boolean {
  return text[at] === delimiter || text[at] === '}';
}

/** How the items of an array type are written. */
export interface ArrayForm {
  readonly delimiter: string;
  /** The items are JSON: a string among them is JSON's string, not its text. */
  readonly documents: boolean;
}

const usualForm: ArrayForm = { delimiter: ',', documents: false };

/** The literal for an array in JSON; any other text is left as it is. */
export function arrayLiteral(value: string, form: ArrayForm = usualForm): string {
  if (!isJsonArray(value)) return value;
  return itemText(parseExactJson(value, 'invalid_value'), { ...form, json: value });
}

/** Bounds of its own begin with a bracket too: `[2:3]={…}`. */
function isJsonArray(text: string): boolean {
  return text.startsWith('[') && !/^\[[+-]?\d+:/.test(text);
}

interface Target extends ArrayForm {
  readonly json: string;
}

function itemText(node: JsonNode, target: Target): string {
  switch (node.kind) {
    case 'array':
      return `{${node.items.map((item) => itemText(item, target)).join(target.delimiter)}}`;
    case 'null':
      return 'NULL';
    case 'number':
      return node.digits;
    case 'boolean':
      return String(node.value);
    case 'string':
      return quoteItem(
        target.documents ? target.json.slice(node.start, node.end) : node.value,
        target.delimiter,
      );
    default:
      return quoteItem(objectText(node, target.json), target.delimiter);
  }
}

/** `{"$base64": "…"}` is bytea, `{"$json": null}` JSON's own null; any other object is JSON. */
function objectText(node: JsonObject, json: string): string {
  const [only, another] = node.members;
  const isMarked = only !== undefined && another === undefined;
  if (isMarked && only.name === '$base64' && only.value.kind === 'string') {
    return `\\x${Buffer.from(only.value.value, 'base64').toString('hex')}`;
  }
  const { start, end } = isMarked && only.name === '$json' ? only.value : node;
  return json.slice(start, end);
}

/** As the server writes it: keys of types that it does not compare are looked up by their text. */
function quoteItem(text: string, delimiter: string): string {
  const isPlain =
    text !== '' &&
    text.toUpperCase() !== 'NULL' &&
    !/["\\{}\t-\r ]/.test(text) &&
    !text.includes(delimiter);
  if (isPlain) return text;
  return `"${text.replaceAll(/["\\]/g, String.raw`\$&`)}"`;
}
