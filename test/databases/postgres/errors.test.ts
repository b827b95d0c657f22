import { afterAll, beforeAll, describe, expect, test } from 'vitest';

import { markIfRead } from '../../../src/databases/errors-of-reads.ts';
import { openPostgres } from '../../../src/databases/postgres/database.ts';
import { usePostgres } from '../../servers/postgres.ts';
import type { StudioError } from '../../../src/model/errors.ts';
import type { Session } from '../../../src/model/database.ts';
import type { Database } from '../registered-databases.ts';

const server = usePostgres();
let database: Database;

beforeAll(async () => {
  await server().query(`
    CREATE TYPE mood AS ENUM ('sad');
    CREATE DOMAIN positive AS integer CHECK (value > 0);
    CREATE EXTENSION btree_gist;
    CREATE TABLE people (
      id int PRIMARY KEY, "the ""e-mail"", really" text, first text, last text, mood mood, age positive,
      short varchar(3), at timestamptz, ip inet, tall numeric(3,1) NOT NULL DEFAULT 0, during daterange,
      twice int GENERATED ALWAYS AS (id * 2) STORED,
      CONSTRAINT mail_once UNIQUE ("the ""e-mail"", really"),
      CONSTRAINT name_once UNIQUE (first, last),
      CONSTRAINT id_is_small CHECK (id < 1000),
      CONSTRAINT no_overlap EXCLUDE USING gist (during WITH &&)
    );
    CREATE UNIQUE INDEX lower_last ON people (lower(last));
    CREATE TABLE pets (id int PRIMARY KEY, owner int CONSTRAINT owner_exists REFERENCES people DEFERRABLE);
    INSERT INTO people VALUES (1, 'a@b', 'Secret', 'Value', 'sad', 1, 'abc', now(), '1.2.3.4', 1, '[2026-01-01,2026-02-01)');
    INSERT INTO pets VALUES (1, 1);
    CREATE TABLE guarded (id int);
    CREATE FUNCTION refuse() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN RAISE EXCEPTION 'not on a Sunday'; END $$;
    CREATE TRIGGER guard BEFORE INSERT ON guarded FOR EACH ROW EXECUTE FUNCTION refuse();
    CREATE TABLE forbidden (id int);
    CREATE ROLE ${server().name}_nobody LOGIN PASSWORD 'pw'`);
  database = await openPostgres({ url: server().url, readOnly: false, create: false });
});

afterAll(async () => {
  await database?.close();
  await server().query(`DROP OWNED BY ${server().name}_nobody; DROP ROLE ${server().name}_nobody`);
});

async function errorOf(
  text: string,
  session: Session = database,
): Promise<StudioError | undefined> {
  const raw = await session.run({ text, params: [] }).then(
    () => undefined,
    (error: unknown) => error,
  );
  expect(raw).toBeDefined();
  return database.dialect.translateError(raw);
}

const insert = (columns: string, values: string): string =>
  `INSERT INTO people (${columns}) VALUES (${values})`;

/** A statement, the code of its failure, and the details. */
const failures: readonly (readonly [statement: string, code: string, details: object])[] = [
  [
    insert('id', '1'),
    'unique_violation',
    { table: 'people', constraint: 'people_pkey', columns: ['id'] },
  ],
  [
    insert('id, "the ""e-mail"", really"', "2, 'a@b'"),
    'unique_violation',
    { columns: ['the "e-mail", really'] },
  ],
  [
    insert('id, first, last', "2, 'Secret', 'Value'"),
    'unique_violation',
    { constraint: 'name_once', columns: ['first', 'last'] },
  ],
  [insert('id, last', "2, 'VALUE'"), 'unique_violation', { constraint: 'lower_last' }],
  [
    insert('id, during', "2, '[2026-01-15,2026-03-01)'"),
    'unique_violation',
    { constraint: 'no_overlap' },
  ],
  [
    'INSERT INTO pets VALUES (2, 99)',
    'foreign_key_violation',
    { table: 'pets', constraint: 'owner_exists' },
  ],
  [
    'DELETE FROM people WHERE id = 1',
    'foreign_key_violation',
    { table: 'pets', constraint: 'owner_exists' },
  ],
  [insert('id, tall', '2, NULL'), 'not_null_violation', { table: 'people', column: 'tall' }],
  [insert('id', '1000'), 'check_violation', { table: 'people', constraint: 'id_is_small' }],
  [insert('id, age', '2, -1'), 'check_violation', { constraint: 'positive_check' }],
  [insert('id, mood', "2, 'glad'"), 'invalid_value', {}],
  [insert('id, short', "2, 'abcd'"), 'invalid_value', {}],
  [insert('id, tall', '2, 100'), 'invalid_value', {}],
  [insert('id, at', "2, 'yesterdayish'"), 'invalid_value', {}],
  [insert('id, at', "2, '2026-02-30'"), 'invalid_value', {}],
  [insert('id, ip', "2, 'localhost'"), 'invalid_value', {}],
  [insert('id', '99999999999'), 'invalid_value', {}],
  [insert('id, twice', '2, 4'), 'invalid_value', {}],
  ["SELECT 'x'::int", 'invalid_parameter', {}],
  ['SELECT 1 / 0', 'invalid_parameter', {}],
  ['INSERT INTO guarded VALUES (1)', 'check_violation', {}],
];

test.for(failures)('%s is %s', async ([statement, code, details]) => {
  const error = await errorOf(statement);
  expect(error).toMatchObject({ code, details });
});

test('no message contains values of a row', async () => {
  for (const [statement] of failures) {
    const error = await errorOf(statement);
    expect(`${error?.message} ${JSON.stringify(error?.details)}`).not.toMatch(
      /Secret|Value\b|a@b|99999999999|yesterdayish/,
    );
  }
});

test('the message of a trigger is reported', async () => {
  expect((await errorOf('INSERT INTO guarded VALUES (1)'))?.message).toContain('not on a Sunday');
});

test('a deferred foreign key is reported at the commit', async () => {
  const raw = await database
    .transaction('write', async (session) => {
      await session.run({ text: database.dialect.write.deferForeignKeys ?? '', params: [] });
      await session.run({ text: 'INSERT INTO pets VALUES (2, 99)', params: [] });
    })
    .catch((error: unknown) => error);
  expect(database.dialect.translateError(raw)).toMatchObject({ code: 'foreign_key_violation' });
  expect((await database.run({ text: 'SELECT count(*) FROM pets', params: [] })).rows).toEqual([
    ['1'],
  ]);
});

test('a role without the privilege is rejected', async () => {
  const url = server().urlWith({ user: `${server().name}_nobody`, password: 'pw' });
  const nobody = await openPostgres({ url, readOnly: false, create: false });
  expect(await errorOf('SELECT * FROM forbidden', nobody)).toMatchObject({
    code: 'permission_denied',
  });
  expect((await nobody.introspect()).tables).toEqual([]);
  await nobody.close();
});

describe('a conflict with another transaction', () => {
  test('is reported if both wrote the same row', async () => {
    const raw = await database
      .transaction('write', async (session) => {
        await session.run({ text: 'SET TRANSACTION ISOLATION LEVEL SERIALIZABLE', params: [] });
        await session.run({ text: 'SELECT * FROM people', params: [] });
        await server().query('UPDATE people SET age = age + 1');
        await session.run({ text: 'UPDATE people SET age = age + 1', params: [] });
      })
      .catch((error: unknown) => error);
    expect(database.dialect.translateError(raw)).toMatchObject({ code: 'write_conflict' });
  });

  test('is reported if both wait for each other', async () => {
    await server().query('INSERT INTO people (id) VALUES (10), (11)');
    const lock = (id: number) => ({
      text: 'UPDATE people SET age = 5 WHERE id = $1',
      params: [id],
    });
    const crossing = (one: number, two: number): Promise<unknown> =>
      database.transaction('write', async (session) => {
        await session.run(lock(one));
        await session.run({ text: 'SELECT pg_sleep(0.2)', params: [] });
        await session.run(lock(two));
      });
    const outcomes = await Promise.allSettled([crossing(10, 11), crossing(11, 10)]);
    const failed = outcomes.filter((outcome) => outcome.status === 'rejected');
    expect(failed).toHaveLength(1);
    expect(database.dialect.translateError(failed[0]?.reason)).toMatchObject({
      code: 'write_conflict',
    });
  });

  test('is reported as busy if the other one holds a lock', async () => {
    const raw = await database
      .transaction('write', async (session) => {
        await session.run({ text: 'UPDATE people SET age = 6 WHERE id = 10', params: [] });
        return database.run({
          text: 'SELECT id FROM people WHERE id = 10 FOR UPDATE NOWAIT',
          params: [],
        });
      })
      .catch((error: unknown) => error);
    expect(database.dialect.translateError(raw)).toMatchObject({ code: 'database_busy' });
  });
});

describe('a structure that has changed', () => {
  test.for([
    'SELECT * FROM missing',
    'SELECT missing FROM people',
    'SELECT 1 FROM missing.people',
    "SELECT 'x'::missing",
  ])('is detected by %s', async (text) => {
    const raw = await database.run({ text, params: [] }).catch((error: unknown) => error);
    expect(database.dialect.isStructureError(raw)).toBe(true);
  });

  test('is not detected by other errors', async () => {
    const raw = await database
      .run({ text: 'SELEC 1', params: [] })
      .catch((error: unknown) => error);
    expect(database.dialect.isStructureError(raw)).toBe(false);
    expect(database.dialect.translateError(raw)).toBeUndefined();
    expect(database.dialect.messageOf(raw)).toContain('syntax error');
    expect(database.dialect.messageOf(new Error('of our own'))).toBeUndefined();
  });
});

test('a read that a standby cancels has written nothing that could be lost', () => {
  const raised = (): Error =>
    Object.assign(new Error('canceling statement due to conflict with recovery'), {
      code: '40001',
      severity: 'ERROR',
    });
  const { dialect } = database;
  expect(dialect.translateError(markIfRead('SELECT 1', raised()))).toMatchObject({
    code: 'database_busy',
  });
  expect(dialect.translateError(markIfRead('UPDATE t SET n = 1', raised()))).toMatchObject({
    code: 'write_conflict',
  });
});

describe('a database that cannot be opened', () => {
  const open = (url: string): Promise<unknown> =>
    openPostgres({ url, readOnly: false, create: false });

  test.for([
    ['another password', (): string => server().urlWith({ password: 'hunter2' })],
    ['another user', (): string => server().urlWith({ user: 'mallory', password: 'hunter2' })],
    ['another database', (): string => `${server().url}_hunter2`],
    ['a port where nothing listens', (): string => 'postgres://u:hunter2@127.0.0.1:1/db'],
    ['a host that is not there', (): string => 'postgres://u:hunter2@nowhere.invalid/db'],
    ['a socket that is not there', (): string => 'postgres://u:hunter2@%2Fnowhere/db'],
  ] as const)('is reported without credentials: %s', async ([, url]) => {
    const error = await open(url()).catch((reason: unknown) => reason);
    expect(error).toMatchObject({ code: 'database_unavailable' });
    expect(String(error)).not.toMatch(/hunter2|mallory/);
  });

  test('is busy if the server accepts no more connections', async () => {
    await server().query(`ALTER DATABASE ${server().name} CONNECTION LIMIT 0`);
    const url = server().urlWith({ user: `${server().name}_nobody`, password: 'pw' });
    await expect(open(url)).rejects.toMatchObject({ code: 'database_busy' });
    await server().query(`ALTER DATABASE ${server().name} CONNECTION LIMIT -1`);
  });
});
