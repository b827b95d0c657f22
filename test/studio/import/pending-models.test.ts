import { mkdtempSync, readFileSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import {
  savePendingModels,
  settlePendingModels,
} from '../../../src/studio/import/schema/pending-models.ts';
import { writeStoredModels } from '../../../src/studio/core/models.ts';
import type { TableModel } from '../../../src/model/table-model.ts';

const tables = ['a', 'b', 'c'];
const models: fc.Arbitrary<readonly TableModel[]> = fc.uniqueArray(
  fc.record({
    struct: fc.constantFrom('One', 'Two', 'Three'),
    table: fc.constantFrom(...tables),
    relations: fc.constant([]),
  }),
  { minLength: 1, selector: ({ table }) => table },
);

test('models and tables exist together or not at all, wherever an import is interrupted', async () => {
  const trial = fc.record({
    before: models,
    imported: models,
    // A column of an existing table, or a new table.
    addsColumn: fc.boolean(),
    end: fc.constantFrom('confirmed', 'reverted', 'killed'),
    isCommitted: fc.boolean(),
    atStart: fc.boolean(),
  });
  await fc.assert(
    fc.asyncProperty(trial, async ({ before, imported, addsColumn, end, isCommitted, atStart }) => {
      const folder = mkdtempSync(join(tmpdir(), 'studio-pending-'));
      try {
        const file = join(folder, 'x.json');
        await writeStoredModels(file, before);
        const statements = imported.map(({ table }) =>
          addsColumn
            ? { table, text: '', column: 'v' }
            : { table, text: '', creates: true as const },
        );
        const settings = { file, configured: [] };
        const change = { imported, migration: { statements }, journal: 'j' };
        const pending = await savePendingModels(settings, change);
        const isInDatabase = end === 'confirmed' || (end === 'killed' && isCommitted);
        if (end === 'confirmed') await pending.confirm();
        if (end === 'reverted') await pending.revert();
        const columnsOf = (table: string): string[] =>
          imported.some((model) => model.table === table) && !isInDatabase
            ? addsColumn
              ? ['id']
              : []
            : ['id', 'v'];
        const structure = async (): Promise<Map<string, string[]>> =>
          new Map(
            tables
              .map((table) => [table, columnsOf(table)] as const)
              .filter(([, list]) => list.length > 0),
          );
        const journals = atStart ? [undefined] : ['other', 'j'];
        for (const journal of journals) await settlePendingModels(settings, structure, journal);
        const stored = JSON.parse(readFileSync(file, 'utf8')) as { models: TableModel[] };
        const sorted = (list: readonly TableModel[]): readonly TableModel[] =>
          list.toSorted((one, other) => (one.table < other.table ? -1 : 1));
        const others = before.filter(({ table }) =>
          imported.every((model) => model.table !== table),
        );
        expect(sorted(stored.models)).toEqual(
          sorted(isInDatabase ? [...others, ...imported] : before),
        );
        expect(readdirSync(folder)).toEqual(['x.json']);
      } finally {
        rmSync(folder, { recursive: true });
      }
    }),
  );
});
