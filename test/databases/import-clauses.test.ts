/** Clauses of schema files: the import creates what the database's own client creates, or names the difference. */
import { test } from 'vitest';
import { mysqlClauses, postgresClauses, sqliteClauses } from './clauses.ts';
import {
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

test.each(references)('several clauses in one file on %s', (_, reference) =>
  expectAllClausesReported(reference, 5),
);
