/**
 * Rows that reference later rows, in cycles of tables and rows, compared with a model of which rows
 * can be loaded.
 */
import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { failureOf, describeOnEachDatabase } from './harness.ts';
import { load } from './loading.ts';
import { bigint, columnOf, foreignKeyTo, int, name, tableOf, tableWithId } from './tables.ts';
import type { Harness } from './harness.ts';
import type { FileRows, ValueRow } from './loading.ts';

const numRuns = process.env['STUDIO_TEST_LONG'] ? 150 : 8;

const scenarios = fc.record({
  type: fc.constantFrom('bigint', 'text'),
  tables: fc.constantFrom(1, 2),
  nullable: fc.boolean(),
  /**
   * For each row: its table, the row that it references, and whether the reference is NULL if it
   * can be.
   */
  rows: fc.array(fc.tuple(fc.nat(1), fc.nat(59), fc.nat(9)), { minLength: 1, maxLength: 40 }),
  /** Which rows reference a row outside of the cycle that does not exist. */
  withoutOuter: fc.array(fc.nat(59), { maxLength: 2 }),
  /** Few references are dangling. Those are to rows after the last. */
  missing: fc.constantFrom(0, 0, 1, 3),
  chunk: fc.constantFrom(1, 7, 50),
  onError: fc.constantFrom('abort', 'skip'),
  onConflict: fc.constantFrom('error', 'skip'),
});

type Scenario = typeof scenarios extends fc.Arbitrary<infer T> ? T : never;

interface Item {
  readonly table: string;
  readonly key: string | bigint;
  readonly parent: string | bigint | null;
  readonly outer: number;
  readonly n: number;
}

/** Integers that no double can hold, or texts for which order and collation matter. */
function keyOf(type: string, i: number): string | bigint {
  return type === 'bigint' ? 9_007_199_254_740_993n + BigInt(i) : `k${i}é'`;
}

/** Each table references the other one; a single table references itself. */
function itemsOf(scenario: Scenario, prefix: string): Item[] {
  const { type, tables, nullable, rows, missing, withoutOuter } = scenario;
  const tableAt = (i: number): number => (tables === 1 ? 0 : (rows[i]?.[0] ?? 0));
  return rows.map(([, to, nullChoice], i) => {
    const expected = tables === 1 ? 0 : 1 - tableAt(i);
    const others = rows.map((_, at) => at).filter((at) => tableAt(at) === expected);
    const isMissing = others.length === 0 || (nullChoice === 9 && i % 4 < missing);
    const parent = isMissing ? 1000 + to : others[to % others.length]!;
    const isNull = nullable && nullChoice < 2;
    return {
      table: `${prefix}_${tableAt(i)}`,
      key: keyOf(type, i),
      parent: isNull ? null : keyOf(type, parent),
      outer: withoutOuter.includes(i) ? 2 : 1,
      n: i,
    };
  });
}

/** The largest set of rows without a dangling reference. */
function modelOf(items: readonly Item[]): readonly Item[] {
  const loaded = items.filter(({ parent, outer, table }) => {
    const of = items.some((each) => each.table !== table) ? undefined : table;
    if (outer !== 1) return false;
    return (
      parent === null ||
      items.some((each) => each.key === parent && (of === undefined || each.table === of))
    );
  });
  return loaded.length === items.length ? loaded : modelOf(loaded);
}

async function makeTables(harness: Harness, scenario: Scenario, prefix: string): Promise<void> {
  const type = scenario.type === 'bigint' ? bigint : name;
  await harness.createTables([
    tableWithId(`${prefix}_outer`, []),
    ...Array.from({ length: scenario.tables }, (_, i) =>
      tableOf(
        `${prefix}_${i}`,
        [
          columnOf('k', type),
          columnOf('parent', type, { nullable: scenario.nullable }),
          columnOf('n', int),
          columnOf('outer_id', bigint),
        ],
        {
          primaryKey: { columns: ['k'] },
          foreignKeys: [
            {
              name: `${prefix}_key_${i}`,
              columns: ['parent'],
              table: `${prefix}_${scenario.tables - 1 - i}`,
              referencedColumns: ['k'],
              onUpdate: 'no action',
              onDelete: 'no action',
            },
            foreignKeyTo(`${prefix}_outer`, ['outer_id']),
          ],
        },
      ),
    ),
  ]);
  await harness.insertRows(`${prefix}_outer`, [{ id: 1 }]);
}

function fileOf(items: readonly Item[], chunk: number): FileRows[] {
  const chunks: [string, ValueRow[]][] = [];
  for (const { table, key, parent, outer, n } of items) {
    const last = chunks.at(-1);
    const row = { k: key, parent, n, outer_id: outer };
    if (last?.[0] === table && last[1].length < chunk) last[1].push(row);
    else chunks.push([table, [row]]);
  }
  return chunks;
}

/** The rows by number, each with the number of the row that it references. */
async function references(
  harness: Harness,
  { tables }: Scenario,
  prefix: string,
): Promise<string[]> {
  const all = Array.from({ length: tables }, (_, i) => {
    const parent = `${prefix}_${tables - 1 - i}`;
    return `SELECT c.n AS n, p.n AS parent FROM ${prefix}_${i} c LEFT JOIN ${parent} p ON p.k = c.parent`;
  });
  const { rows } = await harness.sql(all.join(' UNION ALL '));
  return rows.map((row) => `${String(row['n'])}>${String(row['parent'])}`).toSorted();
}

describeOnEachDatabase('rows in cycles', (harness) => {
  let tableCount = 0;
  test('are loaded as far as their references are valid', { timeout: 600_000 }, async () => {
    await fc.assert(
      fc.asyncProperty(scenarios, async (scenario) => {
        const prefix = `circle${++tableCount}`;
        await makeTables(harness, scenario, prefix);
        const items = itemsOf(scenario, prefix);
        const loaded = modelOf(items);
        const { onError, onConflict } = scenario;
        const file = fileOf(items, scenario.chunk);
        const pendingLoad = load(harness.database.url, file, { onError, onConflict });
        if (onError === 'abort' && loaded.length < items.length) {
          expect(await failureOf(pendingLoad)).toMatchObject({ code: 'import_failed' });
          expect(await references(harness, scenario, prefix)).toEqual([]);
          return;
        }
        const { report } = await pendingLoad;
        const expected = loaded.map(({ n, parent }) => {
          const to = parent === null ? undefined : loaded.find(({ key }) => key === parent);
          return `${n}>${to === undefined ? 'null' : to.n}`;
        });
        expect(await references(harness, scenario, prefix)).toEqual(expected.toSorted());
        const counts = [...report.tables.values()];
        const sum = (of: (each: (typeof counts)[number]) => number): number =>
          counts.map(of).reduce((a, b) => a + b, 0);
        expect(sum(({ rowsImported }) => rowsImported)).toBe(loaded.length);
        expect(sum(({ rowsSkipped }) => rowsSkipped)).toBe(items.length - loaded.length);
      }),
      { numRuns },
    );
  });
});
