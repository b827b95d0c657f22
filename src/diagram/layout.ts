import type { ModelKey } from '../model/model-keys.ts';
import type { Schema } from '../model/schema.ts';
import { emptyArrangement } from './arrangement.ts';
import type { Arrangement } from './arrangement.ts';
import { componentsOf } from './components.ts';
import { withGrids } from './grid.ts';
import type { GridPart } from './grid.ts';
import { bestLayered } from './layered.ts';
import type { TableGraph, RunElk } from './layered.ts';
import type { Measure } from './measure.ts';
import { bandsOf, addFrames, namespaceOf } from './namespaces.ts';
import { pack } from './pack.ts';
import { relationLines } from './relation-line.ts';
import type { RelationLine } from './relation-line.ts';
import { refersToItself } from './self-reference.ts';
import { tableBox } from './table-box.ts';
import type { ShownColumns, TableBox } from './table-box.ts';

export interface ArrangeOptions {
  readonly columns: ShownColumns;
  readonly measure: Measure;
  readonly runElk: RunElk;
  /** Relations of models, drawn in addition to the schema's foreign keys. */
  readonly modelKeys?: readonly ModelKey[];
}

/** Target ratio of width to height, that of a screen. */
const aspect = 1.6;

/** Computes the positions of all tables and the routes of all relations. */
export async function arrangeTables(schema: Schema, options: ArrangeOptions): Promise<Arrangement> {
  const boxes = schema.tables.map((table) => tableBox(table, options));
  const lines = relationLines(schema.tables, options.modelKeys);
  const between = lines.filter((line) => !refersToItself(line));
  const linked = new Set(between.flatMap(({ child, parent }) => [child.table, parent.table]));
  const { joined = [], alone = [] } = Object.groupBy(boxes, ({ table }) =>
    linked.has(table.name) ? 'joined' : 'alone',
  );
  const views = schema.views.map((view) => tableBox(view, options));
  const grids: readonly GridPart[] = [
    { heading: 'Tables without relations', boxes: alone, lines: lines.filter(refersToItself) },
    { heading: 'Views', boxes: views, lines: [] },
  ];
  return withGrids(
    await arrangeJoined({ boxes: joined, lines }, options),
    grids.filter((part) => part.boxes.length > 0),
    aspect,
  );
}

type Joined = Pick<TableGraph, 'boxes' | 'lines'>;

/** Lays out one frame for each namespace, or component by component if there is a single namespace. */
async function arrangeJoined(joined: Joined, { runElk }: ArrangeOptions): Promise<Arrangement> {
  if (joined.boxes.length === 0) return emptyArrangement;
  const bands = bandsOf(joined.boxes, joined.lines);
  if (bands.length > 0) {
    const bandOf = (box: TableBox): number => bands.indexOf(namespaceOf(box));
    return addFrames(await bestLayered({ ...joined, bandOf }, { aspect, runElk }));
  }
  const parts: Arrangement[] = [];
  for (const boxes of componentsOf(joined.boxes, joined.lines)) {
    const lines = linesOf(boxes, joined.lines);
    parts.push(await bestLayered({ boxes, lines, bandOf: () => 0 }, { aspect, runElk }));
  }
  return pack(parts, aspect);
}

function linesOf(boxes: readonly TableBox[], lines: readonly RelationLine[]): RelationLine[] {
  const names = new Set(boxes.map((box) => box.table.name));
  return lines.filter((line) => names.has(line.child.table));
}
