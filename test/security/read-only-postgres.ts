/**
 * Measures that a read-only studio changes nothing: whatever statement a studio on PostgreSQL
 * receives, the database, the sessions of its pool and a folder that the server can write to are
 * the same before and after.
 */
import { mkdtempSync, chmodSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import * as fc from 'fast-check';
import { Client } from 'pg';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createStudio } from '../../src/studio/studio.ts';
import { settingsOutsideTests, usePostgres } from '../servers/postgres.ts';
import { requestSender, jsonBody } from './send-request.ts';
import {
  definitionCalling,
  definitionOf,
  plainQuery,
  queryCalling,
  writingStatement,
} from './postgres-grammar.ts';
import type { StudioOptions } from '../../src/studio/studio.ts';
import type { SendRequest } from './send-request.ts';
import type { Callable } from './postgres-grammar.ts';

const secret = 'a secret that no answer holds';
const folder = mkdtempSync(join(tmpdir(), 'database-studio-folder-'));
chmodSync(folder, 0o777);
const secretFile = join(folder, 'secret.txt');
writeFileSync(secretFile, secret);
chmodSync(secretFile, 0o644);
afterAll(() => rmSync(folder, { recursive: true, force: true }));

function folderContent(): unknown {
  return readdirSync(folder).map((name) => [name, readFileSync(join(folder, name), 'utf8')]);
}

const postgres = usePostgres();

/** Functions with effects, with names that reveal the effect and names that do not. */
const objects = `
  CREATE TABLE users (id serial PRIMARY KEY, name text);
  INSERT INTO users (name) VALUES ('Ada'), ('Grace');
  SELECT lo_create(4711);
  CREATE FUNCTION plain(int) RETURNS int LANGUAGE sql AS 'SELECT $1 + 1';
  CREATE FUNCTION writes() RETURNS int LANGUAGE plpgsql AS $$ BEGIN DELETE FROM users; RETURN 1; END $$;
  CREATE FUNCTION calls_writes() RETURNS int LANGUAGE sql STABLE AS 'SELECT writes()';
  CREATE FUNCTION of_row(users) RETURNS int LANGUAGE plpgsql AS $$ BEGIN PERFORM writes(); RETURN 1; END $$;
  CREATE FUNCTION locks() RETURNS void LANGUAGE sql AS 'SELECT pg_advisory_lock(9)';
  CREATE FUNCTION sets() RETURNS text LANGUAGE sql AS $$ SELECT set_config('work_mem', '65kB', false) $$;
  CREATE FUNCTION runs(text) RETURNS text LANGUAGE plpgsql AS $$ DECLARE r text; BEGIN EXECUTE $1 INTO r; RETURN r; END $$;
  CREATE FUNCTION reads_file(text) RETURNS text LANGUAGE plpgsql AS $$ BEGIN RETURN pg_read_file($1); END $$;
  CREATE FUNCTION atomic_file() RETURNS text BEGIN ATOMIC SELECT pg_read_file('${secretFile}'); END;
  CREATE FUNCTION renamed(text) RETURNS text STRICT LANGUAGE internal AS 'pg_read_file_all';
  CREATE FUNCTION step(text, text) RETURNS text LANGUAGE sql AS 'SELECT pg_read_file($2)';
  CREATE AGGREGATE last_file(text) (SFUNC = step, STYPE = text);
  CREATE OPERATOR !~! (RIGHTARG = text, PROCEDURE = pg_read_file);
  CREATE VIEW file_view AS SELECT reads_file('${secretFile}') AS x;
  CREATE VIEW far_view AS SELECT * FROM file_view;
  CREATE FUNCTION deallocates() RETURNS int LANGUAGE plpgsql AS $$ BEGIN DEALLOCATE ALL; RETURN 1; END $$;
  CREATE FUNCTION prepares() RETURNS int LANGUAGE plpgsql AS $$ BEGIN IF true THEN PREPARE s1 AS SELECT 1; END IF; RETURN 1; END $$;
  CREATE FUNCTION default_file(text DEFAULT pg_read_file('${secretFile}')) RETURNS text LANGUAGE sql AS 'SELECT $1';
  CREATE FUNCTION default_lock(text DEFAULT pg_advisory_lock(8)::text) RETURNS text LANGUAGE sql AS 'SELECT $1';
  CREATE FUNCTION default_many(VARIADIC text[] DEFAULT ARRAY[pg_read_file('${secretFile}')]) RETURNS text LANGUAGE sql AS 'SELECT $1[1]';
  CREATE FUNCTION calls_default() RETURNS text LANGUAGE plpgsql AS $$ BEGIN RETURN default_file(); END $$;
  CREATE VIEW default_view AS SELECT default_file() AS x;
  CREATE SCHEMA twin;
  CREATE FUNCTION twin.lower(text) RETURNS text LANGUAGE plpgsql AS $$ BEGIN DELETE FROM public.users; RETURN 1; END $$;
  CREATE EXTENSION dblink;
  CREATE EXTENSION tablefunc;
  GRANT ALL ON SCHEMA twin TO PUBLIC`;

const file = `'${secretFile}'`;
const copyOut = `COPY users TO '${join(folder, 'out')}'`;

/** Calls that access files or other connections. */
const externalCalls: readonly Callable[] = [
  { name: 'pg_read_file', schema: 'pg_catalog', args: [file] },
  { name: 'pg_read_binary_file', schema: 'pg_catalog', args: [file] },
  { name: 'pg_ls_dir', schema: 'pg_catalog', args: [`'${folder}'`] },
  { name: 'pg_stat_file', schema: 'pg_catalog', args: [file] },
  { name: 'lo_import', schema: 'pg_catalog', args: [file] },
  { name: 'lo_export', schema: 'pg_catalog', args: ['4711', `'${join(folder, 'object')}'`] },
  { name: 'dblink', args: ["'dbname=postgres'", `'${copyOut.replaceAll("'", '')}'`] },
  { name: 'reads_file', schema: 'public', args: [file] },
  { name: 'renamed', schema: 'public', args: [file] },
  { name: 'atomic_file', args: [] },
  { name: 'default_file', schema: 'public', args: [] },
  { name: 'default_many', args: [] },
  { name: 'calls_default', args: [] },
  { name: 'table_to_xml', args: ["'far_view'", 'true', 'true', "''"] },
  { name: 'table_to_xml_and_xmlschema', args: ["'far_view'", 'true', 'true', "''"] },
  { name: 'schema_to_xml', schema: 'pg_catalog', args: ["'public'", 'true', 'true', "''"] },
  { name: 'database_to_xml', args: ['true', 'true', "''"] },
  { name: 'last_file', args: [file] },
  { name: 'runs', args: [`$t$SELECT pg_read_file('${secretFile}')$t$`] },
  { name: 'runs', args: [`$t$${copyOut}$t$`] },
  {
    name: 'query_to_xml',
    schema: 'pg_catalog',
    args: [`$t$SELECT pg_read_file('${secretFile}')$t$`, 'true', 'true', "''"],
  },
  {
    name: 'ts_rewrite',
    args: ["'a'::tsquery", `$t$SELECT 'a'::tsquery, pg_read_file('${secretFile}')::tsquery$t$`],
  },
  { name: 'ts_stat', args: [`$t$SELECT pg_read_file('${secretFile}')::tsvector$t$`] },
];

/** Calls with any side effects. */
const callsWithEffects: readonly Callable[] = [
  ...externalCalls,
  { name: 'nextval', schema: 'pg_catalog', args: ["'users_id_seq'"] },
  { name: 'setval', schema: 'pg_catalog', args: ["'users_id_seq'", '99'] },
  { name: 'lo_create', args: ['0'] },
  { name: 'lo_unlink', args: ['4711'] },
  { name: 'lo_put', args: ['4711', '0', "'x'"] },
  { name: 'set_config', schema: 'pg_catalog', args: ["'work_mem'", "'66kB'", 'false'] },
  { name: 'set_config', args: ["'transaction_read_only'", "'off'", 'false'] },
  { name: 'set_config', args: ["'default_transaction_read_only'", "'off'", 'false'] },
  { name: 'pg_advisory_lock', args: ['7'] },
  { name: 'pg_notify', args: ["'a'", "'b'"] },
  { name: 'writes', schema: 'public', args: [] },
  { name: 'calls_writes', args: [] },
  { name: 'of_row', args: ['users'] },
  { name: 'locks', args: [] },
  { name: 'default_lock', args: [] },
  { name: 'deallocates', schema: 'public', args: [] },
  { name: 'prepares', args: [] },
  { name: 'sets', args: [] },
  { name: 'lower', schema: 'twin', args: ["'a'"] },
  { name: 'runs', args: ["'DELETE FROM users RETURNING 1'"] },
  { name: 'query_to_xml', args: ["'DELETE FROM users'", 'true', 'true', "''"] },
];

const writingStatements = [
  "INSERT INTO users ( name ) VALUES ( 'x' )",
  'UPDATE users SET name = name',
  'DELETE FROM users',
  'SELECT * INTO made FROM users',
  'SELECT * FROM users FOR UPDATE',
  'CREATE TABLE made ( id int )',
  'CREATE TEMP TABLE users ( id int )',
  'TRUNCATE users',
  'DROP TABLE users CASCADE',
  'SET work_mem = 100',
  'SET SESSION CHARACTERISTICS AS TRANSACTION READ WRITE',
  'COMMIT',
  'LISTEN a',
  'PREPARE p AS DELETE FROM users',
  'REFRESH MATERIALIZED VIEW v',
  'ALTER TABLE users ADD made int',
  'CALL writes ( )',
  'SELECT x FROM far_view',
  'SELECT x FROM default_view',
  'SELECT !~! name FROM users',
  `SELECT !~! '${secretFile}'`,
  `SELECT OPERATOR ( public . !~! ) '${secretFile}'`,
  `COPY users TO '${join(folder, 'out')}'`,
  `COPY users FROM '${secretFile}'`,
  `COPY ( DELETE FROM users RETURNING * ) TO STDOUT`,
];

const fingerprint = `SELECT md5(jsonb_build_array(
  (SELECT jsonb_agg(to_jsonb(u) ORDER BY id) FROM users u),
  (SELECT jsonb_agg(xmin::text || ctid::text ORDER BY ctid) FROM users),
  (SELECT jsonb_agg(to_jsonb(c) - '{reltuples,relpages,relallvisible,relallfrozen,relfrozenxid,relminmxid,relhasindex}'::text[] ORDER BY oid) FROM pg_class c),
  (SELECT jsonb_agg(to_jsonb(p) ORDER BY oid) FROM pg_proc p WHERE oid >= 16384),
  (SELECT jsonb_agg(to_jsonb(s) ORDER BY sequencename) FROM pg_sequences s),
  (SELECT jsonb_agg(to_jsonb(l) ORDER BY loid, pageno) FROM pg_largeobject l),
  (SELECT jsonb_agg(oid ORDER BY oid) FROM pg_largeobject_metadata),
  (SELECT jsonb_agg(to_jsonb(s) ORDER BY setdatabase, setrole) FROM pg_db_role_setting s WHERE ${settingsOutsideTests}),
  (SELECT count(*) FROM pg_locks WHERE locktype = 'advisory' AND database = (
    SELECT oid FROM pg_database WHERE datname = current_database())))::text) AS state`;

const settings = jsonBody({
  query:
    "SELECT name, setting FROM pg_settings WHERE name IN ('work_mem', 'search_path', 'default_transaction_read_only', 'session_replication_role', 'role')",
});

async function open(options: StudioOptions): Promise<SendRequest> {
  const studio = await createStudio(options);
  afterAll(() => studio.close());
  return requestSender(studio);
}

/** Defines the tests, with `numRuns` statements of each kind. */
export function testReadOnly({ numRuns }: { readonly numRuns: number }): void {
  const owner = `studio_owner_${process.pid}`;

  beforeAll(async () => {
    const database = postgres();
    await database.query(objects);
    await database.query(`CREATE ROLE ${owner} LOGIN PASSWORD 'secret'; GRANT ALL ON SCHEMA public TO ${owner};
    ALTER TABLE users OWNER TO ${owner}; GRANT ALL ON ALL FUNCTIONS IN SCHEMA public TO ${owner};
    GRANT ALL ON ALL TABLES IN SCHEMA public TO ${owner}; ALTER DATABASE ${database.name} OWNER TO ${owner}`);
  });
  afterAll(async () => {
    await postgres().query(
      `ALTER DATABASE ${postgres().name} OWNER TO CURRENT_USER; DROP OWNED BY ${owner} CASCADE; DROP ROLE ${owner}`,
    );
  });

  describe.each(['a superuser', 'the owner'])('a read-only studio of %s', (loginKind) => {
    let ask: SendRequest;
    let watcher: Client;
    let before: unknown;
    const state = async (): Promise<unknown> => [
      (await watcher.query(fingerprint)).rows,
      (await ask('/sql', settings)).json['rows'],
      folderContent(),
    ];

    beforeAll(async () => {
      const login = loginKind === 'the owner' ? { user: owner, password: 'secret' } : {};
      ask = await open({ url: postgres().urlWith(login), readOnly: true, allowDdl: true });
      watcher = new Client({ connectionString: postgres().url });
      await watcher.connect();
      before = await state();
    });
    afterAll(() => watcher.end());

    /** Runs a statement, expects that nothing has changed, and returns the status of the response. */
    async function expectNothingChanged(query: string): Promise<number> {
      const response = await ask('/sql', jsonBody({ query }));
      expect(await state(), query).toEqual(before);
      expect(response.text, query).not.toContain(secret);
      if (response.status === 200) expect(response.json, query).toMatchObject({ type: 'read' });
      else expect([400, 403, 409, 422], `${query}\n${response.text}`).toContain(response.status);
      return response.status;
    }

    test('runs reads', async () => {
      await fc.assert(
        fc.asyncProperty(plainQuery, async (query) => {
          expect(await expectNothingChanged(query), query).not.toBe(403);
        }),
        { numRuns },
      );
    });

    test('changes nothing by calls in any notation', async () => {
      await fc.assert(
        fc.asyncProperty(
          queryCalling(callsWithEffects),
          async (query) => void (await expectNothingChanged(query)),
        ),
        { numRuns: numRuns * 2 },
      );
    });

    test('changes nothing by statements that write', async () => {
      await fc.assert(
        fc.asyncProperty(
          writingStatement(writingStatements),
          async (query) => void (await expectNothingChanged(query)),
        ),
        { numRuns },
      );
    });
  });

  describe('a studio of a superuser that allows DDL', () => {
    test('reads and writes no file, neither directly nor by objects that a statement created', async () => {
      const ask = await open({ url: postgres().url, allowDdl: true });
      const before = folderContent();
      const runSql = async (query: string): Promise<void> => {
        const { text } = await ask('/sql', jsonBody({ query }));
        expect(text, query).not.toContain(secret);
      };
      const definition = fc.oneof(
        { weight: 5, arbitrary: definitionCalling(externalCalls) },
        { weight: 1, arbitrary: definitionOf('pg_read_file') },
      );
      await fc.assert(
        fc.asyncProperty(definition, async ({ name, sql: query }) => {
          await runSql(query);
          for (const use of [
            `SELECT ${name}()`,
            `SELECT ${name}('${secretFile}')`,
            `SELECT !!! '${secretFile}'`,
            `INSERT INTO ${name} (id) VALUES (1)`,
            `SELECT * FROM ${name}`,
            `SELECT 'a'::${name}`,
          ])
            await runSql(use);
          for (const path of [`/tables/${name}/rows`, '/tables/users/rows'])
            expect((await ask(path)).text, query).not.toContain(secret);
          expect((await ask('/tables/users/rows', jsonBody({ name: 'x' }))).text).not.toContain(
            secret,
          );
          expect(folderContent(), query).toEqual(before);
        }),
        { numRuns },
      );
    });
  });
}
