/** One entry a database of the registry. */
import { sqlserverSubject } from '../sqlserver/kit-subject.ts';
import { mysqlSubject } from './subjects/mysql.ts';
import { postgresSubject } from './subjects/postgres.ts';
import { sqliteSubject } from './subjects/sqlite.ts';
import type { Subject } from './subject.ts';

/** No free SQL Server runs everywhere: it takes part where a server is named. */
const named: readonly Subject[] = process.env['STUDIO_TEST_SQLSERVER'] ? [sqlserverSubject] : [];

export const subjects: readonly Subject[] = [
  sqliteSubject,
  postgresSubject,
  mysqlSubject,
  ...named,
];
