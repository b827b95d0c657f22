import { readUrl } from './connection-options.ts';
import { openPostgres } from './database.ts';
import { postgresDialect } from './dialect.ts';
import type { DatabaseKind } from '../../model/database.ts';

export const postgres: DatabaseKind = {
  dialect: postgresDialect,
  isolated: false,
  accepts: (url) => /^postgres(?:ql)?:\/\//i.test(url),
  prepare: async (target) => {
    readUrl(target.url);
    return { target, release: () => Promise.resolve() };
  },
  open: openPostgres,
};
