import { z } from 'zod';
import { choice, flag, integer, repeated, text } from './parameter.ts';
import type { QueryParameter, QueryParameters } from './parameter.ts';

const maximumPageSize = 500;

/** So far that no offset leaves the integers that a double holds. */
const maximumPage = Math.floor(Number.MAX_SAFE_INTEGER / maximumPageSize);

const directions = new Map([
  ['asc', 'asc'],
  ['desc', 'desc'],
] as const);

const direction: QueryParameter<'asc' | 'desc'> = {
  description:
    'The direction of the `sort_by` at the same place, in any case; one that is missing is `asc`. Without `sort_by`, the direction of the key.',
  expected: 'asc or desc',
  repeated: false,
  schema: z
    .string()
    .toLowerCase()
    .pipe(z.enum(['asc', 'desc'])),
  read: (word) => directions.get(word.toLowerCase() as 'asc' | 'desc'),
};

/** What the row list and every relation take. */
export const listParameters = {
  page: integer('The page, from 1; one past the end has no rows.', {
    minimum: 1,
    maximum: maximumPage,
    default: 1,
  }),
  page_size: integer('Rows a page.', { minimum: 1, maximum: maximumPageSize, default: 50 }),
  sort_by: repeated(
    text(
      'A column to sort by; repeated, the next one orders what the ones before leave equal. NULLs come last.',
    ),
  ),
  sort_order: repeated(direction),
  search: text('Rows in which a text column contains this, whatever the case.'),
  show_deleted: flag('Soft-deleted rows too.'),
  cursor: text(
    'The `next_cursor` of a page: what follows it, at a cost that does not grow with depth.',
  ),
  count: choice(
    '`auto`: `total` is exact unless counting outlasts its limit. `exact` waits. `estimated` asks the planner. `none` leaves it null.',
    ['auto', 'exact', 'estimated', 'none'],
  ),
  etags: flag('Adds `etags`, the entity tag of each row.'),
  labels: flag('Adds `labels`, what the rows that foreign keys point at are called.'),
  cells: choice('`preview` cuts values over 4 kB to `{"$cut": bytes, "head": "…"}`.', [
    'full',
    'preview',
  ]),
} as const satisfies QueryParameters;

/** Filter operators, as the suffix of `filter_<column>__<operator>`. */
export const filterOperators: Readonly<Record<string, string>> = {
  eq: 'equal, also when the value holds a `%`',
  ne: 'not equal',
  gt: 'greater',
  gte: 'greater or equal',
  lt: 'less',
  lte: 'less or equal',
  like: "the database's own LIKE",
  ilike: 'LIKE, whatever the case',
  in: 'one of the values: the parameter repeated, or a JSON array',
  nin: 'none of the values',
  null: '`true`: is NULL; `false`: is not',
  contains: 'contains the text, whatever the case',
  starts: 'starts with the text, whatever the case',
  ends: 'ends with the text, whatever the case',
};
