/** The registered databases, in types that say that each has every capability. */
import { openDatabase as openRegistered, registry } from '../../src/databases/index.ts';
import { withCapabilities } from '../../src/model/supports.ts';
import type { DatabaseSyntax } from '../../src/databases/syntax.ts';
import type { Capability } from '../../src/model/capabilities.ts';
import type * as model from '../../src/model/database.ts';

export type Database = model.Database<Capability>;
export type Dialect = model.Dialect<Capability>;

type FullDatabaseKind = model.DatabaseKind<Capability> & DatabaseSyntax<Capability>;

const capabilities: readonly Capability[] = ['write', 'load', 'script', 'sql', 'ddl'];

export const databaseKinds: readonly FullDatabaseKind[] = await Promise.all(
  registry.map(
    async ({ loadKind, loadSyntax }) =>
      ({ ...(await loadKind()), ...(await loadSyntax()) }) as FullDatabaseKind,
  ),
);

export async function openDatabase(target: model.DatabaseTarget): Promise<Database> {
  return withCapabilities(await openRegistered(target), capabilities);
}
