import { readUrl } from './driver/connection-options.ts';
import { sqlserverDialect } from './dialect/dialect.ts';
import type { Capability } from '../../model/capabilities.ts';
import type { DatabaseKind } from '../../model/database.ts';

/** SQL Server and Azure SQL. */
export const sqlserver: DatabaseKind<Capability> = {
  dialect: sqlserverDialect,
  runsInChildProcess: false,
  whyReadsBlockWrites: () => Promise.resolve(undefined),
  prepare: async (target) => {
    readUrl(target.url);
    return { target, release: () => Promise.resolve() };
  },
  // Loads the driver on demand, since loading it is slow.
  open: async (target) => (await import('./database.ts')).openSqlserver(target),
  loadDriver: () => import('./database.ts'),
};
