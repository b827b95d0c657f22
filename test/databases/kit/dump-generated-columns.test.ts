/** Dumps of tables with generated columns whose expressions another database may not have. */
import { expect, test } from 'vitest';
import { importDumpFile } from '../importing.ts';
import { onNewDatabase } from '../on-new-database.ts';
import { describeOnEachDatabase } from './harness.ts';

/** `printf` is a function of SQLite only, whose INSERT has no values of generated columns. */
const columns = [
  'id integer primary key',
  `g text not null as (printf('%05d', b)) stored`,
  'b int',
  'h int as (b + 1)',
];

const orders: readonly (readonly number[])[] = [
  [0, 1, 2, 3],
  [0, 2, 1, 3],
  [1, 0, 3, 2],
  [0, 2, 3, 1],
];

describeOnEachDatabase('dump of SQLite with generated columns', (harness) => {
  test.each(orders)('has its rows without their values: order %i %i %i %i', async (...order) => {
    const script = [
      'PRAGMA foreign_keys=OFF;',
      'BEGIN TRANSACTION;',
      `CREATE TABLE t(${order.map((i) => columns[i]).join(', ')});`,
      'INSERT INTO t VALUES(1,5);',
      'INSERT INTO t(id,b) VALUES(2,NULL);',
      'INSERT INTO t(b,id) VALUES(-7,3);',
      'COMMIT;',
    ].join('\n');
    await onNewDatabase(
      () => harness.underTest.makeDatabase(),
      async (database) => {
        const { rows_imported: count } = await importDumpFile(database.url, script);
        expect(count).toBe(3);
        const rows = await database.query('SELECT id, b, h FROM t ORDER BY id');
        expect(
          rows.map((row) => row.map((value) => (value === null ? null : Number(value)))),
        ).toEqual([
          [1, 5, 6],
          [2, null, null],
          [3, -7, -6],
        ]);
      },
    );
  });
});
