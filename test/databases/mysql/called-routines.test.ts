/**
 * Routines that a statement calls on MySQL and MariaDB are classified by their bodies in any schema.
 * Functions loaded into the server are never run.
 */
import { randomBytes } from 'node:crypto';
import * as fc from 'fast-check';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createStudio } from '../../../src/studio/studio.ts';
import { requestSender, jsonBody } from '../../security/send-request.ts';
import { useMariadb } from '../../servers/mariadb.ts';
import type { SendRequest } from '../../security/send-request.ts';

const server = useMariadb();
const suffix = randomBytes(4).toString('hex');
const login = `studio_plain_${suffix}`;
let ask: SendRequest;
let askPlain: SendRequest;
let closeAll: (() => Promise<unknown>) | undefined;

const bodies = {
  reaches: `RETURN LOAD_FILE('/etc/hostname')`,
  changes: `BEGIN SET GLOBAL max_connections = 151; RETURN 1; END`,
  harmless: `RETURN CONCAT('a', CHAR_LENGTH(VERSION()))`,
} as const;
const schemas = ['sys', 'mysql', 'HERE'] as const;

function nameOf(kind: string, schema: string): string {
  return `${kind}_${schema.toLowerCase()}_${suffix}`;
}

beforeAll(async () => {
  try {
    server();
  } catch {
    // The tests are skipped, with the reason.
    return;
  }
  const { query, name } = server();
  for (const schema of schemas)
    for (const [kind, body] of Object.entries(bodies)) {
      const at = schema === 'HERE' ? name : schema;
      const called = `\`${at}\`.${nameOf(kind, schema)}`;
      await query(`CREATE FUNCTION ${called}() RETURNS TEXT DETERMINISTIC ${body};
        CREATE VIEW \`${at}\`.v_${nameOf(kind, schema)} AS SELECT ${called}() AS x;
        CREATE FUNCTION w_${nameOf(kind, schema)}() RETURNS TEXT DETERMINISTIC RETURN ${called}();
        CREATE VIEW wv_${nameOf(kind, schema)} AS SELECT x FROM \`${at}\`.v_${nameOf(kind, schema)}`);
    }
  await query(`CREATE TABLE plain (id INT PRIMARY KEY, n INT, KEY by_n (n)); INSERT INTO plain VALUES (1, 1);
    CREATE USER ${login}@'%' IDENTIFIED BY 'p'; GRANT ALL ON \`${name}\`.* TO ${login}@'%'`);
  const studios = [
    await createStudio({ url: server().url, readOnly: true }),
    await createStudio({ url: server().urlWith({ user: login, password: 'p' }) }),
  ];
  [ask, askPlain] = studios.map((studio) => requestSender(studio)) as [SendRequest, SendRequest];
  closeAll = () => Promise.all(studios.map((studio) => studio.close()));
});

afterAll(async () => {
  await closeAll?.();
  if (closeAll === undefined) return;
  await server().query(`DROP USER ${login}@'%'`);
  for (const schema of ['sys', 'mysql'])
    for (const kind of Object.keys(bodies))
      await server().query(`DROP FUNCTION ${schema}.${nameOf(kind, schema)};
        DROP VIEW ${schema}.v_${nameOf(kind, schema)}`);
});

const quotings: readonly ((name: string) => string)[] = [
  (name) => name,
  (name) => name.toUpperCase(),
  (name) => `\`${name}\``,
];
const spaces = fc.constantFrom('', ' ', '/**/', '\n');

const calls = fc
  .record({
    kind: fc.constantFrom(...(Object.keys(bodies) as (keyof typeof bodies)[])),
    schema: fc.constantFrom(...schemas),
    way: fc.constantFrom('direct', 'view', 'wrapped', 'wrapped view'),
    quote: fc.constantFrom(...quotings),
    space: spaces,
  })
  .map(({ kind, schema, way, quote, space }) => {
    // Only function names are case-insensitive everywhere.
    const plain = way.endsWith('view') ? quotings[2]! : quote;
    const name = nameOf(kind, schema);
    const qualifier = schema === 'HERE' ? '' : `${quotings[2]!(schema)}${space}.${space}`;
    const query = {
      direct: `SELECT ${qualifier}${plain(name)}${space}()`,
      view: `SELECT * FROM ${qualifier}${plain(`v_${name}`)}`,
      wrapped: `SELECT 1 + ${plain(`w_${name}`)}${space}()`,
      'wrapped view': `SELECT * FROM ${plain(`wv_${name}`)}`,
    }[way];
    return { kind, query };
  });

test('routines and views of every schema are classified by their bodies', async () => {
  await fc.assert(
    fc.asyncProperty(calls, async ({ kind, query }) => {
      const { status, text } = await ask('/sql', jsonBody({ query }));
      if (kind === 'harmless') expect(status, text).toBe(200);
      else expect(text).toMatch(/accesses files|may change the server/);
    }),
    { numRuns: 40 },
  );
});

test('views and functions of a schema that the text does not name are not classified', async () => {
  const { query, name } = server();
  const view = `shared_${suffix}`;
  const routine = `shared_f_${suffix}`;
  // Names that need quotes, and one that begins with a digit and needs none.
  const others = [`other_${suffix}`, `1${suffix}`, `an other-${suffix}`, `back\`tick_${suffix}`];
  const quoted = (schema: string): string => `\`${schema.replaceAll('`', '``')}\``;
  await query(`CREATE FUNCTION ${routine}() RETURNS INT DETERMINISTIC RETURN 1;
    CREATE VIEW ${view} AS SELECT n, ${routine}() AS one FROM plain`);
  for (const schema of others)
    await query(`CREATE DATABASE ${quoted(schema)};
      CREATE FUNCTION ${quoted(schema)}.${routine}() RETURNS INT DETERMINISTIC ${bodies.changes};
      CREATE VIEW ${quoted(schema)}.${view} AS SELECT ${quoted(schema)}.${routine}() AS one`);
  try {
    for (const ownQuery of [
      `SELECT * FROM ${view}`,
      `SELECT ${routine}()`,
      `SELECT n FROM ${name}.${view}`,
    ]) {
      const { status, text } = await ask('/sql', jsonBody({ query: ownQuery }));
      expect(status, text).toBe(200);
    }
    for (const schema of others)
      for (const selected of [
        `* FROM ${quoted(schema)}.${view}`,
        `${quoted(schema)} . ${routine}()`,
      ])
        expect((await ask('/sql', jsonBody({ query: `SELECT ${selected}` }))).text).toContain(
          'may change the server',
        );
    const bare = `SELECT * FROM 1${suffix}.${view}`;
    expect((await ask('/sql', jsonBody({ query: bare }))).text).toContain('may change the server');
  } finally {
    for (const schema of others) await query(`DROP DATABASE IF EXISTS ${quoted(schema)}`);
    await query(`DROP VIEW ${view}; DROP FUNCTION ${routine}`);
  }
});

test("the server's own functions and views are allowed", async () => {
  for (const query of [
    'SELECT sys.format_bytes(2048)',
    "SELECT sys.format_path('/a/b')",
    'SELECT * FROM sys.version',
    'SELECT * FROM sys.schema_object_overview LIMIT 1',
  ]) {
    const { status, text } = await ask('/sql', jsonBody({ query }));
    expect(text).not.toContain('statement_refused');
    expect(status, text).toBe(200);
  }
});

test('a login that cannot see the loaded functions can call known functions only', async () => {
  const harmless = [
    'SELECT COUNT(*), JSON_LENGTH(JSON_ARRAY(1)), ST_AsText(POINT(1, 2)) FROM plain',
    'WITH a (x) AS (SELECT 1), b (y) AS (SELECT 2) SELECT * FROM a JOIN b ON (x < y) WHERE x IN (1)',
    'SELECT t.n FROM (SELECT n FROM plain) AS t GROUP BY (n) ORDER BY CAST(n AS DECIMAL(10, 2))',
    'INSERT INTO plain (id, n) VALUES (2, ROUND(1.5)) ON DUPLICATE KEY UPDATE n = VALUES(n)',
    'DELETE FROM plain WHERE id = 2',
  ];
  for (const query of harmless) {
    const { status, text } = await askPlain('/sql', jsonBody({ query }));
    expect(status, `${query}: ${text}`).toBe(200);
  }
  for (const name of ['lib_anything', '`lib_anything`', 'lib_anything '])
    expect((await askPlain('/sql', jsonBody({ query: `SELECT ${name}(1)` }))).text).toContain(
      'may be a loadable function',
    );
});

test('functions that MySQL loads itself are rejected', async () => {
  const [{ loaded = '' } = {}] = server().isMariadb
    ? []
    : await server().query(
        'SELECT GROUP_CONCAT(UDF_NAME) AS loaded FROM performance_schema.user_defined_functions',
      );
  const names = ['innodb_set_open_files_limit', 'innodb_redo_log_archive_start'];
  for (const name of [...names, ...String(loaded).split(',').filter(Boolean)]) {
    const { status, text } = await ask('/sql', jsonBody({ query: `SELECT ${name}(777)` }));
    expect(status, text).toBe(403);
  }
});

test('a statement with very many function calls is rejected before any lookup', async () => {
  const names = Array.from({ length: 10_000 }, (_, i) => `f${i}()`);
  const { status, text } = await ask('/sql', jsonBody({ query: `SELECT ${names.join(', ')}` }));
  expect(status, text.slice(0, 200)).toBe(400);
  expect(text).toContain('10000 different functions');
});
