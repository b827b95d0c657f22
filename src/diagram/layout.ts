import type { ModelKey } from '../model/model-keys.ts';
import type { Schema } from '../model/schema.ts';
import { arrangeGroups } from './arrange-groups.ts';
import { emptyArrangement } from './arrangement.ts';
import type { Arrangement } from './arrangement.ts';
import { withBranches } from './branches.ts';
import { componentsOf } from './components.ts';
import { withGrids } from './grid.ts';
import type { GridPart } from './grid.ts';
import { bestLayered } from './layered.ts';
import type { TableGraph, RunElk } from './layered.ts';
import { labeledLines, labelRoutes, withLabels } from './line-labels.ts';
import type { Measure } from './measure.ts';
import { namespaceBands, addFrames, namespaceOf } from './namespaces.ts';
import { pack } from './pack.ts';
import { relationLines } from './relation-line.ts';
import type { RelationLine } from './relation-line.ts';
import { refersToItself } from './self-reference.ts';
import { boxStyles, maxNameWidth, tableBox } from './table-box.ts';
import type { BoxOptions, ShownColumns, TableBox } from './table-box.ts';
import { groupTables } from './table-groups.ts';
import type { TableGroup } from './table-groups.ts';
import { visibleTableNames } from './visible-names.ts';

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
  const lines = relationLines(schema.tables, options.modelKeys);
  const groups = groupTables(schema.tables, lines);
  const groupOf = new Map(
    groups.flatMap((group) => group.tables.map(({ name }) => [name, group] as const)),
  );
  const labeled = labeledLines(lines, (name) => groupOf.get(name));
  const { measure } = options;
  const boxOptions = { ...options, ...textsOf(schema, lines, measure) };
  const boxes = withLabels(
    schema.tables.map((table) => tableBox(table, boxOptions)),
    { labeled, lines, measure },
  );
  const { related = [], unrelated = [] } = Object.groupBy(boxes, isRelated(lines, groups));
  const grids: readonly GridPart[] = [
    { heading: 'Tables without relations', boxes: unrelated, lines: lines.filter(refersToItself) },
    { heading: 'Views', boxes: schema.views.map((view) => tableBox(view, boxOptions)), lines: [] },
  ];
  const drawnLines = lines.filter((line) => !labeled.has(line));
  const main = await arrangeRelated({ boxes: related, lines: drawnLines, groups }, options);
  const arrangement = withGrids(
    main,
    grids.filter((part) => part.boxes.length > 0),
    aspect,
  );
  const routes = [...arrangement.routes, ...labelRoutes(arrangement.boxes, labeled)];
  return withBranches({ ...arrangement, routes });
}

/** Without groups, tables without relations are in a grid of their own. */
function isRelated(
  lines: readonly RelationLine[],
  groups: readonly TableGroup[],
): (box: TableBox) => 'related' | 'unrelated' {
  const names = new Set(
    lines
      .filter((line) => !refersToItself(line))
      .flatMap(({ child, parent }) => [child.table, parent.table]),
  );
  return ({ table }) => (groups.length > 0 || names.has(table.name) ? 'related' : 'unrelated');
}

/** The texts of the tables' names, and the columns at which lines end. */
function textsOf(
  { tables, views }: Schema,
  lines: readonly RelationLine[],
  measure: Measure,
): Pick<BoxOptions, 'nameOf' | 'endColumnsOf'> {
  const space = { width: maxNameWidth, measure };
  const texts = visibleTableNames([...tables, ...views], boxStyles.name, space);
  const endColumns = new Map<string, Set<string>>();
  const addColumns = (table: string, columns: readonly string[]): void => {
    const known = endColumns.get(table) ?? new Set();
    endColumns.set(table, new Set([...known, ...columns]));
  };
  for (const { child, parent, columns, referencedColumns } of lines) {
    addColumns(child.table, columns);
    addColumns(parent.table, referencedColumns);
  }
  return {
    nameOf: ({ name }) => texts.get(name) ?? name,
    endColumnsOf: ({ name }) => endColumns.get(name) ?? new Set(),
  };
}

type RelatedTables = Pick<TableGraph, 'boxes' | 'lines'> & {
  readonly groups: readonly TableGroup[];
};

/** Lays out groups, or one frame for each namespace, or component by component if there is a single namespace. */
async function arrangeRelated(
  { boxes, lines, groups }: RelatedTables,
  { runElk, measure }: ArrangeOptions,
): Promise<Arrangement> {
  if (boxes.length === 0) return emptyArrangement;
  if (groups.length > 0)
    return arrangeGroups({ groups, boxes, lines }, { aspect, runElk, measure });
  const bands = namespaceBands(boxes, lines);
  if (bands.length > 0) {
    const bandOf = (box: TableBox): number => bands.indexOf(namespaceOf(box));
    const arrangement = await bestLayered({ boxes, lines, bandOf }, { aspect, runElk });
    return addFrames(arrangement, bands.toSorted());
  }
  const parts: Arrangement[] = [];
  for (const component of componentsOf(boxes, lines)) {
    const graph = { boxes: component, lines: linesOf(component, lines), bandOf: () => 0 };
    parts.push(await bestLayered(graph, { aspect, runElk }));
  }
  return pack(parts, aspect);
}

function linesOf(boxes: readonly TableBox[], lines: readonly RelationLine[]): RelationLine[] {
  const names = new Set(boxes.map((box) => box.table.name));
  return lines.filter((line) => names.has(line.child.table));
}
