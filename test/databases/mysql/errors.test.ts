import { beforeAll, describe, expect, test } from 'vitest';

import { translateError } from '../../../src/databases/mysql/dialect/errors.ts';
import { useDatabase } from './open-test-database.ts';

const open = useDatabase(`
CREATE TABLE parent (id int PRIMARY KEY AUTO_INCREMENT, code varchar(20) NOT NULL, UNIQUE KEY by_code (code));
CREATE TABLE child (
  id int PRIMARY KEY AUTO_INCREMENT, parent_id int, number int, name varchar(3), kind enum('a','b'), at datetime,
  latin varchar(10) CHARACTER SET latin1, place point, tiny tinyint unsigned,
  CONSTRAINT \`to parent\` FOREIGN KEY (parent_id) REFERENCES parent (id),
  CONSTRAINT positive CHECK (number > 0)
);
INSERT INTO parent VALUES (1, 'secret value');
INSERT INTO child (parent_id) VALUES (1);
CREATE TRIGGER refuse BEFORE DELETE ON child FOR EACH ROW SIGNAL SQLSTATE '45000' SET MESSAGE_TEXT = 'not this one';
`);

async function failure(
  text: string,
  ...params: readonly (string | bigint | null)[]
): Promise<unknown> {
  return open()
    .database.run({ text, params })
    .then(
      () => undefined,
      (error: unknown) => error,
    );
}

async function meaning(
  text: string,
  ...params: readonly (string | bigint | null)[]
): Promise<unknown> {
  return open().database.dialect.translateError(await failure(text, ...params));
}

describe('a rejected row names the constraint or column', () => {
  test.each([
    ["INSERT INTO parent VALUES (1, 'x')", 'unique_violation', { constraint: 'PRIMARY' }],
    [
      "INSERT INTO parent (code) VALUES ('secret value')",
      'unique_violation',
      { constraint: 'by_code' },
    ],
    [
      'INSERT INTO child (parent_id) VALUES (99)',
      'foreign_key_violation',
      { constraint: 'to parent', table: 'child', columns: ['parent_id'] },
    ],
    [
      'DELETE FROM parent',
      'foreign_key_violation',
      { constraint: 'to parent', table: 'child', columns: ['parent_id'] },
    ],
    ['INSERT INTO parent (code) VALUES (NULL)', 'not_null_violation', { column: 'code' }],
    ['INSERT INTO parent () VALUES ()', 'not_null_violation', { column: 'code' }],
    ['INSERT INTO child (number) VALUES (0)', 'check_violation', { constraint: 'positive' }],
    ["INSERT INTO child (number) VALUES ('abc')", 'invalid_value', { column: 'number' }],
    ['INSERT INTO child (tiny) VALUES (256)', 'invalid_value', { column: 'tiny' }],
    ["INSERT INTO child (name) VALUES ('abcd')", 'invalid_value', { column: 'name' }],
    ["INSERT INTO child (kind) VALUES ('c')", 'invalid_value', { column: 'kind' }],
    ["INSERT INTO child (at) VALUES ('2026-02-30')", 'invalid_value', { column: 'at' }],
    ["INSERT INTO child (latin) VALUES ('日本')", 'invalid_value', { column: 'latin' }],
    ["INSERT INTO child (place) VALUES ('POINT(1')", 'invalid_value', {}],
  ])('%s', async (text, code, details) => {
    expect(await meaning(text)).toMatchObject({ code, details });
  });

  test('never contains values of another row', async () => {
    const error = await meaning("INSERT INTO parent (code) VALUES ('secret value')");
    expect(JSON.stringify([String(error), error])).not.toContain('secret value');
  });

  test("a trigger's own message is reported", async () => {
    expect(await meaning('DELETE FROM child')).toMatchObject({
      code: 'check_violation',
      message: expect.stringContaining('not this one'),
    });
  });
});

test.each([
  'SELECT * FROM nowhere',
  'SELECT nothing FROM parent',
  'INSERT INTO parent (nothing) VALUES (1)',
  'DROP TABLE nowhere',
])('%s shows that the structure has changed', async (text) => {
  expect(open().database.dialect.isStructureError(await failure(text))).toBe(true);
});

test("wrong SQL has the server's message, without a code for its meaning", async () => {
  const error = await failure('SELEC 1');
  const { dialect } = open().database;
  expect(dialect.messageOf(error)).toContain('syntax');
  expect(dialect.translateError(error)).toBeUndefined();
  expect(dialect.isStructureError(error)).toBe(false);
});

test('text that the character set of a column cannot encode is an invalid parameter in a filter', async () => {
  expect(await meaning('SELECT 1 FROM child WHERE latin = ?', '日本')).toMatchObject({
    code: 'invalid_parameter',
  });
});

test('a wrong number of parameters is reported before the statement is sent', async () => {
  await expect(open().database.run({ text: 'SELECT ?, ?', params: [1n] })).rejects.toMatchObject({
    code: 'invalid_parameter',
  });
  await expect(open().database.run({ text: 'SELECT 1', params: [1n] })).rejects.toMatchObject({
    code: 'invalid_parameter',
  });
  expect((await open().database.run({ text: 'SELECT 1', params: [] })).rows).toEqual([[1]]);
});

describe('two transactions that block each other', () => {
  beforeAll(async () => {
    await open().server.query(
      'CREATE TABLE account (id int PRIMARY KEY, balance int); INSERT INTO account VALUES (1, 10), (2, 10)',
    );
  });

  test('end with write_conflict for one of them', async () => {
    const { database } = open();
    const update = (id: number) => ({
      text: `UPDATE account SET balance = balance + 1 WHERE id = ${id}`,
      params: [],
    });
    let release: () => void = () => {};
    let arrived = 0;
    const bothArrived = new Promise<void>((resolve) => (release = resolve));
    const waitForBoth = async (): Promise<void> => {
      if (++arrived === 2) release();
      await bothArrived;
    };
    const work = (first: number, second: number): Promise<unknown> =>
      database.transaction('write', async (session) => {
        await session.run(update(first));
        await waitForBoth();
        await session.run(update(second));
      });
    const results = await Promise.allSettled([work(1, 2), work(2, 1)]);
    const [rejection] = results.flatMap((result) =>
      result.status === 'rejected' ? [result.reason as unknown] : [],
    );
    expect(translateError(rejection)).toMatchObject({ code: 'write_conflict' });
    expect(results.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
    expect((await database.run({ text: 'SELECT balance FROM account', params: [] })).rows).toEqual([
      [11],
      [11],
    ]);
  });

  test('wait for a lock no longer than the session allows', async () => {
    const { database } = open();
    await database.transaction('write', async (holder) => {
      await holder.run({ text: 'UPDATE account SET balance = 0 WHERE id = 1', params: [] });
      const waiting = database.transaction('write', async (session) => {
        await session.run({ text: 'SET SESSION innodb_lock_wait_timeout = 1', params: [] });
        await session.run({ text: 'UPDATE account SET balance = 1 WHERE id = 1', params: [] });
      });
      expect(translateError(await waiting.catch((error: unknown) => error))).toMatchObject({
        code: 'database_busy',
      });
    });
  });
});

describe('servers of a cluster', () => {
  const translated = (errno: number, sqlMessage: string): unknown =>
    translateError(Object.assign(new Error(sqlMessage), { errno, sqlMessage }));

  test.each([
    [1047, 'WSREP has not yet prepared node for application use', 'database_unavailable'],
    [1180, "Got error 6 'No such device or address' during COMMIT", 'database_unavailable'],
    [
      3100,
      "Error on observer while running replication hook 'before_commit'.",
      'database_unavailable',
    ],
    [1290, 'The MariaDB server is running with the --read-only option so …', 'read_only'],
    [1290, 'The MySQL server is running with the --super-read-only option so …', 'read_only'],
    [
      1290,
      'The MySQL server is running with the --secure-file-priv option so …',
      'permission_denied',
    ],
  ])('%i %s', (errno, message, code) => {
    expect(translated(errno, message)).toMatchObject({ code });
  });

  test('a failed commit is not said to have written nothing', () => {
    expect(translated(1180, 'Got error 5 during COMMIT')).toMatchObject({
      message: expect.stringContaining('not known whether the changes were written') as string,
    });
  });

  test('an unknown command of another server is a defect', () => {
    expect(translated(1047, 'Unknown command')).toBe(undefined);
  });
});
