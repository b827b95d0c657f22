/**
 * Which statements may run code of the database's users. Views call functions, which may change
 * settings, make temporary tables and take locks, and the server reports none of that. Reading a base
 * table runs no such code: no trigger fires, and neither server takes a stored or loadable function in
 * a generated column, a default, a check or an index.
 */
import { quoteName } from './ddl.ts';
import type { Schema } from '../../model/schema.ts';

export interface ViewNames {
  /** Takes the structure as it was just read, and gives it back. */
  readonly update: (schema: Schema) => Schema;
  /** Whether a statement of the studio's own, in which names are quoted, may read a view. */
  areIn(text: string): boolean;
  /** Changes when a view has taken the place of a table: it may have been read as one. */
  readonly age: () => number;
}

export function createViewNames(): ViewNames {
  // Until the structure is known, any name may be a view's.
  let views: ReadonlySet<string> | undefined;
  let tables: ReadonlySet<string> = new Set();
  let age = 0;
  return {
    update: (schema) => {
      views = namesOf(schema.views);
      if ([...views].some((name) => tables.has(name))) age += 1;
      tables = namesOf(schema.tables);
      return schema;
    },
    areIn: (text) =>
      !/^SHOW\b/.test(text) &&
      views?.size !== 0 &&
      quotedNames(text).some((name) => views?.has(name) ?? true),
    age: () => age,
  };
}

function namesOf(relations: Schema['tables']): ReadonlySet<string> {
  return new Set(relations.map(({ localName }) => quoteName(localName)));
}

/** A text of the statement may hold what looks like a name. */
function quotedNames(text: string): readonly string[] {
  const found = text.match(/'(?:[^'\\]|\\.|'')*'|`(?:[^`]|``)*`/gs) ?? [];
  return found.filter((part) => part.startsWith('`'));
}
