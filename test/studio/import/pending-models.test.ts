import { mkdtempSync, readFileSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import {
  savePendingModels,
  settlePendingModels,
} from '../../../src/studio/import/schema/pending-models.ts';
import { modelSettings, readStoredModels } from '../../../src/studio/core/models.ts';
import { journalPath, makeJournalFolder } from '../../../src/studio/import/schema/journal-files.ts';
import { hasOwnerEnded } from '../../../src/studio/import/schema/journal-watch.ts';
import type { Migration } from '../../../src/gorm/migration/plan-migration.ts';
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
    // Others have taken the import for ended while it was stopped, before or after its commit.
    isSettledMeanwhile: fc.boolean(),
    // The tables or columns exist because of somebody else.
    existsAnyway: fc.boolean(),
  });
  await fc.assert(
    fc.asyncProperty(trial, async (values) => {
      const { before, imported, addsColumn, end, isCommitted, atStart, existsAnyway } = values;
      const folder = mkdtempSync(join(tmpdir(), 'studio-pending-'));
      try {
        const file = join(folder, 'x.json');
        writeFileSync(file, JSON.stringify({ version: 1, models: before }));
        const settings = { file, configured: [] };
        const pending = await savePendingModels(settings, {
          imported,
          migration: { statements: imported.map(({ table }) => statementOf(table, addsColumn)) },
          context: { ...location, journal: 'j' },
        });
        const isInDatabase = end === 'confirmed' || (end === 'killed' && isCommitted);
        const settle = async (exists: boolean, journal?: string): Promise<void> => {
          const changed = exists ? ['id', 'v'] : addsColumn ? ['id'] : undefined;
          const columns = tables.map((table) => {
            const isImported = imported.some((model) => model.table === table);
            return [table, isImported ? changed : ['id']] as const;
          });
          const structure = async (): Promise<Map<string, readonly string[]>> =>
            new Map(
              columns.flatMap(([table, list]) => (list === undefined ? [] : [[table, list]])),
            );
          const isSettled = await settlePendingModels(settings, {
            structure,
            context: location,
            journal,
            watch: { hasOwnerEnded: () => false, findSilent: async (paths) => new Set(paths) },
          });
          expect(isSettled).toBe(true);
        };
        if (values.isSettledMeanwhile && end !== 'killed') await settle(existsAnyway);
        if (end === 'confirmed') await pending.confirm();
        if (end === 'reverted') await pending.revert();
        if (end === 'killed') pending.leave();
        for (const journal of atStart ? [undefined] : ['other', 'j'])
          await settle(isInDatabase, journal);
        const stored = JSON.parse(readFileSync(file, 'utf8')) as { models: TableModel[] };
        const sorted = (list: readonly TableModel[]): readonly TableModel[] =>
          list.toSorted((one, other) => (one.table < other.table ? -1 : 1));
        const others = before.filter(({ table }) =>
          imported.every((model) => model.table !== table),
        );
        expect(sorted(stored.models)).toEqual(
          sorted(isInDatabase ? [...others, ...imported] : before),
        );
        expect(readdirSync(folder).filter((name) => name.endsWith('.pending'))).toEqual([]);
      } finally {
        rmSync(folder, { recursive: true });
      }
    }),
  );
});

const location = { target: { url: 'x', readOnly: false, create: false } };

function statementOf(table: string, addsColumn: boolean): Migration['statements'][number] {
  return addsColumn ? { table, text: '', column: 'v' } : { table, text: '', creates: true };
}

test('an import of an earlier version that was killed', async () => {
  const trial = fc.record({ before: models, imported: models, isCommitted: fc.boolean() });
  await fc.assert(
    fc.asyncProperty(trial, async ({ before, imported, isCommitted }) => {
      const folder = mkdtempSync(join(tmpdir(), 'studio-pending-'));
      try {
        const file = join(folder, 'x.json');
        const names = imported.map(({ table }) => table);
        const isImported = ({ table }: TableModel): boolean => names.includes(table);
        const all = [...before.filter((model) => !isImported(model)), ...imported];
        writeFileSync(file, JSON.stringify({ version: 1, models: all }));
        const record = {
          pid: process.pid,
          created: names.map((table) => ({ table })),
          imported: names,
          before: before.filter(isImported),
        };
        writeFileSync(`${file}.j.pending`, JSON.stringify(record));
        const structure = async (): Promise<Map<string, string[]>> =>
          new Map(isCommitted ? tables.map((table) => [table, ['id']]) : []);
        const watch = {
          hasOwnerEnded,
          findSilent: async (paths: readonly string[]) => new Set(paths),
        };
        const settling = { structure, context: location, watch };
        expect(await settlePendingModels({ file, configured: [] }, settling)).toBe(true);
        expect(new Set(await readStoredModels(file))).toEqual(new Set(isCommitted ? all : before));
        expect(readdirSync(folder).filter((name) => name.endsWith('.pending'))).toEqual([]);
      } finally {
        rmSync(folder, { recursive: true });
      }
    }),
  );
});

test('an import with a journal is settled when that is gone', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'studio-pending-'));
  try {
    const settings = modelSettings(folder, 'x');
    const context = { ...location, stateDir: folder, journal: 'j' };
    const path = journalPath(await makeJournalFolder(context as never), 'j');
    writeFileSync(path, '"a"\n');
    const imported: readonly TableModel[] = [{ struct: 'One', table: 'a', relations: [] }];
    const migration = { statements: [statementOf('a', false)] };
    const pending = await savePendingModels(settings, { imported, migration, context });
    pending.leave();
    let exists = true;
    const structure = async (): Promise<Map<string, string[]>> =>
      new Map(exists ? [['a', ['id']]] : []);
    for (const journal of ['j', undefined])
      expect(await settlePendingModels(settings, { structure, context, journal })).toBe(false);
    expect(await readStoredModels(settings.file!)).toEqual(imported);
    // The studio undoes the import.
    exists = false;
    rmSync(path);
    expect(await settlePendingModels(settings, { structure, context })).toBe(true);
    expect(await readStoredModels(settings.file!)).toEqual([]);
  } finally {
    rmSync(folder, { recursive: true });
  }
});
