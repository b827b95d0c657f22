import { z } from 'zod';
import { body } from './named-schema.ts';
import type { Route } from './route.ts';

const transferAnswer = body('Transfer', 'How far a download is.', {
  schema: z.object({
    state: z
      .enum(['waiting', 'running', 'done', 'failed', 'cancelled'])
      .describe('`waiting`: nobody has asked for a download of this name, or not lately.'),
    rows: z.int().describe('That have been read.'),
    table: z.string().optional().describe('The table that is being read.'),
    bytes: z.int().describe('What has been made of the file.'),
    sent_bytes: z.int().describe('What the client has taken of it.'),
    waiting: z
      .int()
      .optional()
      .describe('While it has not started: how many imports and exports start before it.'),
    error: z.string().optional().describe('Why it failed.'),
  }),
  example: { state: 'running', rows: 1200, table: 'orders', bytes: 98304, sent_bytes: 65536 },
});

const cancelled = body('TransferCancelled', 'The download is broken off.', {
  schema: z.object({ message: z.string() }),
  example: { message: 'cancelled' },
});

/** Downloads that their client follows, since a browser tells a page nothing of what it saves. */
export const transferRoutes = {
  'get-transfer': {
    method: 'GET',
    path: '/transfers/:transfer',
    summary: 'How far a download is',
    description:
      'Of an export of rows that was asked for with `transfer`. It is known from its beginning to a minute after its end; before and after it is `waiting`.',
    query: {},
    answers: { 200: { description: 'How far it is.', json: transferAnswer } },
    errors: [],
    access: 'read',
  },
  'cancel-transfer': {
    method: 'DELETE',
    path: '/transfers/:transfer',
    summary: 'Break off a download',
    description:
      'The connection of the download breaks, so that no client takes its file for whole.',
    query: {},
    answers: { 200: { description: 'It is broken off.', json: cancelled } },
    errors: ['not_found'],
    access: 'read',
  },
} as const satisfies Record<string, Route>;
