/**
 * Another session's lock on a table does not block reads of the structure, and conceals definitions
 * only while it is held.
 */
import * as fc from 'fast-check';
import { expect, test, vi } from 'vitest';
import { importFile } from '../importing.ts';
import { failureOf, listDefaults, describeOnEachDatabase, readBody } from './harness.ts';
import { lockTable, lockableTables } from './locked-tables.ts';
import type { Studio } from '../../../src/studio/studio.ts';
import type { Harness, JsonRow } from './harness.ts';
import type { LockableTables } from './locked-tables.ts';

describeOnEachDatabase('locked structure', (harness) => {
  test('is readable during the lock, and complete after it', async () => {
    const lockable = lockableTables[harness.underTest.name];
    if (lockable === undefined) return;
    await harness.database.run(lockable.script);
    const complete = await structureOf(await harness.openStudio());
    await fc.assert(
      fc.asyncProperty(
        fc.constantFrom(...lockable.tables),
        fc.boolean(),
        fc.boolean(),
        async (table, awaited, byExport) =>
          expectReadable(harness, { lockable, table, awaited, byExport, complete }),
      ),
      { numRuns: 4 },
    );
  });
});

type Structure = ReadonlyMap<string, JsonRow>;

interface Scenario {
  readonly lockable: LockableTables;
  /** The locked table. */
  readonly table: string;
  /** Whether another session waits for the lock and does not hold it yet. */
  readonly awaited: boolean;
  /** Whether an export or the schema is the first request after the lock is released. */
  readonly byExport: boolean;
  readonly complete: Structure;
}

async function expectReadable(harness: Harness, scenario: Scenario): Promise<void> {
  const { lockable, table, complete } = scenario;
  const release = await lockTable(harness.database, lockable, scenario);
  let studio: Studio;
  try {
    studio = await harness.openStudio();
    const seenStructure = await structureOf(studio);
    expect([...seenStructure.keys()]).toEqual([...complete.keys()]);
    for (const [name, found] of seenStructure) {
      const isHidden = name === table || (lockable.views[name]?.includes(table) ?? false);
      if (isHidden && 'structure_error' in found)
        await expectMissingReported(harness, studio, found);
      else expect(found).toEqual(complete.get(name));
      if (!isHidden) await expectUsable(studio, name);
    }
  } finally {
    await release();
  }
  const expectComplete = async (): Promise<void> =>
    expect(await structureOf(studio)).toEqual(complete);
  if (!scenario.byExport) await vi.waitFor(expectComplete, { timeout: 20_000, interval: 100 });
  expect(await exported(studio)).toEqual(await exported(harness.studio));
  await expectComplete();
}

/** Tables and views by name, without row counts. */
async function structureOf(studio: Studio): Promise<Structure> {
  const { tables, views } = readBody(await studio.perform('get-schema', {})) as {
    readonly tables: readonly JsonRow[];
    readonly views: readonly JsonRow[];
  };
  return new Map(
    [...tables, ...views].map((table) => [
      String(table['name']),
      Object.fromEntries(Object.entries(table).filter(([member]) => !member.startsWith('row_'))),
    ]),
  );
}

async function exported(studio: Studio, tables: readonly string[] = []): Promise<unknown> {
  return readBody(await studio.perform('export-schema', { format: 'json', tables }));
}

async function expectUsable(studio: Studio, name: string): Promise<void> {
  const list = studio.perform('list-rows', { table: name, query: listDefaults });
  expect(readBody(await list)).toMatchObject({ data: [] });
  expect(await exported(studio, [name])).toBeDefined();
}

/** An operation that needs the definition reports an error or a warning. */
async function expectMissingReported(
  { database: { url } }: Harness,
  studio: Studio,
  found: JsonRow,
): Promise<void> {
  const name = String(found['name']);
  const works = [() => exported(studio, [name])];
  if (found['kind'] === 'table')
    works.push(
      () => studio.perform('export-models', { tables: [name], package: 'models' }),
      () => importFile(url, [`${name}.csv`, 'id\n1\n'], { table: name }),
    );
  for (const work of works) {
    const failure = await failureOf(work());
    expect(failure).toMatchObject({ code: 'database_busy', table: name });
    expect(failure.message).toContain(name);
  }
}
