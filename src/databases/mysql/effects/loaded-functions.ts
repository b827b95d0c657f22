/** Functions that are programs of their own, loaded into the server by CREATE FUNCTION … SONAME, a plugin or a component. */
import type { Row } from '../../../model/values.ts';
import type { Call } from './names-of-text.ts';

export type Ask = (text: string) => Promise<readonly Row[]>;

export interface LoadedFunctions {
  /** In small letters. */
  readonly names: ReadonlySet<string>;
  /** The function among the calls of a text that may be a loaded program, where the login may not see which there are. */
  unknownIn(calls: readonly Call[], routines: ReadonlySet<string>): string | undefined;
}

export const noLoadedFunctions: LoadedFunctions = { names: new Set(), unknownIn: () => undefined };

/**
 * MySQL lists those of components and of its storage engines in performance_schema alone. A login
 * that may not read a list may still call what is in it: then what is known to be harmless may be
 * called, and nothing else.
 */
export async function readLoadedFunctions(ask: Ask, isMariadb: boolean): Promise<LoadedFunctions> {
  const list = async (text: string): Promise<readonly string[] | undefined> => {
    const rows = await ask(text).catch(() => undefined);
    return rows?.map(([name]) => String(name));
  };
  const created = await list('SELECT LOWER(name) FROM mysql.func');
  const plugins = await list(
    "SELECT LOWER(PLUGIN_NAME) FROM information_schema.PLUGINS WHERE PLUGIN_TYPE = 'FUNCTION' AND PLUGIN_LIBRARY IS NOT NULL",
  );
  const all = isMariadb
    ? created
    : await list('SELECT LOWER(UDF_NAME) FROM performance_schema.user_defined_functions');
  const names = new Set([...(created ?? []), ...(plugins ?? []), ...(all ?? [])]);
  // MySQL's own list is never empty, unless it is switched off.
  const isComplete = all !== undefined && (isMariadb || all.length > 0);
  if (isComplete) return { names, unknownIn: () => undefined };
  const keywords = new Set(await list('SELECT LOWER(WORD) FROM information_schema.KEYWORDS'));
  return { names, unknownIn: (calls, routines) => unknownIn(calls, { keywords, routines }) };
}

interface Known {
  readonly keywords: ReadonlySet<string>;
  readonly routines: ReadonlySet<string>;
}

function unknownIn(calls: readonly Call[], { keywords, routines }: Known): string | undefined {
  return calls.find(
    ({ name, isQuoted }) => (isQuoted || !keywords.has(name)) && !routines.has(name),
  )?.name;
}
