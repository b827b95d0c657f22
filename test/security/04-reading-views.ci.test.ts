/** A GET runs nothing that acts outside of its transaction, however a view or policy calls it (SECURITY.md 4). */
import { mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import * as fc from 'fast-check';
import { afterAll, describe, expect, test } from 'vitest';
import { createStudio } from '../../src/studio/studio.ts';
import { useMariadb } from '../servers/mariadb.ts';
import { usePostgres } from '../servers/postgres.ts';
import { requestSender } from './send-request.ts';
import type { Studio } from '../../src/studio/studio.ts';
import type { SendRequest } from './send-request.ts';

const studios: Studio[] = [];
afterAll(() => Promise.all(studios.map((studio) => studio.close())));

async function open(url: string, readOnly: boolean): Promise<SendRequest> {
  const studio = await createStudio({ url, readOnly, allowDdl: !readOnly });
  studios.push(studio);
  return requestSender(studio);
}

/** Every GET route that reads rows of a relation, except exports, each of which starts a process. */
const pathsOf = (name: string): readonly string[] => [
  `/tables/${name}/rows`,
  `/tables/${name}/rows?sort_by=id&filter_id__gte=0&count=exact`,
  `/tables/${name}/rows?count=estimated&labels=true&etags=true`,
  `/tables/${name}/rows/1`,
  `/tables/${name}/rows/1/cells/id`,
];

const exportsOf = (name: string): readonly string[] => [
  `/tables/${name}/export?format=csv`,
  '/export/data?format=json',
];

interface ActingRelation {
  readonly name: string;
  readonly statements: string;
}

interface ExpectedState {
  readonly actingRelations: readonly ActingRelation[];
  readonly probe: () => Promise<unknown>;
  readonly readOnly: boolean;
}

/** Expects that reads of the relations are rejected, and that the state of the server stays the same. */
async function expectNothingRun(
  ask: SendRequest,
  { actingRelations, probe, readOnly }: ExpectedState,
): Promise<void> {
  const before = await probe();
  const schema = await ask('/schema?counts=exact');
  expect(schema.status, schema.text).toBe(200);
  const relations = ['tables', 'views'].flatMap(
    (kind) => schema.json[kind] as readonly Readonly<Record<string, unknown>>[],
  );
  for (const [i, { name, statements }] of actingRelations.entries()) {
    const relation = relations.find((one) => one['name'] === name);
    expect(relation?.['row_count_error'], statements).toContain(`"${name}" cannot be read.`);
    const [rows = '', ...others] = pathsOf(name);
    const other = others[i % others.length] ?? '';
    for (const path of [rows, other, ...(i === 0 && !readOnly ? exportsOf(name) : [])]) {
      const response = await ask(path);
      const expected = path === rows ? [409] : [200, 404, 409];
      expect(expected, `${path}\n${statements}\n${response.text}`).toContain(response.status);
      if (path === rows) expect(response.text, statements).toContain('table_unreadable');
    }
  }
  expect(await probe(), actingRelations.map(({ statements }) => statements).join('\n')).toEqual(
    before,
  );
}

async function expectReadable(ask: SendRequest, names: readonly string[]): Promise<void> {
  for (const name of names) {
    const response = await ask(`/tables/${name}/rows`);
    expect(response.status, `${name}\n${response.text}`).toBe(200);
  }
}

describe('on PostgreSQL', () => {
  const postgres = usePostgres({ ownServer: true });

  /** Expressions with side effects outside of the transaction. `folder` is writable for the server. */
  const sideEffects: readonly ((folder: string) => string)[] = [
    () => 'pg_reload_conf()',
    () => 'pg_terminate_backend((SELECT pid FROM victim))',
    () => 'pg_cancel_backend((SELECT pid FROM victim))',
    () => 'pg_switch_wal() IS NULL',
    () => "pg_read_file('/etc/hostname') IS NULL",
    () => "EXISTS (SELECT pg_ls_dir('.'))",
    (folder) => `lo_export((SELECT loid FROM large), '${folder}/large') = 1`,
    () => "pg_create_restore_point('here') IS NULL",
    () => 'pg_stat_reset() IS NULL',
    () => 'in_body_analyze()',
    () => 'in_body_checkpoint()',
    () => 'in_body_copy()',
    () => 'built()',
    () => "dblink_connect('host=127.0.0.1') IS NULL",
    () => "query_to_xml('SELECT pg_reload_conf()', true, true, '') IS NULL",
  ];

  /**
   * The DDL of a relation `name` that evaluates the expression `act` when it is read. The names of helper
   * objects begin with its name.
   */
  const relationsEvaluating: readonly ((name: string, act: string) => string)[] = [
    (name, act) => `CREATE VIEW ${name} AS SELECT 1 AS id, ${act} AS x`,
    (name, act) => `CREATE VIEW ${name} AS SELECT id FROM kept WHERE ${act}`,
    (name, act) =>
      `CREATE VIEW ${name}_in AS SELECT 1 AS id, ${act} AS x; CREATE VIEW ${name} AS SELECT id, x FROM ${name}_in`,
    (name, act) => `CREATE FUNCTION ${name}_f() RETURNS bool LANGUAGE sql AS $f$ SELECT ${act} $f$;
      CREATE VIEW ${name} AS WITH w AS (SELECT ${name}_f() AS x) SELECT 1 AS id, x FROM w`,
    (name, act) => `CREATE FUNCTION ${name}_f() RETURNS bool LANGUAGE plpgsql STABLE AS $f$
      BEGIN IF random() >= 0 THEN PERFORM ${act}; END IF; RETURN true; END $f$;
      CREATE FUNCTION ${name}_g() RETURNS bool LANGUAGE sql IMMUTABLE AS $f$ SELECT ${name}_f() $f$;
      CREATE VIEW ${name} AS SELECT id FROM kept WHERE ${name}_g()`,
    (
      name,
      act,
    ) => `CREATE FUNCTION ${name}_f(int, x bool DEFAULT ${act.includes('SELECT') ? 'true' : act})
      RETURNS bool LANGUAGE plpgsql AS $f$ BEGIN RETURN ${act}; END $f$;
      CREATE VIEW ${name} AS SELECT 1 AS id, ${name}_f(1) AS x`,
    (
      name,
      act,
    ) => `CREATE FUNCTION ${name}_f(bool, int) RETURNS bool LANGUAGE sql AS $f$ SELECT ${act} $f$;
      CREATE AGGREGATE ${name}_a(int) (SFUNC = ${name}_f, STYPE = bool, INITCOND = 'true');
      CREATE VIEW ${name} AS SELECT 1 AS id, ${name}_a(id) AS x FROM kept`,
    (
      name,
      act,
    ) => `CREATE FUNCTION ${name}_f() RETURNS bool LANGUAGE plpgsql AS $f$ BEGIN RETURN ${act}; END $f$;
      CREATE TABLE ${name} (id int PRIMARY KEY); INSERT INTO ${name} VALUES (1);
      CREATE POLICY ${name}_p ON ${name} USING (${name}_f());
      ALTER TABLE ${name} ENABLE ROW LEVEL SECURITY; ALTER TABLE ${name} FORCE ROW LEVEL SECURITY`,
  ];

  const harmlessQueries = [
    'SELECT 1 AS id, now() AS at, random() AS r, gen_random_uuid() AS u, clock_timestamp() AS c',
    "SELECT 1 AS id, current_setting('search_path') AS s, current_user AS who, version() AS v",
    'SELECT * FROM pg_stat_activity',
    'SELECT * FROM pg_stat_user_tables',
    'SELECT * FROM pg_stat_database',
    'SELECT * FROM pg_locks',
    'SELECT * FROM pg_indexes',
    'SELECT * FROM pg_settings',
    'SELECT * FROM information_schema.columns',
    'SELECT * FROM information_schema.table_constraints',
    "SELECT id, pg_size_pretty(pg_total_relation_size('kept')) AS size FROM kept",
    "SELECT word, word = 'A' AS same FROM words_of WHERE word LIKE 'a%' ORDER BY word",
    "SELECT facts -> 'a' AS a, facts ? 'b' AS b, akeys(facts) AS e FROM words_of",
    'SELECT level, count(*) AS n FROM words_of GROUP BY level',
    "SELECT similarity('a', word::text) AS s, uuid_generate_v4() AS u FROM words_of",
    "SELECT id, string_agg(id::text, ',') OVER () AS all_ids, row_number() OVER () AS n FROM kept",
    'SELECT g AS id, calm(g) AS x FROM generate_series(1, 3) g',
    "SELECT to_jsonb(k) AS k, jsonb_path_query(to_jsonb(k), '$.id') AS p FROM kept k",
  ];

  async function prepare(): Promise<string> {
    const folder = await mkdtemp(join(tmpdir(), 'reading-views-'));
    await postgres().query(`
      CREATE TABLE kept (id serial PRIMARY KEY, name text); INSERT INTO kept (name) VALUES ('a'), ('b');
      CREATE EXTENSION citext; CREATE EXTENSION hstore; CREATE EXTENSION ltree; CREATE EXTENSION pg_trgm;
      CREATE EXTENSION "uuid-ossp"; CREATE EXTENSION dblink;
      CREATE DOMAIN level AS int CHECK (VALUE > 0);
      CREATE TABLE words_of (id int PRIMARY KEY, word citext UNIQUE, facts hstore, path ltree, level level,
        parent int REFERENCES kept, CHECK (length(word) > 0));
      CREATE INDEX ON words_of USING gin ((word::text) gin_trgm_ops);
      INSERT INTO words_of VALUES (1, 'A', 'a=>1', 'a.b', 3, 1);
      CREATE TABLE large AS SELECT lo_create(0) AS loid;
      CREATE VIEW victim AS SELECT pid FROM pg_stat_activity WHERE application_name = 'victim';
      CREATE FUNCTION calm(int) RETURNS int LANGUAGE plpgsql AS $$ DECLARE n int; BEGIN
        SELECT count(*) INTO n FROM kept WHERE id < $1; RETURN n; END $$;
      CREATE FUNCTION in_body_analyze() RETURNS bool LANGUAGE plpgsql AS $$ BEGIN ANALYZE kept; RETURN true; END $$;
      CREATE FUNCTION in_body_checkpoint() RETURNS bool LANGUAGE plpgsql AS $$ BEGIN CHECKPOINT; RETURN true; END $$;
      CREATE FUNCTION in_body_copy() RETURNS bool LANGUAGE plpgsql AS $$ BEGIN COPY kept TO '${folder}/copied'; RETURN true; END $$;
      CREATE FUNCTION built() RETURNS bool LANGUAGE plpgsql AS $$ BEGIN EXECUTE 'SELECT pg_re' || 'load_conf()'; RETURN true; END $$;
      CREATE MATERIALIZED VIEW stored AS SELECT pg_read_file('PG_VERSION') AS version;
      CREATE VIEW over_stored AS SELECT version FROM stored`);
    return folder;
  }

  test('no GET runs the side effects of a view or policy, and harmless views can be read', async () => {
    const folder = await prepare();
    const relationAndEffect = fc.tuple(
      fc.constantFrom(...relationsEvaluating),
      fc.constantFrom(...sideEffects),
    );
    const randomPairs = fc.sample(relationAndEffect, 3);
    const pairs = [
      ...sideEffects.map(
        (act, i) => [relationsEvaluating[i % relationsEvaluating.length]!, act] as const,
      ),
      ...randomPairs,
    ];
    const actingRelations = pairs.map(([carrier, act], i) => ({
      name: `v${i}`,
      statements: carrier(`v${i}`, act(folder)),
    }));
    for (const { statements } of actingRelations) await postgres().query(statements);
    for (const [i, query] of harmlessQueries.entries())
      await postgres().query(`CREATE VIEW h${i} AS ${query}`);
    const probe = async (): Promise<unknown> => ({
      rows: await postgres()
        .query(`SELECT pg_conf_load_time() AS loaded, pg_walfile_name(pg_current_wal_insert_lsn()) AS wal,
        (SELECT stats_reset FROM pg_stat_database WHERE datname = current_database()) AS reset,
        (SELECT count(*) FROM pg_locks WHERE locktype = 'advisory') AS locks,
        (SELECT analyze_count FROM pg_stat_user_tables WHERE relname = 'kept') AS analyzed`),
      files: await readdir(folder),
    });
    const readableNames = [
      'kept',
      'words_of',
      'stored',
      'over_stored',
      ...harmlessQueries.map((_, i) => `h${i}`),
    ];
    for (const readOnly of [false, true]) {
      const ask = await open(postgres().url, readOnly);
      await expectNothingRun(ask, { actingRelations, probe, readOnly });
      await expectReadable(ask, readableNames);
    }
    await rm(folder, { recursive: true, force: true });
  }, 120_000);
});

describe('on MariaDB', () => {
  const mariadb = useMariadb();

  const sideEffects: readonly ((folder: string) => string)[] = [
    () => "LOAD_FILE('/etc/hostname')",
    () => 'sets_global()',
    (folder) => `writes_file('${folder}')`,
    () => 'kills()',
  ];

  const relationsEvaluating: readonly ((name: string, act: string) => readonly string[])[] = [
    (name, act) => [`CREATE VIEW ${name} AS SELECT 1 AS id, ${act} AS x`],
    (name, act) => [`CREATE VIEW ${name} AS SELECT id FROM kept WHERE ${act} IS NOT NULL`],
    (name, act) => [
      `CREATE VIEW ${name}_in AS SELECT 1 AS id, id + ${act} AS x FROM kept`,
      `CREATE VIEW ${name} AS SELECT id, x FROM ${name}_in`,
    ],
    (name, act) => [
      `CREATE FUNCTION ${name}_f(i INT) RETURNS TEXT READS SQL DATA RETURN ${act}`,
      `CREATE VIEW ${name} AS SELECT id, ${name}_f(id) AS x FROM kept`,
    ],
  ];

  const harmlessQueries = [
    'SELECT 1 AS id, NOW() AS at, RAND() AS r, UUID() AS u, CURRENT_USER() AS who',
    'SELECT * FROM information_schema.TABLES WHERE TABLE_SCHEMA = DATABASE()',
    'SELECT id, calm(id) AS x FROM kept',
    "SELECT CONCAT(id, ' stop reset') AS label, VERSION() AS v FROM kept",
  ];

  test('no GET runs the side effects of a view, and harmless views can be read', async () => {
    const database = mariadb();
    const folder = await mkdtemp(join(tmpdir(), 'reading-views-'));
    for (const statement of [
      'CREATE TABLE kept (id INT PRIMARY KEY)',
      'INSERT INTO kept VALUES (1), (2)',
      'CREATE FUNCTION sets_global() RETURNS INT BEGIN SET GLOBAL max_error_count = 77; RETURN 1; END',
      `CREATE FUNCTION writes_file(f TEXT) RETURNS INT BEGIN SELECT 1 INTO OUTFILE '${folder}/out'; RETURN 1; END`,
      'CREATE FUNCTION kills() RETURNS INT BEGIN KILL 999999; RETURN 1; END',
      'CREATE FUNCTION calm(i INT) RETURNS INT RETURN (SELECT COUNT(*) FROM kept WHERE id < i)',
    ])
      await database.query(statement);
    const randomPairs = fc.sample(
      fc.tuple(fc.constantFrom(...relationsEvaluating), fc.constantFrom(...sideEffects)),
      3,
    );
    const pairs = [
      ...sideEffects.map((act) => [relationsEvaluating[2]!, act] as const),
      ...randomPairs,
    ];
    const actingRelations = pairs.map(([carrier, act], i) => ({
      name: `v${i}`,
      all: carrier(`v${i}`, act(folder)),
      statements: carrier(`v${i}`, act(folder)).join('; '),
    }));
    for (const { all } of actingRelations)
      for (const statement of all) await database.query(statement);
    for (const [i, query] of harmlessQueries.entries())
      await database.query(`CREATE VIEW h${i} AS ${query}`);
    const probe = async (): Promise<unknown> => ({
      rows: await database.query('SELECT @@global.max_error_count AS m'),
      files: await readdir(folder),
    });
    for (const readOnly of [false, true]) {
      const ask = await open(database.url, readOnly);
      await expectNothingRun(ask, { actingRelations, probe, readOnly });
      await expectReadable(ask, ['kept', ...harmlessQueries.map((_, i) => `h${i}`)]);
    }
    await rm(folder, { recursive: true, force: true });
  }, 120_000);
});
