import { client } from '../api/client.ts';
import { queryClient } from '../api/queries.ts';
import { messageOf } from '../parts/error-notice.tsx';
import { rowCountText } from '../parts/row-count-text.ts';
import { addPastQuery } from './past-queries.ts';
import type { ResponseBodyOf } from '../../../src/contract/client.ts';

export type SqlAnswer = ResponseBodyOf<'POST /sql'>;

/** A response with rows: of a read, or of a write that returns rows. */
export type RowsAnswer = Pick<
  Extract<SqlAnswer, { type: 'read' }>,
  'columns' | 'column_types' | 'rows' | 'total' | 'truncated'
>;

/** Undefined for a write that returned no rows. */
export function returnedRows(answer: SqlAnswer): RowsAnswer | undefined {
  if (answer.type === 'read') return answer;
  const { columns, column_types, rows, total, truncated } = answer;
  if (columns === undefined || rows === undefined) return undefined;
  return {
    columns,
    column_types: column_types ?? [],
    rows,
    total: total ?? rows.length,
    truncated: truncated ?? false,
  };
}

const mostRows = 10_000;

/** A statement as typed, and as sent to the server. */
export interface Run {
  readonly statement: string;
  readonly query: string;
  /** The values of the parameters, as a JSON array. */
  readonly params: string;
}

/** Runs one statement, and adds it to the history with its outcome. */
export async function runStatement(
  { statement, query, params }: Run,
  signal: AbortSignal,
): Promise<SqlAnswer> {
  const at = Date.now();
  try {
    const body = `{"query":${JSON.stringify(query)},"params":${params},"max_rows":${mostRows}}`;
    const answer = (await client.call('POST /sql', { body, signal })).body;
    addPastQuery({ at, statement, outcome: outcomeText(answer), isFailure: false });
    if (answer.type === 'write') {
      await queryClient.invalidateQueries({ queryKey: ['rows'] });
      await queryClient.invalidateQueries({ queryKey: ['schema'] });
    }
    return answer;
  } catch (error) {
    const outcome = signal.aborted ? 'cancelled' : messageOf(error);
    addPastQuery({ at, statement, outcome, isFailure: true });
    throw error;
  }
}

export function outcomeText(answer: SqlAnswer): string {
  const ms = `${Math.max(1, Math.round(answer.duration_ms))} ms`;
  if (answer.type === 'write') {
    const { rows_affected: affected, total } = answer;
    const returned = total === undefined ? '' : `, returned ${rowCountText(total)}`;
    return `changed ${rowCountText(affected)}${returned} in ${ms}`;
  }
  return `${answer.truncated ? 'the first ' : ''}${rowCountText(answer.total)} in ${ms}`;
}
