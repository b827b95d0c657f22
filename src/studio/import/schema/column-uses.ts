/** What others have made of the columns that a failed import has added. Dropping such a column would break it. */
import { dependsOn } from '../../../sql/dependency-order.ts';
import type { Database } from '../../../model/database.ts';
import type { Table } from '../../../model/schema.ts';
import type { StoredProgram } from '../../../model/stored-program.ts';
import type { Addition } from './journal-files.ts';

type AddedColumn = Pick<Addition, 'table' | 'column'>;

/** Returns whether a check, view, trigger, routine or event uses a column. Those whose text the login may not see do not count. */
export async function findColumnUses(
  database: Database<'ddl'>,
  additions: readonly Addition[],
): Promise<(added: AddedColumn) => boolean> {
  if (additions.every(({ column }) => column === undefined)) return () => false;
  const { tables, views } = await database.introspect();
  const programs = await database.storedPrograms();
  return ({ table, column = '' }) => {
    const checks = tables.find(({ name }) => name === table)?.checks ?? [];
    return (
      // MariaDB names the check of a column as the column.
      checks.some(
        (check) =>
          check.column === undefined &&
          !isAdded(additions, check.name) &&
          hasWord(check.expression, column),
      ) ||
      views.some(
        ({ definition = '' }) => hasWord(definition, table) && hasWord(definition, column),
      ) ||
      programs.some((program) => usesColumn(program, { table, column }))
    );
  };
}

/** Whether the import has added the index or constraint: its undo names it. */
export function isAdded(additions: readonly Addition[], name: string | undefined): boolean {
  return name !== undefined && additions.some(({ undo }) => undo.includes(name));
}

function usesColumn(
  { table: own, script }: StoredProgram,
  { table, column = '' }: AddedColumn,
): boolean {
  const text = script.join('\n');
  return (own?.localName === table || hasWord(text, table)) && hasWord(text, column);
}

/** Whether a text contains a name as a word. A false match only keeps the column. */
function hasWord(definition: string, name: string): boolean {
  return dependsOn({ definition }, { localName: name });
}

interface HiddenColumn {
  readonly table: string;
  readonly column: string;
  readonly isOwn: (index: string) => boolean;
}

/** Whether an index or a foreign key uses the column. Those of the import are dropped before. */
export function hasKeys(
  tables: readonly Table[],
  { table: tableName, column, isOwn }: HiddenColumn,
): boolean {
  return tables.some((table) => {
    const isChanged = table.name === tableName;
    return (
      (isChanged &&
        table.indexes.some(
          ({ name, parts }) => !isOwn(name) && parts.some((part) => part.column === column),
        )) ||
      table.foreignKeys.some(
        (key) =>
          (isChanged && key.columns.includes(column)) ||
          (key.table === tableName && key.referencedColumns.includes(column)),
      )
    );
  });
}
