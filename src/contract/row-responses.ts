import { z } from 'zod';
import { body, named } from './named-schema.ts';
import { relation } from './schema-response.ts';

export const cellValue = named(
  'Cell',
  'A value. A number is a JSON number when a double holds it exactly, else a string of its digits; the digits are ' +
    'as stored. Binary is `{"$base64": "…"}`, a JSON null `{"$json": null}`, a JSON document that looks like one of these markers `{"$json": document}`, an integer beyond 2^53 in a column ' +
    'without a numeric type `{"$int": "…"}`, a value that was cut `{"$cut": bytes, "head": "…"}`. JSON and arrays ' +
    'are themselves, but for JSON that is an array within an array of JSON (PostgreSQL), which is `{"$json": […]}`; ' +
    'whitespace around a JSON document is not part of it. ' +
    'Text that is not UTF-8 (SQLite) is its bytes, as binary: it stays as it is when they are written back to its cell, ' +
    'and is binary in any other. Dates and times are ISO 8601; every other type the text that the database gives.',
  z.unknown(),
);

export const rowValues = named('Cells', 'Values by column name.', z.record(z.string(), cellValue));

/** A single row. */
export const rowResponse = body('Row', 'A row, keyed by column name.', {
  schema: z.record(z.string(), cellValue),
  example: {
    id: 1,
    name: 'Ada',
    balance: 10.5,
    avatar: { $base64: 'iVBORw0KGgo=' },
    deleted_at: null,
  },
});

const list = z.object({
  data: z.array(rowValues),
  total: z.int().nullable().describe('Matching rows on all pages; null with `count=none`.'),
  total_exact: z.literal(false).optional().describe('Present when `total` is an estimate.'),
  page: z.int(),
  page_size: z.int(),
  next_cursor: z.string().optional().describe('Absent on the last page.'),
  paging: z
    .literal('position')
    .optional()
    .describe(
      'Present when `next_cursor` is only an offset, because no key identifies the rows and their columns cannot be compared exactly or are too long. A row that another client inserts or deletes on an earlier page then shifts the next page by one. Also present for PostgreSQL tables without a key, whose rows are identified by their physical location: an update by another client moves a row, which may then be skipped or returned twice.',
    ),
  etags: z
    .array(z.string().nullable())
    .optional()
    .describe('Parallel to `data`, with `etags=true`.'),
  labels: z
    .record(z.string(), z.record(z.string(), cellValue))
    .optional()
    .describe('With `labels=true`: by foreign key column, by key.'),
  label_errors: z
    .record(z.string(), z.string())
    .optional()
    .describe(
      'With `labels=true`: why the labels of a foreign key are missing, by its column. Present when a referenced table cannot be read, or not within a second because another session has locked it.',
    ),
});

/** The row list response. */
export const rowListResponse = body('RowList', 'A page of rows.', {
  schema: list,
  example: {
    data: [
      { id: 1, name: 'Ada' },
      { id: 2, name: 'Grace' },
    ],
    total: 2,
    page: 1,
    page_size: 50,
  },
});

/** The row list response, with the relation that led to it. */
export const relatedRowsResponse = body('RelatedRows', 'A page of rows that a relation leads to.', {
  schema: list.extend({ relation }),
  example: {
    data: [{ id: 7, user_id: 1, title: 'Notes' }],
    total: 1,
    page: 1,
    page_size: 50,
    relation: {
      name: 'Posts',
      type: 'has_many',
      table: 'posts',
      foreign_key: 'user_id',
      reference_key: 'id',
    },
  },
});
