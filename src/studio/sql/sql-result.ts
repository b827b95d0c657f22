import { rowEncoder } from '../../model/values/json-cells.ts';
import type { Query, Session } from '../../model/database.ts';
import type { ColumnInfo } from '../../model/schema.ts';
import type { SqlRequest } from './sql-body.ts';

export interface SqlResult {
  /** The names of the columns, made unique. */
  readonly columns: readonly string[];
  readonly types: readonly string[];
  /** JSON objects, separated by commas. */
  readonly rows: string;
  readonly count: number;
  readonly truncated: boolean;
  /** For writes: the number of rows that the statement returned, including those beyond the limit. */
  readonly returned: number;
  /** Undefined if the database counts only the rows that it returns. */
  readonly rowsAffected: number | undefined;
}

/** A response contains at most about this many characters, even if `max_rows` allows more rows. */
const maxCharacters = 64 * 2 ** 20;

/** Runs a read. Stops the statement when the response has enough rows. */
export function readResult(session: Session, request: SqlRequest): Promise<SqlResult> {
  return collectRows(session, request, false);
}

/** Runs a write to its end, even if its rows do not fit the response. */
export function writeResult(session: Session, request: SqlRequest): Promise<SqlResult> {
  return collectRows(session, request, true);
}

/** The members of the response that contain rows. */
export function rowsJson({ columns, types, rows, count, truncated }: SqlResult): string {
  return (
    `"columns":${JSON.stringify(columns)},"column_types":${JSON.stringify(types)},"rows":[${rows}],` +
    `"total":${count},"truncated":${truncated}`
  );
}

async function collectRows(
  session: Session,
  request: SqlRequest,
  runsToEnd: boolean,
): Promise<SqlResult> {
  const query: Query = {
    text: request.query,
    params: request.params,
    ...(runsToEnd ? {} : { isRawRead: true }),
  };
  const { columns, batches, rowsAffected } = await session.stream(query);
  const names = uniqueNames(columns.map((column) => column.name));
  const encode = rowEncoder(
    columns.map((column, i) => ({ ...withNumberType(column), name: names[i]! })),
  );
  const texts: string[] = [];
  let size = 0;
  let truncated = false;
  let returned = 0;
  for await (const batch of batches) {
    for (const row of batch) {
      if (texts.length === request.maxRows || size > maxCharacters) truncated = true;
      else size += texts[texts.push(encode(row)) - 1]!.length;
      if (truncated) break;
    }
    returned += batch.length;
    if (truncated && !runsToEnd) break;
  }
  const types = columns.map((column) => column.nativeType ?? '');
  return {
    columns: names,
    types,
    rows: texts.join(','),
    count: texts.length,
    truncated,
    returned,
    rowsAffected: rowsAffected?.(),
  };
}

/** SQLite's expressions have no type. Numbers among their values are encoded like those of a numeric column. */
function withNumberType(column: ColumnInfo): ColumnInfo {
  return column.type.kind === 'untyped' ? { ...column, type: { kind: 'float', bits: 64 } } : column;
}

/** Makes names unique: repeated ones get `_2`, `_3` and so on. */
function uniqueNames(names: readonly string[]): readonly string[] {
  const usedNames = new Set(names);
  const seenNames = new Set<string>();
  return names.map((name) => {
    const uniqueName = seenNames.has(name) ? freeName(name, usedNames) : name;
    seenNames.add(uniqueName);
    usedNames.add(uniqueName);
    return uniqueName;
  });
}

function freeName(name: string, usedNames: ReadonlySet<string>): string {
  let n = 2;
  while (usedNames.has(`${name}_${n}`)) n++;
  return `${name}_${n}`;
}
