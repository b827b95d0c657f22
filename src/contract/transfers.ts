import { z } from 'zod';
import { body } from './named-schema.ts';
import type { Route } from './route.ts';

const transferResponse = body('Transfer', 'The progress of a download.', {
  schema: z.object({
    state: z
      .enum(['waiting', 'running', 'done', 'failed', 'cancelled'])
      .describe(
        '`waiting`: no download of this name has started, or it ended more than a minute ago.',
      ),
    rows: z.int().describe('Number of exported rows so far.'),
    table: z.string().optional().describe('The table that is currently exported.'),
    bytes: z.int().describe('Number of bytes produced so far.'),
    sent_bytes: z.int().describe('Number of bytes that the client has received.'),
    waiting: z
      .int()
      .optional()
      .describe('Before the start: the number of imports and exports that are ahead in the queue.'),
    error: z.string().optional().describe('The error message if it failed.'),
  }),
  example: { state: 'running', rows: 1200, table: 'orders', bytes: 98304, sent_bytes: 65536 },
});

const cancelled = body('TransferCancelled', 'The download has been canceled.', {
  schema: z.object({ message: z.string() }),
  example: { message: 'cancelled' },
});

/** Progress of downloads: a page cannot see the progress of a file that the browser saves. */
export const transferRoutes = {
  'get-transfer': {
    method: 'GET',
    path: '/transfers/:transfer',
    summary: 'Progress of a download',
    description:
      "The progress of an export of rows that was requested with `transfer`, from its start until a minute after its end. Otherwise the state is `waiting`. Copies of the studio that share the state folder see each other's downloads, a second later; ten seconds after its copy was killed, a download is `failed`.",
    query: {},
    responses: { 200: { description: 'The progress.', json: transferResponse } },
    errors: ['state_unavailable'],
    access: 'read',
  },
  'cancel-transfer': {
    method: 'DELETE',
    path: '/transfers/:transfer',
    summary: 'Cancel a download',
    description:
      'Closes the connection of the download, so that the client does not mistake the partial file for a complete one. If another copy of the studio sends it, the response comes when that copy has stopped.',
    query: {},
    responses: { 200: { description: 'The download has been canceled.', json: cancelled } },
    errors: ['not_found', 'state_unavailable'],
    access: 'read',
  },
} as const satisfies Record<string, Route>;
