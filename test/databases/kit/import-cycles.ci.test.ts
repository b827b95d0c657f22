/** Constraints and triggers see a row of a cycle of foreign keys as one INSERT writes it. */
import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { StudioError } from '../../../src/model/errors.ts';
import { importFile } from '../importing.ts';
import { describeOnEachDatabase } from './harness.ts';
import { load } from './loading.ts';
import { checkImportsOfCycles } from './random-cycles.ts';
import { checkSkippedUpdates } from './random-skips.ts';
import { columnOf, int, optional, tableWithId } from './tables.ts';
import { checkUpdatesInCycles, createUpdateCycle } from './update-cycles.ts';
import type { Harness } from './harness.ts';
import type { FileRows } from './loading.ts';

const triggers: Readonly<Record<string, (name: string, on: string, statement: string) => string>> =
  {
    sqlite: (name, on, statement) =>
      `CREATE TRIGGER ${name} AFTER INSERT ON ${on} BEGIN ${statement}; END`,
    mysql: (name, on, statement) =>
      `CREATE TRIGGER ${name} AFTER INSERT ON ${on} FOR EACH ROW ${statement}`,
    postgres: (name, on, statement) =>
      `CREATE FUNCTION ${name}() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN ${statement}; RETURN NEW; END $$; CREATE TRIGGER ${name} AFTER INSERT ON ${on} FOR EACH ROW EXECUTE FUNCTION ${name}()`,
  };

async function createTrigger(harness: Harness, name: string, on: string, statement: string) {
  await harness.database.run(triggers[harness.underTest.name]!(name, on, statement));
}

/** Rows of a canceled import, and foreign keys that it has left deferrable. */
async function leftovers({ database, underTest }: Harness): Promise<readonly unknown[]> {
  const rows = await database.query('SELECT id FROM stopped UNION ALL SELECT id FROM stopped_log');
  if (underTest.name !== 'postgres') return rows;
  const deferrable =
    "SELECT conname FROM pg_constraint WHERE condeferrable AND conname LIKE 'stopped%'";
  return [...rows, ...(await database.query(deferrable))];
}

describeOnEachDatabase('imports of rows in cycles', (harness) => {
  test('store what the client of the database stores', { timeout: 600_000 }, async () => {
    await checkImportsOfCycles(harness, 20);
  });

  test('skip wrong rows and update the others', { timeout: 600_000 }, async () => {
    await checkSkippedUpdates(harness, 40);
  });

  test('store the last of several rows with one key, whatever their primary keys', async () => {
    await harness.createTables([
      tableWithId('coded', [columnOf('code', int), optional('p', int)], {
        indexes: [{ name: 'coded_code', unique: true, parts: [{ column: 'code' }] }],
        foreignKeys: [
          {
            name: 'coded_p',
            columns: ['p'],
            table: 'coded',
            referencedColumns: ['id'],
            onUpdate: 'no action',
            onDelete: 'no action',
          },
        ],
      }),
    ]);
    await harness.insertRows('coded', [{ id: 3, code: 1, p: null }]);
    const file = ['coded.csv', 'id,code,p\n7,1,8\n9,1,\n8,8,\n'] as const;
    await importFile(harness.database.url, file, {
      table: 'coded',
      on_conflict: 'update',
      conflict_columns: ['code'],
    });
    const rows = await harness.database.query('SELECT id, code, p FROM coded ORDER BY id');
    expect(rows.map((row) => row.map(String).join())).toEqual(['8,8,null', '9,1,null']);
  });

  test('leave other rows with their parents when referenced values change', async () => {
    await createUpdateCycle(harness);
    await checkUpdatesInCycles(harness, 40);
  });

  test(
    'leave the database as it was if they are canceled',
    { timeout: 600_000 },
    async ({ skip }) => {
      if (!(harness.underTest.name in triggers))
        skip('its triggers see the rows of a statement together');
      await harness.createTables([
        tableWithId('stopped', [optional('p', int), columnOf('q', int)], {
          foreignKeys: ['p', 'q'].map((column) => ({
            name: `stopped_${column}`,
            columns: [column],
            table: 'stopped',
            referencedColumns: ['id'],
            onUpdate: 'no action',
            onDelete: 'no action',
          })),
        }),
        tableWithId('stopped_log', []),
      ]);
      await createTrigger(harness, 'stopped_tg', 'stopped', 'INSERT INTO stopped_log (id) VALUES (NEW.id)'); // prettier-ignore
      const count = 40;
      const rows = Array.from({ length: count }, (_, i) => ({ id: i + 1, p: count - i, q: (i % count) + 1 })); // prettier-ignore
      const file: FileRows[] = rows.map((row) => ['stopped', [{ ...row, q: (row.q % count) + 1 }]]);
      await fc.assert(
        fc.asyncProperty(fc.integer({ min: 1, max: count }), async (rowsBefore) => {
          const canceling = new AbortController();
          const reason = new Error('The client has gone.');
          const onProgress = ({ rows: written }: { readonly rows: number }): void => {
            if (written >= rowsBefore) canceling.abort(reason);
          };
          const { signal } = canceling;
          const isCanceled = await load(harness.database.url, file, { signal, onProgress }).then(
            () => false,
            (error: unknown) => error === reason,
          );
          // All rows may have been written when the load is canceled.
          expect(await leftovers(harness)).toHaveLength(isCanceled ? 0 : 2 * count);
          await harness.database.run(
            'UPDATE stopped SET p = NULL, q = id; DELETE FROM stopped; DELETE FROM stopped_log',
          );
        }),
        { numRuns: 4 },
      );
      const { report } = await load(harness.database.url, file);
      expect(report.tables.get('stopped')?.rowsImported).toBe(count);
      expect(await harness.database.query('SELECT COUNT(*) FROM stopped_log')).toEqual([
        [expect.toSatisfy((found) => Number(found) === count)],
      ]);
    },
  );

  test('name no column of the row in an error of a trigger', async ({ skip }) => {
    if (!(harness.underTest.name in triggers))
      skip('its triggers see the rows of a statement together');
    await harness.database.run(
      'CREATE TABLE inner_log (v INT NOT NULL); CREATE TABLE outer_row (id INT PRIMARY KEY, v INT)',
    );
    await createTrigger(
      harness,
      'outer_tg',
      'outer_row',
      'INSERT INTO inner_log (v) VALUES (NULL)',
    );
    const pendingLoad = importFile(harness.database.url, [
      'rows.json',
      '{"outer_row": [{"id": 1, "v": 2}]}',
    ]);
    const error = await pendingLoad.catch((failure: unknown) => failure);
    expect(error).toBeInstanceOf(StudioError);
    const [first] = (error as StudioError).details['errors'] as readonly object[];
    expect(first).toMatchObject({ code: 'not_null_violation', table: 'outer_row', row: 1 });
    expect(first).not.toHaveProperty('column');
    expect(first).toHaveProperty('message', expect.stringMatching(/inner_log|outer_tg/));
  });
});
