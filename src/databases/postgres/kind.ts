import { readUrl } from './driver/connection-options.ts';
import { postgresDialect } from './dialect/dialect.ts';
import type { Capability } from '../../model/capabilities.ts';
import type { DatabaseKind } from '../../model/database.ts';

export const postgres: DatabaseKind<Capability> = {
  dialect: postgresDialect,
  runsInChildProcess: false,
  reportsPosition: true,
  whyReadsBlockWrites: () => Promise.resolve(undefined),
  prepare: async (target) => {
    // Throws if the URL is invalid.
    readUrl(target.url);
    return { target, release: () => Promise.resolve() };
  },
  // The driver is loaded on demand, because child processes for other databases do not need it.
  open: async (target) => {
    const { openPostgres } = await import('./database.ts');
    return openPostgres(target);
  },
  loadDriver: () => import('./database.ts'),
};
