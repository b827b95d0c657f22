/** One entry a database of the registry. */
import { mysqlSubject } from './subjects/mysql.ts';
import { postgresSubject } from './subjects/postgres.ts';
import { sqliteSubject } from './subjects/sqlite.ts';
import type { Subject } from './subject.ts';

export const subjects: readonly Subject[] = [sqliteSubject, postgresSubject, mysqlSubject];
