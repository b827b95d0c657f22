/** Imports and exports of a studio at the coordinator of Citus. */
import { describe, expect, test } from 'vitest';
import { createTables } from './citus-tables.ts';
import { openVisitor, useCitus, valueAt } from './citus.ts';

const cluster = useCitus(createTables);

function stateOf(table: string): Promise<unknown> {
  return stateOfTable(`shop.${table}`);
}

function stateOfTable(name: string): Promise<unknown> {
  return valueAt(
    cluster(),
    `SELECT count(*) || ' ' || coalesce(sum(hashtext(t::text)), 0) FROM ${name} AS t`,
  );
}

function count(table: string, where = 'true'): Promise<number> {
  return valueAt(cluster(), `SELECT count(*) FROM shop.${table} WHERE ${where}`).then(Number);
}

/** Orders of all tenants, with keys from 500,000. */
function ordersFile(rows: number, changes: Readonly<Record<number, string>> = {}): string {
  const lines = Array.from(
    { length: rows },
    (_, i) => changes[i] ?? `${1 + (i % 40)},${500_000 + i},${i / 4},imported`,
  );
  return `tenant_id,id,total,note\n${lines.join('\n')}\n`;
}

describe('an import', () => {
  test('by COPY has all rows, and moves the counter past them', async () => {
    const { ask, sendFile } = await openVisitor(cluster());
    const reply = await sendFile('/import/data?table=orders', 'orders.csv', ordersFile(20_000));
    expect(reply.body, reply.text).toMatchObject({ rows_imported: 20_000 });
    expect(await count('orders', "note = 'imported'")).toBe(20_000);
    const created = await ask('POST', '/tables/orders/rows', { tenant_id: 1, total: '1' });
    expect((created.body['data'] as { id: number }).id).toBeGreaterThanOrEqual(520_000);
    await cluster().nodes[0].query('DELETE FROM shop.orders WHERE id >= 500000');
  });

  test.each([
    ['a foreign key', '777,600000,1,x', 'orders_tenant_id_fkey'],
    ['a key', '1,1,1,x\n1,1,1,x', 'already has a row with the same tenant_id, id'],
    ['a missing distribution column', ',600000,1,x', 'partition column'],
    ['a value', '1,600000,many,x', 'many'],
  ])('that fails for %s leaves nothing, and its sentence has no shard', async (_, line, words) => {
    const { sendFile } = await openVisitor(cluster());
    const before = await stateOf('orders');
    const file = ordersFile(5000, { 4321: line });
    const reply = await sendFile('/import/data?table=orders', 'orders.csv', file);
    expect(reply.status, reply.text).toBe(422);
    expect(reply.text).toContain(words);
    expect(reply.text).not.toMatch(/_1020\d\d/);
    expect(await stateOf('orders')).toBe(before);
  });

  test.each(['orders', 'readings', 'countries'])(
    'into %s skips and updates the rows that are there',
    async (table) => {
      const { sendFile } = await openVisitor(cluster());
      const files: Readonly<Record<string, readonly [string, string]>> = {
        orders: ['tenant_id,id,total,note\n2,1,9,new\n2,900000,9,new\n', 'note'],
        readings: ['tenant_id,day,value\n1,2024-01-05,7777\n1,2025-12-12,7777\n', 'value'],
        countries: ['code,name\nde,New\nes,New\n', 'name'],
      };
      const [first, second] = files[table]!;
      const isNew = `${second}::text IN ('new', '7777', 'New')`;
      for (const [conflict, rows] of [
        ['skip', 1],
        ['update', 2],
      ] as const) {
        const path = `/import/data?table=${table}&on_conflict=${conflict}`;
        const reply = await sendFile(path, 'rows.csv', first);
        expect(reply.status, reply.text).toBe(200);
        expect(await count(table, isNew)).toBe(rows);
      }
    },
  );

  test('replaces all rows', async () => {
    const { sendFile } = await openVisitor(cluster());
    const file = 'tenant_id,note\n1,a\n2,b\n';
    const reply = await sendFile('/import/data?table=notes&mode=replace', 'notes.csv', file);
    expect(reply.status, reply.text).toBe(200);
    expect(await count('notes')).toBe(2);
  });

  test.each(['append', 'replace'])(
    'of a reference table and distributed ones by %s, in any order',
    async (mode) => {
      const { sendFile } = await openVisitor(cluster());
      const coordinator = cluster().nodes[0];
      for (const statement of [
        'CREATE TABLE shop.kinds (id int PRIMARY KEY, v text)',
        'CREATE TABLE shop.items (id int PRIMARY KEY, v text)',
        'CREATE TABLE shop.parts (id int PRIMARY KEY, kind int REFERENCES shop.kinds)',
        "SELECT create_reference_table('shop.kinds')",
        "SELECT create_distributed_table('shop.items', 'id')",
        "SELECT create_distributed_table('shop.parts', 'id')",
      ])
        await coordinator.query(statement);
      const rows = Array.from({ length: 300 }, (_, id) => ({ id, v: `v${id}` }));
      const parts = rows.map(({ id }) => ({ id, kind: id }));
      for (const [i, file] of [
        { items: rows, kinds: rows, parts },
        { kinds: rows, parts, items: rows },
        { parts, kinds: rows },
      ].entries()) {
        if (mode === 'append') await coordinator.query('DELETE FROM shop.parts');
        if (mode === 'append') await coordinator.query('DELETE FROM shop.items');
        if (mode === 'append') await coordinator.query('DELETE FROM shop.kinds');
        const reply = await sendFile(`/import/data?mode=${mode}`, 'all.json', JSON.stringify(file));
        expect(reply.status, `${i}: ${reply.text}`).toBe(200);
        expect([await count('kinds'), await count('parts')]).toEqual([300, 300]);
      }
      await coordinator.query('DROP TABLE shop.parts, shop.items, shop.kinds');
    },
  );

  test('of a schema, of a dump and into a new table makes tables at the coordinator', async () => {
    const { sendFile } = await openVisitor(cluster());
    const ddl = 'CREATE TABLE made (id int PRIMARY KEY, v text);';
    for (const [path, name, text] of [
      ['/import/schema', 'made.sql', ddl],
      [
        '/import/dump',
        'dump.sql',
        `${ddl.replace('made', 'dumped')} INSERT INTO dumped VALUES (1, 'a');`,
      ],
      ['/import/data?table=from_file&create_table=true', 'from_file.csv', 'id,v\n1,a\n'],
    ] as const) {
      const reply = await sendFile(path, name, text);
      expect(reply.status, reply.text).toBeLessThan(300);
    }
    await cluster().nodes[0].query('DROP TABLE shop.made, shop.dumped, shop.from_file');
  });
});

describe('an export', () => {
  test.each(['orders', 'notes', 'readings', 'facts', 'countries', 'settings', 'order_totals'])(
    'of %s has every row, and says that it has no snapshot of several nodes',
    async (table) => {
      const { ask } = await openVisitor(cluster());
      const rows = await count(table);
      const { status, text, headers } = await ask('GET', `/tables/${table}/export?format=ndjson`);
      expect(status, text.slice(0, 500)).toBe(200);
      const lines = text.trimEnd().split('\n');
      expect(lines).toHaveLength(rows);
      const isLocal = table === 'settings' || table === 'order_totals';
      expect(headers.get('studio-consistency')).toBe(isLocal ? null : 'none');
    },
  );

  test('of all rows imports again into the same tables', async () => {
    const { ask, sendFile } = await openVisitor(cluster());
    const tables = ['tenants', 'orders', 'readings', 'countries'];
    const query = tables.map((table) => `tables=${table}`).join('&');
    const exported = await ask('GET', `/export/data?format=json&${query}`);
    const states = await Promise.all(tables.map(stateOf));
    await cluster().nodes[0].query(
      'DELETE FROM shop.orders; DELETE FROM shop.tenants; DELETE FROM shop.readings',
    );
    const reply = await sendFile('/import/data?on_conflict=update', 'all.json', exported.text);
    expect(reply.status, reply.text).toBe(200);
    expect(await Promise.all(tables.map(stateOf))).toEqual(states);
  });

  test('as a dump names what becomes an ordinary table, and leaves out what belongs to Citus', async () => {
    const { ask } = await openVisitor(cluster());
    const { text, headers } = await ask('GET', '/export/dump');
    const warnings = decodeURIComponent(headers.get('studio-warnings') ?? '');
    expect(warnings).toContain(
      'orders: Citus manages it (distributed by tenant_id), and it becomes an ordinary table.',
    );
    expect(warnings).toContain('countries: Citus manages it (reference)');
    expect(text).toContain('CREATE TABLE "shop"."orders"');
    expect(text).not.toMatch(/_1020\d\d|citus_tables|columnar_internal|"citus"\./);
  });

  test('of models has no tables of extensions', async () => {
    const { ask } = await openVisitor(cluster());
    const { text, headers } = await ask('GET', '/export/models');
    expect(text).toContain('type Order struct');
    expect(text + decodeURIComponent(headers.get('studio-warnings') ?? '')).not.toMatch(
      /columnar|citus_/i,
    );
  });
});

/** Distributed, reference and local tables, and the counters of each. */
describe('a script', () => {
  const tables = ['a_items', 'kinds', 'local', 'parts', 'steps'];
  const structure = [
    'CREATE SCHEMA scripts',
    'CREATE TABLE scripts.kinds (id serial PRIMARY KEY, v text)',
    'CREATE TABLE scripts.a_items (id bigserial PRIMARY KEY, v text)',
    'CREATE TABLE scripts.parts (id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY, kind int)',
    'CREATE TABLE scripts.local (id bigserial PRIMARY KEY, kind int REFERENCES scripts.kinds)',
    'CREATE TABLE scripts.steps (id bigserial PRIMARY KEY, kind int REFERENCES scripts.kinds)',
    "SELECT create_reference_table('scripts.kinds')",
    ...['a_items', 'parts', 'steps'].map(
      (name) => `SELECT create_distributed_table('scripts.${name}', 'id')`,
    ),
    "INSERT INTO scripts.kinds (v) SELECT 'k' || g FROM generate_series(1, 700) g",
    "INSERT INTO scripts.a_items (v) SELECT 'i' || g FROM generate_series(1, 1200) g",
    ...['parts', 'local', 'steps'].map(
      (name) =>
        `INSERT INTO scripts.${name} (kind) SELECT 1 + g % 700 FROM generate_series(1, 1200) g`,
    ),
  ];
  const run = async (statements: readonly string[]): Promise<void> => {
    for (const statement of statements) await cluster().nodes[0].query(statement);
  };
  const empty = [
    ...tables.toReversed().map((name) => `DELETE FROM scripts.${name} WHERE id > 0`),
    'DELETE FROM scripts.kinds',
    ...tables.map((name) => `SELECT setval('scripts.${name}_id_seq', 1, false)`),
  ];
  const state = async (): Promise<unknown> => {
    const rows = tables.map((name) => stateOfTable(`scripts.${name}`));
    const counters = tables.map((name) =>
      valueAt(cluster(), `SELECT last_value FROM scripts.${name}_id_seq`),
    );
    return Promise.all([...rows, ...counters]);
  };
  const query = tables.map((name) => `tables=scripts.${name}`).join('&');

  test('of rows runs at the coordinator, and can be imported', async () => {
    await run(structure);
    const { ask, sendFile } = await openVisitor(cluster());
    const before = await state();
    const { text, headers } = await ask('GET', `/export/data?format=sql&${query}`);
    expect(headers.get('studio-warnings')).toBeNull();
    await run(empty);
    await cluster().nodes[0].query(text);
    expect(await state()).toEqual(before);
    await run(empty);
    const reply = await sendFile('/import/data', 'rows.sql', text);
    expect(reply.body, reply.text).toMatchObject({ warnings: [] });
    expect(await state()).toEqual(before);
  });

  test('of structure and rows does so as ordinary tables', async () => {
    const { ask, sendFile } = await openVisitor(cluster());
    const before = await state();
    const { text } = await ask('GET', `/export/dump?${query}`);
    expect(text).not.toContain('EXTENSION');
    await run(['DROP SCHEMA scripts CASCADE']);
    await cluster().nodes[0].query(text);
    expect(await state()).toEqual(before);
    await run(['DROP SCHEMA scripts CASCADE']);
    const reply = await sendFile('/import/dump', 'dump.sql', text);
    expect(reply.body, reply.text).toMatchObject({ warnings: [] });
    expect(await state()).toEqual(before);
    await run(['DROP SCHEMA scripts CASCADE']);
  });

  test('of rows warns of keys whose check Citus cannot defer', async () => {
    await run([
      'CREATE TABLE shop.nodes (id int PRIMARY KEY, parent int REFERENCES shop.nodes)',
      "SELECT create_reference_table('shop.nodes')",
    ]);
    const { ask } = await openVisitor(cluster());
    const { text, headers } = await ask('GET', '/export/data?format=sql&tables=nodes');
    expect(text).not.toContain('ALTER TABLE');
    expect(decodeURIComponent(headers.get('studio-warnings') ?? '')).toContain(
      'because Citus cannot defer the checks of foreign keys',
    );
    await run(['DROP TABLE shop.nodes']);
  });
});
