/** A streaming parser for the subset of XML that spreadsheets use. It removes namespace prefixes from names. */
import { StudioError } from '../../model/errors.ts';

interface XmlHandler {
  open(name: string, tag: XmlTag): void;
  text(text: string): void;
  close(name: string): void;
}

export interface XmlTag {
  /** The value of an attribute, by its name without prefix. */
  attribute(name: string): string | undefined;
  /** The number of attributes. */
  count(): number;
}

/** Longest tag or text. Anything longer is a broken file. */
const maxMarkupLength = 64 * 1024 * 1024;

export async function readXml(
  bytes: AsyncIterable<Uint8Array>,
  handler: XmlHandler,
): Promise<void> {
  for await (const _ of parseXml(bytes, handler));
}

/** Parses chunk by chunk. It yields after each, so that the caller can process what the handler got. */
export async function* parseXml(
  bytes: AsyncIterable<Uint8Array>,
  handler: XmlHandler,
): AsyncGenerator<void, void, undefined> {
  let decoder: InstanceType<typeof TextDecoder> | undefined;
  let rest = '';
  let unread: string[] = [];
  let unreadLength = 0;
  for await (const chunk of bytes) {
    decoder ??= new TextDecoder(encodingOf(chunk));
    const decoded = decoder.decode(chunk, { stream: true });
    unread.push(decoded);
    unreadLength += decoded.length;
    // Waits until the input has doubled, so that a tag longer than a chunk is not scanned again for each chunk.
    if (unreadLength < rest.length) continue;
    const text = rest + unread.join('');
    [unread, unreadLength] = [[], 0];
    rest = text.slice(parseComplete(text, handler));
    if (rest.length > maxMarkupLength) throw malformed('a tag or text is too long or not closed');
    yield;
  }
  const text = rest + unread.join('') + (decoder?.decode() ?? '');
  if (text.slice(parseComplete(text, handler)).trim() !== '') throw malformed('it ends too early');
}

function encodingOf([a, b]: Uint8Array): string {
  if (a === 0xff && b === 0xfe) return 'utf-16le';
  return a === 0xfe && b === 0xff ? 'utf-16be' : 'utf-8';
}

/** Parses complete markup and text. Returns the offset of the first character that it did not parse. */
function parseComplete(text: string, handler: XmlHandler): number {
  let at = 0;
  for (;;) {
    const open = text.indexOf('<', at);
    if (open === -1) return at;
    const end = endOfMarkup(text, open);
    if (end === -1) return at;
    if (open > at) handler.text(decodeEntities(text.slice(at, open)));
    parseMarkup(text.slice(open, end), handler);
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

/** Quoted values may contain `>`. */
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

function parseMarkup(markup: string, handler: XmlHandler): void {
  const first = markup.charCodeAt(1);
  if (first === SLASH) return handler.close(localName(markup.slice(2, -1).trimEnd()));
  if (first === QUESTION) return;
  if (first === EXCLAMATION) return parseDeclaration(markup, handler);
  const isClosed = markup.charCodeAt(markup.length - 2) === SLASH;
  const nameEnd = endOfName(markup);
  const name = localName(markup.slice(1, nameEnd));
  handler.open(name, {
    attribute: (attributeName) => attributeOf(markup, nameEnd, attributeName),
    count: () => markup.split('=').length - 1,
  });
  if (isClosed) handler.close(name);
}

function parseDeclaration(markup: string, handler: XmlHandler): void {
  if (markup.startsWith('<!--')) return;
  if (!markup.startsWith('<![CDATA['))
    throw malformed('it declares types or entities (a DTD), which is not supported');
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

function attributeOf(markup: string, from: number, attributeName: string): string | undefined {
  const isPlain = !markup.includes("'") && !markup.includes('= ') && !markup.includes(' =');
  return isPlain
    ? plainAttribute(markup, from, attributeName)
    : anyAttribute(markup, attributeName);
}

function plainAttribute(markup: string, from: number, attributeName: string): string | undefined {
  const prefix = `${attributeName}="`;
  let counted = from;
  let quotes = 0;
  for (let at = markup.indexOf(prefix, from); at !== -1; at = markup.indexOf(prefix, at + 1)) {
    for (; counted < at; counted++) if (markup.charCodeAt(counted) === QUOTE) quotes++;
    const before = markup.charCodeAt(at - 1);
    // After an odd number of quotes the match is within a value.
    if ((before > 0x20 && before !== COLON) || quotes % 2 === 1) continue;
    const start = at + prefix.length;
    return decodeEntities(markup.slice(start, markup.indexOf('"', start)));
  }
  return undefined;
}

function anyAttribute(markup: string, attributeName: string): string | undefined {
  for (const [, name = '', double, single] of markup.matchAll(attributePattern)) {
    if (localName(name) === attributeName) return decodeEntities(double ?? single ?? '');
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
  return new StudioError('parse_failed', `The workbook contains XML that cannot be read: ${why}.`);
}
