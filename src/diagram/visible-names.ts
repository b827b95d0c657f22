/** Shortens names for the drawing. Different names never become the same text. */
import type { TextStyle } from '../portable/drawing/drawing.ts';
import type { Table } from '../model/schema.ts';
import { printable } from '../portable/drawing/printable.ts';
import { cutMiddle } from './measure.ts';
import type { TextSpace } from './measure.ts';

/** Names that are the same when cut to the given width get more, in these steps. */
const widenings = [1.5, 2.5];

/** Returns the text of each name. Names that fit are whole; others are cut in the middle. */
export function visibleNames(
  names: readonly string[],
  style: TextStyle,
  space: TextSpace,
): ReadonlyMap<string, string> {
  const distinct = [...new Set(names)];
  const textOf = (name: string, factor: number): string =>
    cutMiddle(printable(name), style, { ...space, width: space.width * factor });
  const texts = new Map(distinct.map((name) => [name, textOf(name, 1)]));
  for (const factor of widenings)
    for (const name of ambiguousNames(texts)) texts.set(name, textOf(name, factor));
  numberAmbiguous(texts);
  return texts;
}

/** Names of tables leave out their namespace if all tables have the same. */
export function visibleTableNames(
  tables: readonly Table[],
  style: TextStyle,
  space: TextSpace,
): ReadonlyMap<string, string> {
  const hasOneNamespace = tables.every(({ namespace }) => namespace === tables[0]?.namespace);
  const shownNames = tables.map(({ name, localName }) => (hasOneNamespace ? localName : name));
  const texts = visibleNames(shownNames, style, space);
  return new Map(tables.map(({ name }, i) => [name, texts.get(shownNames[i] ?? name) ?? name]));
}

function ambiguousNames(texts: ReadonlyMap<string, string>): readonly string[] {
  const byText = Map.groupBy(texts, ([, text]) => text);
  return [...byText.values()].flatMap((entries) =>
    entries.length > 1 ? entries.map(([name]) => name) : [],
  );
}

/** Names may differ only in the middle of thousands of characters, or in characters that are invisible. */
function numberAmbiguous(texts: Map<string, string>): void {
  const used = new Set(texts.values());
  const seen = new Set<string>();
  for (const [name, text] of texts) {
    if (seen.has(text)) texts.set(name, numberedText(text, used));
    seen.add(text);
  }
}

function numberedText(text: string, used: Set<string>): string {
  for (let number = 2; ; number++) {
    const numbered = `${text} (${number})`;
    if (used.has(numbered)) continue;
    used.add(numbered);
    return numbered;
  }
}
