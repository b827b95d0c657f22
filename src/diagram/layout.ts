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
import { namespaceBands, addFrames, namespaceOf } from './namespaces.ts';
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
  const linesBetweenTables = lines.filter((line) => !refersToItself(line));
  const relatedNames = new Set(
    linesBetweenTables.flatMap(({ child, parent }) => [child.table, parent.table]),
  );
  const { related = [], unrelated = [] } = Object.groupBy(boxes, ({ table }) =>
    relatedNames.has(table.name) ? 'related' : 'unrelated',
  );
  const views = schema.views.map((view) => tableBox(view, options));
  const grids: readonly GridPart[] = [
    { heading: 'Tables without relations', boxes: unrelated, lines: lines.filter(refersToItself) },
    { heading: 'Views', boxes: views, lines: [] },
  ];
  return withGrids(
    await arrangeRelated({ boxes: related, lines }, options),
    grids.filter((part) => part.boxes.length > 0),
    aspect,
  );
}

type RelatedTables = Pick<TableGraph, 'boxes' | 'lines'>;

/** Lays out one frame for each namespace, or component by component if there is a single namespace. */
async function arrangeRelated(
  tables: RelatedTables,
  { runElk }: ArrangeOptions,
): Promise<Arrangement> {
  if (tables.boxes.length === 0) return emptyArrangement;
  const bands = namespaceBands(tables.boxes, tables.lines);
  if (bands.length > 0) {
    const bandOf = (box: TableBox): number => bands.indexOf(namespaceOf(box));
    return addFrames(await bestLayered({ ...tables, bandOf }, { aspect, runElk }));
  }
  const parts: Arrangement[] = [];
  for (const boxes of componentsOf(tables.boxes, tables.lines)) {
    const lines = linesOf(boxes, tables.lines);
    parts.push(await bestLayered({ boxes, lines, bandOf: () => 0 }, { aspect, runElk }));
  }
  return pack(parts, aspect);
}

function linesOf(boxes: readonly TableBox[], lines: readonly RelationLine[]): RelationLine[] {
  const names = new Set(boxes.map((box) => box.table.name));
  return lines.filter((line) => names.has(line.child.table));
}
