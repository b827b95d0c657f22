/** A schema file may drop columns. What remains of indexes and constraints is what the server keeps. */
import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { useMariadb } from '../servers/mariadb.ts';
import { usePostgres } from '../servers/postgres.ts';
import { readTable } from '../sql/ddl/read-ddl.ts';
import type { Table } from '../../src/model/schema.ts';

const postgres = usePostgres();
const mariadb = useMariadb();

const columns = ['a', 'b', 'c', 'd'] as const;
const someColumns = fc.subarray([...columns], { minLength: 1, maxLength: 3 });
const someLists = fc.array(someColumns, { maxLength: 4 });

/** Index names with their columns; the names of constraints. */
interface Remains {
  readonly indexes: readonly string[];
  readonly constraints: readonly string[];
}

function remainsOf({ indexes, primaryKey, checks, foreignKeys }: Table): Remains {
  const namedConstraints = [
    ...checks,
    ...foreignKeys,
    ...(primaryKey === undefined ? [] : [primaryKey]),
  ];
  return {
    indexes: indexes
      .map(({ name, parts }) => `${name}(${parts.map(({ column }) => column ?? '').join(',')})`)
      .toSorted(),
    constraints: namedConstraints.map(({ name = '' }) => name).toSorted(),
  };
}

const sum = (names: readonly string[]): string => names.join(' + ');

const postgresTable = fc.record({
  key: fc.option(someColumns),
  checks: someLists,
  indexes: someLists,
  partial: fc.array(fc.tuple(someColumns, someColumns), { maxLength: 2 }),
  expressions: someLists,
  included: fc.array(fc.tuple(someColumns, someColumns), { maxLength: 2 }),
  dropped: fc.constantFrom(...columns),
});

test('on PostgreSQL', async () => {
  await fc.assert(
    fc.asyncProperty(postgresTable, async (table) => {
      const { key, checks, indexes, partial, expressions, included, dropped } = table;
      const script = [
        `CREATE TABLE t (id int, "a" int, b int, c int, d int${[
          ...(key === null ? [] : [`CONSTRAINT p PRIMARY KEY (${key.join()})`]),
          ...checks.map((names, i) => `CONSTRAINT k${i} CHECK ("${names[0]}" + ${sum(names)} > 0)`),
        ]
          .map((item) => `, ${item}`)
          .join('')})`,
        ...indexes.map((names, i) => `CREATE INDEX i${i} ON t (${names.join()})`),
        ...partial.map(
          ([names, condition], i) =>
            `CREATE INDEX w${i} ON t (${names.join()}) WHERE ${sum(condition)} > 0`,
        ),
        ...expressions.map((names, i) => `CREATE INDEX e${i} ON t (id, (${sum(names)} + 0))`),
        ...included.map(
          ([names, others], i) =>
            `CREATE INDEX n${i} ON t (${names.join()}) INCLUDE (${others.join()})`,
        ),
        `ALTER TABLE t DROP COLUMN ${dropped}`,
      ].join(';\n');
      await postgres().query(`DROP TABLE IF EXISTS t; ${script}`);
      const remaining = await postgres().query(
        `SELECT conname AS name FROM pg_constraint WHERE conrelid = 't'::regclass AND contype <> 'n'
         UNION SELECT i.relname FROM pg_index x JOIN pg_class i ON i.oid = x.indexrelid
           WHERE x.indrelid = 't'::regclass ORDER BY 1`,
      );
      const read = remainsOf(await readTable('postgres', script));
      const names = [
        ...read.constraints,
        ...read.indexes.map((index) => index.split('(')[0] ?? ''),
      ];
      expect(names.toSorted(), script).toEqual(remaining.map(({ name }) => name));
    }),
    { numRuns: 25 },
  );
});

test('on MariaDB', async () => {
  const generated = fc.record({ indexes: someLists, dropped: fc.constantFrom(...columns) });
  await fc.assert(
    fc.asyncProperty(generated, async ({ indexes, dropped }) => {
      const checked = columns.find((column) => column !== dropped) ?? '';
      const script = [
        `CREATE TABLE t (id int, a int, b int, c int, d int CHECK (d > 0), CONSTRAINT k CHECK (${checked} > 0)${indexes
          .map((names, i) => `, INDEX i${i} (${names.join()})`)
          .join('')})`,
        `ALTER TABLE t DROP COLUMN ${dropped}`,
      ].join(';\n');
      await mariadb().query(`DROP TABLE IF EXISTS t; ${script}`);
      const rows = await mariadb().query(
        `SELECT CONCAT(index_name, '(', GROUP_CONCAT(column_name ORDER BY seq_in_index), ')') AS name
         FROM information_schema.statistics WHERE table_schema = DATABASE() AND table_name = 't'
         GROUP BY index_name ORDER BY 1`,
      );
      const read = remainsOf(await readTable('mysql', script));
      expect(read.indexes, script).toEqual(rows.map(({ name }) => name));
      expect(read.constraints).toContain('k');
      expect(read.constraints).toHaveLength(dropped === 'd' ? 1 : 2);
    }),
    { numRuns: 25 },
  );
});

test('a foreign key of another table is dropped with the column that it references', async () => {
  const script = `CREATE TABLE p (id int PRIMARY KEY, code int UNIQUE);
    CREATE TABLE c (p_id int CONSTRAINT to_id REFERENCES p (id), code int CONSTRAINT to_code REFERENCES p (code));
    ALTER TABLE p DROP COLUMN code CASCADE`;
  // The table of the test above may have a constraint called p.
  await postgres().query(`DROP TABLE IF EXISTS t; DROP TABLE IF EXISTS c, p; ${script}`);
  const { foreignKeys } = await readTable('postgres', script, 'c');
  expect(foreignKeys.map(({ name }) => name)).toEqual(['to_id']);
});
