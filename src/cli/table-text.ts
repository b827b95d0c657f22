/** Formats responses with rows as text tables. */
import { membersByName, parseExactJson } from '../model/values/exact-json.ts';
import { cutToWidth, padToWidth, printableText, widthOf } from './terminal-text.ts';
import type { JsonNode } from '../model/values/exact-json.ts';

const maxCellWidth = 60;

/** The response of the SQL endpoint. `width` is that of the terminal. */
export function tableText(json: string, width = Infinity): string {
  const root = parseExactJson(json);
  if (root.kind !== 'object') return `${json}\n`;
  const response = membersByName(root);
  const rows = response.get('rows');
  const columns = response.get('columns');
  if (rows?.kind !== 'array' || columns?.kind !== 'array') return `${summary(response)}\n`;
  const names = columns.items.map((item) => (item.kind === 'string' ? item.value : ''));
  const writeSummary = response.has('rows_affected') ? `; ${summary(response)}` : '';
  const more = isTrue(response.get('truncated')) ? ', and more' : '';
  return `${rowGrid({ names, rows: rows.items, json }, width)}\n${rowCount(rows.items.length)}${more}${writeSummary}\n`;
}

/** The response of the row list. */
export function pageText(json: string, width = Infinity): string {
  const root = parseExactJson(json);
  const response = root.kind === 'object' ? membersByName(root) : new Map<string, JsonNode>();
  const data = response.get('data');
  const rows = data?.kind === 'array' ? data.items : [];
  const [first] = rows;
  const names = first?.kind === 'object' ? [...membersByName(first).keys()] : [];
  const total = response.get('total');
  const ofAll = total?.kind === 'number' ? ` of ${total.digits}` : '';
  const grid = first === undefined ? '' : `${rowGrid({ names, rows, json }, width)}\n`;
  return `${grid}${rowCount(rows.length)}${ofAll}\n`;
}

function rowCount(count: number): string {
  return `${count} ${count === 1 ? 'row' : 'rows'}`;
}

interface ShownRows {
  readonly names: readonly string[];
  readonly rows: readonly JsonNode[];
  /** The response that the rows are part of. */
  readonly json: string;
}

/** Columns are cut to fit into the terminal. If they are too many for it, each row becomes several lines. */
function rowGrid({ names, rows, json }: ShownRows, width: number): string {
  const lines = [names.map(shortText), ...rows.map((row) => cellsOf(row, names, json))];
  const widths = fittingWidths(columnWidths(lines), width);
  if (widths === undefined) return rowBlocks(lines, width);
  return gridText(lines.map((line) => line.map((cell, i) => cutToWidth(cell, widths[i] ?? 0))));
}

const separatorWidth = ' | '.length;
const minColumnWidth = 12;

/** The widest columns give way first. Undefined if the terminal is too narrow for all of them. */
function fittingWidths(widths: readonly number[], width: number): readonly number[] | undefined {
  const available = width - separatorWidth * (widths.length - 1);
  const sum = (limit: number): number =>
    widths.reduce((total, each) => total + Math.min(each, limit), 0);
  for (let limit = maxCellWidth; limit >= minColumnWidth; limit--)
    if (sum(limit) <= available) return widths.map((each) => Math.min(each, limit));
  return undefined;
}

/** `row 1`, and a line for each column. */
function rowBlocks([names = [], ...rows]: readonly (readonly string[])[], width: number): string {
  const nameWidth = Math.min(Math.max(...names.map(widthOf)), maxCellWidth);
  const valueWidth = Math.max(minColumnWidth, width - nameWidth - separatorWidth);
  const lineOf = (name: string, cell: string): string =>
    `${padToWidth(name, nameWidth)} | ${cutToWidth(cell, valueWidth)}`.trimEnd();
  return rows
    .flatMap((cells, i) => [
      `row ${i + 1}`,
      ...names.map((name, j) => lineOf(name, cells[j] ?? '')),
    ])
    .join('\n');
}

function isTrue(node: JsonNode | undefined): boolean {
  return node?.kind === 'boolean' && node.value;
}

function summary(response: ReadonlyMap<string, JsonNode>): string {
  const affected = response.get('rows_affected');
  if (affected?.kind !== 'number') return 'done';
  return `${affected.digits} ${affected.digits === '1' ? 'row' : 'rows'} affected`;
}

function cellsOf(row: JsonNode, names: readonly string[], json: string): string[] {
  const values = row.kind === 'object' ? membersByName(row) : new Map<string, JsonNode>();
  return names.map((name) => cellText(values.get(name), json));
}

function cellText(node: JsonNode | undefined, json: string): string {
  if (node === undefined || node.kind === 'null') return 'NULL';
  return shortText(
    node.kind === 'string' ? node.value : (markedText(node, json) ?? sourceOf(node, json)),
  );
}

function sourceOf(node: JsonNode, json: string): string {
  return json.slice(node.start, node.end);
}

/** What the API marks because JSON has no such value: binary, long integers, JSON documents, cut values. */
function markedText(node: JsonNode, json: string): string | undefined {
  const members = node.kind === 'object' ? membersByName(node) : new Map<string, JsonNode>();
  const [[name, value] = []] = members;
  const head = members.get('head');
  if (name === '$cut' && head?.kind === 'string') return `${head.value}…`;
  if (value === undefined || members.size !== 1) return undefined;
  if (name === '$json') return sourceOf(value, json);
  if (value.kind !== 'string') return undefined;
  if (name === '$int') return value.value;
  return name === '$base64' ? `0x${Buffer.from(value.value, 'base64').toString('hex')}` : undefined;
}

/** More characters than can be shown in a cell, so that long values are not processed whole. */
const maxCellLength = 40 * maxCellWidth;

function shortText(text: string): string {
  return cutToWidth(printableText(text.slice(0, maxCellLength)), maxCellWidth);
}

function columnWidths(lines: readonly (readonly string[])[]): readonly number[] {
  const [head = []] = lines;
  return head.map((_, i) =>
    lines.reduce((widest, line) => Math.max(widest, widthOf(line[i] ?? '')), 0),
  );
}

/** Lines of cells in columns; the first line is the head. */
export function gridText(lines: readonly (readonly string[])[]): string {
  const widths = columnWidths(lines);
  const lineText = (line: readonly string[]): string =>
    line
      .map((cell, i) => padToWidth(cell, widths[i] ?? 0))
      .join(' | ')
      .trimEnd();
  const rule = widths.map((width) => '-'.repeat(width)).join('-+-');
  const [head = [], ...rest] = lines;
  return [lineText(head), rule, ...rest.map(lineText)].join('\n');
}
