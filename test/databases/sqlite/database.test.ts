import { describe, expect, test } from 'vitest';
import {
  failure,
  introspectTable,
  makeDatabase,
  makeFile,
  openFile,
  openRaw,
  query,
  run,
} from './fixture.ts';
import type { Row } from '../../../src/model/values.ts';
import type { Database } from '../registered-databases.ts';

const rowsOf = async (database: Pick<Database, 'run'>, text: string): Promise<readonly Row[]> =>
  (await run(database, text)).rows;

describe('a write transaction', () => {
  test('commits all or nothing', async () => {
    const database = makeDatabase('CREATE TABLE t (v UNIQUE)');
    const result = await database.transaction('write', async (session) => {
      await run(session, 'INSERT INTO t VALUES (1)');
      return (await rowsOf(session, 'SELECT v FROM t')).length;
    });
    expect(result).toBe(1);
    const broken = database.transaction('write', async (session) => {
      await run(session, 'INSERT INTO t VALUES (2)');
      await run(session, 'INSERT INTO t VALUES (1)');
    });
    expect((await failure(database, broken))?.code).toBe('unique_violation');
    expect(await rowsOf(database, 'SELECT v FROM t')).toEqual([[1n]]);
  });

  test('fails at the commit if a deferred foreign key is violated, and changes nothing', async () => {
    const database = makeDatabase('CREATE TABLE t (id INTEGER PRIMARY KEY, up INT REFERENCES t)');
    const insertDanglingReference = (first: string): Promise<unknown> =>
      database.transaction('write', async (session) => {
        await run(session, first);
        await run(session, 'INSERT INTO t VALUES (1, 9)');
      });
    for (let i = 0; i < 3; i++) {
      expect(
        (await failure(database, insertDanglingReference('PRAGMA defer_foreign_keys = ON')))?.code,
      ).toBe('foreign_key_violation');
      expect(await rowsOf(database, 'SELECT * FROM t')).toEqual([]);
    }
    await database.transaction('write', async (session) => {
      await run(session, 'PRAGMA defer_foreign_keys = ON');
      await run(session, 'INSERT INTO t VALUES (1, 2)');
      await run(session, 'INSERT INTO t VALUES (2, 1)');
    });
    expect(await rowsOf(database, 'SELECT count(*) FROM t')).toEqual([[2n]]);
  });

  test('waits for the previous one, and single statements wait for it', async () => {
    const database = makeDatabase('CREATE TABLE t (v)');
    const steps: string[] = [];
    const work = (name: string): Promise<void> =>
      database.transaction('write', async (session) => {
        steps.push(`${name} begins`);
        await run(session, 'INSERT INTO t VALUES (1)');
        await new Promise((resolve) => setImmediate(resolve));
        await run(session, 'INSERT INTO t VALUES (2)');
        steps.push(`${name} ends`);
      });
    const reading = [work('one'), rowsOf(database, 'SELECT count(*) FROM t'), work('two')] as const;
    const [, counted] = await Promise.all(reading);
    expect(steps).toEqual(['one begins', 'one ends', 'two begins', 'two ends']);
    expect(counted).toEqual([[2n]]);
  });

  test('rejects statements after its end', async () => {
    const database = makeDatabase('CREATE TABLE t (v)');
    const session = await database.transaction('write', (inner) => Promise.resolve(inner));
    await expect(run(session, 'INSERT INTO t VALUES (1)')).rejects.toThrow('has ended');
  });

  test('ends the streams that are still open in it', async () => {
    const database = makeDatabase('CREATE TABLE t (v); INSERT INTO t VALUES (1), (2)');
    await database.transaction('write', async (session) => {
      await run(session, 'INSERT INTO t VALUES (3)');
      const { batches } = await session.stream(query('SELECT v FROM t'));
      const { value } = await batches[Symbol.asyncIterator]().next();
      expect(value).toEqual([[1n], [2n], [3n]]);
    });
    expect(await rowsOf(database, 'SELECT count(*) FROM t')).toEqual([[3n]]);
  });

  test('settles without leaving the microtask queue', async () => {
    const database = makeDatabase('CREATE TABLE t (v)');
    let turned = false;
    setImmediate(() => {
      turned = true;
    });
    await database.transaction('write', (session) => run(session, 'INSERT INTO t VALUES (1)'));
    await database.introspect();
    expect(turned).toBe(false);
  });
});

describe('a read transaction', () => {
  test('is one snapshot', async () => {
    const path = makeFile(
      'PRAGMA journal_mode = WAL; CREATE TABLE t (v); INSERT INTO t VALUES (1)',
    );
    const reader = openFile(path, { readOnly: true });
    const writer = openFile(path);
    const counts = await reader.read(async (session) => {
      const before = await rowsOf(session, 'SELECT count(*) FROM t');
      await run(writer, 'INSERT INTO t VALUES (2)');
      return [before, await rowsOf(session, 'SELECT count(*) FROM t')];
    });
    expect(counts).toEqual([[[1n]], [[1n]]]);
    expect(await rowsOf(reader, 'SELECT count(*) FROM t')).toEqual([[2n]]);
  });

  test('cannot write, because the database itself prevents it', async () => {
    const database = makeDatabase('CREATE TABLE t (v)');
    for (const text of ['INSERT INTO t VALUES (1)', 'DROP TABLE t', 'CREATE TABLE u (v)']) {
      expect(
        (
          await failure(
            database,
            database.transaction('read', (session) => run(session, text)),
          )
        )?.code,
        text,
      ).toBe('read_only');
    }
    expect((await run(database, 'INSERT INTO t VALUES (1)')).rowsAffected).toBe(1);
    await database.transaction('write', (session) => run(session, 'INSERT INTO t VALUES (2)'));
    expect(await rowsOf(database, 'SELECT count(*) FROM t')).toEqual([[2n]]);
  });
});

test('a read-only connection cannot write', async () => {
  const database = openFile(makeFile('CREATE TABLE t (v)'), { readOnly: true });
  expect((await failure(database, run(database, 'INSERT INTO t VALUES (1)')))?.code).toBe(
    'read_only',
  );
  expect(
    (
      await failure(
        database,
        database.transaction('write', (session) => run(session, 'DELETE FROM t')),
      )
    )?.code,
  ).toBe('read_only');
});

test('foreign keys are enforced', async () => {
  const database = makeDatabase('CREATE TABLE t (id INTEGER PRIMARY KEY, up INT REFERENCES t)');
  expect((await failure(database, run(database, 'INSERT INTO t VALUES (1, 9)')))?.code).toBe(
    'foreign_key_violation',
  );
});

test('a schema cannot call functions that are not allowed in schemas', async () => {
  const database = makeDatabase(
    `CREATE TABLE t (v); CREATE VIEW v AS SELECT unicode_like('%é%', v) FROM t; CREATE VIEW w AS SELECT json_each.value, upper(t.v) FROM t, json_each('[1]')`,
  );
  await expect(run(database, 'SELECT * FROM v')).rejects.toThrow('unsafe use of unicode_like');
  expect(await rowsOf(database, 'SELECT count(*) FROM w')).toEqual([[0n]]);
});

describe('tokens', () => {
  test('of the structure change when any client changes it', async () => {
    const path = makeFile('CREATE TABLE t (v)');
    const [one, other] = [openFile(path, { readOnly: true }), openFile(path)];
    const first = await one.structureVersion();
    await run(other, 'INSERT INTO t VALUES (1)');
    expect(await one.structureVersion()).toBe(first);
    await run(other, 'CREATE TABLE u (v)');
    expect(await one.structureVersion()).not.toBe(first);
  });

  test('of the rows change with every commit, also of the connection’s own', async () => {
    const path = makeFile('CREATE TABLE t (v)');
    const [one, other] = [openFile(path), openFile(path)];
    const changeTokens = [await one.changeToken(one)];
    await run(other, 'INSERT INTO t VALUES (1)');
    changeTokens.push(await one.changeToken(one));
    await run(one, 'INSERT INTO t VALUES (1)');
    changeTokens.push(await one.changeToken(one));
    expect(new Set(changeTokens).size).toBe(3);
    await rowsOf(one, 'SELECT * FROM t');
    expect(await one.changeToken(one)).toBe(changeTokens[2]);
  });
});

test('a cached statement uses the changed structure', async () => {
  const database = makeDatabase('CREATE TABLE t (a); INSERT INTO t VALUES (1)');
  expect((await run(database, 'SELECT * FROM t')).rows).toEqual([[1n]]);
  await run(database, "ALTER TABLE t ADD COLUMN b TEXT DEFAULT 'x'");
  const { rows, columns } = await run(database, 'SELECT * FROM t');
  expect(rows).toEqual([[1n, 'x']]);
  expect(columns.map(({ name, nativeType }) => [name, nativeType])).toEqual([
    ['a', ''],
    ['b', 'TEXT'],
  ]);
});

describe('the cost of a page', () => {
  const setup = `CREATE TABLE t (id INTEGER PRIMARY KEY, a INT, b TEXT, c INT, deleted_at DATETIME);
    CREATE INDEX ia ON t (a); CREATE INDEX iab ON t (b, a); CREATE INDEX live ON t (c) WHERE deleted_at IS NULL;
    CREATE TABLE w (k TEXT PRIMARY KEY, v) WITHOUT ROWID;
    CREATE VIEW v AS SELECT * FROM t WHERE c = 1; CREATE VIRTUAL TABLE f USING fts5(x)`;

  test.each([
    ['FROM "t" ORDER BY "id"', true],
    ['FROM "t" ORDER BY "id" DESC', true],
    ['FROM "t" WHERE "id" = ?', true],
    ['FROM "t" WHERE "id" > ? ORDER BY "id"', true],
    ['FROM "t" WHERE "id" IN (?, ?)', true],
    ['FROM "t" WHERE "a" = ? ORDER BY "id"', true],
    ['FROM "t" WHERE "a" IS NULL ORDER BY "id"', true],
    ['FROM "t" WHERE "a" IS NOT NULL ORDER BY "a", "id"', true],
    ['FROM "t" WHERE "a" IS NOT NULL AND "a" = ? AND "id" > ? ORDER BY "a", "id"', true],
    ['FROM "t" WHERE "b" = ? AND "a" > ? ORDER BY "a"', true],
    ['FROM "w" WHERE "k" > ? ORDER BY "k"', true],
    ['FROM "w" ORDER BY "k"', true],
    ['FROM "t" ORDER BY "c"', false],
    ['FROM "t" ORDER BY "a" DESC, "id" ASC', false],
    ['FROM "t" WHERE "c" = ? ORDER BY "id"', false],
    ['FROM "t" WHERE "b" LIKE ? ORDER BY "id"', false],
    ['FROM "t" WHERE "a" <> ? ORDER BY "a"', false],
    ['FROM "t" WHERE "a" = ? AND "c" = ? ORDER BY "id"', false],
    ['FROM "t" WHERE "a" > ? AND "a" >= ? ORDER BY "a"', false],
    ['FROM "t" WHERE ("a" = ? OR "b" = ?) ORDER BY "id"', false],
    ['FROM "t" WHERE "a" = ? AND "a" <> ? ORDER BY "id"', false],
    ['FROM "t" WHERE "deleted_at" IS NULL ORDER BY "id"', false],
    ['FROM "t" WHERE "deleted_at" IS NULL AND "c" = ? ORDER BY "id"', false],
    ['FROM "v" ORDER BY "id"', false],
    ['FROM "f" ORDER BY "rowid"', false],
  ])('SELECT … %s: bounded is %s', async (rest, expected) => {
    const database = makeDatabase(setup);
    const params = Array.from(rest.matchAll(/\?/g), () => 1n);
    const page = query(`SELECT * ${rest} LIMIT ? OFFSET ?`, ...params, 50n, 0n);
    expect(await database.isPageCostBounded(page)).toBe(expected);
    expect(await database.isPageCostBounded(page)).toBe(expected);
  });

  test('is estimated again when the structure changes', async () => {
    const database = makeDatabase('CREATE TABLE t (a)');
    const page = query('SELECT * FROM "t" WHERE "a" = ? LIMIT ? OFFSET ?', 1n, 1n, 0n);
    expect(await database.isPageCostBounded(page)).toBe(false);
    await run(database, 'CREATE INDEX i ON t (a)');
    expect(await database.isPageCostBounded(page)).toBe(true);
  });
});

test('row counts are estimated by ANALYZE, or else by the range of rowids', async () => {
  const rows = (count: number): string =>
    `WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < ${count}) SELECT i FROM n`;
  const database =
    makeDatabase(`CREATE TABLE analyzed (id INTEGER PRIMARY KEY, a); INSERT INTO analyzed (id) ${rows(100)}; CREATE INDEX part ON analyzed (a) WHERE id < 10; ANALYZE;
    CREATE TABLE spanned (v, rowid); INSERT INTO spanned (v) ${rows(50)}; CREATE TABLE aliased (key INTEGER PRIMARY KEY); INSERT INTO aliased VALUES (-5), (5);
    CREATE TABLE empty (v); CREATE TABLE without (k PRIMARY KEY) WITHOUT ROWID; CREATE VIEW v AS SELECT 1; CREATE VIRTUAL TABLE f USING fts5(x)`);
  const { tables, views } = await database.introspect();
  expect(await database.estimateTableRows([...tables, ...views])).toEqual(
    new Map([
      ['analyzed', 100],
      ['spanned', 50],
      ['aliased', 11],
      ['empty', 0],
    ]),
  );
  expect(await database.estimateResultRows(query('SELECT 1 FROM analyzed'))).toBeUndefined();
});

test('the schema is read in one snapshot, or in that of the current transaction', async () => {
  const path = makeFile('CREATE TABLE t (a)');
  const database = openFile(path);
  await database.transaction('write', async (session) => {
    await run(session, 'CREATE TABLE u (b)');
    expect((await introspectTable(database, 'u')).columns).toHaveLength(1);
    expect(openRaw(path).prepare('SELECT name FROM sqlite_schema').pluck().all()).toEqual(['t']);
  });
});
