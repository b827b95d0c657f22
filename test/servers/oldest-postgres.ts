/**
 * Whether the tests run on the oldest supported PostgreSQL, 14. It has no NULLS NOT DISTINCT, and no
 * numeric whose scale is negative or larger than its precision.
 */
export const isOldestPostgres = Boolean(process.env['STUDIO_TEST_OLDEST_POSTGRES']);
