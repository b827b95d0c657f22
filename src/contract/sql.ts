import { z } from 'zod';
import { body } from './named-schema.ts';
import { databaseErrors } from './route.ts';
import { cellValue, rowValues } from './row-responses.ts';
import type { Route } from './route.ts';

const sqlBody = body('Sql', 'One statement.', {
  schema: z.object({
    query: z.string(),
    params: z.array(cellValue).optional().describe("The statement's parameters, in order."),
    max_rows: z
      .int()
      .optional()
      .describe('Maximum number of rows to return. Default: 1000. Maximum: 10000.'),
    dry_run: z
      .boolean()
      .optional()
      .describe(
        'Runs a statement that writes rows in a transaction that is rolled back, and returns what it would have done. Other writes are rejected. Except on SQLite, counters of generated keys stay moved, which the message of an INSERT says.',
      ),
  }),
  example: { query: 'SELECT id, name FROM users WHERE id = ?', params: [1] },
});

/** The rows that a statement returned. */
const returnedRows = {
  columns: z
    .array(z.string())
    .describe('Column names. The second occurrence of a name gets the suffix `_2`.'),
  column_types: z.array(z.string()).describe('As the database writes them; empty for expressions.'),
  rows: z.array(rowValues),
  total: z.int().describe('The number of rows in this response.'),
  truncated: z.boolean().describe('Whether the statement returned more rows.'),
};

const sqlResponse = body('SqlResult', 'The result of the statement.', {
  schema: z.discriminatedUnion('type', [
    z.object({
      type: z.literal('read'),
      ...returnedRows,
      duration_ms: z.number(),
    }),
    z.object({
      type: z.literal('write'),
      rows_affected: z
        .int()
        .describe('Rows that the statement wrote, as far as the database counts them.'),
      message: z.string(),
      dry_run: z.literal(true).optional().describe('The transaction was rolled back.'),
      ...z.object(returnedRows).partial().shape,
      duration_ms: z.number(),
    }),
  ]),
  example: {
    type: 'read',
    columns: ['id', 'name'],
    column_types: ['INTEGER', 'TEXT'],
    rows: [{ id: 1, name: 'Ada' }],
    total: 1,
    truncated: false,
    duration_ms: 0.4,
  },
});

/** Raw SQL. */
export const sqlRoutes = {
  'run-sql': {
    method: 'POST',
    path: '/sql',
    summary: 'Run a statement',
    description:
      'One statement per request. Reads run in a transaction that the database itself enforces as read-only. Statements that change ' +
      'structure or administer the database require `--allow-ddl`. Statements that access files, programs or the network are always rejected. ' +
      'A write that returns rows (RETURNING, OUTPUT, FOR UPDATE) returns them like a read, and is complete even if `truncated` is true. ' +
      'If the database names what it rejected in the statement, `line` and `column` of the error have its position.',
    query: {},
    body: { json: sqlBody },
    responses: { 200: { description: 'The result.', json: sqlResponse } },
    errors: [
      ...databaseErrors,
      'invalid_body',
      'sql_disabled',
      'ddl_disabled',
      'statement_refused',
      'read_only',
      'unique_violation',
      'foreign_key_violation',
      'write_conflict',
      'not_null_violation',
      'check_violation',
      'invalid_value',
    ],
    access: 'read',
    needs: ['sql'],
  },
} as const satisfies Record<string, Route>;
