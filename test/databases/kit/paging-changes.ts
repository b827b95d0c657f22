/**
 * Random tables whose rows another client inserts and deletes while a test reads page after page.
 */
import * as fc from 'fast-check';
import { expect } from 'vitest';
import { listDefaults } from './harness.ts';
import { isView, pagedDialects } from './paging-tables.ts';
import {
  columnName,
  insertRow,
  createPagedTable,
  queryOf,
  tables,
  dropTable,
} from './random-paging.ts';
import type { Harness, JsonRow } from './harness.ts';
import type { PagedDialect } from './paging-tables.ts';
import type { PagedTable } from './random-paging.ts';

/** The changes before the next page is requested. A number stands for a row. */
interface Change {
  readonly deleted: readonly number[];
  readonly inserted: readonly (readonly number[])[];
}

interface ChangedTable {
  readonly table: PagedTable;
  /** Lists a view without the tag column, so that rows can be equal. */
  readonly hidesTag: boolean;
  readonly changes: readonly Change[];
}

function changedTables(dialect: PagedDialect): fc.Arbitrary<ChangedTable> {
  const row = fc.array(fc.nat(20), { minLength: 4, maxLength: 4 });
  const change = fc.record({
    deleted: fc.array(fc.nat(30), { maxLength: 3 }),
    inserted: fc.array(row, { maxLength: 2 }),
  });
  return fc.record({
    table: tables(dialect).map((table) => ({ ...table, hasTag: true })),
    hidesTag: fc.boolean(),
    changes: fc.array(change, { minLength: 1, maxLength: 6 }),
  });
}

/**
 * Checks this many random tables. Many of them must have cursors that are not row offsets, so that
 * changes cannot shift them.
 */
export async function checkPagingDuringChanges(harness: Harness, numRuns: number): Promise<void> {
  const dialect = pagedDialects[harness.underTest.name];
  if (dialect === undefined) return;
  // Another test of the same database may already have run the setup.
  for (const statement of dialect.setUp)
    await harness.database.run(statement).catch(() => undefined);
  let tried = 0;
  let walked = 0;
  let comparableWalks = 0;
  await fc.assert(
    fc.asyncProperty(changedTables(dialect), async (changed) => {
      tried += 1;
      const name = `changed_${tried}`;
      try {
        // Some types are not possible in some kinds of tables.
        const listed = await makeListed(harness, dialect, { ...changed, name }).catch(
          () => undefined,
        );
        if (listed === undefined) return;
        await harness.refresh();
        walked += 1;
        if (await comparePages(harness, dialect, { ...changed, name, listed }))
          comparableWalks += 1;
      } finally {
        await harness.database.run(`DROP VIEW IF EXISTS ${name}_bare`);
        await dropTable(harness, name);
      }
    }),
    { numRuns },
  );
  expect(comparableWalks, 'many walks have cursors that changes cannot shift').toBeGreaterThan(
    walked / 4,
  );
}

type Named = ChangedTable & { readonly name: string };

async function makeListed(
  harness: Harness,
  dialect: PagedDialect,
  { table, hidesTag, name }: Named,
): Promise<string> {
  const listed = await createPagedTable(harness, { dialect, table, name });
  if (!isView(table.shape) || !hidesTag) return listed;
  const names = table.columns.map((_, i) => columnName(i));
  await harness.database.run(`CREATE VIEW ${name}_bare AS SELECT ${names.join(', ')} FROM ${name}`);
  return `${name}_bare`;
}

interface Walk extends Named {
  readonly listed: string;
}

/** Returns whether the pages could be compared: no response used a cursor that is a row offset. */
async function comparePages(harness: Harness, dialect: PagedDialect, walk: Walk): Promise<boolean> {
  const { table, listed, name, changes } = walk;
  const [query] = table.queries;
  const requested = {
    ...queryOf(table, { ...query!, filter: 'none', cells: 'full', labels: false }),
    pageSize: query!.pageSize,
  };
  const texts = await textsByTag(harness, walk);
  const survivors = new Set(texts.keys());
  const received: string[] = [];
  let cursor: string | undefined;
  let next = table.rows.length;
  for (let i = 0; ; i++) {
    const page = await harness.list(listed, {
      ...requested,
      ...(cursor !== undefined && { cursor }),
    });
    received.push(...page.data.map(textOf));
    cursor = page.next_cursor;
    if (page.paging !== undefined) return false;
    if (cursor === undefined) break;
    const { deleted = [], inserted = [] } = changes[i] ?? {};
    for (const tag of deleted) {
      await harness.database.run(`DELETE FROM ${name} WHERE tag = ${tag} OR tag = ${tag} + 1000`);
      survivors.delete(String(tag));
      survivors.delete(String(tag + 1000));
    }
    for (const row of inserted)
      await insertRow(harness, { dialect, table, name }, { row, number: next++ });
    for (const [tag, text] of await textsByTag(harness, walk)) texts.set(tag, text);
  }
  const remaining = countOf([...survivors].map((tag) => texts.get(tag)!));
  const ever = countOf([...texts.values()]);
  const context = JSON.stringify({
    columns: table.columns.map(({ type }) => type),
    requested,
  });
  const times = countOf(received);
  for (const [text, count] of remaining)
    expect(times.get(text) ?? 0, `${context}: ${text} is missing`).toBeGreaterThanOrEqual(count);
  for (const [text, count] of times)
    expect(count, `${context}: ${text} again`).toBeLessThanOrEqual(ever.get(text) ?? 0);
  return true;
}

/** The rows as the list returns them, by tag. */
async function textsByTag(harness: Harness, { name, listed }: Walk): Promise<Map<string, string>> {
  const isBare = listed.endsWith('_bare');
  // A column of a view can have another type than in its table.
  const { data } = await harness.list(isBare ? `${name}_seen` : listed, {
    ...listDefaults,
    pageSize: 500,
  });
  return new Map(
    data.map(({ tag, ...row }) => [String(tag), textOf(isBare ? row : { ...row, tag })]),
  );
}

/** Without the row number, which views do not show. */
function textOf({ _rowid_: _number, ...row }: JsonRow): string {
  return JSON.stringify(Object.entries(row).toSorted(([a], [b]) => (a < b ? -1 : 1)));
}

function countOf(texts: readonly string[]): ReadonlyMap<string, number> {
  const counts = new Map<string, number>();
  for (const text of texts) counts.set(text, (counts.get(text) ?? 0) + 1);
  return counts;
}
