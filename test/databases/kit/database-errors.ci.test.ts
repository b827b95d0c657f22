/**
 * An error that the database raises for the user's statement or table is never reported as an
 * internal error.
 */
import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { StudioError } from '../../../src/model/errors.ts';
import { describeOnEachDatabase } from './harness.ts';
import { columnOf, int, tableOf } from './tables.ts';
import type { Harness } from './harness.ts';

const triggerMessage = 'raised by a trigger';

/** Makes INSERTs into `raising` fail with a generated error code. */
interface RaisedErrors {
  readonly codes: fc.Arbitrary<string>;
  raise(code: string): string;
  /** Matches codes that are not errors. */
  readonly passes: RegExp;
}

const letters = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ';
const anyState = fc.oneof(
  fc.string({ unit: fc.constantFrom(...letters), minLength: 5, maxLength: 5 }),
  // Codes that only a server sends, when it ends a session.
  fc.constantFrom(
    ...['08006', '08P01', '0A000', '22P02', '23505', '25006', '26000', '28000', '28P01', '3D000'],
    ...['23000', '23001', '23502', '23503', '23514', '23P01', '428C9'],
    ...['40001', '42601', '42P01', '53100', '55000', '57014', '57P01', '57P03', '58030', 'XX000'],
  ),
);

const raisings: Readonly<Record<string, RaisedErrors>> = {
  sqlite: {
    codes: fc.constantFrom('ABORT', 'FAIL', 'ROLLBACK'),
    raise: (how) =>
      `DROP TRIGGER IF EXISTS raises; CREATE TRIGGER raises BEFORE INSERT ON raising BEGIN SELECT RAISE(${how}, '${triggerMessage}'); END`,
    passes: /^$/,
  },
  postgres: {
    codes: anyState.filter((code) => code !== '00000'),
    raise: (code) => `
      CREATE OR REPLACE FUNCTION raise_code() RETURNS trigger LANGUAGE plpgsql AS
        $$ BEGIN RAISE EXCEPTION '${triggerMessage}' USING ERRCODE = '${code}'; END $$;
      DROP TRIGGER IF EXISTS raises ON raising;
      CREATE TRIGGER raises BEFORE INSERT ON raising FOR EACH ROW EXECUTE FUNCTION raise_code()`,
    passes: /^$/,
  },
  mysql: {
    codes: fc
      .tuple(
        anyState.filter((code) => !code.startsWith('00')),
        fc.option(
          fc.oneof(
            fc.integer({ min: 1, max: 4999 }),
            fc.constantFrom(1048, 1062, 1364, 1369, 1452, 1526, 1761, 3819, 4025),
          ),
        ),
      )
      .map(
        ([state, number]) =>
          `'${state}' SET MESSAGE_TEXT = '${triggerMessage}'${number === null ? '' : `, MYSQL_ERRNO = ${number}`}`,
      ),
    raise: (code) =>
      `DROP TRIGGER IF EXISTS raises; CREATE TRIGGER raises BEFORE INSERT ON raising FOR EACH ROW SIGNAL SQLSTATE ${code}`,
    // Warnings.
    passes: /^'0[12]/,
  },
};

/** The code of the failure. Rethrows internal errors. */
async function codeOf(work: Promise<unknown>): Promise<{ code: string; message: string }> {
  try {
    await work;
    return { code: 'none', message: '' };
  } catch (error) {
    if (!(error instanceof StudioError)) throw error;
    expect(error.code).not.toBe('internal');
    return error;
  }
}

async function checkRaised(
  harness: Harness,
  { raise, passes }: RaisedErrors,
  code: string,
): Promise<void> {
  await harness.database.run(raise(code));
  const bySql = await codeOf(harness.sql('INSERT INTO raising (id) VALUES (1)'));
  const byRow = await codeOf(harness.create('raising', { id: 2 }));
  if (!passes.test(code)) {
    expect(bySql.message, code).toContain(triggerMessage);
    expect([bySql.code, byRow.code], code).not.toContain('none');
  }
  for (const { message } of [bySql, byRow]) expect(message, code).not.toMatch(/""|''|undefined/);
  // The connection still works.
  expect((await harness.sql('SELECT 1 AS one')).rows).toEqual([{ one: 1 }]);
}

const words = [
  ...['SELECT', 'FROM', 'WHERE', 'UPDATE', 'SET', 'INSERT', 'INTO', 'VALUES', 'DELETE', 'WITH'],
  ...['AS', 'NULL', 'GROUP BY', 'ORDER BY', 'HAVING', 'UNION', 'JOIN', 'ON', 'RETURNING', 'CAST'],
  ...['raising', 'id', 'nowhere', 'x.y', '(', ')', ',', '*', '=', '/', '-', '0', '1e999', "'x'"],
  ...['count(*)', 'abs(id)', 'nothing(1)', '$1', '?', '@p1', ':a', '::int', 'LIMIT', '9999999999'],
];

describeOnEachDatabase('errors of the database', (harness) => {
  harness.beforeTests(() =>
    harness.createTables([
      tableOf('raising', [columnOf('id', int)], { primaryKey: { columns: ['id'] } }),
    ]),
  );

  test('any error code that a trigger raises is reported and leaves the connection usable', async (context) => {
    const raising = raisings[harness.underTest.name];
    if (raising === undefined)
      return context.skip(`${harness.underTest.name}: triggers cannot raise any error code`);
    const property = fc.asyncProperty(raising.codes, (code) => checkRaised(harness, raising, code));
    await fc.assert(property, { numRuns: 40 });
  });

  test('statements of words in random order fail with an error of the request', async () => {
    const text = fc.array(fc.constantFrom(...words), { minLength: 1, maxLength: 9 });
    const property = fc.asyncProperty(
      fc.constantFrom('SELECT', 'INSERT INTO raising', 'UPDATE raising', 'WITH x AS (', 'EXPLAIN'),
      text,
      async (first, rest) => void (await codeOf(harness.sql([first, ...rest].join(' ')))),
    );
    await fc.assert(property, { numRuns: 150 });
  });

  describe('views that no longer work', () => {
    test('are reported where they are read', async () => {
      await harness.database.run(
        'CREATE TABLE going (id INT PRIMARY KEY); CREATE VIEW broken AS SELECT 10 / (id - id) AS x, id FROM going',
      );
      await harness.refresh();
      await harness.database.run('INSERT INTO going VALUES (1)');
      await codeOf(harness.list('broken'));
      await harness.database.run('DROP TABLE IF EXISTS going').catch(() => {});
      await codeOf(harness.list('broken'));
      await codeOf(harness.sql('SELECT * FROM broken'));
    });
  });
});
