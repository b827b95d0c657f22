/** The part of XML that spreadsheets are made of, as it comes. Names are told without their prefixes. */
import { StudioError } from '../../model/errors.ts';

interface XmlHandler {
  open(name: string, tag: XmlTag): void;
  text(text: string): void;
  close(name: string): void;
}

export interface XmlTag {
  /** An attribute's value, by its name without a prefix. */
  attribute(name: string): string | undefined;
  /** How many it has. */
  count(): number;
}

/** Text of one tag or between two; beyond it, the file is broken. */
const longestPiece = 64 * 1024 * 1024;

export async function readXml(
  bytes: AsyncIterable<Uint8Array>,
  handler: XmlHandler,
): Promise<void> {
  for await (const _ of parseXml(bytes, handler));
}

/** Parses step by step; what comes between two steps can be worked off first. */
export async function* parseXml(
  bytes: AsyncIterable<Uint8Array>,
  handler: XmlHandler,
): AsyncGenerator<void, void, undefined> {
  let decoder: InstanceType<typeof TextDecoder> | undefined;
  let rest = '';
  let unread: string[] = [];
  let unreadLength = 0;
  for await (const block of bytes) {
    decoder ??= new TextDecoder(encodingOf(block));
    const decoded = decoder.decode(block, { stream: true });
    unread.push(decoded);
    unreadLength += decoded.length;
    // A tag or text longer than a block is scanned again each time that it has doubled, not for each block.
    if (unreadLength < rest.length) continue;
    const text = rest + unread.join('');
    [unread, unreadLength] = [[], 0];
    rest = text.slice(takePieces(text, handler));
    if (rest.length > longestPiece) throw malformed('a tag or text has no end');
    yield;
  }
  const text = rest + unread.join('') + (decoder?.decode() ?? '');
  if (text.slice(takePieces(text, handler)).trim() !== '') throw malformed('it ends too early');
}

function encodingOf([a, b]: Uint8Array): string {
  if (a === 0xff && b === 0xfe) return 'utf-16le';
  return a === 0xfe && b === 0xff ? 'utf-16be' : 'utf-8';
}

/** Takes what is whole; gives the place behind it. */
function takePieces(text: string, handler: XmlHandler): number {
  let at = 0;
  for (;;) {
    const open = text.indexOf('<', at);
    if (open === -1) return at;
    const end = endOfMarkup(text, open);
    if (end === -1) return at;
    if (open > at) handler.text(decodeEntities(text.slice(at, open)));
    takeMarkup(text.slice(open, end), handler);
    at = end;
  }
}

const spans: readonly (readonly [open: string, close: string])[] = [
  ['<!--', '-->'],
  ['<![CDATA[', ']]>'],
  ['<?', '?>'],
];

function endOfMarkup(text: string, from: number): number {
  const span = text[from + 1] === '!' || text[from + 1] === '?' ? spanAt(text, from) : undefined;
  if (span !== undefined) {
    const close = text.indexOf(span, from);
    return close === -1 ? -1 : close + span.length;
  }
  return endOfTag(text, from);
}

function spanAt(text: string, from: number): string | undefined {
  return spans.find(([open]) => text.startsWith(open, from))?.[1];
}

/** Values in quotes may hold `>`. */
function endOfTag(text: string, from: number): number {
  let close = text.indexOf('>', from);
  let quote = nextQuote(text, from + 1, close);
  while (close !== -1 && quote !== -1) {
    const end = text.indexOf(text[quote]!, quote + 1);
    if (end === -1) return -1;
    if (end > close) close = text.indexOf('>', end);
    quote = nextQuote(text, end + 1, close);
  }
  return close === -1 ? -1 : close + 1;
}

function nextQuote(text: string, from: number, to: number): number {
  for (let at = from; at < to; at++) {
    const code = text.charCodeAt(at);
    if (code === 0x22 || code === 0x27) return at;
  }
  return -1;
}

const SLASH = 0x2f;
const EXCLAMATION = 0x21;
const QUESTION = 0x3f;
const QUOTE = 0x22;
const COLON = 0x3a;

function takeMarkup(markup: string, handler: XmlHandler): void {
  const first = markup.charCodeAt(1);
  if (first === SLASH) return handler.close(localName(markup.slice(2, -1).trimEnd()));
  if (first === QUESTION) return;
  if (first === EXCLAMATION) return takeDeclaration(markup, handler);
  const isClosed = markup.charCodeAt(markup.length - 2) === SLASH;
  const nameEnd = endOfName(markup);
  const name = localName(markup.slice(1, nameEnd));
  handler.open(name, {
    attribute: (wanted) => attributeOf(markup, nameEnd, wanted),
    count: () => markup.split('=').length - 1,
  });
  if (isClosed) handler.close(name);
}

function takeDeclaration(markup: string, handler: XmlHandler): void {
  if (markup.startsWith('<!--')) return;
  if (!markup.startsWith('<![CDATA[')) throw malformed('it declares types or entities of its own');
  handler.text(markup.slice(9, -3));
}

function endOfName(markup: string): number {
  let at = 1;
  for (; at < markup.length - 1; at++) {
    const code = markup.charCodeAt(at);
    if (code <= 0x20 || code === SLASH) break;
  }
  return at;
}

function localName(name: string): string {
  return name.slice(name.indexOf(':') + 1);
}

const attributePattern = /\s([^\s=]+)\s*=\s*(?:"([^"]*)"|'([^']*)')/g;

function attributeOf(markup: string, from: number, wanted: string): string | undefined {
  const isPlain = !markup.includes("'") && !markup.includes('= ') && !markup.includes(' =');
  return isPlain ? plainAttribute(markup, from, wanted) : anyAttribute(markup, wanted);
}

function plainAttribute(markup: string, from: number, wanted: string): string | undefined {
  const mark = `${wanted}="`;
  let counted = from;
  let quotes = 0;
  for (let at = markup.indexOf(mark, from); at !== -1; at = markup.indexOf(mark, at + 1)) {
    for (; counted < at; counted++) if (markup.charCodeAt(counted) === QUOTE) quotes++;
    const before = markup.charCodeAt(at - 1);
    // Behind an odd number of quotes the match is part of a value.
    if ((before > 0x20 && before !== COLON) || quotes % 2 === 1) continue;
    const start = at + mark.length;
    return decodeEntities(markup.slice(start, markup.indexOf('"', start)));
  }
  return undefined;
}

function anyAttribute(markup: string, wanted: string): string | undefined {
  for (const [, name = '', double, single] of markup.matchAll(attributePattern)) {
    if (localName(name) === wanted) return decodeEntities(double ?? single ?? '');
  }
  return undefined;
}

const entities: Readonly<Record<string, string>> = {
  amp: '&',
  lt: '<',
  gt: '>',
  quot: '"',
  apos: "'",
};
const entityPattern = /&(?:#(\d{1,7}|[xX][\da-fA-F]{1,6})|(\w+));/g;

function decodeEntities(text: string): string {
  if (!text.includes('&')) return text;
  return text.replaceAll(entityPattern, (entity, number?: string, name?: string) => {
    if (name !== undefined) return entities[name] ?? entity;
    const point = Number(`0${number}`);
    return point <= 0x10ffff ? String.fromCodePoint(point) : entity;
  });
}

function malformed(why: string): StudioError {
  return new StudioError('parse_failed', `The workbook holds XML that cannot be read: ${why}.`);
}
