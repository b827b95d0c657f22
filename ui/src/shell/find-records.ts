import { queryOptions } from '@tanstack/react-query';
import { client } from '../api/client.ts';
import type { Row, Schema, Table } from '../api/queries.ts';
import { rowId } from '../api/row-key.ts';
import { formatRecordAddress } from '../record/record-address.ts';
import { identifyingColumn, recordTitle } from '../record/record-title.ts';

export interface FoundRecord {
  readonly table: string;
  readonly title: string;
  /** The value of the search parameter `open` in the page's URL. */
  readonly address: string;
}

export interface FoundRecords {
  readonly records: readonly FoundRecord[];
  /** Tables whose records have titles and that were not searched, or not in time. */
  readonly notSearched: readonly string[];
}

/** Shorter texts are in the titles of too many records. */
export const minLetters = 2;
/** In larger tables only whole titles are searched: a search in the middle of texts reads all rows. */
const maxRowsForContains = 20_000;
const maxTables = 20;
const maxPerTable = 5;
const timeoutPerTableMs = 2000;
const totalTimeoutMs = 5000;
const parallelRequests = 3;

/** How a table is searched: a text within titles if the table is small, else a whole title by its index. */
interface Search {
  readonly table: Table;
  readonly filter: string;
}

/** Finds records whose title contains a text. Large tables without an index on the title are left out. */
export function recordsQuery(schema: Schema | undefined, text: string) {
  const tables = (schema?.tables ?? []).filter(
    (table) => identifyingColumn(table) !== undefined && table.row_key.length > 0,
  );
  return queryOptions({
    queryKey: ['rows', 'by title', text],
    enabled: schema !== undefined && text.length >= minLetters,
    queryFn: async ({ signal }): Promise<FoundRecords> => {
      const searches = tables
        .toSorted((a, b) => a.row_count - b.row_count)
        .flatMap(searchOf)
        .slice(0, maxTables);
      const waiting = [...searches];
      const results = new Map<Table, readonly FoundRecord[]>();
      const searchSignal = AbortSignal.any([signal, AbortSignal.timeout(totalTimeoutMs)]);
      const searchNext = async (): Promise<void> => {
        for (let search = waiting.shift(); search !== undefined; search = waiting.shift()) {
          const found = await searchTable(search, text, searchSignal);
          if (found !== undefined) results.set(search.table, found);
        }
      };
      await Promise.all(Array.from({ length: parallelRequests }, searchNext));
      signal.throwIfAborted();
      return {
        records: searches.flatMap(({ table }) => results.get(table) ?? []),
        notSearched: tables.filter((table) => !results.has(table)).map(({ name }) => name),
      };
    },
  });
}

function searchOf(table: Table): readonly Search[] {
  const column = identifyingColumn(table)?.name;
  const isIndexed = table.indexes.some(
    ({ columns, where }) => columns[0] === column && where === '',
  );
  if (table.row_count <= maxRowsForContains) return [{ table, filter: `${column}__contains` }];
  return isIndexed ? [{ table, filter: `${column}__eq` }] : [];
}

/** Undefined if the table did not respond in time, or with an error. */
async function searchTable(
  { table, filter }: Search,
  text: string,
  signal: AbortSignal,
): Promise<readonly FoundRecord[] | undefined> {
  if (signal.aborted) return undefined;
  try {
    const { body } = await client.call('GET /tables/:table/rows', {
      params: { table: table.name },
      query: { page_size: maxPerTable, count: 'none', cells: 'preview' },
      filters: { [filter]: text },
      signal: AbortSignal.any([signal, AbortSignal.timeout(timeoutPerTableMs)]),
    });
    return body.data.flatMap((row) => foundRecord(table, row));
  } catch {
    return undefined;
  }
}

function foundRecord(table: Table, row: Row): readonly FoundRecord[] {
  const id = rowId(table, row);
  const title = recordTitle(table, row);
  return id === undefined || title === undefined
    ? []
    : [{ table: table.name, title, address: formatRecordAddress({ table: table.name, id }) }];
}
