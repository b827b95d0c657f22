/** Mutated statements: each one that the database rejects is a 4xx error of the request. */
import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { StudioError, errorDefinitions } from '../../../src/model/errors.ts';
import { describeOnEachDatabase } from './harness.ts';
import { columnOf, int, tableOf } from './tables.ts';
import type { Studio } from '../../../src/studio/studio.ts';

const common = [
  'SELECT id, t FROM items WHERE id > 1 ORDER BY t DESC LIMIT 2',
  "SELECT count(*), upper(t) AS u FROM items GROUP BY t HAVING count(*) > 0 AND t LIKE 'a%'",
  'WITH x AS (SELECT id FROM items) SELECT a.id FROM items a JOIN x ON a.id = x.id',
  "SELECT CASE WHEN id = 1 THEN 'one' ELSE t END FROM items",
  'SELECT id FROM items UNION ALL SELECT CAST(t AS CHAR(3)) FROM items /* end */',
  "INSERT INTO items (id, t) VALUES (900, 'x')",
  "UPDATE items SET t = 'y' WHERE id = 900",
  'DELETE FROM items WHERE id = 900',
  'EXPLAIN SELECT id FROM items',
];

const ownStatements: Readonly<Record<string, readonly string[]>> = {
  sqlite: ['SELECT id -> 1, typeof(t) FROM items', 'PRAGMA table_info(items)', 'VALUES (1, 2)'],
  postgres: [
    "SELECT E'\\u0041', 'a'::text, ARRAY[1, 2], $$x$$ FROM items",
    "SELECT currval('counter'), '{1}'::int[]",
    'SELECT DISTINCT ON (t) id FROM items FETCH FIRST 1 ROW ONLY',
    'INSERT INTO items (id) VALUES (900) RETURNING id',
  ],
  mysql: [
    "SELECT `id`, IFNULL(t, 'x'), 0x41, @a := 1 FROM `items`",
    'SELECT id /*! , t */ FROM items FOR UPDATE',
    'SHOW COLUMNS FROM items',
  ],
};

const token = /'(?:[^'\\]|\\.)*'|`[^`]*`|"[^"]*"|\/\*.*?\*\/|\w+|\s+|./gs;
const others = [
  ...["'", '"', '`', '(', ')', ',', '$$', '/*', '--', '\\', "E'\\u0000'", 'NULL', '1e999', '::'],
  ...['FROM', 'SELECT', 'nowhere', 'items', 'id', '9223372036854775808', '0', '.', '@', '?', '$1'],
];

interface Change {
  readonly at: number;
  readonly kind: 'delete' | 'duplicate' | 'replace' | 'swap';
  readonly other: string;
}

function mutate(statement: string, changes: readonly Change[]): string {
  let tokens: readonly string[] = statement.match(token) ?? [];
  for (const { at, kind, other } of changes) {
    const i = at % Math.max(1, tokens.length);
    const found = tokens[i] ?? '';
    const next = tokens[i + 2] ?? '';
    tokens = {
      delete: tokens.toSpliced(i, 1),
      duplicate: tokens.toSpliced(i, 0, found, ' '),
      replace: tokens.toSpliced(i, 1, ` ${other} `),
      swap: tokens.toSpliced(i, 3, next, tokens[i + 1] ?? '', found),
    }[kind];
  }
  return tokens.join('');
}

const changes = fc.array(
  fc.record<Change>({
    at: fc.nat(60),
    kind: fc.constantFrom('delete', 'duplicate', 'replace', 'swap'),
    other: fc.constantFrom(...others),
  }),
  { minLength: 1, maxLength: 2 },
);

/** Undefined if the studio runs the statement. */
async function failureOf(studio: Studio, query: string): Promise<StudioError | undefined> {
  const body = JSON.stringify({ query, params: [] });
  const error: unknown = await studio.perform('run-sql', { body }).then(
    () => undefined,
    (failure: unknown) => failure,
  );
  if (error === undefined || error instanceof StudioError) return error;
  throw error;
}

describeOnEachDatabase('wrong statements', (harness) => {
  let readOnly: Studio;

  harness.beforeTests(async () => {
    const columns = [columnOf('id', int), columnOf('t', { kind: 'text' })];
    await harness.createTables([tableOf('items', columns, { primaryKey: { columns: ['id'] } })]);
    await harness.database.run("INSERT INTO items VALUES (1, 'a'), (2, 'b')");
    readOnly = await harness.openStudio({ readOnly: true });
  });

  test('are 4xx errors with a reason, and a read-only studio runs only reads', async () => {
    const { name } = harness.underTest;
    const statement = fc.constantFrom(...common, ...(ownStatements[name] ?? []));
    const property = fc.asyncProperty(statement, changes, async (statement, list) => {
      const query = mutate(statement, list);
      const isRead = await harness.database.runsReadOnly(query);
      for (const studio of [harness.studio, readOnly]) {
        const failure = await failureOf(studio, query);
        if (failure === undefined) {
          // The database's own client runs as a read what a read-only studio runs.
          if (studio === readOnly) expect(isRead, query).toBe(true);
          continue;
        }
        const status = errorDefinitions[failure.code].status;
        expect(status, `${query}: ${failure.message}`).toBeGreaterThanOrEqual(400);
        expect(status, `${query}: ${failure.message}`).toBeLessThan(500);
        expect(failure.message, query).toMatch(/\w{2}/);
        expect(failure.message, query).not.toMatch(/undefined|\[object/);
      }
    });
    await fc.assert(property, { numRuns: 120 });
  });
});
