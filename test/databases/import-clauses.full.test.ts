/** As import-clauses.test.ts: each clause alone, and many files. */
import { test } from 'vitest';
import { mysqlClauses, postgresClauses, sqliteClauses } from './clauses.ts';
import {
  expectEachClauseReported,
  expectAllClausesReported,
  mariadbReference,
  postgresReference,
  sqliteReference,
} from './import-clauses.ts';

const references = [
  postgresReference(postgresClauses),
  mariadbReference(mysqlClauses),
  sqliteReference(sqliteClauses),
].map((reference) => [reference.dialect, reference] as const);

const timeoutMs = 1_800_000;

test.each(references)(
  'each clause in a file of its own on %s',
  (_, reference) => expectEachClauseReported(reference),
  timeoutMs,
);

test.each(references)(
  'several clauses in one file on %s',
  (_, reference) => expectAllClausesReported(reference, 100),
  timeoutMs,
);
