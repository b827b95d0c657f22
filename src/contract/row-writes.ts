import { z } from 'zod';
import { flag } from './parameter.ts';
import { body, named } from './named-schema.ts';
import { cellValue, rowValues } from './row-responses.ts';
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

const showDeleted = flag('Includes soft-deleted rows.');
const permanent = flag('Removes rows even if the table has a soft-delete column.');

const partial = flag(
  'Allows several changes even if the storage engine cannot roll them back (see `rolls_back` in the schema). After a failure, the preceding changes remain, and the error states their number (`written`).',
);

const dryRun = flag(
  'Changes nothing. The response has the SQL statements that the request would run, and the rows of other tables that foreign keys would delete or change.',
);

const values = body('RowValues', 'Values by column name. Omitted columns get their defaults.', {
  schema: z.record(z.string(), cellValue),
  example: { name: 'Ada', balance: 10.5 },
});

const createdResponse = body(
  'Created',
  'The new row as stored, including defaults and generated columns.',
  {
    schema: z.object({
      message: z.literal('created'),
      data: rowValues,
      warning: z.string().optional(),
    }),
    example: { message: 'created', data: { id: 1, name: 'Ada' } },
  },
);

const updatedResponse = body('Updated', 'The row as stored.', {
  schema: z.object({ message: z.literal('updated'), rows_affected: z.literal(1), data: rowValues }),
  example: { message: 'updated', rows_affected: 1, data: { id: 1, name: 'Grace' } },
});

const uploadedResponse = body('Uploaded', 'The value has been stored.', {
  schema: z.object({ message: z.literal('updated'), rows_affected: z.literal(1) }),
  example: { message: 'updated', rows_affected: 1 },
});

const deletedResponse = body('Deleted', 'The row has been removed or marked as deleted.', {
  schema: z.object({ message: z.literal('deleted'), rows_affected: z.literal(1) }),
  example: { message: 'deleted', rows_affected: 1 },
});

const listedId = z.union([z.string(), z.number()]);

const ids = body('Ids', 'Primary key values. Composite keys are written as in a path.', {
  schema: z.object({ ids: z.array(listedId).min(1) }),
  example: { ids: ['1', '2'] },
});

const bulkDeletedResponse = body('BulkDeleted', 'The number of deleted rows.', {
  schema: z.object({
    message: z.literal('deleted'),
    rows_affected: z.int(),
    not_found: z.array(z.string()).describe('The ids that match no row.'),
  }),
  example: { message: 'deleted', rows_affected: 1, not_found: ['2'] },
});

const cascade = z.object({
  table: z.string(),
  action: z.enum(['delete', 'update', 'set_null', 'set_default']),
  columns: z
    .array(z.string())
    .optional()
    .describe('The columns that change; absent if the rows are deleted.'),
  rows: z.int().describe('The number of rows, without those that the request itself deletes.'),
  rows_exact: z
    .literal(false)
    .optional()
    .describe('Present if there may be more: rows are counted up to 1,000, and for two seconds.'),
  error: z.string().optional().describe('Why rows could not be counted.'),
});

const changes = body(
  'Changes',
  'New rows, changed rows and rows to delete, by their ids; each list may be absent. With `if_match`, the entity tag of a row, the row is written only if it still has that tag. With `expected_cascades`, the `cascades` of a preview of the same changes, the request is rejected if foreign keys would now do anything else to other rows.',
  {
    schema: z.object({
      create: z.array(rowValues).optional(),
      update: z
        .array(z.object({ id: listedId, if_match: z.string().optional(), values: rowValues }))
        .optional(),
      delete: z
        .array(z.union([listedId, z.object({ id: listedId, if_match: z.string().optional() })]))
        .optional(),
      expected_cascades: z.array(cascade).optional(),
    }),
    example: {
      create: [{ name: 'Ada' }],
      update: [{ id: '1', values: { name: 'Grace' } }],
      delete: ['2', { id: '4', if_match: '"0Jd1WOxEsvbqVH8UXTSgdSbBvIw"' }],
      expected_cascades: [{ table: 'posts', action: 'delete', rows: 3 }],
    },
  },
);

const changedRows = named(
  'ChangedRows',
  'The new and the changed rows as stored, in the order of the request.',
  z.object({
    message: z.literal('changed'),
    created: z.array(rowValues),
    updated: z.array(rowValues),
    created_etags: z
      .array(z.string().nullable())
      .describe('Parallel to `created`; null for a row that could not be read back.'),
    updated_etags: z.array(z.string()).describe('Parallel to `updated`.'),
    deleted: z.int(),
  }),
);

const previewedChanges = named(
  'PreviewedChanges',
  'With `dry_run=true`: what the request would do.',
  z.object({
    message: z.literal('previewed'),
    statements: z
      .array(
        z.object({
          list: z.enum(['create', 'update', 'delete']),
          index: z.int(),
          sql: z
            .string()
            .describe(
              'The statement with its values as literals. A literal of more than 1,000 characters is cut.',
            ),
        }),
      )
      .describe('In the order in which they would run.'),
    cascades: z
      .array(cascade)
      .describe('What foreign keys would do to other rows. Triggers are not followed.'),
  }),
);

const changedResponse = body(
  'Changed',
  'The rows as stored, or with `dry_run=true` what the request would do.',
  {
    schema: z.discriminatedUnion('message', [changedRows, previewedChanges]),
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

/** Routes that write rows. */
export const rowWriteRoutes = {
  'create-row': {
    method: 'POST',
    path: '/tables/:table/rows',
    summary: 'Create a row',
    description:
      'Inserts a row. `{}` inserts a row of defaults. `Location` is the URL of the new row.',
    query: {},
    supportsIdempotencyKey: true,
    body: { json: values },
    responses: { 201: { description: 'The row has been created.', json: createdResponse } },
    errors: [...writeErrors, ...valueErrors, 'outcome_unknown', 'state_unavailable'],
    access: 'write',
  },
  'update-row': {
    method: 'PUT',
    path: '/tables/:table/rows/:id',
    summary: 'Change a row',
    description:
      'Updates the columns in the body, including key columns. With `If-Match`, only if the row still has that entity tag. ' +
      'To restore a soft-deleted row, set its soft-delete column to NULL with `show_deleted=true`.',
    query: { show_deleted: showDeleted },
    supportsIfMatch: true,
    body: { json: values },
    responses: { 200: { description: 'The row has been updated.', json: updatedResponse } },
    errors: [...writeErrors, ...valueErrors, ...addressErrors, 'row_changed'],
    access: 'write',
  },
  'delete-row': {
    method: 'DELETE',
    path: '/tables/:table/rows/:id',
    summary: 'Delete a row',
    description: 'Removes the row, or sets the soft-delete column if the table has one.',
    query: { show_deleted: showDeleted, permanent },
    supportsIfMatch: true,
    responses: { 200: { description: 'The row has been deleted.', json: deletedResponse } },
    errors: [...writeErrors, ...addressErrors, 'row_changed'],
    access: 'write',
  },
  'bulk-delete': {
    method: 'POST',
    path: '/tables/:table/rows/bulk-delete',
    summary: 'Delete many rows',
    description:
      'Deletes rows in one transaction: after a failure, none are deleted. Repeated ids count once. ' +
      'If the storage engine cannot roll back, several ids are rejected (see `partial`).',
    query: { show_deleted: showDeleted, permanent, partial },
    body: { json: ids },
    responses: { 200: { description: 'The rows have been deleted.', json: bulkDeletedResponse } },
    errors: [...writeErrors, 'invalid_id', 'no_row_identity'],
    access: 'write',
  },
  'change-rows': {
    method: 'POST',
    path: '/tables/:table/changes',
    summary: 'Many changes at once',
    description:
      'Creates, updates and deletes rows in one transaction. After a failure, nothing is changed, and the error names the item by `list` and `index`. ' +
      'If the storage engine cannot roll back, several changes are rejected (see `partial`).',
    query: { show_deleted: showDeleted, permanent, partial, dry_run: dryRun },
    supportsIdempotencyKey: true,
    body: { json: changes },
    responses: {
      200: { description: 'All changes have been made, or previewed.', json: changedResponse },
    },
    errors: [
      ...writeErrors,
      ...valueErrors,
      ...addressErrors,
      'row_changed',
      'cascades_changed',
      'outcome_unknown',
      'state_unavailable',
    ],
    access: 'write',
  },
  'upload-cell': {
    method: 'PUT',
    path: '/tables/:table/rows/:id/cells/:column',
    summary: 'Store one value',
    description: 'The body is the raw value: bytes for binary columns, UTF-8 for text and JSON.',
    query: { show_deleted: showDeleted },
    supportsIfMatch: true,
    body: { binary: 'The value.' },
    responses: { 200: { description: 'The value has been stored.', json: uploadedResponse } },
    errors: [...writeErrors, ...valueErrors, ...addressErrors, 'row_changed'],
    access: 'write',
  },
} as const satisfies Record<string, Route>;
