import { z } from 'zod';
import { body } from './named-schema.ts';
import { choice, flag } from './parameter.ts';
import { jobErrors } from './route.ts';
import type { Route } from './route.ts';

const configResponse = body('Config', 'How the studio was started, and whether it can write.', {
  schema: z.object({
    read_only: z
      .boolean()
      .describe('Write operations are disabled by the operator, or rejected by the database.'),
    read_only_reason: z
      .string()
      .optional()
      .describe(
        'Why the database rejects writes that the operator allows, such as that it is a standby. Follows the database within two seconds.',
      ),
    replication_lag_seconds: z
      .number()
      .optional()
      .describe(
        'How far a standby of PostgreSQL is behind its primary, at most: 0 while it has applied all that it has received. As of two seconds ago at most.',
      ),
    standby: z
      .object({
        available: z
          .boolean()
          .describe('Whether it responds. While it does not, pages come from the primary.'),
        replication_lag_seconds: z
          .number()
          .optional()
          .describe('How far it is behind the primary, at most.'),
      })
      .optional()
      .describe('The standby of PostgreSQL that pages of rows are read from (`--read-url`).'),
    disable_sql: z.boolean().describe('The raw SQL endpoint is disabled.'),
    prefix: z.string().describe('Where the studio is mounted.'),
    allow_ddl: z
      .literal(true)
      .optional()
      .describe('Raw SQL may change the structure, and the studio may write.'),
    login: z
      .literal(true)
      .optional()
      .describe('Browsers log in with a user name and a password, and can log out.'),
  }),
  example: { read_only: false, disable_sql: false, prefix: '/studio' },
});

const statsResponse = body('Stats', 'The connections to the database.', {
  schema: z.object({
    max_open_connections: z
      .int()
      .describe(
        'Reads of one table or view, writes to one table, and raw SQL each use at most half of these connections. Further requests of that kind wait for up to 5 s, then get 503 `database_busy`, which names the table.',
      ),
    open_connections: z.int(),
    in_use: z.int(),
    idle: z.int(),
    wait_count: z.int().describe('Number of waits for a connection.'),
    wait_duration: z.number().describe('Total time of these waits, in milliseconds.'),
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

const healthResponse = body(
  'Health',
  'Whether the studio is running and its database is reachable.',
  {
    schema: z.object({ live: z.literal(true), ready: z.boolean() }),
    example: { live: true, ready: true },
  },
);

const livenessResponse = body('Liveness', 'The process responds.', {
  schema: z.object({ live: z.literal(true) }),
  example: { live: true },
});

const openApiResponse = body('OpenApi', 'An OpenAPI 3.1 document.', {
  schema: z.looseObject({ openapi: z.string() }),
  example: { openapi: '3.1.1' },
});

/** Routes about the studio itself. */
export const serviceRoutes = {
  'get-config': {
    method: 'GET',
    path: '/config',
    summary: 'Configuration',
    description: 'How the studio was started.',
    query: {},
    responses: { 200: { description: 'The configuration.', json: configResponse } },
    errors: [],
    access: 'read',
  },
  'get-stats': {
    method: 'GET',
    path: '/stats',
    summary: 'Connections',
    description: 'The state of the connections to the database.',
    query: {},
    responses: { 200: { description: 'The statistics.', json: statsResponse } },
    errors: [],
    access: 'read',
  },
  'get-health': {
    method: 'GET',
    path: '/health',
    summary: 'Health',
    description:
      'For readiness probes and balancers. Responds after two seconds at most, also if the database does not. Requires no credentials. With `--shutdown-delay`, not ready from SIGTERM on.',
    query: {},
    responses: {
      200: { description: 'The database is reachable.', json: healthResponse },
      503: {
        description:
          'The database is not reachable or has not responded within two seconds, or the studio is shutting down.',
        json: healthResponse,
      },
    },
    errors: [],
    access: 'open',
  },
  'get-liveness': {
    method: 'GET',
    path: '/live',
    summary: 'Liveness',
    description:
      'For liveness probes: responds as long as the process does, whatever the state of the database. Requires no credentials.',
    query: {},
    responses: { 200: { description: 'The process responds.', json: livenessResponse } },
    errors: [],
    access: 'open',
  },
  'get-metrics': {
    method: 'GET',
    path: '/metrics',
    summary: 'Metrics',
    description:
      'In the text format of Prometheus: durations of requests by route, method and status, connections to the database, jobs, ' +
      'child processes, memory and CPU time. Since the start of this process.',
    query: {},
    responses: { 200: { description: 'The metrics.', contentTypes: ['text/plain'] } },
    errors: [],
    access: 'read',
  },
  'get-openapi': {
    method: 'GET',
    path: '/openapi.json',
    summary: 'This document',
    description:
      'The API as an OpenAPI document of version 3.1, or 3.0 with `version=3.0`. With `tables=true`, it also has the rows of each table, with the types of ' +
      'the columns: of the first 500 tables and views by name, as far as they have 3 MB.',
    query: {
      tables: flag('Includes the tables of the database.'),
      version: choice(
        'The version of OpenAPI. 3.0 is for generators that do not take 3.1; its schemas say less.',
        ['3.1', '3.0'],
      ),
    },
    responses: { 200: { description: 'The document.', json: openApiResponse } },
    errors: jobErrors,
    access: 'read',
  },
} as const satisfies Record<string, Route>;
