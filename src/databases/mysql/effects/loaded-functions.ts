/** Lists loadable functions: native code added by CREATE FUNCTION … SONAME, a plugin or a component. */
import { catalogQuery, readCatalogRows, asText } from '../../catalog-query.ts';
import type { Connection } from '../driver/connection.ts';
import type { Call } from './names-of-text.ts';

export interface LoadedFunctions {
  /** In lower case. */
  readonly names: ReadonlySet<string>;
  /** The first call that may be a loadable function, if the login may not read the list of them. */
  unknownIn(calls: readonly Call[], routines: ReadonlySet<string>): string | undefined;
}

export const noLoadedFunctions: LoadedFunctions = { names: new Set(), unknownIn: () => undefined };

/**
 * MySQL lists functions of components and storage engines only in performance_schema. A login may call
 * functions without being allowed to read the lists. In that case only functions that are known to
 * be harmless are allowed.
 */
export async function readLoadedFunctions(
  session: Pick<Connection, 'run'>,
  isMariadb: boolean,
): Promise<LoadedFunctions> {
  const list = async (column: string, from: string): Promise<readonly string[] | undefined> => {
    const query = catalogQuery(
      { name: asText(`LOWER(${column})`) },
      (selectList) => `SELECT ${selectList} FROM ${from}`,
    );
    const rows = await readCatalogRows(session, query).catch(() => undefined);
    return rows?.map(({ name }) => name);
  };
  const createdFunctions = await list('name', 'mysql.func');
  const plugins = await list(
    'PLUGIN_NAME',
    "information_schema.PLUGINS WHERE PLUGIN_TYPE = 'FUNCTION' AND PLUGIN_LIBRARY IS NOT NULL",
  );
  const all = isMariadb
    ? createdFunctions
    : await list('UDF_NAME', 'performance_schema.user_defined_functions');
  const names = new Set([...(createdFunctions ?? []), ...(plugins ?? []), ...(all ?? [])]);
  // MySQL's list is empty only if performance_schema is switched off.
  const isComplete = all !== undefined && (isMariadb || all.length > 0);
  if (isComplete) return { names, unknownIn: () => undefined };
  const keywords = new Set(await list('WORD', 'information_schema.KEYWORDS'));
  return { names, unknownIn: (calls, routines) => unknownIn(calls, { keywords, routines }) };
}

interface KnownNames {
  readonly keywords: ReadonlySet<string>;
  readonly routines: ReadonlySet<string>;
}

function unknownIn(calls: readonly Call[], { keywords, routines }: KnownNames): string | undefined {
  return calls.find(
    ({ name, isQuoted }) => (isQuoted || !keywords.has(name)) && !routines.has(name),
  )?.name;
}
