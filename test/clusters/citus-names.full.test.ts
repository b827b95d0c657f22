/**
 * Errors of Citus about tables and constraints with names of any length: shards at the nodes have other names, which
 * are cut if they would be too long. Clients see those that they know.
 */
import * as fc from 'fast-check';
import { Client } from 'pg';
import { expect, onTestFinished, test } from 'vitest';
import { openVisitor, useCitus } from './citus.ts';
import type { Visitor } from './citus.ts';

const cluster = useCitus();

const maxNameBytes = 63;

/** A name with the prefix, which keeps it unique. */
function name(prefix: string): fc.Arbitrary<string> {
  return fc
    .string({ unit: fc.constantFrom(...'abeä_"7'), minLength: 36, maxLength: 62 })
    .map((text) => {
      const characters = [...prefix, ...text];
      while (Buffer.byteLength(characters.join('')) > maxNameBytes) characters.pop();
      return characters.join('');
    });
}

const someNames = fc.record({
  parent: name('p'),
  child: name('c'),
  key: name('k'),
  unique: name('u'),
  check: name('h'),
  reference: name('r'),
});
type Names = typeof someNames extends fc.Arbitrary<infer N> ? N : never;

function quote(text: string): string {
  return `"${text.replaceAll('"', '""')}"`;
}

async function createTables({ parent, child, key, unique, check, reference }: Names) {
  const [p, c] = [quote(parent), quote(child)];
  for (const statement of [
    `CREATE TABLE ${p} (t int, id int, CONSTRAINT ${quote(key)} PRIMARY KEY (t, id))`,
    `SELECT create_distributed_table($name$${p}$name$, 't')`,
    `CREATE TABLE ${c} (t int, id int, p int, v int NOT NULL, PRIMARY KEY (t, id),
       CONSTRAINT ${quote(unique)} UNIQUE (t, v), CONSTRAINT ${quote(check)} CHECK (v > 0),
       CONSTRAINT ${quote(reference)} FOREIGN KEY (t, p) REFERENCES ${p})`,
    `SELECT create_distributed_table($name$${c}$name$, 't')`,
    `INSERT INTO ${p} VALUES (1, 1), (2, 1), (3, 1)`,
    `INSERT INTO ${c} VALUES (1, 1, 1, 1), (2, 1, 1, 1), (3, 1, 1, 1)`,
  ])
    await cluster().nodes[0].query(statement);
}

type Reply = Awaited<ReturnType<Visitor['ask']>>;

/** Requests that violate a constraint. What the error must name, and what it must not. */
async function violations(
  { ask, sendFile }: Visitor,
  { parent, child, key, unique, check, reference }: Names,
): Promise<readonly [reply: Reply, table: string, constraint: string | undefined][]> {
  const rows = (table: string): string => `/tables/${encodeURIComponent(table)}/rows`;
  const insert = (table: string, row: object) => ask('POST', rows(table), row);
  const sql = (query: string) => ask('POST', '/sql', { query });
  const csv = (table: string, text: string) =>
    sendFile(`/import/data?table=${encodeURIComponent(table)}`, 'a.csv', text);
  const [p, c] = [quote(parent), quote(child)];
  return [
    [await insert(parent, { t: 1, id: 1 }), parent, key],
    [await sql(`INSERT INTO ${p} SELECT n, 1 FROM generate_series(1, 5) n`), parent, key],
    [await insert(child, { t: 1, id: 2, p: 1, v: 1 }), child, unique],
    [await sql(`INSERT INTO ${c} VALUES (1, 2, 1, 1)`), child, unique],
    [await insert(child, { t: 1, id: 3, p: 1, v: -1 }), child, check],
    [await sql(`UPDATE ${c} SET v = -v`), child, check],
    [await insert(child, { t: 1, id: 4, p: 9, v: 4 }), child, reference],
    [await sql(`INSERT INTO ${c} VALUES (1, 4, 9, 4)`), child, reference],
    [await ask('DELETE', `${rows(parent)}/1,1`), child, reference],
    [await sql(`DELETE FROM ${p}`), child, reference],
    [await sql(`UPDATE ${p} SET id = 7`), child, reference],
    [await sql(`UPDATE ${c} SET v = NULL`), child, undefined],
    [await csv(parent, 't,id\n1,1\n2,1\n'), parent, undefined],
    [await csv(child, 't,id,p,v\n1,2,1,1\n'), child, undefined],
    [await csv(child, 't,id,p,v\n1,3,1,-1\n'), child, undefined],
    [await csv(child, 't,id,p,v\n1,3,1,\n'), child, undefined],
    [await csv(child, 't,id,p,v\n1,4,9,4\n'), child, undefined],
  ];
}

/** At the end of the names of shards and of their constraints. */
const shardId = /_1\d{5}\b/;

test('errors name tables and constraints, not shards', { timeout: 300_000 }, async () => {
  const visitor = await openVisitor(cluster());
  const property = fc.asyncProperty(someNames, async (names) => {
    await createTables(names);
    await visitor.ask('POST', '/schema/refresh', {});
    for (const [{ status, text, body }, table, constraint] of await violations(visitor, names)) {
      expect([status, text]).toEqual([
        expect.toBeOneOf([409, 422]),
        expect.not.stringMatching(shardId),
      ]);
      if (body['code'] === 'import_failed') expect(text).toContain(JSON.stringify(table));
      else
        expect(body).toMatchObject({ table, ...(constraint === undefined ? {} : { constraint }) });
    }
    // Constraints that are not added are not in the catalog.
    const added = quote(`z${names.check.slice(1)}`);
    const query = `ALTER TABLE ${quote(names.child)} ADD CONSTRAINT ${added} CHECK (v > 5)`;
    const { text: notAdded } = await visitor.ask('POST', '/sql', { query });
    expect(notAdded).not.toMatch(shardId);
    expect(notAdded).not.toMatch(/_[0-9a-f]{8}\b/);
    await cluster().nodes[0].query(`DROP TABLE ${quote(names.child)}, ${quote(names.parent)}`);
  });
  await fc.assert(property, { numRuns: 6, endOnFailure: true });
});

test('a node with too many connections is busy', async () => {
  const { nodes } = cluster();
  await nodes[0].query('CREATE TABLE busy (id int PRIMARY KEY)');
  await nodes[0].query("SELECT create_distributed_table('busy', 'id')");
  const clients: Client[] = [];
  onTestFinished(async () => void (await Promise.all(clients.map((client) => client.end()))));
  const connect = async (): Promise<boolean> => {
    const client = new Client({ connectionString: nodes[1].url });
    client.on('error', () => {});
    const isConnected = await client.connect().then(
      () => true,
      () => false,
    );
    if (isConnected) clients.push(client);
    return isConnected;
  };
  while (await connect());
  const { ask } = await openVisitor(cluster());
  const ids = Array.from({ length: 20 }, (_, i) => i);
  for (const reply of [
    await ask('GET', '/tables/busy/rows'),
    await ask('POST', '/tables/busy/changes', { create: ids.map((id) => ({ id })) }),
    await ask('POST', '/sql', { query: 'UPDATE busy SET id = id' }),
  ]) {
    expect([reply.status, reply.text]).toEqual([503, expect.any(String)]);
    expect(reply.body).toMatchObject({ code: 'database_busy' });
    expect(reply.headers.get('retry-after')).not.toBeNull();
  }
});
