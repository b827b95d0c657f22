/** Totals, entity tags and the structure are up to date, whichever client changed them. */
import { describe, expect, test } from 'vitest';
import { failureOf, describeOnEachDatabase, readBody } from './harness.ts';
import { checkFreshness, eventually } from './freshness.ts';
import { int, columnOf, name, tableWithId, tableOf } from './tables.ts';

/** Milliseconds since 1970, by the clock of the database. */
const clock: Readonly<Record<string, string>> = {
  sqlite: "(julianday('now') - 2440587.5) * 86400000",
  postgres: 'extract(epoch FROM clock_timestamp()) * 1000',
  mysql: 'unix_timestamp(now(3)) * 1000',
  sqlserver: "DATEDIFF_BIG(millisecond, '1970-01-01', SYSUTCDATETIME())",
};

describeOnEachDatabase('freshness', (harness) => {
  test('of totals, entity tags and structure, with another client at work', async () => {
    await checkFreshness(harness, { runs: 3, steps: 14 });
  });

  test('of keys: a deletion by an id of the old key is rejected once', async () => {
    const { database } = harness;
    const createSwapped = async (key: string): Promise<void> => {
      await database.run(
        `CREATE TABLE swapped (${key} int PRIMARY KEY, ${key === 'a' ? 'b' : 'a'} int)`,
      );
      await database.run('INSERT INTO swapped (a, b) VALUES (7, 8)');
      await database.run('INSERT INTO swapped (a, b) VALUES (8, 7)');
    };
    const remainingRows = async (): Promise<unknown> =>
      database.query('SELECT a FROM swapped ORDER BY a');
    await createSwapped('a');
    await harness.refresh();
    await database.run('DROP TABLE swapped');
    await createSwapped('b');
    expect(await failureOf(harness.remove('swapped', '7'))).toMatchObject({
      code: 'structure_changed',
      table: 'swapped',
    });
    expect(await remainingRows()).toHaveLength(2);
    await harness.remove('swapped', '7');
    expect((await remainingRows()) as unknown[]).toEqual([[7]]);
    await database.run('DROP TABLE swapped');
    await createSwapped('a');
    const another = await harness.openStudio();
    await another.perform('delete-row', {
      table: 'swapped',
      id: '7',
      showDeleted: false,
      permanent: false,
    });
    expect((await remainingRows()) as unknown[]).toEqual([[8]]);
    await database.run('DROP TABLE swapped');
  });

  test('of the total of a view that depends on the current time', async () => {
    const { database, underTest } = harness;
    await harness.createTables([
      tableOf('ticks', [columnOf('n', int)], { primaryKey: { columns: ['n'] } }),
    ]);
    const ticks = Array.from({ length: 3000 }, (_, n) => ({ n: n + 1 }));
    for (let at = 0; at < ticks.length; at += 500)
      await harness.insertRows('ticks', ticks.slice(at, at + 500));
    const since = `${clock[underTest.name]} - ${Date.now()}`;
    await database.run(`CREATE VIEW passed AS SELECT n FROM ticks WHERE n <= (${since}) / 20`);
    const passed = async (): Promise<number> =>
      Number((await database.query('SELECT COUNT(*) FROM passed'))[0]?.[0]);
    await harness.refresh();
    for (let time = 0; time < 5; time += 1) {
      const before = await passed();
      const { total } = await harness.list('passed', { count: 'exact' });
      expect(total).toBeGreaterThanOrEqual(before);
      expect(total).toBeLessThanOrEqual(await passed());
    }
  });

  test('of totals under keys of bytes', async () => {
    const key = columnOf('k', { kind: 'binary', length: 4 });
    await harness.createTables([
      tableOf('bytes', [key, columnOf('n', int)], { primaryKey: { columns: ['n'] } }),
    ]);
    const keys = ['80', '81', '81'];
    const { binaryLiteral } = harness.underTest;
    for (const [n, hex] of keys.entries())
      await harness.database.run(`INSERT INTO bytes (k, n) VALUES (${binaryLiteral(hex)}, ${n})`);
    const totalOf = async (hex: string): Promise<number | null> => {
      const value = Buffer.from(hex, 'hex').toString('base64url');
      const filters = [{ name: 'k', value }];
      return (await harness.list('bytes', { count: 'exact', filters })).total;
    };
    for (let time = 0; time < 2; time += 1) {
      expect(await totalOf('80')).toBe(1);
      expect(await totalOf('81')).toBe(2);
    }
  });

  test('of a new table, which exists at once', async () => {
    await harness.createTables([tableWithId('there', [columnOf('title', name)])]);
    await harness.list('there');
    await harness.database.run('CREATE TABLE newcomer (id int PRIMARY KEY, title varchar(40))');
    expect(readBody(await harness.create('newcomer', { id: 1, title: 'one' }))).toMatchObject({
      data: { id: 1, title: 'one' },
    });
    await harness.database.run('DROP TABLE newcomer');
    expect(await failureOf(harness.create('newcomer', { id: 2 }))).toMatchObject({
      code: 'table_not_found',
    });
  });

  test('of the entity tags of rows with shortened cells', async () => {
    await harness.createTables([tableWithId('lengthy', [columnOf('body', { kind: 'text' })])]);
    const text = 'x'.repeat(6000);
    await harness.insertRows('lengthy', [
      { id: 1, body: text },
      { id: 2, body: 'short' },
    ]);
    const { etags } = await harness.list('lengthy', { etags: true, cells: 'preview' });
    const tagOf = async (id: string): Promise<unknown> =>
      (await harness.get('lengthy', id)).meta.etag;
    expect(etags).toEqual([await tagOf('1'), await tagOf('2')]);
  });

  describe('of the definitions of views', () => {
    test('is up to date', async () => {
      await harness.createTables([tableWithId('under', [columnOf('title', name)])]);
      await harness.insertRows('under', [{ id: 1, title: 'one' }]);
      await harness.database.run('CREATE VIEW over_it AS SELECT id FROM under');
      await harness.refresh();
      expect((await harness.list('over_it')).data).toEqual([{ id: 1 }]);
      await harness.database.run('DROP VIEW over_it');
      await harness.database.run('CREATE VIEW over_it AS SELECT id, title FROM under');
      await eventually(async () => {
        expect((await harness.list('over_it')).data).toEqual([{ id: 1, title: 'one' }]);
      });
    });
  });
});
