import { defaultNamespace } from '../dialect/catalog-names.ts';
import { postgresQuoteName } from '../dialect/quote.ts';
import type { ProgramSession } from '../../../model/stored-program.ts';
import type { Namespaces } from './tree-names.ts';

/** The settings that the statement `begin` lists, and the search path of the script at this point. */
export function sessionOf({ current, home }: Namespaces, begin: readonly string[]): ProgramSession {
  if (current === home) return { begin, end: [] };
  return {
    begin: [...begin, `SET LOCAL search_path = ${postgresQuoteName(current)}, ${defaultNamespace}`],
    end: ['SET LOCAL search_path = DEFAULT'],
  };
}
