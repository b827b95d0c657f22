import {
  array,
  assert,
  asyncProperty,
  boolean,
  constantFrom,
  dictionary,
  integer,
  letrec,
  oneof,
  record,
  string,
} from 'fast-check';
import { describe, expect, test } from 'vitest';
import { readXml } from '../../../src/portable/xlsx/read-xml.ts';

interface Element {
  readonly prefix: string;
  readonly name: string;
  readonly attributes: Readonly<Record<string, string>>;
  readonly children: readonly (Element | string)[];
}

type Event = readonly [kind: string, ...of: unknown[]];

/** Reads bytes in chunks of a length, and lists what the reader reports. */
async function eventsOf(xml: string | Uint8Array, chunkLength = 7): Promise<Event[]> {
  const bytes = typeof xml === 'string' ? new TextEncoder().encode(xml) : xml;
  const events: Event[] = [];
  await readXml(chunksOf(bytes, chunkLength), {
    open: (name, tag) =>
      events.push(['open', name, tag.count(), ...names.map((each) => tag.attribute(each))]),
    text: (text) => {
      const last = events.at(-1);
      if (last?.[0] === 'text') events[events.length - 1] = ['text', `${String(last[1])}${text}`];
      else events.push(['text', text]);
    },
    close: (name) => events.push(['close', name]),
  });
  return events;
}

async function* chunksOf(bytes: Uint8Array, length: number): AsyncGenerator<Uint8Array> {
  for (let at = 0; at < bytes.length; at += length) yield bytes.subarray(at, at + length);
}

const names = ['a', 'b', 'row', '__proto__'];
const text = string({
  minLength: 1,
  unit: constantFrom('x', ' ', '&', '<', '>', '"', "'", ']', 'é', '漢', '😀'),
});
const { element } = letrec<{ element: Element }>((tie) => ({
  element: record({
    prefix: constantFrom('', 'x:'),
    name: constantFrom(...names),
    attributes: dictionary(constantFrom(...names, 'other'), text, { noNullPrototype: false }),
    children: array(oneof({ maxDepth: 3 }, text, tie('element')), { maxLength: 4 }),
  }),
}));
const style = record({
  quote: constantFrom('"', "'"),
  cdata: boolean(),
  numeric: boolean(),
  comments: boolean(),
});
type Style = { quote: string; cdata: boolean; numeric: boolean; comments: boolean };

function escaped(style: string, { numeric }: Style): string {
  const entities: Readonly<Record<string, string>> = {
    '&': '&amp;',
    '<': '&lt;',
    '>': '&gt;',
    '"': '&quot;',
    "'": '&apos;',
  };
  return style.replace(numeric ? /[^ ]/gu : /[&<>"']/g, (character) =>
    numeric ? `&#x${character.codePointAt(0)?.toString(16)};` : (entities[character] ?? ''),
  );
}

function written({ prefix, name, attributes, children }: Element, style: Style): string {
  const { quote, cdata, comments } = style;
  const pairs = Object.entries(attributes).map(
    ([key, value]) => ` ${key}=${quote}${escaped(value, style)}${quote}`,
  );
  const inner = children.map((child) => {
    if (typeof child !== 'string') return written(child, style);
    return cdata && !child.includes(']]>') ? `<![CDATA[${child}]]>` : escaped(child, style);
  });
  const tag = `${prefix}${name}${pairs.join('')}`;
  if (inner.length === 0) return `<${tag}/>`;
  return `<${tag}>${inner.join(comments ? '<!-- <c> & -->' : '')}</${prefix}${name} >`;
}

function expected({ name, attributes, children }: Element): Event[] {
  const ownValues = names.map((each) =>
    Object.hasOwn(attributes, each) ? attributes[each] : undefined,
  );
  const inner = children.flatMap((child): Event[] =>
    typeof child === 'string' ? [['text', child]] : expected(child),
  );
  return [['open', name, Object.keys(attributes).length, ...ownValues], ...inner, ['close', name]];
}

function withTextsJoined(events: readonly Event[]): Event[] {
  const joined: Event[] = [];
  for (const event of events) {
    const last = joined.at(-1);
    if (event[0] === 'text' && last?.[0] === 'text')
      joined[joined.length - 1] = ['text', `${String(last[1])}${String(event[1])}`];
    else joined.push(event);
  }
  return joined;
}

describe('a document', () => {
  test('of any elements, attributes and texts is reported whole, however it is cut into chunks', () =>
    assert(
      asyncProperty(
        element,
        style,
        integer({ min: 1, max: 40 }),
        async (root, xmlStyle, length) => {
          const xml = `<?xml version="1.0"?>${written(root, xmlStyle)}`;
          expect(await eventsOf(xml, length)).toEqual(withTextsJoined(expected(root)));
        },
      ),
    ));

  test('that is cut off is rejected', () =>
    assert(
      asyncProperty(element, style, integer({ min: 0, max: 999 }), async (root, xmlStyle, at) => {
        const xml = written(root, xmlStyle);
        await expect(eventsOf(xml.slice(0, at % xml.length))).rejects.toMatchObject({
          code: 'parse_failed',
        });
      }),
    ));

  test('in UTF-16 is read', async () => {
    expect(await eventsOf(Buffer.from('\ufeff<a>é😀</a>', 'utf16le'))).toEqual([
      ['open', 'a', 0, undefined, undefined, undefined, undefined],
      ['text', 'é😀'],
      ['close', 'a'],
    ]);
  });

  test('with a prefix before an attribute has it by its local name', async () => {
    const [open] = await eventsOf('<x:row r:a="1" other="2"/>');
    expect(open).toEqual(['open', 'row', 2, '1', undefined, undefined, undefined]);
  });
});

describe('a rejected document:', () => {
  test.each([
    ['a DTD', '<!DOCTYPE a [<!ENTITY b "c">]><a>&b;</a>', 'a DTD'],
    ['an entity that nothing declares', '<a>&b;</a>', 'undefined entity'],
    ['a tag that closes another', '<a><b></a></b>', 'unexpected close tag'],
    ['two attributes of one name', '<a b="1" b="2"/>', 'duplicate attribute'],
    ['too many open elements', '<a>'.repeat(1001), 'nested too deeply'],
  ])('%s', async (_, xml, message) => {
    await expect(eventsOf(xml)).rejects.toMatchObject({
      code: 'parse_failed',
      message: expect.stringContaining(message),
    });
  });

  test.each([
    ['a text', '<a>', 'x'],
    ['a tag of many attributes', '<a ', 'b="" '],
    ['a value', '<a b="', 'x'],
    ['a comment', '<!--', 'x'],
    ['a DTD', '<!DOCTYPE a [', '<!ENTITY b "c">'],
  ])('endless %s, long before it fills the memory', async (_, start, unit) => {
    let length = 0;
    async function* endless(): AsyncGenerator<Uint8Array> {
      yield Buffer.from(start);
      // Attribute names must be unique.
      for (;;) {
        const chunk = Buffer.from(
          unit
            .replace('b=', `b${length}=`)
            .repeat(unit === 'x' ? 65_536 : 1)
            .padEnd(4096),
        );
        length += chunk.length;
        yield chunk;
      }
    }
    const nothing = (): void => undefined;
    await expect(
      readXml(endless(), { open: nothing, text: nothing, close: nothing }),
    ).rejects.toMatchObject({ code: 'parse_failed', message: expect.stringContaining('too long') });
    expect(length).toBeLessThan(9 * 1024 * 1024);
  });
});
