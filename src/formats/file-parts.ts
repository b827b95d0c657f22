/** The sheets of a workbook or the files of an archive, each of which has the rows of one table. */
import { StudioError } from '../model/errors.ts';
import { didYouMean } from '../model/nearest.ts';
import type { RowChunk } from '../model/load.ts';
import type { ImportContext, RowBatches, SourceRecord, RowPosition } from './row-import.ts';

/** From the name of a sheet or file to that of its table; undefined leaves it out. */
export type TablesOfParts = ReadonlyMap<string, string | undefined>;

/** Where the rows of a sheet or file go. */
export interface PartTarget {
  readonly table: string;
  /** The request names the table. */
  readonly isMapped?: true;
}

/** Undefined for a part that is left out. `names` are what the request may call it. */
export function partTarget(
  tables: TablesOfParts | undefined,
  names: readonly string[],
  ownTable: string,
): PartTarget | undefined {
  const name = names.find((each) => tables?.has(each));
  if (name === undefined) return { table: ownTable };
  const table = tables?.get(name);
  return table === undefined ? undefined : { table, isMapped: true };
}

/** Fails if the request names a part that the file does not have. `parts` are the names of each. */
export function partsMustExist(
  tables: TablesOfParts | undefined,
  parts: readonly (readonly string[])[],
  problem: string,
): void {
  for (const name of tables?.keys() ?? []) {
    if (parts.some((names) => names.includes(name))) continue;
    const all = parts.map(([first = '']) => first);
    const listedNames = all.slice(0, 20).map((each) => JSON.stringify(each));
    throw new StudioError(
      'invalid_parameter',
      `${problem} ${JSON.stringify(name)}; it has ${listedNames.join(', ')}${all.length > 20 ? ' …' : ''}.${didYouMean(name, all)}`,
      { parameter: 'tables' },
    );
  }
}

/** A context that adds the name of the part to each error and record. */
export function inPart(context: ImportContext, source: string): ImportContext {
  const { onRecord, beginRow } = context;
  return {
    ...context,
    ...(beginRow && { beginRow: (position: RowPosition) => beginRow({ ...position, source }) }),
    ...(onRecord && { onRecord: (record: SourceRecord) => onRecord({ ...record, source }) }),
    report: (error) => context.report({ ...error, source }),
    mapColumns: (header) => {
      try {
        return context.mapColumns(header);
      } catch (error) {
        throw header.isMapped === true ? error : withPartHint(error, source);
      }
    },
  };
}

/** Says of an unknown table how to map a part. */
export function withPartHint<E>(error: E, source: string): E | StudioError {
  if (!(error instanceof StudioError) || error.code !== 'table_not_found') return error;
  const { code, message, details } = error;
  return new StudioError(
    code,
    `${message} Map ${JSON.stringify(source)} to a table with the parameter "tables", or to null to leave it out.`,
    details,
  );
}

/** Adds the name of the part to each batch. */
export async function* rowsOfPart(rows: RowBatches, source: string): RowBatches {
  for await (const chunk of rows) yield { ...chunk, source } satisfies RowChunk;
}
