import { parseExactJson } from '../../../src/contract/number-token.ts';
import { looksMarked } from '../../../src/model/json-markers.ts';
import type { Cell } from '../../../src/contract/client.ts';

const sources = new WeakMap<object, string>();

/** The value that a text of JSON means, which remembers the text. Throws what the browser's parser says. */
export function readJsonText(text: string): Cell {
  const document = parseExactJson(text) as Cell;
  if (document === null) return { $json: null };
  const value = needsMarker(text) ? { $json: document } : document;
  if (typeof value === 'object') sources.set(value, text);
  return value;
}

/** Without a marker an object could be read as one, and SQLite stores a string as it is, unquoted. */
function needsMarker(text: string): boolean {
  return looksMarked(text) || text.trimStart().startsWith('"');
}

/** The text that a value was typed as; undefined when it was not. */
export function sourceOf(value: Cell): string | undefined {
  return typeof value === 'object' && value !== null ? sources.get(value) : undefined;
}

/** A typed document as it goes into a request. */
export function sentSource(value: Cell): string | undefined {
  const source = sourceOf(value);
  return source !== undefined && needsMarker(source) ? `{"$json":${source}}` : source;
}

/** A fault in a text of JSON, in words, and where it is, from 1. */
export interface JsonFault {
  readonly message: string;
  readonly line: number;
  readonly column: number;
}

export function findJsonFault(text: string): JsonFault | undefined {
  try {
    parseExactJson(text);
    return undefined;
  } catch (error) {
    return faultOf(text, (error as Error).message);
  }
}

/** The parser tells a place only in some of its sentences; elsewhere the text has ended too early. */
function faultOf(text: string, said: string): JsonFault {
  const [, told] = /position (\d+)/.exec(said) ?? [];
  const at = told === undefined ? placeOfToken(text, said) : Number(told);
  const before = text.slice(0, at).split('\n');
  const message = said
    .replace(/ in JSON.*$/s, '')
    .replace(/, (?:\.\.\.)?".*is not valid JSON$/s, '')
    .replace(/^JSON\.parse: /, '');
  return { message, line: before.length, column: (before.at(-1)?.length ?? 0) + 1 };
}

/** `Unexpected token 'x', ..."before x after"... is not valid JSON`: the excerpt is from the text. */
function placeOfToken(text: string, said: string): number {
  const [, token, excerpt] =
    /Unexpected token '(.*?)', (?:\.\.\.)?"(.*)"(?:\.\.\.)? is not valid JSON$/su.exec(said) ?? [];
  if (token === undefined || excerpt === undefined) return text.length;
  const start = text.indexOf(excerpt);
  return start < 0 ? text.length : start + excerpt.indexOf(token);
}

const indent = '  ';
const tokens = /"(?:[^"\\]|\\.)*"|[{}[\],:]|[^\s{}[\],:"]+/gs;

/** JSON on lines of its own, each token as it was written. */
export function formatJson(text: string): string {
  let depth = 0;
  let out = '';
  const found = text.match(tokens) ?? [];
  for (const [i, token] of found.entries()) {
    const isOpening = token === '{' || token === '[';
    const isClosing = token === '}' || token === ']';
    const isEmpty = isOpening && /^[}\]]$/.test(found[i + 1] ?? '');
    if (isClosing) {
      depth--;
      if (!/[{[]$/.test(out)) out += `\n${indent.repeat(depth)}`;
    }
    out += token === ':' ? ': ' : token;
    if (isOpening) depth++;
    if ((isOpening && !isEmpty) || token === ',') out += `\n${indent.repeat(depth)}`;
  }
  return out;
}

/** JSON on one line, each token as it was written. */
export function compactJson(text: string): string {
  return (text.match(tokens) ?? []).join('');
}
