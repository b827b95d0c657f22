import { client } from '../api/client.ts';
import { queryClient } from '../api/queries.ts';
import { messageOf } from '../parts/error-notice.tsx';
import { rowCountText } from '../parts/row-count-text.ts';
import { addPastQuery } from './past-queries.ts';
import type { ResponseBodyOf } from '../../../src/contract/client.ts';

export type SqlResponse = ResponseBodyOf<'POST /sql'>;

/** A response with rows: of a read, or of a write that returns rows. */
export type RowsResponse = Pick<
  Extract<SqlResponse, { type: 'read' }>,
  'columns' | 'column_types' | 'rows' | 'total' | 'truncated'
>;

/** Undefined for a write that returned no rows. */
export function returnedRows(response: SqlResponse): RowsResponse | undefined {
  if (response.type === 'read') return response;
  const { columns, column_types, rows, total, truncated } = response;
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
): Promise<SqlResponse> {
  const at = Date.now();
  try {
    const body = `{"query":${JSON.stringify(query)},"params":${params},"max_rows":${mostRows}}`;
    const response = (await client.call('POST /sql', { body, signal })).body;
    addPastQuery({ at, statement, outcome: outcomeText(response), isFailure: false });
    if (response.type === 'write') {
      await queryClient.invalidateQueries({ queryKey: ['rows'] });
      await queryClient.invalidateQueries({ queryKey: ['schema'] });
    }
    return response;
  } catch (error) {
    const outcome = signal.aborted ? 'cancelled' : messageOf(error);
    addPastQuery({ at, statement, outcome, isFailure: true });
    throw error;
  }
}

export function outcomeText(response: SqlResponse): string {
  const ms = `${Math.max(1, Math.round(response.duration_ms))} ms`;
  if (response.type === 'write') {
    const { rows_affected: affected, total } = response;
    const returned = total === undefined ? '' : `, returned ${rowCountText(total)}`;
    return `changed ${rowCountText(affected)}${returned} in ${ms}`;
  }
  return `${response.truncated ? 'the first ' : ''}${rowCountText(response.total)} in ${ms}`;
}
