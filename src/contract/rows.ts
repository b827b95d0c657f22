import { listParameters } from './list-parameters.ts';
import { flag } from './parameter.ts';
import { databaseErrors } from './route.ts';
import { relatedRowsResponse, rowResponse, rowListResponse } from './row-responses.ts';
import type { Route } from './route.ts';

const rowErrors = [
  ...databaseErrors,
  'invalid_id',
  'table_not_found',
  'row_not_found',
  'no_row_identity',
] as const;

const rowParameters = { show_deleted: flag('Finds the row even if it is soft-deleted.') };

/** Routes that read rows of tables and views. */
export const rowRoutes = {
  'list-rows': {
    method: 'GET',
    path: '/tables/:table/rows',
    summary: 'A page of rows',
    description:
      'Rows of a table or view, filtered, searched, sorted and paged. The order is always total: the key breaks ties ' +
      'of the sort columns. A page past the end has no rows.',
    query: listParameters,
    takesFilters: true,
    responses: { 200: { description: 'A page.', json: rowListResponse } },
    errors: [...databaseErrors, 'table_not_found', 'unknown_column'],
    access: 'read',
  },
  'get-row': {
    method: 'GET',
    path: '/tables/:table/rows/:id',
    summary: 'One row',
    description: 'The row, with a strong `ETag` of its values.',
    query: rowParameters,
    supportsIfNoneMatch: true,
    responses: {
      200: { description: 'The row.', json: rowResponse },
      304: { description: 'The row still has the entity tag in `If-None-Match`.' },
    },
    errors: rowErrors,
    access: 'read',
  },
  'list-related': {
    method: 'GET',
    path: '/tables/:table/rows/:id/relations/:relation',
    summary: 'Related rows',
    description:
      'A page of the rows that a row is related to; at most one for a to-one relation. Accepts all parameters of the ' +
      'row list. `show_deleted` also finds the row whose relation it is, if that is deleted.',
    query: listParameters,
    takesFilters: true,
    responses: { 200: { description: 'A page, with the relation.', json: relatedRowsResponse } },
    errors: [...rowErrors, 'relation_not_found', 'unknown_column'],
    access: 'read',
  },
  'read-cell': {
    method: 'GET',
    path: '/tables/:table/rows/:id/cells/:column',
    summary: 'One value',
    description:
      'The raw value as an attachment: bytes of binary columns, documents of JSON columns, text of all others.',
    query: rowParameters,
    responses: {
      200: {
        description: 'The value.',
        contentTypes: ['application/octet-stream', 'text/plain', 'application/json'],
      },
      204: { description: 'The value is NULL.' },
    },
    errors: [...rowErrors, 'unknown_column'],
    access: 'read',
  },
} as const satisfies Record<string, Route>;
