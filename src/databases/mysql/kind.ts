import { readUrl } from './driver/connection-options.ts';
import { mysqlDialect } from './dialect/dialect.ts';
import type { DatabaseKind } from '../../model/database.ts';

/** MySQL and MariaDB. */
export const mysql: DatabaseKind = {
  dialect: mysqlDialect,
  isolated: false,
  readsBlockWrites: () => Promise.resolve(undefined),
  prepare: async (target) => {
    readUrl(target.url);
    return { target, release: () => Promise.resolve() };
  },
  // The driver is loaded where it is needed: children of other databases do without.
  open: async (target) => {
    const { openMysql } = await import('./database.ts');
    return openMysql(target);
  },
};
