/** `database-studio tables URL`: the names of tables and views with their row counts. */
import type { Invocation } from './parse.ts';
import { print } from './print.ts';
import { gridText } from './table-text.ts';
import { printableText } from './terminal-text.ts';
import { withStudio } from './with-studio.ts';

interface ListedTable {
  readonly name: string;
  readonly kind: string;
  readonly row_count: number | null;
  readonly row_count_exact?: false;
}

export async function printTables(invocation: Invocation): Promise<void> {
  await withStudio(invocation, { readOnly: true }, async (studio) => {
    const { body } = await studio.perform('get-schema', {});
    const { tables, views } = JSON.parse(String(body)) as Readonly<
      Record<'tables' | 'views', readonly ListedTable[]>
    >;
    const listedTables = [...tables, ...views].map(
      ({ name, kind, row_count, row_count_exact }) => ({
        name,
        kind,
        row_count,
        ...(row_count_exact === undefined ? {} : { row_count_exact }),
      }),
    );
    print(invocation.values, {
      json: JSON.stringify(listedTables),
      text: () => `${gridText([['name', 'kind', 'rows'], ...listedTables.map(cellsOf)])}\n`,
    });
  });
}

function cellsOf(table: ListedTable): readonly string[] {
  const { name, kind } = table;
  return [printableText(name), kind.replace('_', ' '), rowCountText(table)];
}

/** `~` before an estimate, `?` for a table that was not counted. */
export function rowCountText({
  row_count,
  row_count_exact,
}: Pick<ListedTable, 'row_count' | 'row_count_exact'>): string {
  const prefix = row_count_exact === false ? '~' : '';
  return row_count === null ? '?' : `${prefix}${row_count}`;
}
