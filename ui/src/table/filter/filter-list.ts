import { parseExactJson } from '../../../../src/model/values/exact-json.ts';
import type { JsonNode } from '../../../../src/model/values/exact-json.ts';

/** Reads the value of a list filter: a JSON array, or a single value. */
export function readFilterList(text: string): readonly string[] {
  if (!text.startsWith('[')) return text === '' ? [] : [text];
  try {
    const node = parseExactJson(text);
    return node.kind === 'array' ? node.items.map(itemText) : [text];
  } catch {
    return [text];
  }
}

function itemText(node: JsonNode): string {
  if (node.kind === 'number') return node.digits;
  return node.kind === 'string' || node.kind === 'boolean' ? String(node.value) : '';
}

export function writeFilterList(values: readonly string[]): string {
  return JSON.stringify(values);
}

/**
 * Splits a typed or pasted list. Several lines are one value each; a single line is split at its
 * commas. Quotes enclose a value that contains a comma, doubled quotes in it are one.
 */
export function splitList(text: string): readonly string[] {
  const lines = text.split(/[\r\n]+/).filter((line) => line.trim() !== '');
  if (lines.length > 1) return lines.map((line) => unquote(line.trim().replace(/,$/, '')));
  const line = lines[0] ?? '';
  if (line.trimStart().startsWith('[')) {
    const items = readFilterList(line.trim());
    if (items[0] !== line.trim()) return items;
  }
  return itemsOf(line);
}

const quotedItem = /\s*(?:"((?:[^"]|"")*)"|'((?:[^']|'')*)')\s*(?:,|$)/y;

function itemsOf(line: string): readonly string[] {
  const items: string[] = [];
  let at = 0;
  while (at < line.length) {
    quotedItem.lastIndex = at;
    const quoted = quotedItem.exec(line);
    if (quoted !== null) {
      items.push(unquote(quoted[0].replace(/,$/, '').trim()));
      at = quotedItem.lastIndex;
      continue;
    }
    const comma = line.indexOf(',', at);
    const end = comma < 0 ? line.length : comma;
    const item = line.slice(at, end).trim();
    if (item !== '') items.push(item);
    at = end + 1;
  }
  return items;
}

function unquote(text: string): string {
  const [quote = ''] = text;
  const isQuoted = text.length > 1 && (quote === '"' || quote === "'") && text.endsWith(quote);
  return isQuoted ? text.slice(1, -1).replaceAll(quote + quote, quote) : text;
}
