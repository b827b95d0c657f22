/**
 * Finds statements that may run user-defined code. Views call functions, which may change settings,
 * create temporary tables and take locks, and the server reports none of that. Reading a base table
 * runs no such code: no trigger fires, and neither server allows a stored or loadable function in a
 * generated column, a default, a check or an index.
 */
import { quoteName } from '../dialect/ddl.ts';
import type { Schema } from '../../../model/schema.ts';

export interface ViewNames {
  /** Stores the names of the views. Returns the schema. */
  readonly update: (schema: Schema) => Schema;
  /** Whether the text may read a view. It must quote names, as the studio's own statements do. */
  areIn(text: string): boolean;
  /** Changes when a view has replaced a table of the same name, which may have been read as a table. */
  readonly generation: () => number;
}

export function createViewNames(): ViewNames {
  // Until the structure is known, any name may be a view's.
  let views: ReadonlySet<string> | undefined;
  let tables: ReadonlySet<string> = new Set();
  let generation = 0;
  return {
    update: (schema) => {
      views = namesOf(schema.views);
      if ([...views].some((name) => tables.has(name))) generation += 1;
      tables = namesOf(schema.tables);
      return schema;
    },
    areIn: (text) =>
      !/^SHOW\b/.test(text) &&
      views?.size !== 0 &&
      quotedNames(text).some((name) => views?.has(name) ?? true),
    generation: () => generation,
  };
}

function namesOf(relations: Schema['tables']): ReadonlySet<string> {
  return new Set(relations.map(({ localName }) => quoteName(localName)));
}

/** Skips string literals, which may contain what looks like a quoted name. */
function quotedNames(text: string): readonly string[] {
  const found = text.match(/'(?:[^'\\]|\\.|'')*'|`(?:[^`]|``)*`/gs) ?? [];
  return found.filter((part) => part.startsWith('`'));
}
