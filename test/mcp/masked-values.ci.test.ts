/**
 * Two databases that differ in masked values only are the same to an agent: every tool returns the same
 * result, whatever it is called with.
 */
import * as fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { Client, InMemoryTransport } from '@modelcontextprotocol/client';
import { createApp } from '../../src/http/app.ts';
import { createMasks } from '../../src/mcp/masks.ts';
import { createAgentServers } from '../../src/mcp/server.ts';
import { createStudioApi } from '../../src/mcp/studio-api.ts';
import { createStudio } from '../../src/studio/studio.ts';
import { databasesUnderTest } from '../databases/kit/databases-under-test.ts';
import type { StudioApi } from '../../src/mcp/studio-api.ts';
import type { Studio } from '../../src/studio/studio.ts';
import type { KitDatabase, DatabaseUnderTest } from '../databases/kit/database-under-test.ts';

/** `orders.email` and `items.email` have masked values because they reference masked columns. */
const patterns = ['people.email', 'accounts.email', 'kids.person_id', 'log.note', 'odd.x__gt'];

const structure = [
  'CREATE TABLE people (id INTEGER PRIMARY KEY, name VARCHAR(50), email VARCHAR(50) NOT NULL UNIQUE)',
  'CREATE TABLE accounts (email VARCHAR(50) PRIMARY KEY, name VARCHAR(50))',
  'CREATE TABLE kids (id INTEGER PRIMARY KEY, person_id INTEGER, CONSTRAINT k1 FOREIGN KEY (person_id) REFERENCES people (id) ON DELETE CASCADE)',
  'CREATE TABLE orders (id INTEGER PRIMARY KEY, email VARCHAR(50) NOT NULL UNIQUE, CONSTRAINT o1 FOREIGN KEY (email) REFERENCES people (email) ON DELETE CASCADE)',
  'CREATE TABLE items (id INTEGER PRIMARY KEY, email VARCHAR(50), CONSTRAINT i1 FOREIGN KEY (email) REFERENCES orders (email))',
  'CREATE TABLE log (note VARCHAR(50), level INTEGER)',
  'CREATE TABLE odd (id INTEGER PRIMARY KEY, x VARCHAR(50), x__gt VARCHAR(50))',
];

const ids = [1, 2, 3, 4] as const;
const tables = ['people', 'accounts', 'kids', 'orders', 'items', 'log', 'odd'] as const;

/** The rows, in which only masked values depend on the order of these letters. */
function rowsFor(letters: string): readonly string[] {
  const email = (i: number): string => `'${letters[i - 1]}@example.org'`;
  // Names repeat, so that their order is not that of the rows.
  const name = (i: number): string => `'name ${(i * 3) % 4}'`;
  return [
    ...ids.map((i) => `INSERT INTO people VALUES (${i}, ${name(i)}, ${email(i)})`),
    ...ids.map((i) => `INSERT INTO accounts VALUES (${email(i)}, ${name(i)})`),
    ...ids.map((i) => `INSERT INTO kids VALUES (${i}, ${1 + (letters.charCodeAt(i - 1) % 4)})`),
    ...[1, 2].map((i) => `INSERT INTO orders VALUES (${i}, ${email(i + 1)})`),
    ...[1, 2, 3].map((i) => `INSERT INTO items VALUES (${i}, ${email(2 + (i % 2))})`),
    ...ids.map((i) => `INSERT INTO log VALUES (${email(i)}, ${i % 3})`),
    ...ids.map((i) => `INSERT INTO odd VALUES (${i}, ${name(i)}, ${email(i)})`),
  ];
}

/** One of two databases that differ in masked values only, and an agent that uses it. */
interface Side {
  readonly database: KitDatabase;
  readonly studios: readonly Studio[];
  readonly reader: StudioApi;
  readonly client: Client;
  readonly call: (tool: string, input: object) => Promise<string>;
}

async function openSide(underTest: DatabaseUnderTest, letters: string): Promise<Side> {
  const database = await underTest.makeDatabase();
  for (const statement of [...structure, ...rowsFor(letters)]) await database.run(statement);
  const { url } = database;
  const studios = [await createStudio({ url, readOnly: true }), await createStudio({ url })];
  const [reader, writer] = studios.map((studio) => {
    const app = createApp(studio);
    return createStudioApi((request) => app.fetch(request), 'http://localhost/studio/api');
  }) as [StudioApi, StudioApi];
  const masks = createMasks(patterns);
  const [near, far] = InMemoryTransport.createLinkedPair();
  const client = new Client({ name: 'test', version: '1' });
  const server = createAgentServers({ reader, writer, masks, version: '1' })();
  await Promise.all([server.connect(far as never), client.connect(near)]);
  const call: Side['call'] = async (name, input) => {
    const result = await client.callTool({ name, arguments: { ...input } });
    return JSON.stringify(result).replaceAll(/[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}/g, 'uuid');
  };
  return { database, studios, reader, client, call };
}

const letter = fc.constantFrom(...'abcdefgh');
const emailText = letter.map((each) => `${each}@example.org`);
const columns = ['id', 'name', 'email', 'person_id', 'note', 'level', 'x', 'x__gt', 'X', 'EMAIL'];
const column = fc.constantFrom(...columns);
const id = fc.oneof(fc.constantFrom<string | number>(...ids), emailText);
const filter = fc.record({
  column,
  operator: fc.constantFrom('eq', 'gt', 'lte', 'contains', 'starts', 'in', 'null'),
  value: fc.oneof(emailText, fc.constantFrom('name 1', '%', 'd%', '2', 'false')),
});

const list = {
  table: fc.constantFrom(...tables),
  filters: fc.array(filter, { maxLength: 1 }),
  sort: fc.array(fc.record({ column, order: fc.constantFrom('asc', 'desc') }), { maxLength: 1 }),
  limit: fc.constantFrom(1, 2, 20),
  page: fc.constantFrom(1, 1, 2),
};
const writes = {
  table: list.table,
  create: fc.array(fc.record({ name: fc.constantFrom('n', null) }), { maxLength: 1 }),
  update: fc.array(
    fc.record({ id, values: fc.dictionary(column, fc.constantFrom<unknown>('1', 7, null)) }),
    { maxLength: 1 },
  ),
  delete: fc.array(id, { maxLength: 2 }),
};

/** Relations of the structure, which the databases name alike. */
const relations = [
  ['people', 'Kids'],
  ['people', 'Order'],
  ['kids', 'Person'],
  ['orders', 'Person'],
  ['orders', 'Items'],
  ['items', 'Order'],
] as const;

/** `hasCursor`: pages begin at a cursor that the API itself wrote for the list of one of the databases. */
const calls = fc.oneof(
  fc.record({
    tool: fc.constant('read_rows'),
    hasCursor: fc.boolean(),
    input: fc.record(list, { requiredKeys: ['table'] }),
  }),
  fc.record({
    tool: fc.constant('read_row'),
    hasCursor: fc.constant(false),
    input: fc.record({ table: list.table, id }),
  }),
  fc.record({
    tool: fc.constant('read_related_rows'),
    hasCursor: fc.constant(false),
    input: fc
      .tuple(fc.constantFrom(...relations), fc.constantFrom(...ids), fc.constantFrom(1, 20))
      .map(([[table, relation], owner, limit]) => ({ table, relation, id: owner, limit })),
  }),
  fc.record({
    tool: fc.constant('preview_changes'),
    hasCursor: fc.constant(false),
    input: fc.record(writes, { requiredKeys: ['table'] }),
  }),
);

/** Columns that also determine the order of these tables if their keys are masked. */
const visibleColumns: Readonly<Record<string, readonly string[]>> = {
  accounts: ['name'],
  log: ['level'],
};

async function cursorOf(
  { reader }: Side,
  { table, sort = [] }: { readonly table: string; readonly sort?: readonly SortTerm[] },
): Promise<string | undefined> {
  const terms = new Map(sort.map(({ column: name, order }) => [name, order]));
  for (const name of visibleColumns[table] ?? []) if (!terms.has(name)) terms.set(name, 'asc');
  const query = { page_size: 1, sort_by: [...terms.keys()], sort_order: [...terms.values()] };
  const path = ['tables', table, 'rows'];
  const found = await reader.request({ path, query }).catch(() => undefined);
  return found?.json['next_cursor'] as string | undefined;
}

interface SortTerm {
  readonly column: string;
  readonly order: string;
}

for (const underTest of databasesUnderTest)
  describe(`masked values on ${underTest.name}`, () => {
    let sides: readonly [Side, Side];
    beforeAll(async () => {
      sides = [await openSide(underTest, 'bdfh'), await openSide(underTest, 'hcab')];
    });
    afterAll(async () => {
      for (const { database, studios, client } of sides) {
        await client.close();
        for (const studio of studios) await studio.close();
        await database.drop();
      }
    });

    test('change no response of any tool', async () => {
      const [one, other] = sides;
      let successes = 0;
      await fc.assert(
        fc.asyncProperty(calls, async ({ tool, hasCursor, input }) => {
          const cursor = hasCursor ? await cursorOf(one, input) : undefined;
          const inputWithCursor = cursor === undefined ? input : { ...input, cursor };
          const [response, otherResponse] = [
            await one.call(tool, inputWithCursor),
            await other.call(tool, inputWithCursor),
          ];
          expect(otherResponse).toBe(response);
          successes += Number(!response.includes('"isError":true'));
        }),
        { numRuns: 250 },
      );
      expect(successes).toBeGreaterThan(20);
    });

    test('are revealed by no kind of request', async () => {
      const [{ call }] = sides;
      const failing: readonly (readonly [string, object])[] = [
        ['read_row', { table: 'accounts', id: 'b@example.org' }],
        ['preview_changes', { table: 'accounts', delete: ['b@example.org'] }],
        ['preview_changes', { table: 'accounts', update: [{ id: 'b@example.org', values: {} }] }],
        ['preview_changes', { table: 'people', delete: [1] }],
        ['read_related_rows', { table: 'kids', id: 1, relation: 'Person' }],
        ['read_related_rows', { table: 'people', id: 1, relation: 'Kids' }],
        ['read_rows', { table: 'odd', filters: [{ column: 'x', operator: 'gt', value: 'b%' }] }],
        ['read_rows', { table: 'orders', sort: [{ column: 'email' }] }],
      ];
      for (const [tool, input] of failing) expect(await call(tool, input)).toContain('(masked)');
    });
  });
