/** Materialized views of a dump that cannot be filled. */
import { expect, test } from 'vitest';
import { createTestDatabase, usePostgres } from '../../servers/postgres.ts';
import { importDumpFile } from '../importing.ts';

// Skips the tests if there is no server.
usePostgres();

test('a view whose query fails on the rows is left out, and the rest is imported', async () => {
  const database = await createTestDatabase();
  try {
    const text = `CREATE TABLE t (a int);
INSERT INTO t VALUES (0);
CREATE MATERIALIZED VIEW bad AS SELECT 1 / a AS x FROM t WITH NO DATA;
CREATE MATERIALIZED VIEW good AS SELECT a FROM t WITH NO DATA;
REFRESH MATERIALIZED VIEW bad;
REFRESH MATERIALIZED VIEW good;
`;
    const { warnings, rows_imported: rows } = await importDumpFile(database.url, text, {
      dialect: 'postgres',
    });
    expect(rows).toBe(1);
    expect(warnings).toEqual([
      expect.stringMatching(/^The view bad is left out: .*division by zero/),
    ]);
    expect(await database.query('SELECT a FROM good')).toEqual([{ a: 0 }]);
    const names = await database.query('SELECT matviewname AS name FROM pg_matviews');
    expect(names).toEqual([{ name: 'good' }]);
  } finally {
    await database.drop();
  }
});
