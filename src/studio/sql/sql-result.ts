import { rowEncoder } from '../../model/json-cells.ts';
import type { Query, Session } from '../../model/database.ts';
import type { ColumnInfo } from '../../model/schema.ts';
import type { SqlRequest } from './sql-body.ts';

export interface SqlResult {
  /** Each unlike the others. */
  readonly columns: readonly string[];
  readonly types: readonly string[];
  /** JSON objects, separated by commas. */
  readonly rows: string;
  readonly count: number;
  readonly truncated: boolean;
  /** All rows that the statement returned, those left out too; of a write only. */
  readonly returned: number;
  /** Undefined where the database counts only the rows that it returns. */
  readonly rowsAffected: number | undefined;
}

/** An answer stops growing here, whatever `max_rows` says. */
const mostCharacters = 64 * 2 ** 20;

/** Stops the statement where the answer is full. */
export function readResult(session: Session, request: SqlRequest): Promise<SqlResult> {
  return collectRows(session, request, false);
}

/** Runs the statement to its end, also where its rows no longer fit the answer. */
export function writeResult(session: Session, request: SqlRequest): Promise<SqlResult> {
  return collectRows(session, request, true);
}

/** The members of an answer that hold rows. */
export function rowsJson({ columns, types, rows, count, truncated }: SqlResult): string {
  return (
    `"columns":${JSON.stringify(columns)},"column_types":${JSON.stringify(types)},"rows":[${rows}],` +
    `"total":${count},"truncated":${truncated}`
  );
}

async function collectRows(
  session: Session,
  request: SqlRequest,
  toEnd: boolean,
): Promise<SqlResult> {
  const query: Query = {
    text: request.query,
    params: request.params,
    ...(toEnd ? {} : { isRawRead: true }),
  };
  const { columns, batches, rowsAffected } = await session.stream(query);
  const names = uniqueNames(columns.map((column) => column.name));
  const encode = rowEncoder(columns.map((column, i) => ({ ...numeric(column), name: names[i]! })));
  const texts: string[] = [];
  let size = 0;
  let truncated = false;
  let returned = 0;
  for await (const batch of batches) {
    for (const row of batch) {
      if (texts.length === request.maxRows || size > mostCharacters) truncated = true;
      else size += texts[texts.push(encode(row)) - 1]!.length;
      if (truncated) break;
    }
    returned += batch.length;
    if (truncated && !toEnd) break;
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

/** Expressions have no type to tell text from number by: here the number rule alone holds. */
function numeric(column: ColumnInfo): ColumnInfo {
  return column.type.kind === 'untyped' ? { ...column, type: { kind: 'float', bits: 64 } } : column;
}

/** A name that occurs again gets `_2`, `_3` … */
function uniqueNames(names: readonly string[]): readonly string[] {
  const taken = new Set(names);
  const seen = new Set<string>();
  return names.map((name) => {
    const free = seen.has(name) ? freeName(name, taken) : name;
    seen.add(free);
    taken.add(free);
    return free;
  });
}

function freeName(name: string, taken: ReadonlySet<string>): string {
  let n = 2;
  while (taken.has(`${name}_${n}`)) n++;
  return `${name}_${n}`;
}
