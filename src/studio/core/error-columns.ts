/** Finds the columns that an error of a write is about, where the database names only a constraint or a parameter. */
import { copyError, StudioError } from '../../model/errors.ts';
import type { ErrorDetails } from '../../model/errors.ts';
import type { Column, Table } from '../../model/schema.ts';
import type { Value } from '../../model/values.ts';

/** The values of a row that is written. */
type Assignments = ReadonlyMap<Column, Value>;

/** Runs the write of a row. Adds `column` or `columns` to its error as far as they can be found. */
export async function withErrorColumns<T>(
  table: Table,
  assignments: Assignments,
  write: () => Promise<T>,
): Promise<T> {
  try {
    return await write();
  } catch (error) {
    throw error instanceof StudioError ? addErrorColumns(table, assignments, error) : error;
  }
}

/** Returns the error with `column` or `columns`, as far as they can be found. */
export function addErrorColumns(
  table: Table,
  assignments: Assignments,
  error: StudioError,
): StudioError {
  const { column, columns, table: errorTable = table.localName } = error.details;
  const isAboutTable = errorTable === table.localName || errorTable === table.name;
  if (column !== undefined || columns !== undefined || !isAboutTable) return error;
  const value = valueColumn(assignments, error);
  if (value !== undefined) return withColumn(error, value);
  const names = constraintColumns(table, error.details);
  return names.length === 0 ? error : copyOf(error, error.message, { columns: names });
}

function withColumn(error: StudioError, { name, nativeType }: Column): StudioError {
  const reason = error.message.replace(/^(?:An?|The) /, (article) => article.toLowerCase());
  return copyOf(error, `Column "${name}" (${nativeType}): ${reason}`, { column: name });
}

function copyOf(error: StudioError, message: string, addedDetails: ErrorDetails): StudioError {
  const { parameter_number: _number, ...otherDetails } = error.details;
  return copyError(error, { message, details: { ...otherDetails, ...addedDetails } });
}

/** The only column whose value the error can be about. */
function valueColumn(assignments: Assignments, { code, details }: StudioError): Column | undefined {
  const { parameter_number: number, data_type: dataType, of } = details;
  // The database has named the column. Another value that looks unfit, such as a date, is stored as it is.
  if (of === 'primary_key') return undefined;
  // In statements that write one row, the parameters of the values are the first ones.
  if (typeof number === 'number') return [...assignments.keys()][number - 1];
  const candidates =
    typeof dataType === 'string'
      ? [...assignments.keys()].filter(({ nativeType }) => nativeType === dataType)
      : code === 'invalid_value'
        ? unfitColumns(assignments)
        : [];
  return candidates.length === 1 ? candidates[0] : undefined;
}

/** A text that cannot be encoded is found before the database gets any value. */
function unfitColumns(assignments: Assignments): readonly Column[] {
  const unencodable = [...assignments].filter(
    ([, value]) => typeof value === 'string' && !value.isWellFormed(),
  );
  const unfit = unencodable.length > 0 ? unencodable : [...assignments].filter(isUnfit);
  return unfit.map(([column]) => column);
}

/** Whether a text is too long, a number too large, a date impossible, or a text has a character that PostgreSQL does not store. */
function isUnfit([{ type }, value]: readonly [Column, Value]): boolean {
  if (value === null || value instanceof Uint8Array) return false;
  const text = String(value);
  if (type.kind === 'text' && type.length !== undefined && Array.from(text).length > type.length)
    return true;
  if (type.kind === 'decimal' && type.precision !== undefined) {
    const digits = /^-?0*(\d*)(?:\.\d*)?$/.exec(text)?.[1]?.length ?? 0;
    return digits > type.precision - (type.scale ?? 0);
  }
  if (type.kind === 'date' || type.kind === 'timestamp') return isImpossibleDate(text);
  return text.includes('\0');
}

const datePattern = /^(\d{4,})-(\d\d)-(\d\d)(?:[T ](\d\d):(\d\d))?/;
/** PostgreSQL has timestamps up to this year, and dates beyond it. */
const lastTimestampYear = 294_276;

function isImpossibleDate(text: string): boolean {
  const parts = datePattern.exec(text)?.slice(1).map(Number);
  if (parts === undefined) return false;
  const [year = 0, month = 0, day = 0, hour = 0, minute = 0] = parts;
  const days = new Date(Date.UTC(2000 + (year % 400), month, 0)).getUTCDate();
  const isDay = month >= 1 && month <= 12 && day >= 1 && day <= days;
  return !isDay || hour > 24 || minute > 59 || year > lastTimestampYear;
}

/** The columns of a foreign key, unique key or check, by its name. SQLite has the expression of a check without a name. */
function constraintColumns(table: Table, { constraint }: ErrorDetails): readonly string[] {
  if (typeof constraint !== 'string') return [];
  const key = table.foreignKeys.find(({ name }) => name === constraint);
  if (key !== undefined) return key.columns;
  if (table.primaryKey !== undefined && [table.primaryKey.name, 'PRIMARY'].includes(constraint))
    return table.primaryKey.columns;
  const index = table.indexes.find(({ name }) => name === constraint);
  if (index !== undefined) return index.parts.flatMap(({ column }) => column ?? []);
  const check = table.checks.find(({ name }) => name === constraint);
  const expression = check?.expression ?? constraint;
  return columnsIn(table, expression);
}

/** The columns that an expression names. */
function columnsIn({ columns }: Table, expression: string): readonly string[] {
  const withoutTexts = expression.replaceAll(/'[^']*'/g, ' ').toLowerCase();
  const words = new Set(withoutTexts.match(/[\p{L}\p{N}_$]+/gu));
  return columns.filter(({ name }) => words.has(name.toLowerCase())).map(({ name }) => name);
}
