/** The statements of a dump that set the next generated values of numbered columns. */
import type { Dialect, Session } from '../../model/database.ts';
import type { Column, Table } from '../../model/schema.ts';
import type { NextValue } from '../../model/script-dialect.ts';
import type { FilePlan } from './plan-export-file.ts';

interface DumpSource {
  readonly session: Session;
  readonly dialect: Dialect;
  /** The dialect of the script. */
  readonly target: Dialect;
}

/** Only those that the rows of the script do not lead to. */
export async function* counterStatements(
  { tables, asWritten }: FilePlan,
  source: DumpSource,
): AsyncGenerator<string, void, undefined> {
  const { script } = source.target;
  const isOwn = source.target.name === source.dialect.name;
  if (script === undefined) return;
  for (const table of tables)
    for (const column of table.columns.filter(({ autoIncrement }) => autoIncrement === true)) {
      const next = await nextValue(source, table, column);
      const written = asWritten(table);
      const writtenColumn = written.columns.find(({ name }) => name === column.name);
      if (next === undefined || writtenColumn === undefined) continue;
      const statements = script.setNextValue({
        ...next,
        table: written,
        column: writtenColumn,
        isOwn,
      });
      for (const text of statements) yield `\n${text}${script.terminator}`;
    }
}

async function nextValue(
  { session, dialect }: DumpSource,
  table: Table,
  column: Column,
): Promise<Pick<NextValue, 'value' | 'hasRows'> | undefined> {
  const query = dialect.load?.counters.nextValueQuery({ kind: 'column', table, column });
  const value = query === undefined ? undefined : await integerOf(session, query);
  if (value === undefined) return undefined;
  const greatest = await integerOf(
    session,
    `SELECT max(${dialect.quoteName(column.name)}) FROM ${dialect.tableName(table)}`,
  );
  // A counter behind its rows would be moved past them.
  const reached = greatest ?? 0n;
  const isReached = value <= reached || (value === reached + 1n && column.numbering === undefined);
  return isReached ? undefined : { value, hasRows: greatest !== undefined };
}

async function integerOf(session: Session, text: string): Promise<bigint | undefined> {
  const { rows } = await session.run({ text, params: [] });
  const digits = String(rows[0]?.[0] ?? '');
  return /^-?\d{1,19}$/.test(digits) ? BigInt(digits) : undefined;
}
