import { StudioError } from '../../model/errors.ts';
import { join, sql } from '../../model/fragment.ts';
import { formatId, keyText } from '../../model/row-id.ts';
import { tablesByName } from '../core/find-table.ts';
import { mustOnlyRead } from '../core/judge-reads.ts';
import { columnOf } from './page-plan.ts';
import { isEqualTo, isOneOf } from '../../sql/compare-column.ts';
import { readRows } from './read-rows.ts';
import { selectColumns } from './selection.ts';
import { unreadable, unreadableTable } from '../core/unreadable.ts';
import type { Session } from '../../model/database.ts';
import type { Fragment } from '../../model/fragment.ts';
import type { Column, ForeignKey, Table } from '../../model/schema.ts';
import type { Row, Value } from '../../model/values.ts';
import type { Context, Turn } from '../core/context.ts';
import type { Selection } from './selection.ts';

/** Where labels are read: in the session of the page. */
interface LabelReading {
  readonly context: Context;
  readonly session: Session;
  readonly turn: Turn;
}

export interface LabelledPage {
  readonly table: Table;
  readonly selection: Selection;
  readonly rows: readonly Row[];
}

const longestLabel = 200;

/**
 * Another session may hold a lock on a referenced table, which the page itself does not need: its
 * labels are waited for so long, all together, and each for the shorter time at least.
 */
const limitMs = 1000;
const leastMs = 250;

/** Both as JSON; `errors` is undefined where all labels could be read. */
export interface PageLabels {
  /** `{column: {key: label}}` for the foreign keys; composite keys go by their columns joined by commas. */
  readonly labels: string;
  /** `{column: message}` for the foreign keys whose labels are missing. */
  readonly errors: string | undefined;
}

export async function readLabels(reading: LabelReading, page: LabelledPage): Promise<PageLabels> {
  const { schema } = await reading.context.schemas.current();
  const labels: [columns: string, labels: Record<string, string>][] = [];
  const errors: [columns: string, message: string][] = [];
  const startedAt = performance.now();
  for (const key of page.table.foreignKeys) {
    const columns = key.columns.join(',');
    const target = tablesByName(schema).get(key.table);
    if (target?.incomplete !== undefined) errors.push([columns, unreadableTable(target).message]);
    const label = target === undefined ? undefined : labelColumn(reading.context, target);
    if (target === undefined || label === undefined) continue;
    const leftMs = Math.max(leastMs, limitMs - (performance.now() - startedAt));
    try {
      labels.push([columns, await labelsOf(reading, { page, key, target, label, leftMs })]);
    } catch (error) {
      errors.push([columns, whyMissing(reading, target, error)]);
    }
  }
  return {
    labels: JSON.stringify(Object.fromEntries(labels)),
    errors: errors.length === 0 ? undefined : JSON.stringify(Object.fromEntries(errors)),
  };
}

/** Throws what is no matter of the referenced table alone, or is worth another attempt. */
function whyMissing({ context, turn }: LabelReading, target: Table, error: unknown): string {
  const { dialect } = context.database;
  if (turn.isRetry !== true && dialect.isStructureError(error)) throw error;
  const known = error instanceof StudioError ? error : dialect.readError(error);
  if (known === undefined && dialect.messageOf(error) === undefined) throw error;
  if (known?.code === 'database_unavailable') throw error;
  if (known?.code !== 'statement_timeout')
    return unreadable(dialect, target, known ?? error).message;
  return `"${target.name}" could not be read in time. Another session may hold a lock on it.`;
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
  readonly leftMs: number;
}

async function labelsOf(
  { context, session }: LabelReading,
  labelled: KeyLabels,
): Promise<Record<string, string>> {
  const { target, label, key, leftMs } = labelled;
  const { dialect } = context.database;
  const keys = distinctKeys(labelled);
  if (keys.length === 0) return {};
  await mustOnlyRead(context, [target]);
  const columns = [...key.referencedColumns.map((name) => columnOf(target, name)), label];
  const rows = await readRows(context, session, {
    ...selectColumns(dialect, columns),
    table: target,
    where: [keyCondition(context, labelled, keys)],
    order: [],
    limitMs: leftMs,
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
