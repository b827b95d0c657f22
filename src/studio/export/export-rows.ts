/** Streams rows from the database into a file. */
import { pipeline } from 'node:stream/promises';
import { bufferChunks } from '../../formats/buffer-chunks.ts';
import { StudioError } from '../../model/errors.ts';
import { rangesAfter } from '../../sql/keyset.ts';
import { render } from '../../sql/render.ts';
import { selectRows } from '../../sql/select.ts';
import { planPage } from '../rows/read/page-plan.ts';
import { readError } from '../core/read-error.ts';
import type { FormulaGuard } from '../../portable/files/guard-formula.ts';
import type { FileChunks, TableRows } from '../../formats/row-export.ts';
import type { Dialect, Query, Session } from '../../model/database.ts';
import type { Fragment } from '../../model/fragment.ts';
import type { Column, Table } from '../../model/schema.ts';
import type { Row } from '../../model/values.ts';
import type { Select } from '../../sql/select.ts';
import type { FileHead, JobOutput } from '../core/job.ts';
import type { ListQuery, PagePlan } from '../rows/read/page-plan.ts';

/** The exported columns of a table, and the order of its rows. */
export interface ExportSelection {
  readonly plan: PagePlan;
  readonly columns: readonly Column[];
}

/**
 * Orders rows by the key, or by all columns, so that the same rows give the same file regardless of
 * their physical order. Without pages, ties do not matter.
 */
export function planExport(dialect: Dialect, table: Table, query: ListQuery): PagePlan {
  // Locators only address rows, and an export has no addresses.
  const { locators: _locators, ...withoutLocators } = table;
  const plan = planPage(dialect, { table: withoutLocators, where: [] }, query);
  return { ...plan, ranges: plan.ranges.map((range) => ({ ...range, tieBreakers: [] })) };
}

/** The number of rows read so far, and the current table. */
export interface RowCount {
  rows: number;
  table: string;
}

export interface ExportSource {
  readonly session: Session;
  readonly dialect: Dialect;
  /** Updated while rows are read. */
  readonly count: RowCount;
  /** How to protect cells against formulas, if the file is CSV. */
  readonly csv: FormulaGuard | undefined;
}

/**
 * The rows of a selection, read on demand: as values, or as lines of CSV if the database can write
 * them. Errors name the table.
 */
export function openRows(
  source: ExportSource,
  selection: ExportSelection,
): Pick<TableRows, 'batches' | 'csv'> {
  const csv =
    source.csv === undefined ? undefined : csvQueries(source.dialect, selection, source.csv);
  const addTableName = <T>(rows: AsyncIterable<T>) =>
    withTableName(source.dialect, selection, rows);
  return {
    batches: addTableName(rowBatches(source, selection)),
    ...(csv === undefined ? {} : { csv: addTableName(csvChunks(source, selection, csv)) }),
  };
}

async function* withTableName<T>(
  dialect: Dialect,
  { plan: { table, where } }: ExportSelection,
  rows: AsyncIterable<T>,
): AsyncGenerator<T, void, undefined> {
  try {
    yield* rows;
  } catch (error) {
    const isDatabaseError = error instanceof StudioError || dialect.messageOf(error) !== undefined;
    // With conditions, it may be a client's value that the database rejects.
    const isTableError = !(error instanceof StudioError) || where.length === 0;
    throw isDatabaseError && isTableError ? readError(dialect, table, error) : error;
  }
}

async function* rowBatches(
  source: ExportSource,
  { plan, columns }: ExportSelection,
): AsyncGenerator<readonly Row[], void, undefined> {
  const { session, dialect, count } = source;
  count.table = plan.table.name;
  const expressions = columns.map((column) =>
    dialect.selectExpression(dialect.quoteName(column.name), column),
  );
  for (const range of plan.ranges) {
    const select = { table: plan.table, expressions, ...range };
    const batches = isPagedByNumber(dialect, plan)
      ? pagesByRowNumber(source, select, columns)
      : (await session.stream(render(dialect, selectRows(dialect, select), columns))).batches;
    for await (const batch of batches) {
      count.rows += batch.length;
      yield batch;
    }
  }
}

/** Whether rows are ordered only by a unique number, and the database reads pages faster than a stream. */
function isPagedByNumber({ prefersRowNumberPaging }: Dialect, { ranges }: PagePlan): boolean {
  const [first, ...otherTerms] = ranges.flatMap(({ order }) => order);
  if (!prefersRowNumberPaging || first === undefined || otherTerms.length > 0) return false;
  return first.column.isRowNumber === true || first.column.autoIncrement === true;
}

const pageRows = 500;

/** Reads page after page, each after the last row's number. The number follows the row's values. */
async function* pagesByRowNumber(
  { session, dialect }: ExportSource,
  { where, order, expressions, table }: Select,
  columns: readonly Column[],
): AsyncGenerator<readonly Row[], void, undefined> {
  const numbers = order.map(({ column }) => column);
  const selected = [...expressions, ...numbers.map(({ name }) => dialect.quoteName(name))];
  let after: readonly Fragment[] = [];
  for (;;) {
    const select = selectRows(dialect, {
      table,
      expressions: selected,
      where: [...where, ...after],
      order,
      limit: pageRows,
    });
    const { rows } = await session.run(render(dialect, select, [...columns, ...numbers]));
    if (rows.length > 0) yield rows;
    if (rows.length < pageRows) return;
    [after = []] = rangesAfter(dialect, order, rows.at(-1)!.slice(columns.length));
  }
}

/** Undefined if the database cannot write a cell as CSV, or a query has parameters, which its CSV statement cannot take. */
function csvQueries(
  dialect: Dialect,
  { plan, columns }: ExportSelection,
  formulas: FormulaGuard,
): readonly Query[] | undefined {
  const { csv, quoteName } = dialect;
  const isGuarded = formulas === 'guarded';
  const cells = columns.map((column) => csv?.cell(quoteName(column.name), column, isGuarded));
  if (csv === undefined || cells.includes(undefined)) return undefined;
  const expressions = cells.filter((cell) => cell !== undefined);
  const selects = plan.ranges.map((range) =>
    render(dialect, selectRows(dialect, { table: plan.table, expressions, ...range })),
  );
  if (selects.some(({ params }) => params.length > 0)) return undefined;
  return selects.map((select) => csv.lines(select, { columns, guarded: isGuarded }));
}

async function* csvChunks(
  { session, count }: ExportSource,
  { plan }: ExportSelection,
  queries: readonly Query[],
): AsyncGenerator<Uint8Array, void, undefined> {
  count.table = plan.table.name;
  for (const query of queries) {
    const { batches } = await session.stream(query);
    for await (const lineChunks of batches) {
      for (const [bytes, lines] of lineChunks) {
        count.rows += Number(lines);
        if (bytes instanceof Uint8Array) yield bytes;
      }
    }
  }
}

export interface ExportFile {
  readonly head: FileHead;
  readonly chunks: FileChunks;
  readonly count: RowCount;
}

/** Sends a file. Its head is sent with the first bytes, so that an earlier failure becomes an error response. */
export async function sendFile(file: ExportFile, output: JobOutput): Promise<void> {
  await pipeline(withHead(file, output), output.stream);
}

async function* withHead(
  { head, chunks, count }: ExportFile,
  output: JobOutput,
): AsyncGenerator<Buffer, void, undefined> {
  let bytes = 0;
  for await (const chunk of bufferChunks(chunks)) {
    if (bytes === 0) output.head(head);
    yield chunk;
    bytes += chunk.length;
    output.progress({ bytes, total_bytes: 0, ...count });
  }
  if (bytes === 0) output.head(head);
}
