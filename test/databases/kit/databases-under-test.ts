/** Each database of the registry, as the kit tests it. */
import { isOldestPostgres } from '../../servers/oldest-postgres.ts';
import { sqlserverUnderTest } from '../sqlserver/kit-database.ts';
import { mysqlUnderTest } from './databases-under-test/mysql.ts';
import { postgresUnderTest } from './databases-under-test/postgres.ts';
import { sqliteUnderTest } from './databases-under-test/sqlite.ts';
import type { DatabaseUnderTest } from './database-under-test.ts';

export const allDatabasesUnderTest: readonly DatabaseUnderTest[] = [
  sqliteUnderTest,
  postgresUnderTest,
  mysqlUnderTest,
  sqlserverUnderTest,
];

/**
 * SQL Server has no free server for every platform. Its tests run only where a URL is configured.
 */
export const databasesUnderTest = allDatabasesUnderTest.filter((underTest) => {
  if (isOldestPostgres) return underTest === postgresUnderTest;
  return underTest !== sqlserverUnderTest || process.env['STUDIO_TEST_SQLSERVER'];
});
