import Sqlite from 'better-sqlite3';
import { sqliteDdl } from '../../src/databases/sqlite/dialect/ddl.ts';
import { sqliteLoading } from '../../src/databases/sqlite/dialect/load-dialect.ts';
import { buildDemo } from '../../src/demo/build.ts';
import type { Query, Result, Session } from '../../src/model/database.ts';
import type { Value } from '../../src/model/values.ts';
import type { Database } from '../databases/registered-databases.ts';

/** The demo in memory, opened with the driver only, because these tests are about the demo itself. */
export async function openDemo(): Promise<Sqlite.Database> {
  const sqlite = new Sqlite(':memory:');
  sqlite.pragma('foreign_keys = ON');
  sqlite.defaultSafeIntegers();
  const session: Pick<Session, 'run'> = { run: async (query) => run(sqlite, query) };
  const database = {
    dialect: { placeholder: () => '?', ddl: sqliteDdl, load: sqliteLoading },
    transaction: async (_mode: string, work: (session: Session) => Promise<unknown>) => {
      sqlite.exec('BEGIN');
      await work(session as Session);
      sqlite.exec('COMMIT');
    },
  };
  await buildDemo(database as unknown as Database);
  return sqlite;
}

function run(sqlite: Sqlite.Database, { text, params }: Query): Result {
  const { changes } = sqlite.prepare(text).run(...params.map(bindable));
  return { columns: [], rows: [], rowsAffected: changes };
}

function bindable(value: Value): unknown {
  if (typeof value === 'boolean') return value ? 1n : 0n;
  return value instanceof Uint8Array ? Buffer.from(value) : value;
}
