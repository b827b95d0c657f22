import { z } from 'zod';
import { errorFacts } from '../model/errors.ts';
import { body } from './named-schema.ts';
import type { ErrorCode } from '../model/errors.ts';

const codes = Object.keys(errorFacts) as [ErrorCode, ...ErrorCode[]];

/** The body of every failure. */
export const errorAnswer = body(
  'Error',
  'Any failure: a sentence, its code, and details by code.',
  {
    schema: z.looseObject({
      error: z.string().describe('One clear sentence.'),
      code: z.enum(codes),
      nearest: z
        .string()
        .optional()
        .describe('The known name nearest to the one that is not known.'),
      parameter: z.string().optional().describe('The query or path parameter at fault.'),
      value: z.unknown().optional().describe('What was given.'),
      id: z.string().optional().describe('`internal`: what the log line carries too.'),
    }),
    example: {
      error: 'There is no table or view "user". Did you mean "users"?',
      code: 'table_not_found',
      nearest: 'users',
    },
  },
);
