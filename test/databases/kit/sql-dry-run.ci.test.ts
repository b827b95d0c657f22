/** A statement with `dry_run` reports what it would do, and changes nothing. */
import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { describeOnEachDatabase, failureOf, readBody } from './harness.ts';
import { columnOf, foreignKeyTo, int, tableOf, tableWithId } from './tables.ts';
import type { Harness, JsonRow } from './harness.ts';

const statements = fc.oneof(
  fc.integer({ min: -5, max: 60 }).map((n) => `DELETE FROM parents WHERE id < ${n}`),
  fc.integer({ min: -5, max: 60 }).map((n) => `UPDATE children SET n = n + 1 WHERE n >= ${n}`),
  fc.constant('DELETE FROM children'),
  fc.constant('UPDATE children SET n = 7'),
  fc
    .array(fc.integer({ min: 100, max: 999 }), { minLength: 1, maxLength: 5 })
    .map((ns) => `INSERT INTO children (n) VALUES ${ns.map((n) => `(${n})`).join(', ')}`),
);

/** Functions that write. The other databases have none. */
const functions: Readonly<Record<string, string>> = {
  postgres: `CREATE FUNCTION add_child(v int) RETURNS int LANGUAGE plpgsql AS
    'BEGIN INSERT INTO children (id, n) VALUES (v, v); RETURN v; END'`,
  mysql: `CREATE FUNCTION add_child(v int) RETURNS int MODIFIES SQL DATA
    BEGIN INSERT INTO children (id, n) VALUES (v, v); RETURN v; END`,
};

async function run(harness: Harness, query: string, dryRun: boolean): Promise<JsonRow> {
  const body = JSON.stringify({ query, ...(dryRun && { dry_run: true }) });
  return readBody(await harness.studio.perform('run-sql', { body })) as JsonRow;
}

async function contentOf(harness: Harness): Promise<unknown> {
  const [parents, children] = [
    await harness.sql('SELECT id FROM parents ORDER BY id'),
    await harness.sql('SELECT id, n, parent_id FROM children ORDER BY id'),
  ];
  return [parents.rows, children.rows];
}

describeOnEachDatabase('a dry run of a statement', (harness) => {
  harness.beforeTests(async () => {
    await harness.createTables([
      tableOf('parents', [columnOf('id', int)], { primaryKey: { columns: ['id'] } }),
      tableWithId(
        'children',
        [columnOf('n', int), columnOf('parent_id', int, { nullable: true })],
        { foreignKeys: [foreignKeyTo('parents', ['parent_id'], { onDelete: 'cascade' })] },
      ),
    ]);
    const numbers = Array.from({ length: 50 }, (_, i) => i);
    await harness.insertRows(
      'parents',
      numbers.map((id) => ({ id })),
    );
    await harness.insertRows(
      'children',
      numbers.map((n) => ({ n, parent_id: n % 3 === 0 ? n : null })),
    );
  });

  test('changes nothing, and counts the rows that the statement then writes', async () => {
    await fc.assert(
      fc.asyncProperty(statements, async (query) => {
        const before = await contentOf(harness);
        const dry = await run(harness, query, true);
        expect(await contentOf(harness)).toEqual(before);
        const { dry_run: isDry, duration_ms: _, message, ...outcome } = dry;
        const { duration_ms: __, message: done, ...real } = await run(harness, query, false);
        expect([isDry, outcome]).toEqual([true, real]);
        expect(String(message).split('; ')[0]).toBe(done);
      }),
      { numRuns: 20 },
    );
  });

  test('says that generated keys are not generated again', async () => {
    const insert = async (): Promise<number> => {
      await run(harness, 'INSERT INTO children (n) VALUES (9000)', false);
      return Number((await harness.sql('SELECT max(id) AS id FROM children')).rows[0]?.['id']);
    };
    const check = async (rows: number): Promise<void> => {
      const values = Array.from({ length: rows }, () => '(9001)').join(', ');
      const last = await insert();
      const dry = await run(harness, `INSERT INTO children (n) VALUES ${values}`, true);
      const isSkipped = (await insert()) !== last + 1;
      expect(String(dry['message']).includes('not generated again')).toBe(isSkipped);
    };
    await fc.assert(fc.asyncProperty(fc.integer({ min: 1, max: 5 }), check), { numRuns: 5 });
  });

  test('fails as the statement would, and changes nothing', async () => {
    const before = await contentOf(harness);
    const query = 'INSERT INTO children (n, parent_id) VALUES (1, 4711)';
    const failure = await failureOf(run(harness, query, true));
    expect(failure.code).toBe('foreign_key_violation');
    expect(await contentOf(harness)).toEqual(before);
  });

  test('changes nothing by the functions of a SELECT', async () => {
    const before = await contentOf(harness);
    const define = functions[harness.underTest.name];
    if (define === undefined) return;
    await harness.database.run(define);
    const dry = await run(harness, 'SELECT add_child(4712) AS added', true);
    expect(dry).toMatchObject({ dry_run: true, type: 'write' });
    expect(await contentOf(harness)).toEqual(before);
    const failure = await failureOf(run(harness, "SELECT setval('s', 50)", true));
    expect(failure.code).toBe('statement_refused');
  });

  test('is rejected for statements that a rollback might not undo', async () => {
    const failure = await failureOf(run(harness, 'DROP TABLE children', true));
    expect(['statement_refused', 'ddl_disabled']).toContain(failure.code);
  });
});
