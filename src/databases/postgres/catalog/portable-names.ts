import {
  asFlag,
  asOptionalText,
  asText,
  catalogQuery,
  readCatalogRows,
} from '../../catalog-query.ts';
import { postgresDdl } from '../dialect/ddl.ts';
import type { Session } from '../../../model/database.ts';

const pathQuery = catalogQuery(
  {
    path: asText(`pg_catalog.current_setting('search_path')`),
    first: asOptionalText('pg_catalog.current_schema()'),
    hasPublic: asFlag(`'public' = ANY (pg_catalog.current_schemas(false))`),
    hasOthers: asFlag(`pg_catalog.current_schemas(false) <> ARRAY['public']::name[]`),
  },
  (selectList) => `SELECT ${selectList}`,
);

/** The setting that has the default namespace while the search path is another one. */
const firstSchema = 'studio.first_schema';

/** The first schema of the session's own search path, as SQL. */
export const defaultNamespace = `COALESCE(NULLIF(pg_catalog.current_setting('${firstSchema}', true), ''), pg_catalog.current_schema())::name`;

interface SettingSession {
  readonly session: Session;
  /** Runs a statement that changes settings beyond a statement of `session`. */
  set(text: string): Promise<unknown>;
  /** Whether the settings end with the transaction. */
  isLocal: boolean;
}

/**
 * Runs `read` while the server qualifies all names in definitions but those in `public`. By itself it omits
 * the schemas of the session's search path, so the definitions would fail in a database with another one.
 */
export async function withPortableNames<T>(
  { session, set, isLocal }: SettingSession,
  read: () => Promise<T>,
): Promise<T> {
  const [found] = await readCatalogRows(session, pathQuery);
  if (found === undefined || !found.hasOthers) return read();
  const settings = (path: string, first: string): string =>
    `SELECT ${[setting('search_path', path, isLocal), setting(firstSchema, first, isLocal)].join(', ')}`;
  await set(settings(found.hasPublic ? 'public' : '', found.first ?? ''));
  const result = await read().catch(async (error: unknown) => {
    // In a failed transaction this fails too; then the rollback reverts the settings.
    await set(settings(found.path, '')).catch(() => {});
    throw error;
  });
  await set(settings(found.path, ''));
  return result;
}

function setting(name: string, value: string, isLocal: boolean): string {
  const args = [name, value].map((text) => postgresDdl.quoteText(text));
  return `pg_catalog.set_config(${args.join(', ')}, ${isLocal})`;
}
