/**
 * Stored expressions, such as a view or an index, that a plain read evaluates: they change nothing, however
 * the read reaches them (SECURITY.md 4).
 */
import * as fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createStudio } from '../../src/studio/studio.ts';
import { usePostgres } from '../servers/postgres.ts';
import { requestSender, jsonBody } from './send-request.ts';
import type { Studio } from '../../src/studio/studio.ts';

const postgres = usePostgres();

describe('a function with side effects that a view calls', () => {
  let studio: Studio;

  beforeAll(async () => {
    await postgres().query(`
      CREATE TABLE kept (id serial PRIMARY KEY, name text);
      INSERT INTO kept (name) VALUES ('a'), ('b');
      CREATE FUNCTION forget() RETURNS int LANGUAGE plpgsql AS $$ BEGIN DEALLOCATE ALL; RETURN 1; END $$;
      CREATE FUNCTION replace_named() RETURNS int LANGUAGE plpgsql AS $$ DECLARE r record; BEGIN
        FOR r IN SELECT name FROM pg_prepared_statements LOOP
          EXECUTE format('DEALLOCATE %I', r.name);
          EXECUTE format('PREPARE %I AS SELECT 1', r.name);
        END LOOP; RETURN 1; END $$;
      CREATE FUNCTION removes() RETURNS int LANGUAGE plpgsql AS $$ BEGIN DELETE FROM kept; RETURN 1; END $$;
      CREATE VIEW forgets AS SELECT 1 AS id, forget() AS x;
      CREATE VIEW replaces AS SELECT 1 AS id, replace_named() AS x;
      CREATE VIEW removing AS SELECT 1 AS id, removes() AS x`);
    studio = await createStudio({ url: postgres().url });
  });
  afterAll(() => studio.close());

  test('cannot write during a read, and does not block later requests', async () => {
    const ask = requestSender(studio);
    const path = fc.constantFrom('forgets', 'replaces', 'removing', 'kept', 'kept');
    await fc.assert(
      fc.asyncProperty(fc.array(path, { minLength: 5, maxLength: 12 }), async (paths) => {
        await Promise.all(paths.map((table) => ask(`/tables/${table}/rows`)));
        const rows = await postgres().query('SELECT count(*)::int AS n FROM kept');
        expect(rows, paths.join()).toEqual([{ n: 2 }]);
        const raw = await ask('/sql', jsonBody({ query: 'SELECT 1 AS x' }));
        expect(raw.status, `${paths.join()} ${raw.text}`).toBe(200);
      }),
      { numRuns: 8 },
    );
    await expect.poll(async () => (await ask('/tables/kept/rows')).status).toBe(200);
  });
});

/** Objects with a stored expression that calls the function `evil`, and a read that evaluates it. */
const storedExpressions: readonly (readonly [make: string, read: string])[] = [
  ['CREATE TABLE q (id int); CREATE INDEX ON q (evil(id))', 'SELECT * FROM q WHERE evil(id) = 3'],
  ['CREATE TABLE q (id int); CREATE INDEX ON q (id) WHERE evil(3) = 3', 'SELECT id FROM q'],
  ['CREATE TABLE q (id int CHECK (evil(3) = 3))', 'SELECT id FROM q'],
  [
    'CREATE TABLE q (id int); CREATE TABLE q2 (CHECK (evil(3) = 3)) INHERITS (q)',
    'SELECT * FROM q',
  ],
  [
    'CREATE TABLE q (id int, x int); CREATE STATISTICS q3 ON (evil(id)), x FROM q',
    'SELECT id FROM q WHERE x = 1',
  ],
  ['CREATE TABLE q (id int) PARTITION BY RANGE (evil(id))', 'SELECT id FROM q'],
  ['CREATE DOMAIN d AS int CHECK (evil(VALUE) > 0)', "SELECT '3'::d"],
  ['CREATE DOMAIN d AS int CHECK (evil(VALUE) > 0)', "SELECT '{3}'::d[]"],
  ['CREATE DOMAIN d AS int CHECK (evil(VALUE) > 0); CREATE TYPE c AS (x d)', "SELECT '(3)'::c"],
  ['CREATE DOMAIN d AS int CHECK (evil(VALUE) > 0)', "SELECT pg_input_is_valid('3', 'd')"],
  [
    'CREATE DOMAIN d AS int CHECK (evil(VALUE) > 0); CREATE FUNCTION g() RETURNS d LANGUAGE sql AS $$ SELECT 3 $$',
    'SELECT g()',
  ],
  [
    'CREATE TYPE c AS (x int); CREATE FUNCTION ofc(c) RETURNS int LANGUAGE sql IMMUTABLE AS $$ SELECT evil(3) $$; CREATE CAST (c AS int) WITH FUNCTION ofc(c)',
    'SELECT ROW(3)::c::int',
  ],
  [
    "CREATE TYPE e AS ENUM ('a'); CREATE FUNCTION eq(e, e) RETURNS bool LANGUAGE sql IMMUTABLE AS $$ SELECT evil(3) = 3 $$; CREATE OPERATOR = (LEFTARG = e, RIGHTARG = e, PROCEDURE = eq)",
    "SELECT CASE 'a'::e WHEN 'a'::e THEN 1 END",
  ],
  [
    "CREATE TYPE c AS (x int); CREATE FUNCTION cmp(c, c) RETURNS int LANGUAGE sql IMMUTABLE AS $$ SELECT evil(3) - 3 $$; CREATE FUNCTION lt(c, c) RETURNS bool LANGUAGE sql IMMUTABLE AS 'SELECT ($1).x < ($2).x'; CREATE OPERATOR <<< (LEFTARG = c, RIGHTARG = c, PROCEDURE = lt); CREATE OPERATOR CLASS c_ops DEFAULT FOR TYPE c USING btree AS OPERATOR 1 <<<, FUNCTION 1 cmp(c, c)",
    'SELECT ROW(i)::c FROM generate_series(1, 3) i ORDER BY 1',
  ],
  [
    'CREATE FUNCTION g(int DEFAULT evil(3)) RETURNS int LANGUAGE sql AS $$ SELECT $1 $$; CREATE VIEW v AS SELECT g() AS x',
    'SELECT x FROM v',
  ],
  [
    "CREATE FUNCTION diff(int, int) RETURNS float8 IMMUTABLE LANGUAGE sql AS 'SELECT public.evil($1)::float8'; CREATE TYPE span AS RANGE (subtype = int4, subtype_diff = diff); CREATE TABLE q (r span); INSERT INTO q SELECT span(i, i + 9) FROM generate_series(1, 300) i; ANALYZE q",
    'SELECT count(*) FROM q WHERE r @> 5',
  ],
  [
    "CREATE FUNCTION diff(int, int) RETURNS float8 IMMUTABLE LANGUAGE sql AS 'SELECT public.evil($1)::float8'; CREATE TYPE span AS RANGE (subtype = int4, subtype_diff = diff)",
    "SELECT '{[1,3)}'::span_multirange",
  ],
  [
    "CREATE TYPE e AS ENUM ('a', 'b'); CREATE FUNCTION cmp(anyenum, anyenum) RETURNS int IMMUTABLE LANGUAGE sql AS 'SELECT evil(3) - 3'; CREATE OPERATOR CLASS own_ops FOR TYPE anyenum USING btree AS OPERATOR 1 <, OPERATOR 2 <=, OPERATOR 3 =, OPERATOR 4 >=, OPERATOR 5 >, FUNCTION 1 cmp(anyenum, anyenum); CREATE TABLE q (x e) PARTITION BY RANGE (x own_ops)",
    "SELECT count(*) FROM q WHERE x = 'a'",
  ],
];

/** Statements with side effects, as the body of `evil`. It is declared IMMUTABLE nevertheless. */
const harmfulBodies = [
  'PERFORM pg_advisory_lock(77)',
  "PERFORM nextval('counter')",
  "PERFORM pg_read_file('/etc/hostname')",
  'DEALLOCATE ALL',
  "PERFORM table_to_xml('counter', true, true, '')",
  'ANALYZE apart',
  'LOCK TABLE apart',
  'CHECKPOINT',
  'CLUSTER',
  'REINDEX TABLE apart',
  "SELECT set_config('work_mem', '1MB', false) INTO kept",
  String.raw`kept := '\'' || pg_read_file('/etc/hostname') || '--';
    NULL`,
];

/** PL/pgSQL statements that contain another statement. */
const wrapStatement: readonly ((inner: string) => string)[] = [
  (inner) => inner,
  (inner) => `IF true THEN ${inner}; END IF`,
  (inner) => `IF $1 > (CASE WHEN true THEN 1 ELSE 2 END) THEN ${inner}; ELSE NULL; END IF`,
  (inner) => `CASE $1 WHEN 1 THEN NULL; ELSE ${inner}; END CASE`,
  (inner) => `<<outer>> BEGIN ${inner}; EXIT outer WHEN true; END`,
  (inner) => `FOR i IN 1..1 LOOP ${inner}; END LOOP`,
  (inner) => `BEGIN ${inner}; EXCEPTION WHEN division_by_zero THEN NULL; END`,
  (inner) => `BEGIN kept := 'a'; EXCEPTION WHEN others THEN ${inner}; END`,
  (inner) => `DECLARE lock int := 1; load CURSOR FOR SELECT 1; BEGIN lock = 2; ${inner}; END`,
  (inner) => `WHILE $1 > 99 LOOP NULL; END LOOP; kept := CASE WHEN true THEN 'b' END; ${inner}`,
  (inner) => `PERFORM 'a'; /* ; */ ${inner}`,
];

const harmlessBodies = ['NULL', "kept := 'a'", 'PERFORM 1', 'RAISE DEBUG USING MESSAGE = $1::text'];

const harmlessQueries = [
  'SELECT 1',
  "SELECT 'a' || id FROM apart ORDER BY id",
  'SELECT count(*) FROM apart TABLESAMPLE SYSTEM (50)',
  'SELECT id FROM apart TABLESAMPLE BERNOULLI (50) WHERE id IN (1, 2)',
  'SELECT gen_random_uuid()',
  'SELECT sum(id)::numeric, max(now()) FROM apart GROUP BY id',
];

type StoredExpressionCase = readonly [
  storedExpression: readonly [string, string],
  body: string,
  harmlessQuery: string,
  wrappers: readonly ((inner: string) => string)[],
  harmlessBody: string,
];

describe('a read that evaluates a stored expression', () => {
  test('is rejected if the expression has side effects, and other reads are not', async () => {
    await postgres().query(
      'CREATE SEQUENCE counter; CREATE TABLE apart (id int); CREATE EXTENSION pgcrypto',
    );
    await postgres().query(`ALTER DATABASE ${postgres().name} SET search_path = public, way`);
    const studio = await createStudio({ url: postgres().url, readOnly: true });
    const ask = requestSender(studio);
    const sql = (query: string) => ask('/sql', jsonBody({ query }));
    const caseArbitrary = fc.tuple(
      fc.constantFrom(...storedExpressions),
      fc.constantFrom(...harmfulBodies),
      fc.constantFrom(...harmlessQueries),
      fc.array(fc.constantFrom(...wrapStatement), { maxLength: 3 }),
      fc.constantFrom(...harmlessBodies),
    );
    const checkCase = async ([
      [make, read],
      inner,
      harmlessQuery,
      wrappers,
      harmlessBody,
    ]: StoredExpressionCase) => {
      const wrapAll = (statement: string): string =>
        wrappers.reduce((text, wrap) => wrap(text), statement);
      const body = wrapAll(inner);
      const defineEvil = (text: string, settings = ''): string =>
        `CREATE OR REPLACE FUNCTION evil(int) RETURNS int IMMUTABLE LANGUAGE plpgsql ${settings} AS $$
        DECLARE kept text; BEGIN ${text}; RETURN $1; END $$`;
      const settings = body.includes('--') ? 'SET standard_conforming_strings = off' : '';
      await postgres().query(
        `${defineEvil('NULL')}; CREATE SCHEMA way; SET search_path = way, public; ${make}; RESET search_path; ${defineEvil(body, settings)}`,
      );
      try {
        const rejected = await sql(read);
        expect(rejected.status, `${make}\n${body}\n${read}\n${rejected.text}`).toBe(403);
        const accepted = await sql(harmlessQuery);
        expect(accepted.status, `${make}\n${body}\n${harmlessQuery}\n${accepted.text}`).toBe(200);
        await postgres().query(defineEvil(wrapAll(harmlessBody)));
        const acceptedHarmless = await sql('SELECT evil(3)');
        expect(acceptedHarmless.status, `${wrapAll(harmlessBody)}\n${acceptedHarmless.text}`).toBe(
          200,
        );
      } finally {
        await postgres().query('DROP SCHEMA way CASCADE');
      }
    };
    try {
      for (const carrier of storedExpressions)
        await checkCase([carrier, harmfulBodies[0]!, harmlessQueries[1]!, [], 'NULL']);
      for (const body of harmfulBodies)
        await checkCase([storedExpressions[0]!, body, harmlessQueries[0]!, [], 'NULL']);
      await fc.assert(fc.asyncProperty(caseArbitrary, checkCase), { numRuns: 15 });
    } finally {
      await studio.close();
    }
  });

  test('is rejected if it reads a foreign table that is a file', async () => {
    await postgres()
      .query(`CREATE EXTENSION file_fdw; CREATE SERVER files FOREIGN DATA WRAPPER file_fdw;
      CREATE FOREIGN TABLE hosts (line text) SERVER files OPTIONS (filename '/etc/hostname');
      CREATE VIEW hosts_view AS SELECT line FROM hosts`);
    const studio = await createStudio({ url: postgres().url, allowDdl: true });
    const ask = requestSender(studio);
    for (const query of ['SELECT * FROM hosts', 'TABLE hosts_view', 'CREATE EXTENSION plperlu'])
      expect((await ask('/sql', jsonBody({ query }))).status, query).toBe(403);
    await studio.close();
  });
});
