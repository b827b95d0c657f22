import { inflateSync } from 'node:zlib';

export interface PdfPage {
  readonly width: number;
  readonly height: number;
  /** The text at each position, as a PDF viewer copies it. */
  readonly texts: readonly string[];
  /** The metadata of the document. */
  readonly title: string;
}

/** Reads what pdfkit writes: one page, fonts with tables of their characters, text as hex strings. */
export function readPdf(bytes: Buffer): PdfPage {
  const objects = objectsOf(bytes);
  const page = [...objects.values()].find(({ head }) => /\/Type \/Page\b(?!s)/.test(head));
  if (page === undefined) throw new Error('There is no page.');
  const [, , , width = 0, height = 0] =
    /MediaBox \[([\d.]+) ([\d.]+) ([\d.]+) ([\d.]+)\]/.exec(page.head)?.map(Number) ?? [];
  const fonts = fontsOf(objects, reference(page.head, 'Resources'));
  const content = objects.get(reference(page.head, 'Contents'))?.stream ?? '';
  return { width, height, texts: textsOf(content, fonts), title: titleOf(objects) };
}

interface PdfObject {
  readonly head: string;
  readonly stream?: string;
}

function objectsOf(bytes: Buffer): ReadonlyMap<string, PdfObject> {
  const text = bytes.toString('latin1');
  const objects = new Map<string, PdfObject>();
  for (const match of text.matchAll(/(?<=^|\n)(\d+) 0 obj\n([\s\S]*?)\nendobj/g)) {
    const [, number = '', body = ''] = match;
    const [head = '', rest] = body.split(/\nstream\n/, 2);
    const start = body.indexOf('\nstream\n') + 8;
    const length = Number(/\/Length (\d+)/.exec(head)?.[1] ?? 0);
    const raw = Buffer.from(body.slice(start, start + length), 'latin1');
    const isDeflated = head.includes('/FlateDecode');
    const stream =
      rest === undefined
        ? {}
        : { stream: (isDeflated ? inflateSync(raw) : raw).toString('latin1') };
    objects.set(number, { head, ...stream });
  }
  return objects;
}

function reference(head: string, name: string): string {
  return new RegExp(`/${name} (\\d+) 0 R`).exec(head)?.[1] ?? '';
}

type CharacterTable = ReadonlyMap<number, string>;

function fontsOf(
  objects: ReadonlyMap<string, PdfObject>,
  resources: string,
): ReadonlyMap<string, CharacterTable> {
  const head = objects.get(resources)?.head ?? '';
  const fonts = [...head.matchAll(/\/(F\d+) (\d+) 0 R/g)];
  return new Map(
    fonts.map(([, name = '', number = '']) => {
      const table = reference(objects.get(number)?.head ?? '', 'ToUnicode');
      return [name, characterTable(objects.get(table)?.stream ?? '')];
    }),
  );
}

/** `<0000> <00ff> [<0041> <00660069> …]`: the texts of a range of glyphs. */
function characterTable(text: string): CharacterTable {
  const table = new Map<number, string>();
  for (const [, first = '', list = ''] of text.matchAll(
    /<([\da-f]{4})> <[\da-f]{4}> \[([^\]]*)\]/gi,
  )) {
    const start = Number.parseInt(first, 16);
    for (const [i, [, hex = '']] of [...list.matchAll(/<([\da-f\s]*)>/gi)].entries()) {
      table.set(start + i, decodeUtf16(hex.replaceAll(/\s/g, '')));
    }
  }
  return table;
}

function decodeUtf16(hex: string): string {
  return Buffer.from(hex, 'hex').swap16().toString('utf16le');
}

function textsOf(content: string, fonts: ReadonlyMap<string, CharacterTable>): readonly string[] {
  const texts: string[] = [];
  let font: CharacterTable = new Map();
  let actual: string | undefined;
  const steps = /\/(F\d+) [\d.]+ Tf|\[([^\]]*)\] TJ|\/ActualText \(((?:\\[\s\S]|[^\\)])*)\)|(EMC)/g;
  for (const [, name, strings, replacement, end] of content.matchAll(steps)) {
    if (name !== undefined) font = fonts.get(name) ?? new Map();
    if (replacement !== undefined) texts.push((actual = pdfString(replacement)));
    if (end !== undefined) actual = undefined;
    if (strings !== undefined && actual === undefined) texts.push(shownText(strings, font));
  }
  return texts;
}

function shownText(strings: string, font: CharacterTable): string {
  const glyphs = [...strings.matchAll(/<([\da-f]*)>/gi)].flatMap(
    ([, hex = '']) => hex.match(/.{4}/g) ?? [],
  );
  return glyphs.map((glyph) => font.get(Number.parseInt(glyph, 16)) ?? '').join('');
}

function titleOf(objects: ReadonlyMap<string, PdfObject>): string {
  const info = [...objects.values()].find(({ head }) => head.includes('/CreationDate'));
  const title = objects.get(reference(info?.head ?? '', 'Title'))?.head ?? '';
  return pdfString(/\(([\s\S]*)\)/.exec(title)?.[1] ?? '');
}

const escapes: Readonly<Record<string, string>> = { n: '\n', r: '\r', t: '\t', b: '\b', f: '\f' };

function pdfString(raw: string): string {
  const bytes = raw.replaceAll(
    /\\([\s\S])/g,
    (_, character: string) => escapes[character] ?? character,
  );
  if (!bytes.startsWith('\u00fe\u00ff')) return bytes;
  return Buffer.from(bytes.slice(2), 'latin1').swap16().toString('utf16le');
}
