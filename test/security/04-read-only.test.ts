/**
 * A read-only studio changes nothing, whatever request it receives (SECURITY.md 4).
 * docs/read-only.md describes what only a restricted login can prevent.
 */
import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { routes } from '../../src/contract/routes.ts';
import { classify } from '../../src/sql/classify.ts';
import { createStudio } from '../../src/studio/studio.ts';
import { failureOf, describeOnEachDatabase, readBody } from '../databases/kit/harness.ts';
import { tableWithId, optional } from '../databases/kit/tables.ts';
import { useMariadb } from '../servers/mariadb.ts';
import { usePostgres } from '../servers/postgres.ts';
import { languages } from '../sql/languages.ts';
import { requestSender, fileBody, jsonBody } from './send-request.ts';
import type { Route } from '../../src/contract/route.ts';
import type { ErrorCode } from '../../src/model/errors.ts';
import type { Studio } from '../../src/studio/studio.ts';
import type { LanguageName } from '../sql/languages.ts';

interface LabeledSql {
  readonly id: string;
  readonly dialect: string;
  readonly sql: string;
  readonly statements: number | null;
  readonly reads_only: boolean;
  readonly certainty: 'certain' | 'policy';
}

const fixture = new URL('../fixtures/sql-classification.json', import.meta.url);
const { items } = JSON.parse(readFileSync(fixture, 'utf8')) as {
  readonly items: readonly LabeledSql[];
};
const readOnlyPage = readFileSync(new URL('../../docs/read-only.md', import.meta.url), 'utf8');

/** The codes of errors by which the studio or the database rejects a write. */
const rejections: readonly ErrorCode[] = [
  'read_only',
  'statement_refused',
  'invalid_parameter',
  'permission_denied',
];

/** Writes that look like reads or hide in other statements, in addition to the fixture. */
const disguisedWrites: Readonly<Record<string, readonly string[]>> = {
  sqlite: [
    'WITH x AS (SELECT 1) DELETE FROM users',
    'EXPLAIN QUERY PLAN SELECT 1; DELETE FROM users',
    'PRAGMA query_only = 0',
    'PRAGMA journal_mode = wal',
    'PRAGMA user_version = 7',
    'PRAGMA/**/"user_version"(7)',
    "VACUUM INTO 'stolen.db'",
    "ATTACH 'other.db' AS o",
    '/* SELECT */ DELETE FROM users',
    'SELECT 1;\u00a0DELETE FROM users',
    'INSERT INTO users (id) SELECT 9 RETURNING id',
    'REINDEX',
    'ANALYZE',
  ],
  postgres: [
    'WITH x AS (DELETE FROM users RETURNING *) SELECT * FROM x',
    'SELECT * INTO stolen FROM users',
    'CREATE TABLE stolen AS SELECT * FROM users',
    'EXPLAIN ANALYZE DELETE FROM users',
    'EXPLAIN (ANALYZE true) UPDATE users SET id = id',
    'SET transaction_read_only = off',
    "SELECT set_config('transaction_read_only', 'off', false)",
    'COMMIT; DELETE FROM users',
    'COMMIT AND CHAIN',
    "SELECT nextval('users_id_seq')",
    "SELECT setval('users_id_seq', 99)",
    'SELECT lo_create(1)',
    "SELECT lo_from_bytea(0, 'x')",
    'DO $$ BEGIN DELETE FROM users; END $$',
    'CALL touch()',
    'SELECT touched()',
    'REFRESH MATERIALIZED VIEW seen',
    'MERGE INTO users u USING users v ON u.id = v.id WHEN MATCHED THEN DELETE',
    "SELECT pg_notify('a', 'b')",
    'SELECT pg_terminate_backend(1)',
    'SELECT pg_reload_conf()',
    'SELECT pg_stat_reset()',
    'VACUUM',
    'COPY users FROM stdin',
    'TRUNCATE users',
    'LOCK TABLE users',
    "SELECT query_to_xml('DELETE FROM users', true, true, '')",
    'DELETE\u0085FROM users',
    "EXECUTE 'DELETE FROM users'",
  ],
  mysql: [
    '/*!50000 DELETE FROM users */',
    '/*M!100000 DELETE FROM users */',
    'SELECT 1 /*!; DELETE FROM users */',
    "SELECT * FROM users INTO OUTFILE '/tmp/stolen'",
    'EXPLAIN ANALYZE DELETE FROM users',
    'ANALYZE DELETE FROM users',
    'SET SESSION TRANSACTION READ WRITE',
    'SET transaction_read_only = 0',
    'COMMIT; DELETE FROM users',
    'START TRANSACTION READ WRITE',
    'CALL touch()',
    'SELECT touched()',
    'DO touched()',
    'HANDLER users OPEN',
    'REPLACE INTO users (id) VALUES (1)',
    'TRUNCATE users',
    'CREATE TEMPORARY TABLE t (a INT)',
    "SELECT get_lock('a', 1)",
    'SELECT id FROM users LIMIT 1 INTO @x',
    'LOCK TABLES users WRITE',
    'FLUSH TABLES',
    'KILL 1',
    "PREPARE s FROM 'DELETE FROM users'",
  ],
  sqlserver: [
    'SELECT * INTO stolen FROM users',
    "EXEC ('DELETE FROM users')",
    'EXEC touch',
    'touch',
    'WITH x AS (SELECT * FROM users) DELETE FROM x',
    'SELECT NEXT VALUE FOR s',
    'MERGE users USING users AS v ON 1 = 0 WHEN NOT MATCHED THEN INSERT DEFAULT VALUES;',
    'COMMIT; DELETE FROM users',
    'SELECT 1 DELETE FROM users',
  ],
};

/** The SQL of a function and a procedure that write, with harmless names. */
const writingRoutines: Readonly<Record<string, string>> = {
  sqlite: 'SELECT 1',
  postgres: `CREATE FUNCTION touched() RETURNS int LANGUAGE plpgsql AS $$ BEGIN DELETE FROM users; RETURN 1; END $$;
    CREATE PROCEDURE touch() LANGUAGE sql AS $$ DELETE FROM users $$;
    CREATE MATERIALIZED VIEW seen AS SELECT count(*) FROM users`,
  mysql: `CREATE FUNCTION touched() RETURNS int DETERMINISTIC MODIFIES SQL DATA BEGIN DELETE FROM users; RETURN 1; END`,
  sqlserver: 'SELECT 1',
};

function runSql(studio: Studio, query: string): Promise<unknown> {
  return studio.perform('run-sql', { body: JSON.stringify({ query }) }).then(readBody);
}

describeOnEachDatabase('read-only', (harness) => {
  const { name: dialect } = harness.underTest;
  const fixtureItems = items.filter((item) => item.dialect === 'any' || item.dialect === dialect);
  let studio: Studio;
  const state = async (): Promise<string> =>
    createHash('sha256')
      .update(await harness.database.fingerprint())
      .digest('hex');

  harness.beforeTests(async () => {
    await harness.createTables([
      tableWithId('users', [
        optional('name', { kind: 'text', length: 100 }),
        optional('deleted_at', { kind: 'timestamp' }),
        optional('updated_by', { kind: 'text', length: 100 }),
      ]),
      tableWithId('ids', []),
    ]);
    await harness.insertRows('users', [{ name: 'Ada' }, { name: 'Grace' }]);
    await harness.insertRows('ids', [{ id: 1 }]);
    await harness.database.run(writingRoutines[dialect] ?? 'SELECT 1');
    studio = await harness.openStudio({ readOnly: true, allowDdl: true });
  });

  test.each(fixtureItems)(
    'the statement $id of the fixture changes nothing: $sql',
    async ({ sql, reads_only: readPaths, certainty }) => {
      const before = await state();
      const outcome = await runSql(studio, sql).catch((error: unknown) => error);
      expect(await state()).toBe(before);
      if (!readPaths && certainty === 'certain') expect(outcome).toBeInstanceOf(Error);
      if (outcome instanceof Error)
        expect(rejections).toContain((await failureOf(Promise.reject(outcome))).code);
    },
  );

  test.each(disguisedWrites[dialect] ?? [])('%s is rejected, and changes nothing', async (sql) => {
    const before = await state();
    expect(rejections).toContain((await failureOf(runSql(studio, sql))).code);
    expect(await state()).toBe(before);
  });

  const runnableReads = fixtureItems.filter(
    ({ reads_only: readPaths, certainty, statements }) =>
      readPaths && certainty === 'certain' && statements === 1,
  );

  test.for(runnableReads)('the read $id of the fixture is run: $sql', async ({ sql }, context) => {
    if (!(await harness.database.runsReadOnly(sql)))
      context.skip(`${dialect} does not run all of the texts that any database may`);
    expect(await runSql(studio, sql)).toMatchObject({ type: 'read' });
  });

  const writes = Object.entries<Route>(routes).filter(([, { access }]) => access === 'write');

  test.each(writes)('%s is rejected before its body is read', async (_id, { method, path }) => {
    const before = await state();
    const ask = requestSender(studio);
    const requestPath = path.replace(':table', 'users').replaceAll(/:\w+/g, '1');
    const bodies = [
      jsonBody('{"name":"x"}', method),
      jsonBody('{', method),
      { ...fileBody('a.json', '{"users":[{"name":"x"}]}'), method },
    ];
    for (const init of [...(method === 'GET' ? [] : bodies), { method }])
      expect((await ask(`${requestPath}?dry_run=true`, init)).json).toMatchObject({
        code: 'read_only',
      });
    expect(await state()).toBe(before);
  });

  test('accepts only the non-GET routes that are listed here', () => {
    const accepted = Object.entries<Route>(routes)
      .filter(([, { method, access }]) => method !== 'GET' && access !== 'write')
      .map(([id]) => id);
    // Raw SQL is checked by its statement. The other routes change only the state of the studio.
    expect(accepted).toEqual(['refresh-schema', 'run-sql', 'cancel-transfer', 'login', 'logout']);
  });

  test('no GET of a writable studio changes anything', async () => {
    const writable = requestSender(harness.studio);
    const before = await state();
    const readPaths = Object.values<Route>(routes).filter(({ method }) => method === 'GET');
    for (const { path } of readPaths.filter((route) => !route.path.startsWith('/export'))) {
      const requestPath = path.replace(':table', 'users').replace(':column', 'name');
      await writable(requestPath.replaceAll(/:\w+/g, '1'));
      await writable(
        `${requestPath.replaceAll(/:\w+/g, '1')}?_method=DELETE&query=DELETE+FROM+users`,
      );
    }
    expect(await state()).toBe(before);
  });
});

describe('statements whose effect is a matter of policy', () => {
  const policy = items.filter(({ certainty }) => certainty === 'policy');

  test.each(policy)(
    '$id of the fixture is classified as docs/read-only.md says: $sql',
    ({ id, dialect, sql }) => {
      const [row = ''] = new RegExp(`^\\| ${id} .*$`, 'm').exec(readOnlyPage) ?? [];
      const [, on, outcome] = row.split(' | ');
      expect(on).toBe(dialect);
      const names = dialect === 'any' ? (['sqlite', 'postgres', 'mysql'] as const) : [dialect];
      for (const name of names)
        expect(outcome?.split(':')[0]).toBe(classify(sql, languages[name as LanguageName]).kind);
    },
  );

  test('are all listed in docs/read-only.md', () => {
    expect(policy).toHaveLength(21);
    expect(readOnlyPage.match(/^\| sc\d+ /gm)).toHaveLength(21);
  });
});

/** The statements of the first SQL block after a heading of docs/read-only.md, for a database of the test. */
function grantStatements(heading: string, database: string): readonly string[] {
  const block =
    readOnlyPage
      .slice(readOnlyPage.indexOf(`\n${heading}`))
      .split('```sql\n')[1]
      ?.split('```')[0] ?? '';
  return block
    .replaceAll('shop', database)
    .split(';\n')
    .filter((line) => line.trim() !== '');
}

/** Writes that a writable studio passes on, so that the database must reject them. */
const rejectedWrites = [
  "INSERT INTO users (name) VALUES ('x')",
  "UPDATE users SET name = 'x'",
  'DELETE FROM users',
  'TRUNCATE TABLE users',
  'CREATE TABLE stolen (id INT)',
  'CREATE TABLE stolen AS SELECT * FROM users',
  'CREATE VIEW stolen AS SELECT * FROM users',
  'ALTER TABLE users ADD stolen INT',
  'CREATE INDEX stolen ON users (id)',
  'DROP TABLE users',
];

const readPaths = [
  '/schema',
  '/tables/users/rows?search=a&filter_name__contains=a&sort_by=name',
  '/tables/users/rows/1',
  '/tables/names/rows',
  '/export/data',
  '/export/schema?format=sql',
];

describe('the login of docs/read-only.md, in a studio that allows writes', () => {
  const postgres = usePostgres();

  test('on PostgreSQL can read and change nothing', async () => {
    const database = postgres();
    await database.query(
      `CREATE TABLE users (id serial PRIMARY KEY, name text); INSERT INTO users (name) VALUES ('Ada');
      CREATE VIEW names AS SELECT name FROM users`,
    );
    try {
      for (const sql of grantStatements('PostgreSQL, in', database.name)) await database.query(sql);
      await expectReadsOnly(database.urlWith({ user: 'studio_reader', password: 'secret' }));
      const administrators = await database.query(
        "SELECT rolname FROM pg_roles WHERE rolname = 'studio_reader' AND (rolsuper OR rolcreaterole OR rolcreatedb)",
      );
      expect(administrators).toEqual([]);
    } finally {
      await database.query('DROP OWNED BY studio_reader; DROP ROLE studio_reader');
    }
  });

  const mariadb = useMariadb();

  test('on MariaDB can read and change nothing', async () => {
    const database = mariadb();
    await database.query(
      `CREATE TABLE users (id INT AUTO_INCREMENT PRIMARY KEY, name TEXT); INSERT INTO users (name) VALUES ('Ada');
      CREATE VIEW names AS SELECT name FROM users`,
    );
    try {
      for (const sql of grantStatements('MySQL and MariaDB:', database.name))
        await database.query(sql);
      await expectReadsOnly(database.urlWith({ user: 'studio_reader', password: 'secret' }));
    } finally {
      await database.query("DROP USER studio_reader@'%'");
    }
  });

  async function expectReadsOnly(url: string): Promise<void> {
    const studio = await createStudio({ url, allowDdl: true });
    try {
      const ask = requestSender(studio);
      for (const path of readPaths) expect((await ask(path)).status, path).toBe(200);
      const rejection = { status: 403, json: { code: 'permission_denied' } };
      for (const [path, init] of [
        ['/tables/users/rows', jsonBody({ name: 'x' })],
        ['/tables/users/rows/1', jsonBody({ name: 'x' }, 'PUT')],
        ['/tables/users/rows/1', { method: 'DELETE' }],
        ['/tables/users/changes', jsonBody({ create: [{ name: 'x' }], delete: ['1'] })],
        ['/import/data', fileBody('a.json', '{"users":[{"name":"x"}]}')],
        ['/import/schema', fileBody('a.sql', 'CREATE TABLE stolen (id INT);')],
      ] as const)
        expect(await ask(path, init), path).toMatchObject(rejection);
      for (const query of rejectedWrites)
        expect(await ask('/sql', jsonBody({ query })), query).toMatchObject(rejection);
      expect((await ask('/tables/users/rows')).json).toMatchObject({
        data: [{ id: 1, name: 'Ada' }],
      });
    } finally {
      await studio.close();
    }
  }
});
