/** Finds tables and columns whose names a schema import has shortened, because those of the file are too long for the database. */
import { StudioError } from '../../model/errors.ts';
import { shortenedName } from '../../sql/adapt/cut-names.ts';
import type { NameLimit } from '../../model/ddl-dialect.ts';
import type { Table } from '../../model/schema.ts';
import type { RowsHeader, TableReference } from '../../formats/row-import.ts';
import type { FileProblems } from './file-problems.ts';

export interface CutReferences {
  /** Calls `find`. If there is no such table, calls it again with shortened names. */
  find<T extends { readonly table: Table }>(
    heading: RowsHeader,
    find: (heading: RowsHeader) => T,
  ): T;
  /** The shortened name of a column; undefined if the name is not too long. */
  columnName(name: string): string | undefined;
}

export function createCutReferences(
  limit: NameLimit | undefined,
  { warnOnce }: FileProblems,
): CutReferences {
  if (limit === undefined)
    return { find: (heading, find) => find(heading), columnName: () => undefined };
  const fullNames = new Map<Table, string>();
  /** Rejects two tables of the file that have the same shortened name. */
  const requireSingleTable = (table: Table, name: string): void => {
    const firstName = fullNames.get(table) ?? name;
    fullNames.set(table, firstName);
    if (firstName === name) return;
    throw new StudioError(
      'table_not_found',
      `There is no table "${name}": "${table.name}" takes the rows of the file's "${firstName}".`,
    );
  };
  return {
    find: (heading, find) => {
      const shortened = cutReference(heading.table, limit);
      if (shortened === undefined) {
        const found = find(heading);
        if (fullNames.has(found.table)) requireSingleTable(found.table, nameOf(heading.table));
        return found;
      }
      try {
        return find(heading);
      } catch (error) {
        if (!(error instanceof StudioError) || error.code !== 'table_not_found') throw error;
        const found = findOrUndefined(() => find({ ...heading, table: shortened }));
        if (found === undefined) throw error;
        const name = nameOf(heading.table);
        requireSingleTable(found.table, name);
        warnOnce(
          `The rows of ${name} were imported into "${found.table.name}", which is its name in the database: at most ${limit.length} ${limit.unit}.`,
        );
        return found;
      }
    },
    columnName: (name) => {
      const short = shortenedName(name, limit);
      return short === name ? undefined : short;
    },
  };
}

function findOrUndefined<T>(find: () => T): T | undefined {
  try {
    return find();
  } catch (error) {
    if (error instanceof StudioError && error.code === 'table_not_found') return undefined;
    throw error;
  }
}

function nameOf(reference: TableReference | undefined): string {
  return typeof reference === 'object' ? reference.parts.join('.') : `${reference}`;
}

/** Undefined if no part is too long. */
function cutReference(
  reference: TableReference | undefined,
  limit: NameLimit,
): TableReference | undefined {
  if (reference === undefined) return undefined;
  const parts = typeof reference === 'string' ? reference.split('.') : reference.parts;
  const short = parts.map((part) => shortenedName(part, limit));
  if (short.every((part, i) => part === parts[i])) return undefined;
  return typeof reference === 'string' ? short.join('.') : { ...reference, parts: short };
}
