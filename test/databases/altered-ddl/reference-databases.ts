/** How a database's own client responds to a schema file, and what it creates from it. */
import Database from 'better-sqlite3';
import * as mariadb from '../../servers/mariadb.ts';
import { mariadbCatalog, sqliteCatalog } from '../import-clauses.ts';

interface Verdict {
  /** `rejected` for all errors but those of the syntax. */
  readonly kind: 'accepted' | 'syntax error' | 'rejected';
  /** The created objects, one line each. */
  readonly catalog: readonly string[];
}

export interface ReferenceDatabase {
  run(text: string): Promise<Verdict>;
  close(): Promise<void>;
}

export const openSqliteReference = (): Promise<ReferenceDatabase> =>
  Promise.resolve({
    run: (text) => Promise.resolve(runInSqlite(text)),
    close: () => Promise.resolve(),
  });

function runInSqlite(text: string): Verdict {
  const db = new Database(':memory:');
  try {
    db.exec(text);
    return { kind: 'accepted', catalog: sqliteCatalog(db) };
  } catch (error) {
    return { kind: kindOf(error, /syntax error|incomplete input/), catalog: [] };
  } finally {
    db.close();
  }
}

function kindOf(error: unknown, syntax: RegExp): Verdict['kind'] {
  return syntax.test(String(error)) ? 'syntax error' : 'rejected';
}

export async function openMariadbReference(): Promise<ReferenceDatabase> {
  const database = await mariadb.createTestDatabase();
  return {
    run: async (text) => {
      const names = await tableNames(database);
      const drops = names.flatMap((name) => [
        `DROP VIEW IF EXISTS \`${name}\``,
        `DROP TABLE IF EXISTS \`${name}\``,
      ]);
      await database.query(['SET foreign_key_checks = 0', ...drops].join('; '));
      try {
        await database.query(text);
        return { kind: 'accepted', catalog: await mariadbCatalog(database) };
      } catch (error) {
        return { kind: kindOf(error, /error in your SQL syntax/), catalog: [] };
      }
    },
    close: () => database.drop(),
  };
}

async function tableNames(database: mariadb.TestDatabase): Promise<readonly string[]> {
  const rows = await database.query(
    'SELECT table_name AS name FROM information_schema.tables WHERE table_schema = database()',
  );
  return rows.map(({ name }) => String(name));
}
