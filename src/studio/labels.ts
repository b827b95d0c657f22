import { join, sql } from '../model/fragment.ts';
import { formatId, keyText } from '../model/row-id.ts';
import { tablesByName } from './find-table.ts';
import { columnOf } from './page-plan.ts';
import { isEqualTo, isOneOf } from '../sql/compare-column.ts';
import { readRows } from './read-rows.ts';
import { selectColumns } from './selection.ts';
import type { Session } from '../model/database.ts';
import type { Fragment } from '../model/fragment.ts';
import type { Column, ForeignKey, Table } from '../model/schema.ts';
import type { Row, Value } from '../model/values.ts';
import type { Context } from './context.ts';
import type { Selection } from './selection.ts';

export interface LabelledPage {
  readonly table: Table;
  readonly selection: Selection;
  readonly rows: readonly Row[];
}

const longestLabel = 200;

/** `{column: {key: label}}` for the foreign keys of a page, as JSON; composite keys go by their columns joined by commas. */
export async function readLabels(
  context: Context,
  session: Session,
  page: LabelledPage,
): Promise<string> {
  const { schema } = await context.schemas.current();
  const labels: [columns: string, labels: Record<string, string>][] = [];
  for (const key of page.table.foreignKeys) {
    const target = tablesByName(schema).get(key.table);
    const label = target === undefined ? undefined : labelColumn(context, target);
    if (target === undefined || label === undefined) continue;
    const found = await labelsOf(context, session, { page, key, target, label });
    labels.push([key.columns.join(','), found]);
  }
  return JSON.stringify(Object.fromEntries(labels));
}

/** The first unique text column, else one named like a label, else the first text column. */
function labelColumn({ database: { dialect } }: Context, table: Table): Column | undefined {
  const texts = table.columns.filter(
    (column) => dialect.isSearchable(column) && column.type.kind !== 'uuid',
  );
  const unique = texts.find((column) =>
    table.indexes.some(
      (index) => index.unique && index.parts.length === 1 && index.parts[0]?.column === column.name,
    ),
  );
  const named = ['name', 'title', 'label', 'email', 'code'];
  const byName = (name: string) => texts.find((column) => column.name.toLowerCase() === name);
  return unique ?? named.map(byName).find((column) => column !== undefined) ?? texts[0];
}

interface KeyLabels {
  readonly page: LabelledPage;
  readonly key: ForeignKey;
  readonly target: Table;
  readonly label: Column;
}

async function labelsOf(
  context: Context,
  session: Session,
  labelled: KeyLabels,
): Promise<Record<string, string>> {
  const { target, label, key } = labelled;
  const { dialect } = context.database;
  const keys = distinctKeys(labelled);
  if (keys.length === 0) return {};
  const columns = [...key.referencedColumns.map((name) => columnOf(target, name)), label];
  const rows = await readRows(context, session, {
    ...selectColumns(dialect, columns),
    table: target,
    where: [keyCondition(context, labelled, keys)],
    order: [],
  });
  const labelAt = columns.length - 1;
  return Object.fromEntries(
    rows.map((row) => [labelKey(row.slice(0, labelAt)), labelText(row[labelAt] ?? null)]),
  );
}

/** A single key as it is, a composite one as an id. */
function labelKey(key: Row): string {
  return key.length === 1 ? keyText(key[0] ?? null) : formatId(key);
}

function labelText(value: Value): string {
  return value === null || typeof value === 'object' ? '' : String(value).slice(0, longestLabel);
}

/** The keys of the page's rows that lead somewhere, each once. */
function distinctKeys({ page, key }: KeyLabels): readonly Row[] {
  const indexes = key.columns.map((column) => page.selection.indexOf(column));
  const keys = page.rows
    .map((row) => indexes.map((i) => row[i] ?? null))
    .filter((values) => !values.includes(null));
  return [...new Map(keys.map((values) => [formatId(values), values])).values()];
}

function keyCondition(
  { database: { dialect } }: Context,
  { target, key }: KeyLabels,
  keys: readonly Row[],
): Fragment {
  const columns = key.referencedColumns.map((name) => columnOf(target, name));
  const [only] = columns;
  if (columns.length === 1 && only !== undefined) {
    return isOneOf(
      dialect,
      only,
      keys.map(([value = null]) => value),
    );
  }
  const same = (values: Row): Fragment =>
    join(
      columns.map((column, i) => isEqualTo(dialect, column, values[i] ?? null)),
      ' AND ',
    );
  return sql`(${join(keys.map(same), ' OR ')})`;
}
