/** Formats responses with rows as text tables. */
import { membersByName, parseExactJson } from '../model/values/exact-json.ts';
import type { JsonNode } from '../model/values/exact-json.ts';

const maxCellWidth = 60;

/** The response of the SQL endpoint. */
export function tableText(json: string): string {
  const root = parseExactJson(json);
  if (root.kind !== 'object') return `${json}\n`;
  const response = membersByName(root);
  const rows = response.get('rows');
  const columns = response.get('columns');
  if (rows?.kind !== 'array' || columns?.kind !== 'array') return `${summary(response)}\n`;
  const names = columns.items.map((item) => (item.kind === 'string' ? item.value : ''));
  const writeSummary = response.has('rows_affected') ? `; ${summary(response)}` : '';
  const more = isTrue(response.get('truncated')) ? ', and more' : '';
  return `${rowGrid(names, rows.items, json)}\n${rowCount(rows.items.length)}${more}${writeSummary}\n`;
}

/** The response of the row list. */
export function pageText(json: string): string {
  const root = parseExactJson(json);
  const response = root.kind === 'object' ? membersByName(root) : new Map<string, JsonNode>();
  const data = response.get('data');
  const rows = data?.kind === 'array' ? data.items : [];
  const [first] = rows;
  const names = first?.kind === 'object' ? [...membersByName(first).keys()] : [];
  const total = response.get('total');
  const ofAll = total?.kind === 'number' ? ` of ${total.digits}` : '';
  const grid = first === undefined ? '' : `${rowGrid(names, rows, json)}\n`;
  return `${grid}${rowCount(rows.length)}${ofAll}\n`;
}

function rowCount(count: number): string {
  return `${count} ${count === 1 ? 'row' : 'rows'}`;
}

function rowGrid(names: readonly string[], rows: readonly JsonNode[], json: string): string {
  return gridText([names, ...rows.map((row) => cellsOf(row, names, json))]);
}

function isTrue(node: JsonNode | undefined): boolean {
  return node?.kind === 'boolean' && node.value;
}

function summary(response: ReadonlyMap<string, JsonNode>): string {
  const affected = response.get('rows_affected');
  return affected?.kind === 'number' ? `${affected.digits} rows affected` : 'done';
}

function cellsOf(row: JsonNode, names: readonly string[], json: string): string[] {
  const values = row.kind === 'object' ? membersByName(row) : new Map<string, JsonNode>();
  return names.map((name) => cellText(values.get(name), json));
}

function cellText(node: JsonNode | undefined, json: string): string {
  if (node === undefined || node.kind === 'null') return 'NULL';
  const text = printableText(
    node.kind === 'string' ? node.value : json.slice(node.start, node.end),
  );
  return text.length > maxCellWidth ? `${text.slice(0, maxCellWidth - 1)}…` : text;
}

/** Escapes control characters, which could move the cursor or end the line. */
export function printableText(text: string): string {
  return text.replace(/[\p{Cc}\p{Cf}]/gu, (c) => JSON.stringify(c).slice(1, -1));
}

/** Lines of cells in columns; the first line is the head. */
export function gridText(lines: readonly (readonly string[])[]): string {
  const [head = []] = lines;
  const widths = head.map((_, i) => Math.max(...lines.map((line) => (line[i] ?? '').length)));
  const lineText = (line: readonly string[]): string =>
    line
      .map((cell, i) => cell.padEnd(widths[i] ?? 0))
      .join(' | ')
      .trimEnd();
  const rule = widths.map((width) => '-'.repeat(width)).join('-+-');
  return [lineText(head), rule, ...lines.slice(1).map(lineText)].join('\n');
}
