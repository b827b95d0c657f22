import { StudioError } from '../../../model/errors.ts';
import { formatId, keyText } from '../../../model/row-id.ts';
import { tablesByName } from '../../core/find-table.ts';
import { mustOnlyRead } from '../../core/check-reads.ts';
import { columnOf } from './page-plan.ts';
import { isOneOfKeys } from '../../../sql/compare-column.ts';
import { readRows } from './read-rows.ts';
import { selectColumns } from './selection.ts';
import { readError, unreadableTableError } from '../../core/read-error.ts';
import type { Session } from '../../../model/database.ts';
import type { Column, ForeignKey, Table } from '../../../model/schema.ts';
import type { Row, Value } from '../../../model/values.ts';
import type { Context, Invocation } from '../../core/context.ts';
import type { Selection } from './selection.ts';

/** What reading labels needs: they are read in the session of the page. */
interface LabelContext {
  readonly context: Context;
  readonly session: Session;
  readonly invocation: Invocation;
}

export interface LabeledPage {
  readonly table: Table;
  readonly selection: Selection;
  readonly rows: readonly Row[];
}

const maxLabelLength = 200;

/**
 * Another session may hold a lock on a referenced table, which the page itself does not read. All
 * labels of a page together wait at most `totalLimitMs`, but those of each table at least `minLimitMs`.
 */
const totalLimitMs = 1000;
const minLimitMs = 250;

/** Both as JSON text. `errors` is undefined if all labels could be read. */
export interface PageLabels {
  /** `{column: {key: label}}` for each foreign key. The columns of a composite key are joined by commas. */
  readonly labels: string;
  /** `{column: message}` for each foreign key whose labels could not be read. */
  readonly errors: string | undefined;
}

export async function readLabels(reading: LabelContext, page: LabeledPage): Promise<PageLabels> {
  const { schema } = await reading.context.schemas.current();
  const labels: [columns: string, labels: Record<string, string>][] = [];
  const errors: [columns: string, message: string][] = [];
  const startedAt = performance.now();
  for (const key of page.table.foreignKeys) {
    const columns = key.columns.join(',');
    const target = tablesByName(schema).get(key.table);
    if (target?.incomplete !== undefined)
      errors.push([columns, unreadableTableError(target).message]);
    const label = target === undefined ? undefined : labelColumn(reading.context, target);
    if (target === undefined || label === undefined) continue;
    const remainingMs = Math.max(minLimitMs, totalLimitMs - (performance.now() - startedAt));
    try {
      labels.push([columns, await labelsOf(reading, { page, key, target, label, remainingMs })]);
    } catch (error) {
      errors.push([columns, unreadReason(reading, target, error)]);
    }
  }
  return {
    labels: JSON.stringify(Object.fromEntries(labels)),
    errors: errors.length === 0 ? undefined : JSON.stringify(Object.fromEntries(errors)),
  };
}

/** Why rows of another table could not be read. Throws the error again if it is not about that table alone or if the request should be retried. */
export function unreadReason(
  { context, invocation }: Pick<LabelContext, 'context' | 'invocation'>,
  target: Table,
  error: unknown,
): string {
  const { dialect } = context.database;
  if (invocation.isRetry !== true && dialect.isStructureError(error)) throw error;
  const studioError = error instanceof StudioError ? error : dialect.translateError(error);
  if (studioError === undefined && dialect.messageOf(error) === undefined) throw error;
  if (studioError?.code === 'database_unavailable') throw error;
  if (studioError?.code !== 'statement_timeout')
    return readError(dialect, target, studioError ?? error).message;
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
  const labelNames = ['name', 'title', 'label', 'email', 'code'];
  const byName = (name: string) => texts.find((column) => column.name.toLowerCase() === name);
  return unique ?? labelNames.map(byName).find((column) => column !== undefined) ?? texts[0];
}

interface KeyLabelsRequest {
  readonly page: LabeledPage;
  readonly key: ForeignKey;
  readonly target: Table;
  readonly label: Column;
  readonly remainingMs: number;
}

async function labelsOf(
  { context, session }: LabelContext,
  labeled: KeyLabelsRequest,
): Promise<Record<string, string>> {
  const { target, label, key, remainingMs } = labeled;
  const { dialect } = context.database;
  const keys = distinctKeys(labeled);
  if (keys.length === 0) return {};
  await mustOnlyRead(context, [target]);
  const columns = [...key.referencedColumns.map((name) => columnOf(target, name)), label];
  const rows = await readRows(context, session, {
    ...selectColumns(dialect, columns),
    table: target,
    where: [isOneOfKeys(dialect, columns.slice(0, -1), keys)],
    order: [],
    limitMs: remainingMs,
  });
  const labelAt = columns.length - 1;
  return Object.fromEntries(
    rows.map((row) => [labelKey(row.slice(0, labelAt)), labelText(row[labelAt] ?? null)]),
  );
}

/** The value of a single-column key as text, or a composite key as an id. */
function labelKey(key: Row): string {
  return key.length === 1 ? keyText(key[0] ?? null) : formatId(key);
}

function labelText(value: Value): string {
  return value === null || typeof value === 'object' ? '' : String(value).slice(0, maxLabelLength);
}

/** The distinct keys of the page's rows, without those that contain NULL and reference no row. */
function distinctKeys({ page, key }: KeyLabelsRequest): readonly Row[] {
  const indexes = key.columns.map((column) => page.selection.indexOf(column));
  const keys = page.rows
    .map((row) => indexes.map((i) => row[i] ?? null))
    .filter((values) => !values.includes(null));
  return [...new Map(keys.map((values) => [formatId(values), values])).values()];
}
