import { optionalChoice } from './parameter.ts';
import { databaseErrors } from './route.ts';
import { schemaResponse } from './schema-response.ts';
import type { Route } from './route.ts';

const query = {
  counts: optionalChoice('`exact`: counts all tables exactly, without a time limit.', ['exact']),
};

const responses = { 200: { description: 'The structure.', json: schemaResponse } } as const;

/** The database's structure. */
export const schemaRoutes = {
  'get-schema': {
    method: 'GET',
    path: '/schema',
    summary: 'The structure of the database',
    description:
      'All tables and views with columns, keys, indexes, relations and row counts. Counts are exact within a ' +
      'time limit; others are estimates, marked `row_count_exact: false`. The structure is cached, and changes ' +
      'by other clients appear within two seconds, or later if checking a large catalog takes more than a third ' +
      'of a second. Writes always use the current structure, and an error that an outdated structure could cause ' +
      'is only returned after the structure has been checked.',
    query,
    responses,
    errors: databaseErrors,
    access: 'read',
  },
  'refresh-schema': {
    method: 'POST',
    path: '/schema/refresh',
    summary: 'Refresh the structure',
    description:
      'The same response after a new introspection. Use it to see a change made outside the studio immediately.',
    query,
    responses,
    errors: databaseErrors,
    access: 'read',
  },
} as const satisfies Record<string, Route>;
