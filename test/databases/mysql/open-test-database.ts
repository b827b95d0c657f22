import { afterAll, beforeAll } from 'vitest';

import { mysql } from '../../../src/databases/mysql/kind.ts';
import { useMariadb } from '../../servers/mariadb.ts';
import type { Schema, Table } from '../../../src/model/schema.ts';
import type { TestDatabase } from '../../servers/mariadb.ts';
import type { Database } from '../registered-databases.ts';

export interface OpenDatabase {
  readonly server: TestDatabase;
  readonly database: Database;
}

/** Creates a database for a test file, runs a script, and opens it. */
export function useDatabase(
  script: string | ((server: TestDatabase) => string),
): () => OpenDatabase {
  const server = useMariadb();
  let open: OpenDatabase | undefined;
  beforeAll(async () => {
    let test: TestDatabase;
    try {
      test = server();
    } catch {
      // The tests are skipped with a reason.
      return;
    }
    await test.query(typeof script === 'string' ? script : script(test));
    open = {
      server: test,
      database: await mysql.open({ url: test.url, readOnly: false, create: false }),
    };
  });
  afterAll(() => open?.database.close());
  return () => {
    if (open === undefined) throw new Error('There is no database.');
    return open;
  };
}

export function tableOf(schema: Schema, name: string): Table {
  const table = [...schema.tables, ...schema.views].find((candidate) => candidate.name === name);
  if (table === undefined) throw new Error(`There is no table ${name}.`);
  return table;
}
