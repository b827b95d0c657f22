import { StudioError } from '../../model/errors.ts';
import { sqliteDdl } from './ddl.ts';
import type { RowError } from '../../model/load.ts';
import type { Table } from '../../model/schema.ts';
import type { Connection } from './driver.ts';
import type { RowPlaces } from './load-places.ts';

/** Tables whose rows were written, and where each came from. */
export type LoadedTables = ReadonlyMap<Table, RowPlaces>;

const mostErrors = 100;

/** An error that names the loaded rows whose foreign keys point nowhere; undefined where there are none. */
export function brokenKeys(connection: Connection, loaded: LoadedTables): StudioError | undefined {
  const errors: RowError[] = [];
  for (const [table, places] of loaded) {
    for (const broken of checkTable(connection, table)) {
      const place = places.find(broken.rowId);
      if (place !== undefined) errors.push({ ...errorOf(table, broken), ...place });
      if (errors.length === mostErrors) break;
    }
  }
  const [first] = errors;
  if (first === undefined) return undefined;
  return new StudioError('foreign_key_violation', first.message, { table: first.table, errors });
}

interface BrokenKey {
  readonly rowId: number;
  readonly parent: string;
  readonly columns: readonly string[];
}

function* checkTable(connection: Connection, { localName }: Table): Generator<BrokenKey> {
  const keys = keyColumns(connection, localName);
  const check = connection.prepare(`PRAGMA foreign_key_check(${sqliteDdl.quoteName(localName)})`);
  for (const [, rowId, parent, key] of check.iterate([], false)) {
    yield { rowId: Number(rowId), parent: String(parent), columns: keys.get(Number(key)) ?? [] };
  }
}

/** By the key's number. */
function keyColumns(connection: Connection, table: string): ReadonlyMap<number, readonly string[]> {
  const list = connection.prepare(
    'SELECT id, "from" FROM pragma_foreign_key_list(?) ORDER BY id, seq',
  );
  const columns = new Map<number, string[]>();
  for (const [id, name] of list.all([table], false))
    columns.set(Number(id), [...(columns.get(Number(id)) ?? []), String(name)]);
  return columns;
}

function errorOf(table: Table, { parent, columns }: BrokenKey): RowError {
  const [column, another] = columns;
  const names = columns.map((name) => `"${name}"`).join(', ');
  return {
    code: 'foreign_key_violation',
    message: `${names} of table "${table.name}" would point at a row of "${parent}" that is not there.`,
    table: table.name,
    ...(column === undefined || another !== undefined ? {} : { column }),
  };
}
