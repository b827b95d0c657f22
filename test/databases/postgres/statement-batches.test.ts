/**
 * Statements that are sent ahead of the responses have the results and the errors of statements that
 * run one after the other.
 */
import * as fc from 'fast-check';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { openPostgres } from '../../../src/databases/postgres/database.ts';
import { StatementsFailure } from '../../../src/model/statements-failure.ts';
import { usePostgres } from '../../servers/postgres.ts';
import type { Database } from '../registered-databases.ts';

const server = usePostgres();
let database: Database;

beforeAll(async () => {
  await server().query('CREATE TABLE executed (n int)');
  database = await openPostgres({
    url: server().urlWith({ search: '?pool_max_conns=1' }),
    readOnly: false,
    create: false,
  });
});
afterAll(() => database?.close());

interface Statement {
  readonly text: string;
  /** Whether it adds its number to the table `executed`. */
  readonly inserts?: true;
  readonly fails?: true;
}

const succeeding: Readonly<Record<string, (n: number) => Statement>> = {
  insert: (n) => ({ text: `INSERT INTO executed VALUES (${n})`, inserts: true }),
  'insert that returns rows': (n) => ({
    text: `INSERT INTO executed VALUES (${n}) RETURNING n, 'ä' AS text`,
    inserts: true,
  }),
  'create table': (n) => ({ text: `CREATE TABLE "new ${n}" (id int PRIMARY KEY)` }),
  select: () => ({ text: 'SELECT n, repeat($$x$$, 2000) FROM generate_series(1, 20) n' }),
  'prepare by SQL': (n) => ({ text: `DO $$ BEGIN EXECUTE 'PREPARE p${n} AS SELECT 1'; END $$` }),
  notice: () => ({ text: `DO $$ BEGIN RAISE NOTICE 'notice'; END $$` }),
  empty: () => ({ text: '-- nothing' }),
};

const failing: Readonly<Record<string, string>> = {
  syntax: 'SELEC 1',
  'missing table': 'INSERT INTO missing VALUES (1)',
  'division by zero': 'SELECT 1 / (n - n) FROM generate_series(1, 3) n',
  'after rows': 'SELECT repeat($$x$$, 9000), 5 / (5 - n) FROM generate_series(1, 9) n',
  'two statements': 'SELECT 1; SELECT 2',
  'COPY from the client': 'COPY executed FROM STDIN',
  exception: `DO $$ BEGIN RAISE 'no'; END $$`,
};

const statement = fc.oneof(
  { weight: 60, arbitrary: fc.constantFrom(...Object.values(succeeding)) },
  {
    weight: 1,
    arbitrary: fc
      .constantFrom(...Object.values(failing))
      .map((text) => (): Statement => ({ text, fails: true })),
  },
);

async function failureOf(work: () => Promise<unknown>): Promise<unknown> {
  return work().then(
    () => undefined,
    (error: unknown) => error,
  );
}

function messageOf(error: unknown): string | undefined {
  return database.dialect.messageOf(error) ?? (error instanceof Error ? error.message : undefined);
}

/** Rolls back the transaction after its work. */
class RollBack extends Error {}

test('a batch runs each statement once, up to the first that fails, which it names', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(statement, { maxLength: 260, size: 'max' }), async (kinds) => {
      const statements = kinds.map((kind, n) => kind(n));
      const firstFailure = statements.findIndex(({ fails }) => fails);
      let found: unknown[] = [];
      const error = await failureOf(() =>
        database.transaction('write', async (session) => {
          await session.runAll!(statements.map(({ text }) => text));
          // The transaction continues, also with statements that are prepared under a name.
          for (let i = 0; i < 3; i++) {
            const { rows } = await session.run({
              text: 'SELECT n FROM executed ORDER BY n',
              params: [],
            });
            found = rows.map(([n]) => n);
          }
          throw new RollBack();
        }),
      );
      if (firstFailure === -1) {
        expect(error).toBeInstanceOf(RollBack);
        expect(found).toEqual(statements.flatMap(({ inserts }, n) => (inserts ? [n] : [])));
      } else {
        expect(error).toBeInstanceOf(StatementsFailure);
        const { index, cause } = error as StatementsFailure;
        expect(index).toBe(firstFailure);
        const { text } = statements[firstFailure]!;
        const alone = await failureOf(() => database.run({ text, params: [] }));
        expect(messageOf(cause)).toBe(messageOf(alone));
      }
      // Nothing is left of it, and the connection still works.
      expect(await server().query('SELECT n FROM executed')).toEqual([]);
      for (let i = 0; i < 3; i++) {
        const { rows } = await database.run({ text: 'SELECT 40 + 2', params: [] });
        expect(rows).toEqual([[42]]);
      }
    }),
    { numRuns: 40, endOnFailure: true },
  );
}, 120_000);

const sleep = (seconds: number): string => `SELECT pg_sleep(${seconds})`;

test('the time limit is that of each statement, not of the batch', async () => {
  await database.transaction('write', (session) =>
    session.runAll!(Array(5).fill(sleep(0.7)), { limitMs: 3000 }),
  );
  const texts = [sleep(0), sleep(0), sleep(60), sleep(0)];
  const failure = await failureOf(() =>
    database.transaction('write', (session) => session.runAll!(texts, { limitMs: 300 })),
  );
  expect(failure).toMatchObject({
    index: 2,
    cause: { code: 'statement_timeout', message: expect.stringContaining('300 ms') },
  });
});

test('a batch that is aborted ends in the database', async () => {
  const reason = new Error('the client has gone');
  const abort = new AbortController();
  const texts = ['INSERT INTO executed VALUES (1)', sleep(60), sleep(60)];
  const failure = failureOf(() =>
    database.transaction('write', (session) => session.runAll!(texts, { signal: abort.signal })),
  );
  const isSleeping = async (): Promise<boolean> =>
    (await server().query(`SELECT 1 FROM pg_stat_activity WHERE query = '${sleep(60)}'`)).length >
    0;
  await expect.poll(isSleeping, { timeout: 30_000 }).toBe(true);
  abort.abort(reason);
  expect(await failure).toMatchObject({ index: 1, cause: reason });
  expect((await database.run({ text: 'SELECT n FROM executed', params: [] })).rows).toEqual([]);
});
