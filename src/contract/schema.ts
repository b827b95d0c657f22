import { optionalChoice } from './parameter.ts';
import { databaseErrors } from './route.ts';
import { schemaAnswer } from './schema-answer.ts';
import type { Route } from './route.ts';

const query = {
  counts: optionalChoice('`exact`: counts every table, however long it takes.', ['exact']),
};

const answers = { 200: { description: 'The structure.', json: schemaAnswer } } as const;

/** The database's structure. */
export const schemaRoutes = {
  'get-schema': {
    method: 'GET',
    path: '/schema',
    summary: 'The structure of the database',
    description:
      'All tables and views with columns, keys, indexes, relations and row counts. Counts are exact within a ' +
      'budget of time; those beyond it are estimates, marked `row_count_exact: false`. The structure is kept, and ' +
      'what other clients change of it is followed within two seconds; a catalog so large that looking at it takes ' +
      'longer than a third of a second is looked at less often. A write goes by the structure as it is at that ' +
      'instant, and an error that another structure could explain is given only when there is none.',
    query,
    answers,
    errors: databaseErrors,
    access: 'read',
  },
  'refresh-schema': {
    method: 'POST',
    path: '/schema/refresh',
    summary: 'Read the structure anew',
    description:
      'The same answer from a fresh introspection. Use it where a change made outside the studio is not to wait for ' +
      'the next look at the structure.',
    query,
    answers,
    errors: databaseErrors,
    access: 'read',
  },
} as const satisfies Record<string, Route>;
