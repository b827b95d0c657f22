import { readUrl } from './driver/connection-options.ts';
import { sqlserverDialect } from './dialect/dialect.ts';
import type { DatabaseKind } from '../../model/database.ts';

/** SQL Server and Azure SQL. */
export const sqlserver: DatabaseKind = {
  dialect: sqlserverDialect,
  isolated: false,
  readsBlockWrites: () => Promise.resolve(undefined),
  prepare: async (target) => {
    readUrl(target.url);
    return { target, release: () => Promise.resolve() };
  },
  // The driver takes a while to load, which only its own databases are to wait for.
  open: async (target) => (await import('./database.ts')).openSqlserver(target),
};
