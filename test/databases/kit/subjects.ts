/** Each database of the registry, as the kit tests it. */
import { isOldestPostgres } from '../../servers/oldest-postgres.ts';
import { sqlserverSubject } from '../sqlserver/kit-subject.ts';
import { mysqlSubject } from './subjects/mysql.ts';
import { postgresSubject } from './subjects/postgres.ts';
import { sqliteSubject } from './subjects/sqlite.ts';
import type { Subject } from './subject.ts';

export const everySubject: readonly Subject[] = [
  sqliteSubject,
  postgresSubject,
  mysqlSubject,
  sqlserverSubject,
];

/**
 * SQL Server has no free server for every platform. Its tests run only where a URL is configured.
 */
export const subjects = everySubject.filter((subject) => {
  if (isOldestPostgres) return subject === postgresSubject;
  return subject !== sqlserverSubject || process.env['STUDIO_TEST_SQLSERVER'];
});
