import { client } from '../api/client.ts';
import { queryClient } from '../api/queries.ts';
import { messageOf } from '../parts/error-notice.tsx';
import { addToHistory } from './query-history.ts';
import type { ResponseBodyOf } from '../../../src/contract/client/client.ts';
import { sqlTexts as texts } from '../texts/sql.ts';
import { commonTexts } from '../texts/common.ts';

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

const maxRows = 10_000;

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
    const body = `{"query":${JSON.stringify(query)},"params":${params},"max_rows":${maxRows}}`;
    const response = (await client.call('POST /sql', { body, signal })).body;
    addToHistory({ at, statement, outcome: outcomeText(response), isFailure: false });
    if (response.type === 'write') {
      await queryClient.invalidateQueries({ queryKey: ['rows'] });
      await queryClient.invalidateQueries({ queryKey: ['schema'] });
    }
    return response;
  } catch (error) {
    const outcome = signal.aborted ? texts.canceledInHistory : messageOf(error);
    addToHistory({ at, statement, outcome, isFailure: true });
    throw error;
  }
}

export function outcomeText(response: SqlResponse): string {
  const ms = Math.max(1, Math.round(response.duration_ms));
  const { total } = response;
  if (response.type === 'read') {
    const rows = commonTexts.rowCount({ count: response.total });
    return response.truncated ? texts.readFirstRows({ rows, ms }) : texts.readRows({ rows, ms });
  }
  const rows = commonTexts.rowCount({ count: response.rows_affected });
  if (total === undefined) return texts.changedRows({ rows, ms });
  return texts.changedAndReturned({ rows, returned: commonTexts.rowCount({ count: total }), ms });
}
