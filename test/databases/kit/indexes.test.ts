/** Sorting, filters and cursors use an index, according to the EXPLAIN of the database. */
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createContext } from '../../../src/studio/core/create-context.ts';
import { planPage } from '../../../src/studio/rows/read/page-plan.ts';
import { withCursorValues } from '../../../src/studio/rows/read/page-selection.ts';
import { readPage } from '../../../src/studio/rows/read/read-page.ts';
import { selectAll } from '../../../src/studio/rows/read/selection.ts';
import { column, table, type } from '../../../src/demo/define.ts';
import { listDefaults, describeOnEachDatabase } from './harness.ts';
import type { Query, Session } from '../../../src/model/database.ts';
import type { ListQuery } from '../../../src/studio/rows/read/page-plan.ts';
import type { Position } from '../../../src/studio/rows/read/cursor.ts';
import { openDatabase } from '../registered-databases.ts';
import type { Database } from '../registered-databases.ts';

const events = table('indexed_events', {
  columns: [
    column('id', type.bigint),
    column('kind', { kind: 'text', length: 20 }),
    { ...column('due', type.bigint), nullable: true },
    column('note', { kind: 'text', length: 100 }),
  ],
  key: ['id'],
  indexes: [
    { name: 'indexed_events_kind', unique: false, parts: [{ column: 'kind' }, { column: 'id' }] },
    { name: 'indexed_events_due', unique: false, parts: [{ column: 'due' }, { column: 'id' }] },
  ],
});

/** How the EXPLAIN of each database shows a sort, or a scan of all rows without an index. */
const planPatterns: Readonly<
  Record<string, { readonly explain: string; readonly sorts: RegExp; readonly scans: RegExp }>
> = {
  sqlite: { explain: 'EXPLAIN QUERY PLAN', sorts: /TEMP B-TREE/, scans: /SCAN \S+(?! USING)$/m },
  postgres: { explain: 'EXPLAIN', sorts: /Sort/, scans: /Seq Scan/ },
  mysql: { explain: 'EXPLAIN', sorts: /filesort/, scans: /\bALL\b/ },
};

const rowCount = 20_000;

describeOnEachDatabase('indexes', (harness) => {
  let database: Database;

  beforeAll(async () => {
    if (!(await isApplicable())) return;
    await harness.createTables([events]);
    for (let i = 0; i < rowCount; i += 1000) {
      const rows = Array.from({ length: 1000 }, (_, k) => {
        const id = i + k + 1;
        return {
          id,
          kind: `kind ${id % 50}`,
          due: id % 3 === 0 ? null : id % 1000,
          note: `note ${id}`,
        };
      });
      await harness.insertRows(events.name, rows);
    }
    await harness.database.run(
      harness.underTest.name === 'mysql' ? 'ANALYZE TABLE indexed_events' : 'ANALYZE',
    );
    database = await openDatabase({ url: harness.database.url, readOnly: true, create: false });
  }, 60_000);
  afterAll(() => database?.close());

  async function isApplicable(): Promise<boolean> {
    return Promise.resolve()
      .then(() => harness.database !== undefined)
      .catch(() => false);
  }

  /** The plans of every statement of a page, and the position where the next page begins. */
  async function plansOf(query: Partial<ListQuery>, start: Position = { offset: 0 }) {
    const context = createContext(database, { readOnly: true, disableSql: false, allowDdl: false });
    const { schema } = await context.schemas.current();
    const found = schema.tables.find(({ name }) => name === events.name)!;
    const plan = planPage(
      database.dialect,
      { table: found, where: [] },
      { ...listDefaults, ...query },
    );
    const ran: Query[] = [];
    const session: Session = {
      run: (statement, options) => {
        // The catalog is queried once, to check the types of the result.
        if (/\bFROM \W*(?:public\W+)?indexed_events\b/.test(statement.text)) ran.push(statement);
        return database.run(statement, options);
      },
      stream: (statement, options) => database.stream(statement, options),
    };
    const invocation = { boundedOnly: false, isReadOnly: true };
    const selection = withCursorValues(database.dialect, plan, selectAll(database.dialect, found));
    const page = await readPage({ context, invocation, session, plan, selection, start }, 50);
    return { plans: await Promise.all(ran.map(explained)), page };
  }

  async function explained({ text, params }: Query): Promise<string> {
    const { explain } = planPatterns[harness.underTest.name]!;
    const { rows } = await database.run({ text: `${explain} ${text}`, params });
    return rows.map((row) => row.join(' ')).join('\n');
  }

  function expectNoneShows(plans: readonly string[], pattern: 'sorts' | 'scans'): void {
    expect(plans.length).toBeGreaterThan(0);
    for (const plan of plans)
      expect(plan).not.toMatch(planPatterns[harness.underTest.name]![pattern]);
  }

  test.each([
    ['the key', {}],
    ['an indexed column', { sort: [{ column: 'kind', descending: false }] }],
    ['an indexed column, downwards', { sort: [{ column: 'kind', descending: true }] }],
    ['a nullable column', { sort: [{ column: 'due', descending: false }] }],
    ['a nullable column, downwards', { sort: [{ column: 'due', descending: true }] }],
  ] as const)('the order by %s, and the next page by cursor', async (_name, query) => {
    const first = await plansOf(query);
    expectNoneShows(first.plans, 'sorts');
    expect(first.page.next?.after).toBeDefined();
    // Sorting the few rows that an index finds is fine.
    expectNoneShows((await plansOf(query, first.page.next)).plans, 'scans');
  });

  test('NULLs at the end of an order', async () => {
    const query = { sort: [{ column: 'due', descending: false }] };
    const { plans, page } = await plansOf(query, { offset: rowCount - 100 });
    expect(page.rows.every((row) => row[2] === null)).toBe(true);
    expectNoneShows(plans.slice(-1), 'sorts');
  });

  test.each([
    ['the key', { filters: [{ name: 'id', value: '77' }] }],
    ['an indexed column', { filters: [{ name: 'kind', value: 'kind 7' }] }],
    ['a list of keys', { filters: [{ name: 'id__in', value: '[1,2,3]' }] }],
    ['a range', { filters: [{ name: 'id__gt', value: '19990' }] }],
  ] as const)('a filter by %s', async (_name, query) => {
    expectNoneShows((await plansOf(query)).plans, 'scans');
  });
});
