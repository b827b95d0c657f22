import { z } from 'zod';
import { choice, flag, integer, repeated, text } from './parameter.ts';
import type { QueryParameter, QueryParameters } from './parameter.ts';

const maximumPageSize = 500;

/** Keeps every offset within the safe integers. */
const maximumPage = Math.floor(Number.MAX_SAFE_INTEGER / maximumPageSize);

const direction: QueryParameter<'asc' | 'desc'> = {
  description:
    'The direction of the `sort_by` at the same position, case-insensitive. Default: `asc`. Without `sort_by`, the direction of the key.',
  expected: 'asc or desc',
  repeated: false,
  schema: z
    .string()
    .toLowerCase()
    .pipe(z.enum(['asc', 'desc'])),
};

/** Query parameters of the row list and of relations. */
export const listParameters = {
  page: integer('The page number, from 1. A page past the end has no rows.', {
    minimum: 1,
    maximum: maximumPage,
    default: 1,
  }),
  page_size: integer('Rows per page.', { minimum: 1, maximum: maximumPageSize, default: 50 }),
  sort_by: repeated(
    text('A column to sort by. Repeat it to sort by further columns. NULLs come last.'),
  ),
  sort_order: repeated(direction),
  search: text('Only rows in which a text column contains this text, case-insensitive.'),
  any: repeated(
    text(
      'Filters of which at least one must hold, as a percent-encoded query: `any=filter_role%3Dadmin%26filter_age__gt%3D30`. Repeated ones must all hold, like other filters.',
    ),
  ),
  show_deleted: flag('Includes soft-deleted rows.'),
  cursor: text(
    'The `next_cursor` of a page. Returns the page after it, at a cost that does not depend on the page number.',
  ),
  count: choice(
    '`auto`: `total` is exact unless counting exceeds a time limit. `exact`: no limit. `estimated`: the estimate of the query planner. `none`: null.',
    ['auto', 'exact', 'estimated', 'none'],
  ),
  etags: flag('Adds the entity tag of each row.'),
  labels: flag('Adds the display names of the rows that foreign keys reference.'),
  cells: choice('`preview` truncates values over 4 kB to `{"$cut": bytes, "head": "…"}`.', [
    'full',
    'preview',
  ]),
} as const satisfies QueryParameters;

/** Filter operators, as the suffix of `filter_<column>__<operator>`. */
export const filterOperators: Readonly<Record<string, string>> = {
  eq: 'equal, even if the value contains a `%`',
  ne: 'not equal',
  gt: 'greater',
  gte: 'greater or equal',
  lt: 'less',
  lte: 'less or equal',
  like: "the database's own LIKE",
  ilike: 'case-insensitive LIKE',
  in: 'one of the values: the parameter repeated, or a JSON array',
  nin: 'none of the values',
  null: '`true`: is NULL; `false`: is not',
  contains: 'contains the text, case-insensitive',
  starts: 'starts with the text, case-insensitive',
  ends: 'ends with the text, case-insensitive',
};
