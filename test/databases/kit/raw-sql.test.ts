import { describe, expect, test } from 'vitest';
import { failureOf, idsOf, describeOnEachDatabase, readBody, bodyText } from './harness.ts';
import { bigint, columnOf, int, name, tableWithId, optional } from './tables.ts';
import type { Studio } from '../../../src/studio/studio.ts';

function run(studio: Studio, query: string): Promise<unknown> {
  return studio.perform('run-sql', { body: JSON.stringify({ query }) }).then(readBody);
}

describeOnEachDatabase('raw SQL', (harness) => {
  harness.beforeTests(async () => {
    await harness.createTables([
      tableWithId('users', [
        optional('name', name),
        optional('deleted_at', { kind: 'timestamp' }),
        optional('updated_by', name),
      ]),
      tableWithId('ids', []),
    ]);
    await harness.insertRows('users', [{ name: 'Ada' }, { name: 'Grace' }]);
    await harness.insertRows('ids', [{ id: 1 }]);
  });

  describe('that reads', () => {
    test('returns columns and rows', async () => {
      const response = await harness.sql('SELECT id, name FROM users ORDER BY id');
      expect(response).toMatchObject({
        type: 'read',
        columns: ['id', 'name'],
        rows: [
          { id: 1, name: 'Ada' },
          { id: 2, name: 'Grace' },
        ],
        total: 2,
        truncated: false,
      });
      expect(response['duration_ms']).toEqual(expect.any(Number));
      expect(response['column_types']).toHaveLength(2);
    });

    test('without rows still returns its columns', async () => {
      expect(await harness.sql('SELECT id, name FROM users WHERE 1 = 0')).toMatchObject({
        columns: ['id', 'name'],
        rows: [],
        total: 0,
      });
    });

    test('distinguishes columns with the same name', async () => {
      expect(await harness.sql('SELECT 1 AS a, 2 AS a, 3 AS b')).toMatchObject({
        columns: ['a', 'a_2', 'b'],
        rows: [{ a: 1, a_2: 2, b: 3 }],
      });
      const { columns, rows } = await harness.sql('SELECT 1 AS a, 2 AS a, 3 AS a_2, 4 AS a');
      expect(new Set(columns as string[]).size).toBe(4);
      expect(rows[0]).toMatchObject({ a: 1, a_2: 3 });
      expect(Object.values(rows[0] ?? {})).toEqual([1, 2, 3, 4]);
    });

    test('is truncated at max_rows', async () => {
      const body = JSON.stringify({ query: 'SELECT id FROM users ORDER BY id', max_rows: 1 });
      expect(readBody(await harness.perform('run-sql', { body }))).toMatchObject({
        rows: [{ id: 1 }],
        total: 1,
        truncated: true,
      });
      const requestBody = JSON.stringify({
        query: 'SELECT id FROM users ORDER BY id',
        max_rows: 2,
      });
      expect(readBody(await harness.perform('run-sql', { body: requestBody }))).toMatchObject({
        total: 2,
        truncated: false,
      });
    });

    test('accepts parameters of every kind', async () => {
      const one = harness.underTest.dialect.placeholder(1);
      expect((await harness.sql(`SELECT name FROM users WHERE id = ${one}`, [2])).rows).toEqual([
        { name: 'Grace' },
      ]);
      expect(
        (await harness.sql(`SELECT id FROM users WHERE name = ${one}`, ["Ada' OR '1'='1"])).rows,
      ).toEqual([]);
      expect((await harness.sql(`SELECT id FROM users WHERE name = ${one}`, ['Ada'])).rows).toEqual(
        [{ id: 1 }],
      );
      expect((await harness.sql(`SELECT id FROM users WHERE name = ${one}`, [null])).rows).toEqual(
        [],
      );
    });

    test('returns numbers by the same rule as row routes', async () => {
      await harness.createTables([
        tableWithId('sql_numbers', [
          columnOf('b', bigint),
          columnOf('d', { kind: 'decimal', precision: 30, scale: 2 }),
        ]),
      ]);
      await harness.insertRows('sql_numbers', [{ b: 9007199254740993n, d: 10.25 }]);
      const text = bodyText(
        await harness.perform('run-sql', {
          body: JSON.stringify({ query: 'SELECT b, d FROM sql_numbers' }),
        }),
      );
      expect(text).toContain('"b":"9007199254740993","d":10.25');
    });

    test('accepts EXPLAIN', async () => {
      expect(await harness.sql('EXPLAIN SELECT * FROM users')).toMatchObject({ type: 'read' });
    });

    test.each(['SELECT * FROM no_such_table', 'SELEC 1', 'SELECT no_such_column FROM users'])(
      'is rejected with a description of the error: %s',
      async (query) => {
        const failure = await failureOf(harness.sql(query));
        expect(failure.code).toBe('invalid_parameter');
        expect(failure.message.length).toBeGreaterThan(10);
      },
    );
  });

  describe('that writes', () => {
    test('returns the number of rows, and the change is visible at once', async () => {
      await harness.createTables([tableWithId('written', [columnOf('n', int)])]);
      expect(await harness.list('written')).toMatchObject({ total: 0 });
      expect(await harness.sql('INSERT INTO written (n) VALUES (1), (2), (3)')).toMatchObject({
        type: 'write',
        rows_affected: 3,
        message: 'INSERT: 3 rows',
      });
      expect(await harness.sql('UPDATE written SET n = 10 WHERE n > 1')).toMatchObject({
        rows_affected: 2,
      });
      expect(await harness.sql('DELETE FROM written WHERE n = 1')).toMatchObject({
        rows_affected: 1,
        message: 'DELETE: 1 row',
      });
      expect(idsOf(await harness.list('written'), 'n')).toEqual([10, 10]);
    });

    test('changes nothing if it fails halfway', async () => {
      const unique = { name: 'half_n', unique: true, constraint: true, parts: [{ column: 'n' }] };
      await harness.createTables([
        tableWithId('half', [columnOf('n', int)], { indexes: [unique] }),
      ]);
      await harness.insertRows('half', [{ n: 3 }]);
      expect(
        await failureOf(harness.sql('INSERT INTO half (n) VALUES (1), (2), (3)')),
      ).toMatchObject({ code: 'unique_violation' });
      expect(idsOf(await harness.list('half'), 'n')).toEqual([3]);
    });

    test('accepts parameters', async () => {
      await harness.createTables([tableWithId('sql_params', [optional('t', name)])]);
      await harness.sql(
        `INSERT INTO sql_params (t) VALUES (${harness.underTest.dialect.placeholder(1)})`,
        ["x'); DROP TABLE sql_params; --"],
      );
      expect((await harness.list('sql_params')).data).toEqual([
        { id: 1, t: "x'); DROP TABLE sql_params; --" },
      ]);
    });
  });

  describe('that changes structure', () => {
    test('is rejected unless the operator allows it', async () => {
      for (const query of [
        'CREATE TABLE never (id INT)',
        'DROP TABLE users',
        'ALTER TABLE users ADD COLUMN x INT',
        'CREATE INDEX never ON users (name)',
        'CREATE VIEW never AS SELECT 1',
      ]) {
        expect(await failureOf(harness.sql(query)), query).toMatchObject({ code: 'ddl_disabled' });
      }
      expect((await harness.list('users')).total).toBe(2);
    });

    test('runs if the operator allows it, and the change is visible at once', async () => {
      const studio = await harness.openStudio({ allowDdl: true });
      const list = (table: string) =>
        studio.perform('list-rows', {
          table,
          query: {
            page: 1,
            pageSize: 1,
            sort: [],
            showDeleted: false,
            filters: [],
            count: 'auto',
            etags: false,
            labels: false,
            cells: 'full',
          },
        });
      expect(await failureOf(list('made_by_sql'))).toMatchObject({ code: 'table_not_found' });
      expect(
        await run(studio, 'CREATE TABLE made_by_sql (id INT NOT NULL PRIMARY KEY)'),
      ).toMatchObject({ type: 'write' });
      expect(readBody(await list('made_by_sql'))).toMatchObject({ total: 0 });
      expect(await run(studio, 'DROP TABLE made_by_sql')).toMatchObject({ type: 'write' });
      expect(await failureOf(list('made_by_sql'))).toMatchObject({ code: 'table_not_found' });
    });
  });

  describe('is rejected', () => {
    test.each([
      ['BEGIN', 'statement_refused'],
      ['COMMIT', 'statement_refused'],
      ['ROLLBACK', 'statement_refused'],
      ['SAVEPOINT a', 'statement_refused'],
      ['', 'invalid_parameter'],
      ['  -- nothing\n', 'invalid_parameter'],
      [';', 'invalid_parameter'],
      ['SELECT 1; SELECT 2', 'invalid_parameter'],
      ['SELECT 1; DELETE FROM users', 'invalid_parameter'],
    ] as const)('%j', async (query, code) => {
      const before = await harness.database.fingerprint();
      expect(await failureOf(harness.sql(query))).toMatchObject({ code });
      expect(await harness.database.fingerprint()).toBe(before);
    });

    test('if it is disabled, whatever the statement', async () => {
      const studio = await harness.openStudio({ disableSql: true, allowDdl: true });
      for (const query of ['SELECT 1', 'DELETE FROM users', 'x', '']) {
        expect(await failureOf(run(studio, query))).toMatchObject({ code: 'sql_disabled' });
      }
    });

    test.each([
      '',
      '{',
      '[]',
      '{}',
      '{"query":1}',
      '{"query":"SELECT 1","params":{}}',
      '{"query":"SELECT 1","max_rows":"x"}',
      '{"query":"SELECT 1","max_rows":1.5}',
      '{"query":"SELECT 1","other":1}',
      '{"query":"SELECT 1","query":"SELECT 2"}',
    ])('with the body %s', async (body) => {
      expect(await failureOf(harness.perform('run-sql', { body }))).toMatchObject({
        code: 'invalid_body',
      });
    });

    test('with a wrong number of parameters', async () => {
      expect(await failureOf(harness.sql('SELECT 1', [1, 2]))).toMatchObject({
        code: 'invalid_parameter',
      });
      expect(
        await failureOf(
          harness.sql(
            `SELECT id FROM users WHERE id = ${harness.underTest.dialect.placeholder(1)}`,
          ),
        ),
      ).toMatchObject({ code: 'invalid_parameter' });
    });
  });
});
