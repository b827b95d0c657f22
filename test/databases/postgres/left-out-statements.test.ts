/** Warnings name what an import leaves out as the file does. */
import { expect, test } from 'vitest';
import { readDdl } from '../../sql/ddl/read-ddl.ts';

const statements: readonly (readonly [statement: string, warning: string])[] = [
  ['CREATE CAST (app.color AS int) WITH INOUT', 'the cast (app.color AS int)'],
  ['CREATE OPERATOR app.=== (LEFTARG = int, RIGHTARG = int, FUNCTION = f)', 'the operator app.==='],
  [`CREATE COLLATION app.c (locale = 'C')`, 'the collation app.c'],
  [`CREATE CONVERSION app.v FOR 'LATIN1' TO 'UTF8' FROM f`, 'the conversion app.v'],
  ['CREATE ACCESS METHOD heap2 TYPE TABLE HANDLER f', 'the access method heap2'],
  ['CREATE TEXT SEARCH DICTIONARY app.d (TEMPLATE = simple)', 'the text search dictionary app.d'],
  ['COMMENT ON SCHEMA app IS $$x$$', 'the statement COMMENT ON SCHEMA app'],
  [
    'COMMENT ON FUNCTION app.f(integer, text) IS $$x$$',
    'the statement COMMENT ON FUNCTION app.f(integer, text)',
  ],
  [
    'COMMENT ON CONSTRAINT c ON DOMAIN app.d IS $$IS$$',
    'the statement COMMENT ON CONSTRAINT c ON DOMAIN app.d',
  ],
  ['ALTER TABLE t ALTER a SET STATISTICS 5', 'the change "set statistics" of a'],
  ['ALTER TABLE t CLUSTER ON t_pkey', 'the change "cluster on" of t_pkey'],
];

test.each(statements)('%s', async (statement, name) => {
  const { warnings } = await readDdl(
    'postgres',
    `CREATE TABLE t (a int PRIMARY KEY);\n${statement};`,
  );
  expect(warnings).toHaveLength(1);
  expect(warnings[0]).toMatch(/^Line 2: (?:t: )?/);
  expect(warnings[0]).toContain(`: ${name} is left out.`);
});

test('changes of an object are named once', async () => {
  const change = 'ALTER TEXT SEARCH CONFIGURATION app.c ADD MAPPING FOR word WITH simple;\n';
  const { warnings } = await readDdl('postgres', change + change);
  expect(warnings).toEqual([
    'Line 1: the change of the text search configuration app.c is left out.',
  ]);
});

test.each(['SERVER srv', 'FOREIGN DATA WRAPPER w', 'SUBSCRIPTION s', 'TABLESPACE ts'])(
  'the owner of %s, which is left out, does not reject the file',
  async (object) => {
    const { problems, warnings } = await readDdl('postgres', `ALTER ${object} OWNER TO admin;`);
    expect(problems).toEqual([]);
    expect(warnings).toHaveLength(1);
    expect(warnings[0]).toMatch(/^Owners are left out: .* of admin /);
  },
);

test('options of a server, which is left out, are named', async () => {
  const text = `ALTER SERVER srv OPTIONS (SET host 'other');`;
  const { problems, warnings } = await readDdl('postgres', text);
  expect([problems, warnings]).toEqual([[], ['Line 1: the change of the server srv is left out.']]);
});

test('privileges by default are not a change of the role', async () => {
  const text = 'ALTER DEFAULT PRIVILEGES FOR ROLE r GRANT SELECT ON TABLES TO PUBLIC';
  const { warnings } = await readDdl('postgres', text);
  expect(warnings).toEqual([
    'Line 1: the statement ALTER DEFAULT PRIVILEGES FOR ROLE r is left out.',
  ]);
});

test('comments of enums are kept, and that of the schema "public" of older servers is not one', async () => {
  const { schema, warnings } = await readDdl(
    'postgres',
    `CREATE TYPE app.e AS ENUM ('a'); COMMENT ON TYPE app.e IS 'x'; COMMENT ON SCHEMA public IS 'standard public schema';`,
  );
  expect(schema.enums).toEqual([{ name: 'e', namespace: 'app', values: ['a'], comment: 'x' }]);
  expect(warnings).toEqual([]);
});

test('large objects are named once, and do not reject the dump', async () => {
  const { warnings, problems } = await readDdl(
    'postgres',
    `CREATE TABLE t (photo oid);
     SELECT pg_catalog.lo_create('4711');
     ALTER LARGE OBJECT 4711 OWNER TO ada;
     COMMENT ON LARGE OBJECT 4711 IS 'x';
     BEGIN;
     SELECT pg_catalog.lo_open('4711', 131072);
     SELECT pg_catalog.lowrite(0, '\\x61');
     SELECT pg_catalog.lo_close(0);
     COMMIT;`,
  );
  expect(problems).toEqual([]);
  expect(warnings).toEqual(['Large objects are left out: columns of type oid keep their numbers.']);
});
