import { readUrl } from './driver/connection-options.ts';
import { mysqlDialect } from './dialect/dialect.ts';
import type { Capability } from '../../model/capabilities.ts';
import type { DatabaseKind } from '../../model/database.ts';

/** MySQL and MariaDB. */
export const mysql: DatabaseKind<Capability> = {
  dialect: mysqlDialect,
  runsInChildProcess: false,
  whyReadsBlockWrites: () => Promise.resolve(undefined),
  prepare: async (target) => {
    readUrl(target.url);
    return { target, release: () => Promise.resolve() };
  },
  // Loads the driver on demand, so that child processes of other databases do not load it.
  open: async (target) => {
    const { openMysql } = await import('./database.ts');
    return openMysql(target);
  },
  loadDriver: () => import('./database.ts'),
};
