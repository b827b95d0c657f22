import { join, raw, sql } from '../../../model/fragment.ts';
import { sqlserverDdl } from './ddl.ts';
import { nativeTypeName } from './types.ts';
import { plainAssignment } from '../../../model/write-dialect.ts';
import type { Fragment } from '../../../model/fragment.ts';
import type { Column } from '../../../model/schema.ts';
import type { InsertRow, UpdateRow, WriteDialect } from '../../../model/write-dialect.ts';

export const sqlserverWriting: WriteDialect = {
  insertRow,
  updateRow,
  assignment: plainAssignment,
  supportsInsertReturning: true,
  supportsUpdateReturning: true,
  rowLock: { hint: ' WITH (UPDLOCK, ROWLOCK)', clause: '' },
  // UPDLOCK on a row lets others add references to it; HOLDLOCK locks the range in which these would be.
  referencingRowsLock: () => ({ hint: ' WITH (UPDLOCK, HOLDLOCK)', clause: '' }),
  rowState: () => undefined,
  deferForeignKeys: undefined,
  onlyCountsKeyViolations: false,
  noRollbackReason: () => undefined,
  currentTime,
};

function insertRow(insert: InsertRow): Fragment {
  const { table, columns, values, assignedColumns } = insert;
  const output = outputInto(insert);
  const statement =
    columns.length === 0
      ? sql`INSERT INTO ${table}${output.clause} DEFAULT VALUES`
      : sql`INSERT INTO ${table} (${columns.join(', ')})${output.clause} VALUES (${join(values, ', ')})`;
  const fullStatement = sql`${output.before}${statement}${output.after}`;
  return assignedColumns.some((column) => column.autoIncrement === true)
    ? sql`SET IDENTITY_INSERT ${table} ON; ${fullStatement}; SET IDENTITY_INSERT ${table} OFF`
    : fullStatement;
}

function updateRow(update: UpdateRow): Fragment {
  const { table, assignments, where } = update;
  const { before, clause, after } = outputInto(update);
  return sql`${before}UPDATE ${table} SET ${join(assignments, ', ')}${clause} WHERE ${where}${after}`;
}

interface Output {
  readonly before: string;
  readonly clause: string;
  readonly after: string;
}

/** On a table with triggers, OUTPUT requires INTO, hence the table variable. */
function outputInto({
  returning,
  returningColumns,
}: Pick<InsertRow, 'returning' | 'returningColumns'>): Output {
  if (returningColumns.length === 0) return { before: '', clause: '', after: '' };
  const names = returningColumns.map((column) => sqlserverDdl.quoteName(column.name));
  const columns = returningColumns.map((column, i) => `${names[i]} ${keepingType(column)}`);
  return {
    before: `DECLARE @written TABLE (${columns.join(', ')}); `,
    clause: ` OUTPUT ${names.map((name) => `INSERTED.${name}`).join(', ')} INTO @written`,
    after: `; SELECT ${returning.join(', ')} FROM @written`,
  };
}

/** A type for the table variable that holds all values of the column: nvarchar for any collation, binary(8) for a rowversion. */
function keepingType({ type, nativeType }: Column): string {
  if (type.kind === 'text')
    return `nvarchar(${type.length === undefined || type.length > 4000 ? 'max' : type.length})`;
  return nativeTypeName(type) === 'timestamp' ? 'binary(8)' : nativeType;
}

/** In UTC, since columns without an offset hold UTC. */
function currentTime({ type }: Column): Fragment {
  if (type.kind === 'timestamp' && type.zone === true) return raw('SYSDATETIMEOFFSET()');
  return raw(type.kind === 'date' ? 'CAST(SYSUTCDATETIME() AS date)' : 'SYSUTCDATETIME()');
}
