import { z } from 'zod';
import { errorDefinitions } from '../model/errors.ts';
import { body } from './named-schema.ts';
import type { ErrorCode } from '../model/errors.ts';

const codes = Object.keys(errorDefinitions) as [ErrorCode, ...ErrorCode[]];

/** The body of every error response. */
export const errorResponse = body(
  'Error',
  'An error: a message, a code, and details that depend on the code.',
  {
    schema: z.looseObject({
      error: z.string().describe('The error message.'),
      code: z.enum(codes),
      nearest: z
        .string()
        .optional()
        .describe('The existing name that is most similar to the unknown one.'),
      parameter: z.string().optional().describe('The invalid query or path parameter.'),
      value: z.unknown().optional().describe('The invalid value.'),
      objects_left: z
        .array(z.string())
        .optional()
        .describe(
          'What a failed import may have left in the database: tables and views by name, columns as `users.note`, others as `index idx_users_note`.',
        ),
      id: z.string().optional().describe('For `internal`: the id of the log entry.'),
    }),
    example: {
      error: 'There is no table or view "user". Did you mean "users"?',
      code: 'table_not_found',
      nearest: 'users',
    },
  },
);
