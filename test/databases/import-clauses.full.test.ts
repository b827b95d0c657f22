/** As import-clauses.test.ts: each clause alone, and many files. */
import { test } from 'vitest';
import { mysqlClauses, postgresClauses, sqliteClauses } from './clauses.ts';
import {
  expectEachClauseReported,
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

const timeoutMs = 1_800_000;

test.each(judges)(
  'each clause in a file of its own on %s',
  (_, judge) => expectEachClauseReported(judge),
  timeoutMs,
);

test.each(judges)(
  'several clauses in one file on %s',
  (_, judge) => expectAllClausesReported(judge, 100),
  timeoutMs,
);
