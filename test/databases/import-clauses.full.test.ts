/** As import-clauses.test.ts: each clause alone, and many files. */
import { test } from 'vitest';
import { mysqlClauses, postgresClauses, sqliteClauses } from './clauses.ts';
import {
  expectEachNamed,
  expectNamedTogether,
  mariadbJudge,
  postgresJudge,
  sqliteJudge,
} from './import-clauses.ts';

const judges = [
  postgresJudge(postgresClauses),
  mariadbJudge(mysqlClauses),
  sqliteJudge(sqliteClauses),
].map((judge) => [judge.dialect, judge] as const);

const longest = 1_800_000;

test.each(judges)(
  'each clause in a file of its own on %s',
  (_, judge) => expectEachNamed(judge),
  longest,
);

test.each(judges)(
  'several clauses in one file on %s',
  (_, judge) => expectNamedTogether(judge, 100),
  longest,
);
