/** A streaming reader for the XML of workbooks. It removes namespace prefixes from names, and rejects entities of the file. */
import { SaxesParser } from 'saxes';
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

/**
 * Longest tag, text or comment: the parser keeps it in memory. A cell takes 32,767 characters, each of
 * which XML may write as an entity of ten.
 */
const maxMarkupLength = 8 * 1024 * 1024;
/** The parser keeps the names of all open elements. Workbooks have about ten. */
const maxDepth = 1000;

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
  const progress = { unreported: 0 };
  const parser = createParser(handler, progress);
  let decoder: InstanceType<typeof TextDecoder> | undefined;
  for await (const chunk of bytes) {
    decoder ??= new TextDecoder(encodingOf(chunk));
    const text = decoder.decode(chunk, { stream: true });
    progress.unreported += text.length;
    parser.write(text);
    if (progress.unreported > maxMarkupLength)
      throw malformed('a tag or text is too long or not closed');
    yield;
  }
  parser.write(decoder?.decode() ?? '').close();
}

function encodingOf([a, b]: Uint8Array): string {
  if (a === 0xff && b === 0xfe) return 'utf-16le';
  return a === 0xfe && b === 0xff ? 'utf-16be' : 'utf-8';
}

/** `progress` counts the characters since the last tag that the parser reported. */
function createParser(
  handler: XmlHandler,
  progress: { unreported: number },
): SaxesParser<{ xmlns: false; position: false }> {
  const parser = new SaxesParser({ xmlns: false, position: false } as const);
  let depth = 0;
  parser.on('opentag', ({ name, attributes }) => {
    progress.unreported = 0;
    if (++depth > maxDepth) throw malformed('its elements are nested too deeply');
    handler.open(localName(name), xmlTag(attributes));
  });
  parser.on('closetag', ({ name }) => {
    progress.unreported = 0;
    depth--;
    handler.close(localName(name));
  });
  parser.on('text', (text) => handler.text(text));
  parser.on('cdata', (text) => handler.text(text));
  parser.on('doctype', () => {
    throw malformed('it declares types or entities (a DTD), which is not supported');
  });
  parser.on('error', ({ message }) => {
    throw malformed(message.replace(/\.$/, ''));
  });
  return parser;
}

function xmlTag(attributes: Readonly<Record<string, string>>): XmlTag {
  return {
    attribute: (name) => attributes[name] ?? prefixedAttribute(attributes, name),
    count: () => Object.keys(attributes).length,
  };
}

function prefixedAttribute(
  attributes: Readonly<Record<string, string>>,
  name: string,
): string | undefined {
  for (const key in attributes) if (localName(key) === name) return attributes[key];
  return undefined;
}

function localName(name: string): string {
  return name.slice(name.indexOf(':') + 1);
}

function malformed(reason: string): StudioError {
  return new StudioError(
    'parse_failed',
    `The workbook contains XML that cannot be read: ${reason}.`,
  );
}
