/** Tools that run SQL, in transactions that the database itself keeps read-only. */
import { z } from 'zod';
import { presentationOf } from '../databases/presentations.ts';
import { rowsText } from './result-text.ts';
import { defineTool, exactNumber } from './tool.ts';
import { ApiError } from './studio-api.ts';
import type { JsonObject, StudioApi } from './studio-api.ts';
import type { Tool, ToolContext } from './tool.ts';

const statement = {
  sql: z.string().describe("One statement in the database's dialect."),
  params: z
    .array(z.union([z.string(), exactNumber, z.boolean(), z.null()]))
    .optional()
    .describe('Values of its parameters, in order.'),
};

/** Not offered where columns are masked: a statement can return their values under any name. */
export const sqlTools: readonly Tool<ToolContext>[] = [
  defineTool({
    name: 'run_query',
    title: 'Run a query',
    description:
      'Runs one statement that reads, in a read-only transaction, within the time limit of the studio. ' +
      'Statements that write are rejected. For a statement over large tables, look at explain_query first.',
    input: z.object({ ...statement, max_rows: z.int().min(1).max(1000).default(100) }),
    writes: false,
    run: async ({ reader }, { sql, params = [], max_rows }) => {
      const result = await runSql(reader, { query: sql, params, max_rows });
      const { columns, column_types, rows = [], truncated } = result;
      return rowsText({ columns, column_types, truncated }, rows as readonly unknown[]);
    },
  }),
  defineTool({
    name: 'explain_query',
    title: 'Explain a query',
    description: 'The plan by which the database would run a statement. The statement is not run.',
    input: z.object(statement),
    writes: false,
    run: async ({ reader }, { sql, params = [] }) => {
      const { json } = await reader.request({ path: ['schema'] });
      const prefix = presentationOf(String(json['driver']))?.explainPrefix;
      if (prefix === undefined)
        throw new ApiError('Plans of this database cannot be read by a statement.', 'unsupported');
      const result = await runSql(reader, { query: `${prefix}${sql}`, params, max_rows: 1000 });
      return rowsText({}, (result['rows'] ?? []) as readonly unknown[]);
    },
  }),
];

async function runSql(reader: StudioApi, body: JsonObject): Promise<JsonObject> {
  const { json } = await reader.request({ method: 'POST', path: ['sql'], body });
  return json;
}
