import { z } from 'zod';
import { body } from './named-schema.ts';
import type { Route } from './route.ts';

const configAnswer = body('Config', 'How the studio was started.', {
  schema: z.object({
    read_only: z.boolean().describe('Write operations are disabled.'),
    disable_sql: z.boolean().describe('The raw SQL endpoint is disabled.'),
    prefix: z.string().describe('Where the studio is mounted.'),
  }),
  example: { read_only: false, disable_sql: false, prefix: '/studio' },
});

const statsAnswer = body('Stats', 'The connections to the database.', {
  schema: z.object({
    max_open_connections: z
      .int()
      .describe(
        'Reads of one table or view, writes to one table, and raw SQL each use at most half of these connections. Further requests of that kind wait for up to 5 s, then get 503 `database_busy`, which names the table.',
      ),
    open_connections: z.int(),
    in_use: z.int(),
    idle: z.int(),
    wait_count: z.int().describe('How often a connection had to be waited for.'),
    wait_duration: z.number().describe('Milliseconds waited for connections in all.'),
  }),
  example: {
    max_open_connections: 10,
    open_connections: 3,
    in_use: 1,
    idle: 2,
    wait_count: 0,
    wait_duration: 0,
  },
});

const healthAnswer = body('Health', 'Whether the studio runs, and whether its database answers.', {
  schema: z.object({ live: z.literal(true), ready: z.boolean() }),
  example: { live: true, ready: true },
});

const openApiAnswer = body('OpenApi', 'An OpenAPI 3.1 document.', {
  schema: z.looseObject({ openapi: z.string() }),
  example: { openapi: '3.1.1' },
});

/** The studio itself. */
export const serviceRoutes = {
  'get-config': {
    method: 'GET',
    path: '/config',
    summary: 'Configuration',
    description: 'How the studio was started.',
    query: {},
    answers: { 200: { description: 'The configuration.', json: configAnswer } },
    errors: [],
    access: 'read',
  },
  'get-stats': {
    method: 'GET',
    path: '/stats',
    summary: 'Connections',
    description: 'The state of the connections to the database.',
    query: {},
    answers: { 200: { description: 'The figures.', json: statsAnswer } },
    errors: [],
    access: 'read',
  },
  'get-health': {
    method: 'GET',
    path: '/health',
    summary: 'Health',
    description: 'For probes: open to all, and tells nothing else.',
    query: {},
    answers: {
      200: { description: 'The database answers.', json: healthAnswer },
      503: { description: 'It does not.', json: healthAnswer },
    },
    errors: [],
    access: 'open',
  },
  'get-openapi': {
    method: 'GET',
    path: '/openapi.json',
    summary: 'This document',
    description: 'The API as an OpenAPI 3.1 document.',
    query: {},
    answers: { 200: { description: 'The document.', json: openApiAnswer } },
    errors: [],
    access: 'read',
  },
} as const satisfies Record<string, Route>;
