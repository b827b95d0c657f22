import { StudioError } from '../errors.ts';
import type { ErrorCode } from '../errors.ts';

/** A JSON value with its position. Numbers keep their digits, so that none is rounded to a double. */
export type JsonNode = JsonNull | JsonBoolean | JsonNumber | JsonString | JsonArray | JsonObject;

interface Span {
  /** Offsets in the text; `end` is exclusive. */
  readonly start: number;
  readonly end: number;
}

export interface JsonNull extends Span {
  readonly kind: 'null';
}

export interface JsonBoolean extends Span {
  readonly kind: 'boolean';
  readonly value: boolean;
}

export interface JsonNumber extends Span {
  readonly kind: 'number';
  readonly digits: string;
}

export interface JsonString extends Span {
  readonly kind: 'string';
  readonly value: string;
}

export interface JsonArray extends Span {
  readonly kind: 'array';
  readonly items: readonly JsonNode[];
}

export interface JsonObject extends Span {
  readonly kind: 'object';
  /** In the order of the text. A name may occur twice; `membersByName` rejects that. */
  readonly members: readonly JsonMember[];
}

export interface JsonMember {
  readonly name: string;
  readonly value: JsonNode;
}

/** A position in a text; line and column count from 1. */
export interface TextPosition {
  readonly line: number;
  readonly column: number;
}

/** Maximum nesting depth: far more than real data has, far less than overflows the stack. */
export const maxJsonDepth = 1000;

/**
 * Parses JSON like JSON.parse, but without loss. Errors are StudioErrors with the given code and the
 * details `line` and `column`, both from 1. `origin` is the position of the text in a larger one.
 */
export function parseExactJson(
  text: string,
  code: ErrorCode = 'invalid_body',
  origin?: TextPosition,
): JsonNode {
  const source: Source = { text, code, origin, at: 0, depth: 0 };
  const node = readNode(source);
  if (peek(source) !== '') throw failure(source, 'the JSON has ended before');
  return node;
}

/** The members of an object by name. Rejects duplicate names; `__proto__` is an ordinary name. */
export function membersByName(
  object: JsonObject,
  code: ErrorCode = 'invalid_body',
): ReadonlyMap<string, JsonNode> {
  const byName = new Map<string, JsonNode>();
  for (const { name, value } of object.members) {
    if (byName.has(name)) {
      throw new StudioError(code, `The key ${JSON.stringify(name)} occurs twice in one object.`);
    }
    byName.set(name, value);
  }
  return byName;
}

interface Source {
  readonly text: string;
  readonly code: ErrorCode;
  readonly origin: TextPosition | undefined;
  at: number;
  depth: number;
}

const SPACE = 0x20;
const space = /[ \t\n\r]*/y;
/** Without a backslash, a quote or a control character inside. */
const plainString = /"[ !#-[\]-\uffff]*"/y;
const number = /-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?/y;
const word = /true|false|null/y;

function readNode(source: Source): JsonNode {
  const first = peek(source);
  if (first === '{') return readObject(source);
  if (first === '[') return readArray(source);
  if (first === '"') return readString(source);
  return readNumber(source) ?? readWord(source);
}

function readObject(source: Source): JsonObject {
  const start = open(source);
  const members: JsonMember[] = [];
  if (peek(source) !== '}') {
    do {
      if (peek(source) !== '"') throw failure(source, 'a key in double quotes is expected');
      const name = readString(source).value;
      expect(source, ':');
      members.push({ name, value: readNode(source) });
    } while (skip(source, ','));
  }
  return { kind: 'object', start, end: close(source, '}'), members };
}

function readArray(source: Source): JsonArray {
  const start = open(source);
  const items: JsonNode[] = [];
  if (peek(source) !== ']') {
    do items.push(readNode(source));
    while (skip(source, ','));
  }
  return { kind: 'array', start, end: close(source, ']'), items };
}

function readString(source: Source): JsonString {
  const start = source.at;
  if (pass(source, plainString)) {
    const { text, at } = source;
    return { kind: 'string', start, end: at, value: text.slice(start + 1, at - 1) };
  }
  const end = endOfString(source);
  const value = unquote(source.text.slice(start, end));
  if (value === undefined) {
    throw failure(source, 'this string holds a control character or an unknown escape');
  }
  source.at = end;
  return { kind: 'string', start, end, value };
}

/** The offset after the next unescaped quote. */
function endOfString(source: Source): number {
  const { text, at } = source;
  let quote = text.indexOf('"', at + 1);
  while (quote !== -1 && isEscaped(text, quote)) quote = text.indexOf('"', quote + 1);
  if (quote === -1) throw failure(source, 'this string has no end');
  return quote + 1;
}

function isEscaped(text: string, at: number): boolean {
  let backslashes = 0;
  while (text[at - 1 - backslashes] === '\\') backslashes++;
  return backslashes % 2 === 1;
}

function unquote(quoted: string): string | undefined {
  try {
    return String(JSON.parse(quoted));
  } catch {
    return undefined;
  }
}

function readNumber(source: Source): JsonNumber | undefined {
  const start = source.at;
  const digits = match(source, number);
  return digits === undefined ? undefined : { kind: 'number', start, end: source.at, digits };
}

function readWord(source: Source): JsonBoolean | JsonNull {
  const start = source.at;
  const found = match(source, word);
  if (found === undefined) throw failure(source, 'a JSON value is expected');
  if (found === 'null') return { kind: 'null', start, end: source.at };
  return { kind: 'boolean', start, end: source.at, value: found === 'true' };
}

// The text, character by character.

/** The next character that is not white space; empty at the end. */
function peek(source: Source): string {
  if (source.text.charCodeAt(source.at) <= SPACE) pass(source, space);
  return source.text.charAt(source.at);
}

function match(source: Source, pattern: RegExp): string | undefined {
  const { text, at } = source;
  return pass(source, pattern) ? text.slice(at, source.at) : undefined;
}

/** Uses `test` instead of `exec`, whose match objects cost more than the rest of the parser. */
function pass(source: Source, pattern: RegExp): boolean {
  pattern.lastIndex = source.at;
  if (!pattern.test(source.text)) return false;
  source.at = pattern.lastIndex;
  return true;
}

function skip(source: Source, token: string): boolean {
  if (peek(source) !== token) return false;
  source.at++;
  return true;
}

function expect(source: Source, token: string): void {
  if (!skip(source, token)) throw failure(source, `"${token}" is expected`);
}

function open(source: Source): number {
  if (source.depth === maxJsonDepth)
    throw failure(source, `it is nested more than ${maxJsonDepth} deep`);
  source.depth++;
  return source.at++;
}

function close(source: Source, token: '}' | ']'): number {
  if (!skip(source, token)) throw failure(source, `"," or "${token}" is expected`);
  source.depth--;
  return source.at;
}

function failure({ text, at, code, origin }: Source, message: string): StudioError {
  const { line, column } = positionIn(text, at, origin);
  const ended = at === text.length && origin === undefined;
  const where = ended ? 'the text ends' : `line ${line}, column ${column}`;
  return new StudioError(code, `This is not valid JSON: ${message} (${where}).`, { line, column });
}

/** The position of an offset in a text that begins at `origin`. */
function positionIn(
  text: string,
  at: number,
  origin: TextPosition = { line: 1, column: 1 },
): TextPosition {
  const before = text.slice(0, at).split('\n');
  const column = [...(before.at(-1) ?? '')].length;
  return {
    line: origin.line + before.length - 1,
    column: before.length === 1 ? origin.column + column : column + 1,
  };
}
