import { parseJsonWithTokens } from '../../../src/contract/number-token.ts';
import { looksMarked } from '../../../src/model/values/json-markers.ts';
import type { Cell } from '../../../src/contract/client/client.ts';

const sources = new WeakMap<object, string>();

/** Parses JSON and remembers the source text of the value. Throws the error of the browser's parser. */
export function readJsonText(text: string): Cell {
  const document = parseJsonWithTokens(text) as Cell;
  if (document === null) return { $json: null };
  const value = needsMarker(text) ? { $json: document } : document;
  if (typeof value === 'object') sources.set(value, text);
  return value;
}

/** Some values need the API's `$json` marker: an object could look like a marker, and SQLite would store a string without its quotes. */
function needsMarker(text: string): boolean {
  return looksMarked(text) || text.trimStart().startsWith('"');
}

/** Returns the text that the user typed for a JSON value. Undefined for a value that was read. */
export function sourceOf(value: Cell): string | undefined {
  return typeof value === 'object' && value !== null ? sources.get(value) : undefined;
}

/** Returns the source of a typed JSON value for a request body. */
export function requestSource(value: Cell): string | undefined {
  const source = sourceOf(value);
  return source !== undefined && needsMarker(source) ? `{"$json":${source}}` : source;
}

/** A syntax error in JSON. Line and column count from 1. */
export interface JsonSyntaxError {
  readonly message: string;
  readonly line: number;
  readonly column: number;
}

export function findJsonError(text: string): JsonSyntaxError | undefined {
  try {
    parseJsonWithTokens(text);
    return undefined;
  } catch (error) {
    return syntaxErrorOf(text, (error as Error).message);
  }
}

/** Only some messages of the parser contain a position. The others mean that the text ends too early. */
function syntaxErrorOf(text: string, parserMessage: string): JsonSyntaxError {
  const [, position] = /position (\d+)/.exec(parserMessage) ?? [];
  const offset = position === undefined ? positionOfToken(text, parserMessage) : Number(position);
  const before = text.slice(0, offset).split('\n');
  const message = parserMessage
    .replace(/ in JSON.*$/s, '')
    .replace(/, (?:\.\.\.)?".*is not valid JSON$/s, '')
    .replace(/^JSON\.parse: /, '');
  return { message, line: before.length, column: (before.at(-1)?.length ?? 0) + 1 };
}

/** Finds the excerpt of the message `Unexpected token 'x', ..."before x after"... is not valid JSON` in the text. */
function positionOfToken(text: string, parserMessage: string): number {
  const [, token, excerpt] =
    /Unexpected token '(.*?)', (?:\.\.\.)?"(.*)"(?:\.\.\.)? is not valid JSON$/su.exec(
      parserMessage,
    ) ?? [];
  if (token === undefined || excerpt === undefined) return text.length;
  const start = text.indexOf(excerpt);
  return start < 0 ? text.length : start + excerpt.indexOf(token);
}

const indent = '  ';
const tokens = /"(?:[^"\\]|\\.)*"|[{}[\],:]|[^\s{}[\],:"]+/gs;

/** Indents JSON. Each token stays as it was written. */
export function formatJson(text: string): string {
  let depth = 0;
  let out = '';
  const foundTokens = text.match(tokens) ?? [];
  for (const [i, token] of foundTokens.entries()) {
    const isOpening = token === '{' || token === '[';
    const isClosing = token === '}' || token === ']';
    const isEmpty = isOpening && /^[}\]]$/.test(foundTokens[i + 1] ?? '');
    if (isClosing) {
      depth--;
      if (!/^[{[]$/.test(foundTokens[i - 1] ?? '')) out += `\n${indent.repeat(depth)}`;
    }
    out += token === ':' ? ': ' : token;
    if (isOpening) depth++;
    if ((isOpening && !isEmpty) || token === ',') out += `\n${indent.repeat(depth)}`;
  }
  return out;
}

/** Puts JSON on one line. Each token stays as it was written. */
export function compactJson(text: string): string {
  return (text.match(tokens) ?? []).join('');
}
