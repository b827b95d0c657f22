import { listParameters } from './list-parameters.ts';
import { flag } from './parameter.ts';
import { databaseErrors } from './route.ts';
import { relatedRowsAnswer, rowAnswer, rowListAnswer } from './row-answers.ts';
import type { Route } from './route.ts';

const rowErrors = [
  ...databaseErrors,
  'invalid_id',
  'table_not_found',
  'row_not_found',
  'no_row_identity',
] as const;

const rowParameters = { show_deleted: flag('The row even if it is soft-deleted.') };

/** Rows of tables and views. */
export const rowRoutes = {
  'list-rows': {
    method: 'GET',
    path: '/tables/:table/rows',
    summary: 'A page of rows',
    description:
      'Rows of a table or view, filtered, searched, sorted and paged. The order is always total: the key decides ' +
      'where the sort columns leave rows equal. A page past the end has no rows.',
    query: listParameters,
    takesFilters: true,
    answers: { 200: { description: 'A page.', json: rowListAnswer } },
    errors: [...databaseErrors, 'table_not_found', 'unknown_column'],
    access: 'read',
  },
  'get-row': {
    method: 'GET',
    path: '/tables/:table/rows/:id',
    summary: 'One row',
    description: 'The row itself, with a strong `ETag` of its values.',
    query: rowParameters,
    conditional: true,
    answers: {
      200: { description: 'The row.', json: rowAnswer },
      304: { description: 'It is still as `If-None-Match` says.' },
    },
    errors: rowErrors,
    access: 'read',
  },
  'list-related': {
    method: 'GET',
    path: '/tables/:table/rows/:id/relations/:relation',
    summary: 'Rows that a relation leads to',
    description:
      'A page of the rows that the record leads to; zero or one for a to-one relation. Takes every parameter of the ' +
      'row list; `show_deleted` counts for the record too.',
    query: listParameters,
    takesFilters: true,
    answers: { 200: { description: 'A page, with the relation.', json: relatedRowsAnswer } },
    errors: [...rowErrors, 'relation_not_found', 'unknown_column'],
    access: 'read',
  },
  'read-cell': {
    method: 'GET',
    path: '/tables/:table/rows/:id/cells/:column',
    summary: 'One value',
    description:
      'The value as it is, as an attachment: the bytes of binary, the text of everything else.',
    query: rowParameters,
    answers: {
      200: { description: 'The value.', contentType: 'application/octet-stream' },
      204: { description: 'The value is NULL.' },
    },
    errors: [...rowErrors, 'unknown_column'],
    access: 'read',
  },
} as const satisfies Record<string, Route>;
