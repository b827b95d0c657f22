/** What the shell of SQLite writes and its own client accepts, although it is no complete database. */
import { expect, test } from 'vitest';
import { importDumpFile } from '../importing.ts';
import { onNewDatabase } from '../on-new-database.ts';
import { describeOnEachDatabase } from './harness.ts';

const dumpOf = (...lines: readonly string[]): string =>
  ['PRAGMA foreign_keys=OFF;', 'BEGIN TRANSACTION;', ...lines, 'COMMIT;', ''].join('\n');

describeOnEachDatabase('dump of the SQLite shell', ({ underTest }) => {
  const imported = async (script: string, query: string) => {
    let result: unknown;
    await onNewDatabase(
      () => underTest.makeDatabase(),
      async (database) => {
        const { warnings } = await importDumpFile(database.url, script);
        const rows = await database.query(query);
        result = { warnings, rows: rows.map((row) => row.map(Number)) };
      },
    );
    return result;
  };

  test('leaves out foreign keys to tables that do not exist', async () => {
    const script = dumpOf(
      'CREATE TABLE parent(id integer primary key);',
      'INSERT INTO parent VALUES(6);',
      'CREATE TABLE child(y int, z int references nowhere(q), p int references Parent(id));',
      'INSERT INTO child VALUES(5,7,6);',
    );
    expect(await imported(script, 'SELECT y, z, p FROM child')).toEqual({
      rows: [[5, 7, 6]],
      warnings: expect.arrayContaining([
        'child: the foreign key (z) is left out: there is no table nowhere.',
      ]),
    });
  });

  test('leaves out the row numbers of --preserve-rowids', async () => {
    const script = dumpOf(
      'CREATE TABLE plain(a int, b int);',
      'INSERT INTO plain(rowid,a,b) VALUES(-5,3,4);',
      'INSERT INTO plain(rowid,a,b) VALUES(10,1,2);',
      'CREATE TABLE own(rowid int, a int);',
      'INSERT INTO own(rowid,a) VALUES(8,9);',
    );
    expect(await imported(script, 'SELECT a, b FROM plain ORDER BY a')).toEqual({
      rows: [
        [1, 2],
        [3, 4],
      ],
      warnings: expect.arrayContaining([
        'The row numbers (rowid) of table "plain" are left out: the table has no column for them.',
      ]),
    });
    expect(await imported(script, 'SELECT rowid, a FROM own')).toMatchObject({ rows: [[8, 9]] });
  });
});
