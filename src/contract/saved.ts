import { z } from 'zod';
import { diagramColumns } from './exports.ts';
import { body } from './named-schema.ts';
import type { Route } from './route.ts';

const statement = z.string().describe('At most 100,000 characters.');

const queryBody = body('SavedQueryInput', 'The text of a saved query.', {
  schema: z.object({ statement }),
  example: { statement: 'SELECT * FROM users WHERE age > 30' },
});

const queryResponse = body('SavedQuery', 'A saved query.', {
  schema: z.object({ name: z.string(), statement }),
  example: { name: 'Older users', statement: 'SELECT * FROM users WHERE age > 30' },
});

const queriesResponse = body('SavedQueries', 'All saved queries, in the order of their names.', {
  schema: z.object({ queries: z.array(queryResponse.schema) }),
  example: { queries: [queryResponse.example] },
});

const removed = body('SavedQueryRemoved', 'The query has been removed.', {
  schema: z.object({ message: z.string() }),
  example: { message: 'removed' },
});

const position = z.array(z.number()).length(2).describe('x and y in pixels.');

const positionsResponse = body('Positions', 'The saved positions by the names of the tables.', {
  schema: z.object({ positions: z.record(z.string(), position) }),
  example: { positions: { users: [120, 40] } },
});

const positionsBody = body(
  'PositionsInput',
  'New positions by the names of the tables. `null` removes one, so that the table is laid out again.',
  {
    schema: z.object({ positions: z.record(z.string(), position.nullable()) }),
    example: { positions: { users: [120, 40], posts: null } },
  },
);

const description =
  'in the state folder of the studio, for all users of the database and for all copies of the studio that share the folder';

/** What users save for each other. The database itself stays unchanged. */
export const savedRoutes = {
  'list-saved-queries': {
    method: 'GET',
    path: '/saved-queries',
    summary: 'Saved queries',
    description: `The queries that were saved ${description}.`,
    query: {},
    responses: { 200: { description: 'The queries.', json: queriesResponse } },
    errors: ['state_unavailable'],
    access: 'read',
  },
  'save-query': {
    method: 'PUT',
    path: '/saved-queries/:query',
    summary: 'Save a query',
    description: `Saves a query under a name of at most 200 characters, ${description}. It replaces a query of the same name.`,
    query: {},
    body: { json: queryBody },
    responses: { 200: { description: 'The query as saved.', json: queryResponse } },
    errors: ['state_unavailable'],
    access: 'write',
  },
  'remove-saved-query': {
    method: 'DELETE',
    path: '/saved-queries/:query',
    summary: 'Remove a saved query',
    description: 'Removes the query for all users.',
    query: {},
    responses: { 200: { description: 'The query has been removed.', json: removed } },
    errors: ['not_found', 'state_unavailable'],
    access: 'write',
  },
  'get-positions': {
    method: 'GET',
    path: '/diagram/positions',
    summary: 'Moved tables of the diagram',
    description: `The positions that were saved ${description}. Tables without one are where \`GET /diagram\` lays them out.`,
    query: { columns: diagramColumns },
    responses: { 200: { description: 'The positions.', json: positionsResponse } },
    errors: ['state_unavailable'],
    access: 'read',
  },
  'save-positions': {
    method: 'POST',
    path: '/diagram/positions',
    summary: 'Move tables of the diagram',
    description: `Saves positions of the tables that the body names, ${description}. Those of other tables stay as they are, so that two users who move different tables at the same time both succeed.`,
    query: { columns: diagramColumns },
    body: { json: positionsBody },
    responses: { 200: { description: 'All positions as saved.', json: positionsResponse } },
    errors: ['state_unavailable'],
    access: 'write',
  },
} as const satisfies Record<string, Route>;
