/** Adds the folder of CSV files to the registry of this process. Child processes load it with `--import`. */
import { existsSync } from 'node:fs';
import { registry } from '../../../src/databases/index.ts';
import { StudioError } from '../../../src/model/errors.ts';
import { csvDialect } from './dialect.ts';
import type { DatabaseKind } from '../../../src/model/database.ts';

const scheme = 'csv:';

export const csvFolder: DatabaseKind = {
  dialect: csvDialect,
  runsInChildProcess: false,
  whyReadsBlockWrites: async () => undefined,
  prepare: async (target) => {
    if (!existsSync(target.url.slice(scheme.length)))
      throw new StudioError('database_unavailable', `There is no folder at ${target.url}.`);
    return { target, release: async () => undefined };
  },
  open: async ({ url }) => (await import('./database.ts')).openFolder(url.slice(scheme.length)),
};

(registry as (typeof registry)[number][]).unshift({
  name: csvDialect.name,
  accepts: (url) => url.startsWith(scheme),
  loadKind: async () => csvFolder,
  loadSyntax: async () => ({}),
});
