/** A request that deletes rows and changes others, in a table whose foreign key references itself. */
import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { describeOnEachDatabase, failureOf, readBody } from './harness.ts';
import { columnOf, foreignKeyTo, int, name, optional, tableOf } from './tables.ts';

const count = 6;
const id = fc.integer({ min: 1, max: count });
const request = fc.record({
  bosses: fc.array(fc.option(id), { minLength: count, maxLength: count }),
  deleted: fc.uniqueArray(id, { maxLength: 3 }),
  edited: fc.uniqueArray(id, { minLength: 1, maxLength: 4 }),
});

describeOnEachDatabase('changes of rows that foreign keys act on', (harness) => {
  test.for(['cascade', 'set null'] as const)(
    'are compared before the first deletion (%s)',
    async (onDelete) => {
      const table = `staff_${onDelete.replace(' ', '_')}`;
      await harness.createTables([
        tableOf(table, [columnOf('id', int), columnOf('code', name), optional('boss_id', int)], {
          primaryKey: { columns: ['id'] },
          foreignKeys: [foreignKeyTo(table, ['boss_id'], { onDelete })],
        }),
      ]);
      const stored = () =>
        harness.database.query(`SELECT id, code, boss_id FROM ${table} ORDER BY id`);
      await fc.assert(
        fc.asyncProperty(request, async ({ bosses, deleted, edited }) => {
          await harness.database.run(`DELETE FROM ${table}`);
          // A boss has a lower id.
          const rows = bosses.map((boss, i) => ({
            id: i + 1,
            code: `p${i + 1}`,
            boss_id: boss !== null && boss <= i ? boss : null,
          }));
          await harness.insertRows(table, rows);
          const before = await stored();
          const update = [];
          for (const row of edited.filter((other) => !deleted.includes(other))) {
            const { etag } = (await harness.get(table, String(row))).meta;
            update.push({ id: String(row), if_match: etag, values: { code: `e${row}` } });
          }
          if (update.length + deleted.length === 0) return;
          const gone = new Set(deleted);
          if (onDelete === 'cascade')
            for (const { id: row, boss_id: boss } of rows)
              if (boss !== null && gone.has(boss)) gone.add(row);
          const body = { update, delete: deleted };
          if (update.some((change) => gone.has(Number(change.id)))) {
            expect(await failureOf(harness.changeRows(table, body))).toMatchObject({
              code: 'row_not_found',
              list: 'update',
            });
            expect(await stored()).toEqual(before);
            return;
          }
          readBody(await harness.changeRows(table, body));
          const changed = new Set(update.map((change) => Number(change.id)));
          expect((await stored()).map((row) => row.map((cell) => String(cell)))).toEqual(
            rows
              .filter((row) => !gone.has(row.id))
              .map(({ id: row, boss_id: boss }) => {
                const remainingBoss = boss !== null && gone.has(boss) ? null : boss;
                return [row, `${changed.has(row) ? 'e' : 'p'}${row}`, remainingBoss].map(String);
              }),
          );
        }),
        { numRuns: 20 },
      );
    },
  );
});
