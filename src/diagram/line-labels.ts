/** Labels in place of lines that would be too many or too long to follow. */
import type { TextStyle } from '../portable/drawing/drawing.ts';
import type { PlacedBox, Route } from './arrangement.ts';
import type { Measure } from './measure.ts';
import { rowMiddle } from './ports.ts';
import type { RelationLine } from './relation-line.ts';
import { loopWidth, refersToItself } from './self-reference.ts';
import type { LineLabel, TableBox } from './table-box.ts';

/** Tables with more lines from other tables have labels at their ends instead. */
const maxLines = 20;

/** In pixels: the line before a label, the space within it and after it, and its height. */
export const labelSizes = { line: 40, inset: 9, height: 17 } as const;

export const labelStyle = { face: 'bold', size: 11 } as const satisfies TextStyle;

/** The lines that have labels: those into tables of many lines, and those between groups. */
export function labeledLines(
  lines: readonly RelationLine[],
  groupOf: (table: string) => unknown,
): ReadonlySet<RelationLine> {
  const between = lines.filter((line) => !refersToItself(line));
  const byParent = Map.groupBy(between, ({ parent }) => parent.table);
  const isLabeled = ({ child, parent }: RelationLine): boolean =>
    (byParent.get(parent.table)?.length ?? 0) > maxLines ||
    groupOf(child.table) !== groupOf(parent.table);
  return new Set(between.filter(isLabeled));
}

export interface LabelOptions {
  readonly labeled: ReadonlySet<RelationLine>;
  readonly lines: readonly RelationLine[];
  readonly measure: Measure;
}

/** The tables with their labels. */
export function withLabels(
  boxes: readonly TableBox[],
  { labeled, lines, measure }: LabelOptions,
): readonly TableBox[] {
  const nameOf = new Map(boxes.map(({ table, name }) => [table.name, name]));
  const byChild = Map.groupBy(labeled, ({ child }) => child.table);
  const byParent = Map.groupBy(labeled, ({ parent }) => parent.table);
  return boxes.map((box) => {
    const { name } = box.table;
    const drafts = [
      ...draftsFrom(byParent.get(name) ?? [], nameOf),
      ...draftsTo(box, byChild.get(name) ?? [], nameOf),
    ];
    const start = loopWidth(name, lines);
    return drafts.length === 0 ? box : { ...box, labels: inRows(drafts, { start, measure }) };
  });
}

type Draft = Omit<LineLabel, 'x' | 'width'>;

/** The label of a table that others reference, at its header. */
function draftsFrom(
  lines: readonly RelationLine[],
  nameOf: ReadonlyMap<string, string>,
): readonly Draft[] {
  const tables = [...new Set(lines.map(({ child }) => child.table))].toSorted();
  if (tables.length === 0) return [];
  const text = `← ${textOf(tables, nameOf)}`;
  return [{ direction: 'from', tables, text, y: rowMiddle(undefined, '') }];
}

/** The labels of a table that references others, at its columns. Those at the same height are one. */
function draftsTo(
  box: TableBox,
  lines: readonly RelationLine[],
  nameOf: ReadonlyMap<string, string>,
): readonly Draft[] {
  const byHeight = Map.groupBy(lines, ({ child }) => rowMiddle(box, child.column));
  return [...byHeight].map(([y, linesAt]) => {
    const tables = [...new Set(linesAt.map(({ parent }) => parent.table))].toSorted();
    return { direction: 'to', tables, text: `→ ${textOf(tables, nameOf)}`, y };
  });
}

function textOf(tables: readonly string[], nameOf: ReadonlyMap<string, string>): string {
  const [first = ''] = tables;
  return tables.length === 1 ? (nameOf.get(first) ?? '') : `${tables.length} tables`;
}

interface RowOptions {
  /** Where the line of the first label begins to be visible, from the right edge of the table. */
  readonly start: number;
  readonly measure: Measure;
}

/** The labels of both directions follow each other where they are at the same height. */
function inRows(drafts: readonly Draft[], { start, measure }: RowOptions): readonly LineLabel[] {
  const ends = new Map<number, number>();
  return drafts.map((draft) => {
    const x = (ends.get(draft.y) ?? start) + labelSizes.line;
    const width = Math.ceil(measure(draft.text, labelStyle) * 1.06) + 2 * labelSizes.inset;
    ends.set(draft.y, x + width);
    return { ...draft, x, width };
  });
}

/** The short lines between tables and their labels. */
export function labelRoutes(
  boxes: readonly PlacedBox[],
  labeled: ReadonlySet<RelationLine>,
): readonly Route[] {
  const byName = new Map(boxes.map((placedBox) => [placedBox.box.table.name, placedBox]));
  return [...labeled].flatMap((line) => {
    const placedBox = byName.get(line.child.table);
    if (placedBox === undefined) return [];
    const { box, x, y } = placedBox;
    const middle = rowMiddle(box, line.child.column);
    const label = box.labels.find(
      ({ direction, tables, y: at }) =>
        direction === 'to' && at === middle && tables.includes(line.parent.table),
    );
    const right = x + box.width;
    const points = [
      { x: right, y: y + middle },
      { x: right + (label?.x ?? labelSizes.line), y: y + middle },
    ];
    return [{ line, points, junctions: [], branches: [], isLabeled: true }];
  });
}
