/** Clauses of schema files: the import makes what the database's own client makes, or names the difference. */
import { test } from 'vitest';
import { mysqlClauses, postgresClauses, sqliteClauses } from './clauses.ts';
import {
  expectAllClausesReported,
  mariadbJudge,
  postgresJudge,
  sqliteJudge,
} from './import-clauses.ts';

const judges = [
  postgresJudge(postgresClauses),
  mariadbJudge(mysqlClauses),
  sqliteJudge(sqliteClauses),
].map((judge) => [judge.dialect, judge] as const);

test.each(judges)('several clauses in one file on %s', (_, judge) =>
  expectAllClausesReported(judge, 5),
);
