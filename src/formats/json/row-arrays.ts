/** Finds the tables of the arrays in a JSON document, by their paths: `data`, `response.items`. */
import { StudioError } from '../../model/errors.ts';
import { partTarget, partsMustExist, withPartHint } from '../file-parts.ts';
import type { ImportContext } from '../row-import.ts';
import type { TablesOfParts } from '../file-parts.ts';

export interface ArrayOptions {
  /** The table of the request. */
  readonly table?: string | undefined;
  /** The tables that the request names for arrays. */
  readonly tables?: TablesOfParts | undefined;
  /** The import creates the tables that the request does not map. */
  readonly createTable?: boolean;
}

export interface RowArrayTarget {
  /** Undefined: the table of the request. */
  readonly table: string | undefined;
  readonly isMapped?: true;
}

export interface RowArrays {
  /**
   * Undefined if the array is left out. `first` is the character with which its first item begins, or that
   * ends it; `errorOf` makes an error at its position.
   */
  targetOf(
    path: string,
    first: string,
    errorOf: (problem: string) => StudioError,
  ): RowArrayTarget | undefined;
  /** Names a member without rows in a warning. */
  leaveOut(key: string): void;
  /** Whether an array has rows of a table, or could have had them. */
  areFound(): boolean;
  /** Called after the document: checks that it has what the request maps, and warns of what was left out. */
  end(options: { readonly isWarning: boolean }): void;
}

export function createRowArrays(
  fileName: string,
  context: ImportContext,
  options: ArrayOptions,
): RowArrays {
  const { tables } = options;
  const seenPaths = new Set<string>();
  const found: string[] = [];
  const leftOut: string[] = [];
  let isOfRequest = false;
  /** Of the first array that is left out because its table is unknown and its items are no objects. */
  let unknownTable: StudioError | undefined;
  const find = (path: string, first: string): RowArrayTarget | undefined => {
    const target = partTarget(tables, [path], path);
    if (target?.isMapped === true || target === undefined) return target;
    if (options.createTable === true) return first === '{' ? target : undefined;
    const error = mappingError(context, target);
    if (error === undefined) return target;
    if (error.code !== 'table_not_found') throw error;
    if (first === '{' && options.table !== undefined) return { table: undefined };
    const isEmptyOfRequest = first === ']' && options.table !== undefined;
    const named = isEmptyOfRequest ? undefined : withPartHint(error, path);
    if (first === '{') throw named;
    unknownTable ??= named;
    return undefined;
  };
  return {
    targetOf: (path, first, errorOf) => {
      if (seenPaths.has(path)) throw errorOf(`the table ${JSON.stringify(path)} occurs twice`);
      seenPaths.add(path);
      const target = find(path, first);
      if (target === undefined) return undefined;
      if (target.table === undefined) {
        const [other] = found;
        if (other !== undefined) throw errorOf(severalArrays(other, path, options));
        isOfRequest = true;
      } else if (target.isMapped === true) mustExist(context, target);
      found.push(path);
      return target;
    },
    leaveOut: (key) => leftOut.push(key),
    areFound: () => found.length > 0 || unknownTable !== undefined,
    end: ({ isWarning }) => {
      if (found.length === 0 && unknownTable !== undefined) throw unknownTable;
      partsMustExist(
        tables,
        [...seenPaths].map((path) => [path]),
        `${fileName} has no array`,
      );
      const names = leftOut.filter((key) => tables?.has(key) !== true);
      if (isWarning && found.length > 0 && (names.length > 0 || isOfRequest))
        context.warn(() => rowsWarning(found, names));
    },
  };
}

/** An unknown table is an error even if its rows are invalid. */
function mustExist(context: ImportContext, { table, isMapped }: RowArrayTarget): void {
  context.mapColumns({ table, columns: [], ...(isMapped && { isMapped }) });
}

function mappingError(context: ImportContext, target: RowArrayTarget): StudioError | undefined {
  try {
    mustExist(context, target);
    return undefined;
  } catch (error) {
    if (error instanceof StudioError) return error;
    throw error;
  }
}

function severalArrays(one: string, other: string, { table = '' }: ArrayOptions): string {
  const example = JSON.stringify({ [one]: table, [other]: null });
  return `it has several arrays of rows, ${JSON.stringify(one)} and ${JSON.stringify(other)}. Select one with the parameter "tables", such as ${example}`;
}

const maxNames = 10;

function rowsWarning(found: readonly string[], leftOut: readonly string[]): string {
  const list = (names: readonly string[]): string => {
    const listed = names.slice(0, maxNames).map((name) => JSON.stringify(name));
    return `${listed.join(', ')}${names.length > maxNames ? ` and ${names.length - maxNames} more` : ''}`;
  };
  const others =
    leftOut.length === 0 ? '' : ` Other members of the document are left out: ${list(leftOut)}.`;
  return `The rows are those of ${list(found)}.${others}`;
}
