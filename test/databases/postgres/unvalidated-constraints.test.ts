/** Constraints with NOT VALID in dumps: rows may break them. */
import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { createTestDatabase, usePostgres } from '../../servers/postgres.ts';
import { importDumpFile } from '../importing.ts';
import { onNewDatabase } from '../on-new-database.ts';
import { readDdl as read } from '../../sql/ddl/read-ddl.ts';
import type { TestDatabase } from '../../servers/postgres.ts';

// Skips the tests if there is no server.
usePostgres();

const onNew = (work: (database: TestDatabase) => Promise<void>): Promise<void> =>
  onNewDatabase(createTestDatabase, work);

const constraints = `SELECT conrelid::regclass::text AS table, conname, contype, convalidated,
  pg_get_constraintdef(oid) AS definition FROM pg_constraint WHERE contype IN ('c', 'f') ORDER BY 1, 2`;

const constraint = fc
  .record({
    what: fc.constantFrom(
      'CHECK (positive(y))',
      'CHECK (y > 0) NO INHERIT',
      'FOREIGN KEY (a_id) REFERENCES public.a (id) ON DELETE CASCADE',
      'FOREIGN KEY (a_id) REFERENCES public.a (id) DEFERRABLE INITIALLY DEFERRED',
    ),
    table: fc.constantFrom('public.b', 'other.b'),
    after: fc.constantFrom('', 'VALIDATE', 'DROP'),
  })
  // It becomes part of its table, whose NO INHERIT is left out by name.
  .filter(({ what, after }) => after !== 'VALIDATE' || !what.endsWith('NO INHERIT'));

test('a dump creates them after the rows, as the server itself', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(constraint, { maxLength: 4 }), async (drawn) => {
      // The rows of "ok" break no constraint, so that it can be validated.
      const isBroken = drawn.every(({ after }) => after !== 'VALIDATE');
      const [y, id] = isBroken ? [-5, 99] : [5, 1];
      const tables = `
CREATE SCHEMA other;
CREATE FUNCTION public.positive(i integer) RETURNS boolean LANGUAGE sql IMMUTABLE AS 'SELECT i > 0';
CREATE TABLE public.a (id integer PRIMARY KEY);
CREATE TABLE public.b (y integer, a_id integer, z integer REFERENCES public.a (id) DEFERRABLE INITIALLY DEFERRED);
CREATE TABLE other.b (y integer, a_id integer);
INSERT INTO public.a VALUES (1);
INSERT INTO public.b VALUES (${y}, ${id}, 1);
INSERT INTO other.b VALUES (${y}, ${id});`;
      const added = drawn.map(({ what, table, after }, i) =>
        [
          `ALTER TABLE ONLY ${table}\n    ADD CONSTRAINT "c ${i}" ${what} NOT VALID;`,
          after === '' ? '' : `ALTER TABLE ${table} ${after} CONSTRAINT "c ${i}";`,
        ].join('\n'),
      );
      const text = `${tables}\n${added.join('\n')}\n`;
      await onNew(async (server) => {
        // Several statements of one query are one transaction, whose deferred checks come too late.
        await server.query(tables);
        for (const statement of added) await server.query(statement);
        const expected = await server.query(constraints);
        await onNew(async (copy) => {
          const { warnings } = await importDumpFile(copy.url, text);
          expect(warnings).toEqual([]);
          expect(await copy.query(constraints)).toEqual(expected);
          expect(await copy.query('SELECT y, a_id FROM b')).toEqual([{ y, a_id: id }]);
        });
      });
    }),
    { numRuns: 12 },
  );
});

test('an import without routines keeps them, as it keeps empty schemas', async () => {
  const text = `CREATE SCHEMA empty;
CREATE TABLE b (y int);
CREATE FUNCTION f() RETURNS int LANGUAGE sql AS 'SELECT 1';
INSERT INTO b VALUES (-1);
ALTER TABLE b ADD CONSTRAINT c CHECK (y > 0) NOT VALID;`;
  await onNew(async (server) => {
    const response = await importDumpFile(server.url, text, { routines: 'skip' });
    expect(response.warnings).toEqual(['Line 3: the function f is left out.']);
    expect(response.routines_created).toEqual([]);
    expect(response.message).toBe('1 table created, 1 row imported.');
    expect(
      await server.query(`SELECT FROM pg_constraint WHERE conname = 'c' AND NOT convalidated`),
    ).toHaveLength(1);
    expect(
      await server.query(`SELECT nspname FROM pg_namespace WHERE nspname = 'empty'`),
    ).toHaveLength(1);
  });
});

test('a file of structure alone has them in its tables', async () => {
  const { schema, warnings } = await read(
    'postgres',
    `CREATE TABLE b (y int); ALTER TABLE b ADD CONSTRAINT c CHECK (y > 0) NOT VALID;`,
  );
  expect(schema.tables[0]?.checks).toEqual([{ name: 'c', expression: 'y > 0' }]);
  expect(warnings).toEqual([]);
});
