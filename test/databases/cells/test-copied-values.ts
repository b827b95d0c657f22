import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { allCells } from './all-cells.ts';
import { changedByCopy } from './copy-table.ts';
import { makeDatabaseOrReason } from '../kit/harness.ts';
import { databasesUnderTest } from '../kit/databases-under-test.ts';
import type { DatabaseUnderTest } from '../kit/database-under-test.ts';

const pairs = databasesUnderTest.flatMap((from) =>
  databasesUnderTest
    .filter((to) => to !== from && allCells[from.name] !== undefined)
    .map((to): [string, DatabaseUnderTest, DatabaseUnderTest] => [
      `${from.name} to ${to.name}`,
      from,
      to,
    ]),
);

/** Values copied to another kind of database are the same, or rejected with an error. */
export function testCopiedValues({ numRuns }: { readonly numRuns: number }): void {
  describe.each(pairs)('from %s', (_pair, from, to) => {
    test('a value arrives unchanged or is rejected with an error', async (context) => {
      const source = await makeDatabaseOrReason(from);
      const target = await makeDatabaseOrReason(to);
      if (typeof source === 'string') return context.skip(`no ${from.name}: ${source}`);
      if (typeof target === 'string') return context.skip(`no ${to.name}: ${target}`);
      const { setUp, types, create, set } = allCells[from.name]!;
      try {
        await source.run(setUp);
        let tables = 0;
        const columns = fc.constantFrom(...types).chain(({ type, values }) =>
          fc.record({
            type: fc.constant(type),
            literals: fc.array(values, { minLength: 1, maxLength: 8 }),
          }),
        );
        await fc.assert(
          fc.asyncProperty(columns, async ({ type, literals }) => {
            tables += 1;
            const table = `t${tables}`;
            await source.run(create(table, [`v ${type}`]));
            const ids = literals.map((_, i) => `(${i + 1})`).join(', ');
            await source.run(`INSERT INTO ${table} (id) VALUES ${ids}`);
            for (const [i, literal] of literals.entries())
              await source
                .run(set({ table, id: i + 1, name: 'v', literal }))
                .catch(() => undefined);
            expect(await changedByCopy({ from: source, to: target, table })).toEqual([]);
          }),
          { numRuns },
        );
      } finally {
        await source.drop();
        await target.drop();
      }
    }, 3_600_000);
  });
}
