import { z } from 'zod';
import { flag } from './parameter.ts';
import { body } from './named-schema.ts';
import { cellValue, rowValues } from './row-answers.ts';
import { databaseErrors } from './route.ts';
import type { Route } from './route.ts';

const writeErrors = [
  ...databaseErrors,
  'table_not_found',
  'not_writable',
  'unique_violation',
  'foreign_key_violation',
  'write_suppressed',
  'write_conflict',
  'structure_changed',
  'not_null_violation',
  'check_violation',
  'invalid_value',
] as const;

const valueErrors = ['invalid_body', 'unknown_column'] as const;
const addressErrors = ['invalid_id', 'row_not_found', 'no_row_identity'] as const;

const showDeleted = flag('Soft-deleted rows too.');
const permanent = flag('Removes rows even where the table marks them as deleted.');

const partial = flag(
  'Takes several changes also where the storage engine cannot undo them (`rolls_back` of the schema): a failure then leaves those before it written, and says how many (`written`).',
);

const values = body('RowValues', 'Values by column name; columns left out get their defaults.', {
  schema: z.record(z.string(), cellValue),
  example: { name: 'Ada', balance: 10.5 },
});

const createdAnswer = body(
  'Created',
  'The new row as stored, defaults and generated columns filled in.',
  {
    schema: z.object({
      message: z.literal('created'),
      data: rowValues,
      warning: z.string().optional(),
    }),
    example: { message: 'created', data: { id: 1, name: 'Ada' } },
  },
);

const updatedAnswer = body('Updated', 'The row as stored.', {
  schema: z.object({ message: z.literal('updated'), rows_affected: z.literal(1), data: rowValues }),
  example: { message: 'updated', rows_affected: 1, data: { id: 1, name: 'Grace' } },
});

const uploadedAnswer = body('Uploaded', 'The value is stored.', {
  schema: z.object({ message: z.literal('updated'), rows_affected: z.literal(1) }),
  example: { message: 'updated', rows_affected: 1 },
});

const deletedAnswer = body('Deleted', 'The row is gone, or marked as deleted.', {
  schema: z.object({ message: z.literal('deleted'), rows_affected: z.literal(1) }),
  example: { message: 'deleted', rows_affected: 1 },
});

const listedId = z.union([z.string(), z.number()]);

const ids = body('Ids', 'Primary key values; those of a composite key as in a path.', {
  schema: z.object({ ids: z.array(listedId).min(1) }),
  example: { ids: ['1', '2'] },
});

const bulkDeletedAnswer = body('BulkDeleted', 'What was deleted.', {
  schema: z.object({
    message: z.literal('deleted'),
    rows_affected: z.int(),
    not_found: z.array(z.string()).describe('The ids that lead to no row.'),
  }),
  example: { message: 'deleted', rows_affected: 1, not_found: ['2'] },
});

const changes = body(
  'Changes',
  'New rows, changed rows and rows to delete, by their ids; each list may be absent. With `if_match`, the entity tag of a row, the row is written only if it still has that tag.',
  {
    schema: z.object({
      create: z.array(rowValues).optional(),
      update: z
        .array(z.object({ id: listedId, if_match: z.string().optional(), values: rowValues }))
        .optional(),
      delete: z
        .array(z.union([listedId, z.object({ id: listedId, if_match: z.string().optional() })]))
        .optional(),
    }),
    example: {
      create: [{ name: 'Ada' }],
      update: [{ id: '1', values: { name: 'Grace' } }],
      delete: ['2', { id: '4', if_match: '"0Jd1WOxEsvbqVH8UXTSgdSbBvIw"' }],
    },
  },
);

const changedAnswer = body(
  'Changed',
  'The new and the changed rows as stored, in the order of the request.',
  {
    schema: z.object({
      message: z.literal('changed'),
      created: z.array(rowValues),
      updated: z.array(rowValues),
      created_etags: z
        .array(z.string().nullable())
        .describe('Parallel to `created`; null for a row that could not be read back.'),
      updated_etags: z.array(z.string()).describe('Parallel to `updated`.'),
      deleted: z.int(),
    }),
    example: {
      message: 'changed',
      created: [{ id: 3, name: 'Ada' }],
      updated: [{ id: 1, name: 'Grace' }],
      created_etags: ['"7A1tN7b0GZ0pQwvrmBWkmPpUyR4"'],
      updated_etags: ['"xfPZ9Xa4WkSPHKf1T5Jc2hUwqkE"'],
      deleted: 2,
    },
  },
);

/** Writing rows of tables. */
export const rowWriteRoutes = {
  'create-row': {
    method: 'POST',
    path: '/tables/:table/rows',
    summary: 'A new row',
    description: 'Inserts a row; `{}` is a row of defaults. `Location` is its address.',
    query: {},
    body: { json: values },
    answers: { 201: { description: 'The row is stored.', json: createdAnswer } },
    errors: [...writeErrors, ...valueErrors],
    access: 'write',
  },
  'update-row': {
    method: 'PUT',
    path: '/tables/:table/rows/:id',
    summary: 'Change a row',
    description:
      'Changes the columns that the body names, key columns too. With `If-Match` only while the row is as that tag says. ' +
      'A soft-deleted row is restored by `show_deleted=true` and NULL in its soft-delete column.',
    query: { show_deleted: showDeleted },
    takesIfMatch: true,
    body: { json: values },
    answers: { 200: { description: 'The row is changed.', json: updatedAnswer } },
    errors: [...writeErrors, ...valueErrors, ...addressErrors, 'row_changed'],
    access: 'write',
  },
  'delete-row': {
    method: 'DELETE',
    path: '/tables/:table/rows/:id',
    summary: 'Delete a row',
    description: 'Removes the row; where the table has a soft-delete column, sets that instead.',
    query: { show_deleted: showDeleted, permanent },
    takesIfMatch: true,
    answers: { 200: { description: 'The row is deleted.', json: deletedAnswer } },
    errors: [...writeErrors, ...addressErrors, 'row_changed'],
    access: 'write',
  },
  'bulk-delete': {
    method: 'POST',
    path: '/tables/:table/rows/bulk-delete',
    summary: 'Delete many rows',
    description:
      'Deletes rows in one transaction: a failure deletes none. An id that is repeated counts once. ' +
      'Where the storage engine cannot undo a deletion, several ids are refused (see `partial`).',
    query: { show_deleted: showDeleted, permanent, partial },
    body: { json: ids },
    answers: { 200: { description: 'The rows are deleted.', json: bulkDeletedAnswer } },
    errors: [...writeErrors, 'invalid_id', 'no_row_identity'],
    access: 'write',
  },
  'change-rows': {
    method: 'POST',
    path: '/tables/:table/changes',
    summary: 'Many changes at once',
    description:
      'Creates, updates and deletes rows in one transaction. A failure changes nothing and names its item: `list` and `index`. ' +
      'Where the storage engine cannot undo a change, several changes are refused (see `partial`).',
    query: { show_deleted: showDeleted, permanent, partial },
    body: { json: changes },
    answers: { 200: { description: 'All is done.', json: changedAnswer } },
    errors: [...writeErrors, ...valueErrors, ...addressErrors, 'row_changed'],
    access: 'write',
  },
  'upload-cell': {
    method: 'PUT',
    path: '/tables/:table/rows/:id/cells/:column',
    summary: 'Store one value',
    description: 'The body is the value as it is: the bytes of binary, UTF-8 of text and JSON.',
    query: { show_deleted: showDeleted },
    takesIfMatch: true,
    body: { binary: 'The value.' },
    answers: { 200: { description: 'The value is stored.', json: uploadedAnswer } },
    errors: [...writeErrors, ...valueErrors, ...addressErrors, 'row_changed'],
    access: 'write',
  },
} as const satisfies Record<string, Route>;
