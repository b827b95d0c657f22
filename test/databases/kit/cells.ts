import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { allCells } from '../cells/all-cells.ts';
import {
  fillTable,
  randomTables,
  differencesAfterImport,
  differencesAfterRowWrites,
} from '../cells/round-trip.ts';
import { describeOnEachDatabase } from './harness.ts';

/** Random tables of each database's own types survive an export and an import. */
export function testCells({ numRuns }: { readonly numRuns: number }): void {
  describeOnEachDatabase('cells', (harness) => {
    test('are unchanged after an export and import in every format, and after row writes', async (context) => {
      const cells = allCells[harness.underTest.name];
      if (cells === undefined)
        return context.skip(`no generator of values for ${harness.underTest.name}`);
      const copy = await harness.underTest.makeDatabase();
      try {
        for (const database of [harness.database, copy]) await database.run(cells.setUp);
        await fc.assert(
          fc.asyncProperty(randomTables(cells), async (table) => {
            const roundTrip = { harness, cells, copy, table };
            const before = await fillTable(roundTrip);
            expect(await differencesAfterImport(roundTrip, before)).toEqual([]);
            expect(await differencesAfterRowWrites(roundTrip, before)).toEqual([]);
          }),
          { numRuns },
        );
      } finally {
        await copy.drop();
      }
    }, 3_600_000);
  });
}
