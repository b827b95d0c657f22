/** A studio at the coordinator of Citus, with tables of each kind. Its rows are compared with those of the coordinator. */
import { assert, asyncProperty, boolean, constantFrom, integer, record } from 'fast-check';
import { describe, expect, test } from 'vitest';
import { createTables, rowCounts } from './citus-tables.ts';
import { openVisitor, useCitus, valueAt } from './citus.ts';
import type { Row, Visitor } from './citus.ts';

const cluster = useCitus(createTables);

async function count(table: string): Promise<number> {
  return Number(await valueAt(cluster(), `SELECT count(*) FROM shop.${table}`));
}

describe('the structure', () => {
  test('has no shards, and says how Citus stores each table', async () => {
    const { ask } = await openVisitor(cluster());
    const { body } = await ask('GET', '/schema?counts=exact');
    const tables = body['tables'] as readonly Row[];
    const own = tables.filter(({ schema }) => schema === 'shop');
    expect(own.map(({ name, options }) => [name, (options as Row | undefined)?.['distribution']]))
      .toMatchInlineSnapshot(`
      [
        [
          "countries",
          "reference",
        ],
        [
          "events",
          "distributed by id",
        ],
        [
          "facts",
          "distributed by tenant_id",
        ],
        [
          "notes",
          "distributed by tenant_id",
        ],
        [
          "orders",
          "distributed by tenant_id",
        ],
        [
          "plain",
          undefined,
        ],
        [
          "readings",
          "distributed by tenant_id",
        ],
        [
          "settings",
          "local",
        ],
        [
          "tenants",
          "distributed by id",
        ],
      ]
    `);
    const all = [...own, ...(body['views'] as readonly Row[])];
    for (const [name, rows] of Object.entries(rowCounts))
      expect(all.find((each) => each['name'] === name)).toMatchObject({ row_count: rows });
    expect(all.find(({ row_count: rows }) => Number(rows) < 0)).toBeUndefined();
  });

  test('notices that a table is distributed', async () => {
    const { ask } = await openVisitor(cluster());
    const [coordinator] = cluster().nodes;
    await coordinator.query('CREATE TABLE shop.later (tenant_id int, v text)');
    await coordinator.query("INSERT INTO shop.later VALUES (1, 'a'), (2, 'b'), (3, 'c')");
    await ask('POST', '/schema/refresh');
    const before = await ask('GET', '/tables/later/rows?page_size=1');
    expect(before.body).toMatchObject({ paging: 'position' });
    await coordinator.query("SELECT create_distributed_table('shop.later', 'tenant_id')");
    await expect
      .poll(async () => (await ask('GET', '/tables/later/rows?page_size=1')).body)
      .not.toHaveProperty('paging');
    await coordinator.query('DROP TABLE shop.later');
  });
});

describe('totals', () => {
  test('are those of the shards, also as estimates', async () => {
    const { ask } = await openVisitor(cluster());
    await cluster().nodes[0].query('ANALYZE shop.orders');
    for (const [path, rows] of [
      ['/tables/orders/rows?count=exact', 3000],
      ['/tables/orders/rows?count=exact&filter_total__gte=200', 1601],
    ] as const) {
      const { body } = await ask('GET', path);
      expect(body, path).toMatchObject({ total: rows });
    }
    const { body } = await ask('GET', '/tables/orders/rows?count=estimated');
    // The task that EXPLAIN shows has about a fourth of the rows.
    expect(Number(body['total'])).toBeGreaterThan(1500);
    expect(Number(body['total'])).toBeLessThan(6000);
    expect(body).toMatchObject({ total_exact: false });
  });

  test.each(['coordinator', 'worker'])('show what another session wrote at the %s', async (at) => {
    const { ask } = await openVisitor(cluster());
    const node = cluster().nodes[at === 'coordinator' ? 0 : 1];
    const total = async (): Promise<unknown> =>
      (await ask('GET', '/tables/notes/rows?count=exact')).body['total'];
    const before = Number(await total());
    for (let i = 1; i <= 3; i += 1) {
      await node.query(`INSERT INTO shop.notes VALUES (${i}, 'written at the ${at}')`);
      expect(await total()).toBe(before + i);
    }
    await node.query(`DELETE FROM shop.notes WHERE note = 'written at the ${at}'`);
  });
});

/** All rows of a table by cursors. */
async function walk({ ask }: Visitor, table: string, query: string): Promise<readonly Row[]> {
  const rows: Row[] = [];
  for (let cursor = ''; ;) {
    const { body, text } = await ask('GET', `/tables/${table}/rows?count=none${query}${cursor}`);
    if (body['data'] === undefined) throw new Error(text);
    rows.push(...(body['data'] as readonly Row[]));
    if (typeof body['next_cursor'] !== 'string') return rows;
    cursor = `&cursor=${encodeURIComponent(body['next_cursor'])}`;
  }
}

describe('pages', () => {
  test('by cursors have each row once, in every order', async () => {
    const visitor = await openVisitor(cluster());
    const sorted = record({
      table: constantFrom('orders', 'notes', 'readings', 'facts', 'tenants', 'countries'),
      pageSize: integer({ min: 50, max: 400 }),
      descending: boolean(),
    });
    await assert(
      asyncProperty(sorted, async ({ table, pageSize, descending }) => {
        const column = { orders: 'note', notes: 'note', facts: 'value', readings: 'value' }[
          table as 'orders'
        ];
        const order =
          column === undefined
            ? ''
            : `&sort_by=${column}&sort_order=${descending ? 'desc' : 'asc'}`;
        const rows = await walk(visitor, table, `&page_size=${pageSize}${order}`);
        expect(rows).toHaveLength(await count(table));
        const distinct = new Set(rows.map((row) => JSON.stringify(row)));
        expect(distinct.size).toBe(rows.length);
      }),
      { numRuns: 12 },
    );
  });

  test('with filters and search have the rows that the coordinator finds', async () => {
    const { ask } = await openVisitor(cluster());
    for (const [query, where] of [
      ['filter_tenant_id=7', 'tenant_id = 7'],
      ['filter_ordered_at__gte=2025-05-01T00:00:00Z', "ordered_at >= '2025-05-01T00:00:00Z'"],
      ['filter_note__null=true', 'note IS NULL'],
      ['search=note%2010', "note ILIKE '%note 10%'"],
      [
        'filter_country__in=de&filter_country__in=it&filter_total__lt=50',
        "country IN ('de', 'it') AND total < 50",
      ],
    ] as const) {
      const { body } = await ask('GET', `/tables/orders/rows?count=exact&${query}`);
      const rows = Number(
        await valueAt(cluster(), `SELECT count(*) FROM shop.orders WHERE ${where}`),
      );
      expect(rows).toBeGreaterThan(0);
      expect(body, query).toMatchObject({ total: rows });
    }
  });

  test('have times in UTC, whatever the time zone of the workers', async () => {
    const { ask } = await openVisitor(cluster());
    const { body } = await ask('GET', '/tables/orders/rows/2,1');
    expect(body).toMatchObject({ ordered_at: '2025-03-01T01:00:00Z' });
    const { body: found } = await ask(
      'GET',
      '/tables/orders/rows?filter_ordered_at__eq=2025-03-01T01:00:00Z',
    );
    expect(found).toMatchObject({ total: 1 });
  });
});
