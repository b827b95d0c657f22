import { mysqlDialect } from '../../../../src/databases/mysql/dialect/dialect.ts';
import { createTestDatabase, isMysql, usersOutsideTests } from '../../../servers/mariadb.ts';
import type { TestDatabase } from '../../../servers/mariadb.ts';
import type { KitDatabase, Skip, DatabaseUnderTest } from '../database-under-test.ts';

/** Skips on MySQL. MySQL and MariaDB share this name. */
const skipsOfMysql: readonly Skip[] = [
  {
    reason: 'MySQL stores JSON in its own binary format',
    feature: 'values',
    tests: [
      'a JSON object, to the letter',
      'a JSON array',
      'of JSON can be strings, numbers and literals',
    ],
  },
  {
    reason: 'MySQL stores JSON in its own binary format',
    feature: 'filters',
    tests: ['compare JSON and binary without failing'],
  },
  {
    reason: 'MySQL stores JSON in its own binary format',
    feature: 'writes',
    tests: ['is stored as the exact JSON text'],
  },
];

const engines = ['InnoDB', 'MyISAM', 'MEMORY', ...((await isMysql()) ? [] : ['Aria'])];

export const mysqlUnderTest: DatabaseUnderTest = {
  name: 'mysql',
  dialect: mysqlDialect,
  makeDatabase,
  skip: [
    ...((await isMysql()) ? skipsOfMysql : []),
    { reason: 'a uuid is text', feature: 'filters', tests: ['text for a uuid'] },
    { reason: 'a uuid is text', feature: 'values', tests: ['text for a uuid'] },
    {
      reason: 'a double is always a number',
      feature: 'values',
      tests: ['can be NaN', 'can be infinite'],
    },
    {
      reason: 'MariaDB stores no negative zero',
      feature: 'values',
      tests: ['can be negative zero'],
    },
    {
      reason:
        'names contain only characters of the Basic Multilingual Plane and do not end with a blank',
      feature: 'hostile names',
      tests: ['"😀" is read and written as the name of a table and a column'],
    },
    {
      reason: 'constraints cannot be deferred to the commit',
      feature: 'writes',
      tests: ['changes nothing if the commit fails'],
    },
    {
      reason: 'no trigger can suppress a write without an error',
      feature: 'writes',
      tests: ['of a new row', 'of a change', 'of a deletion'],
    },
    {
      reason: 'no trigger can suppress a write without an error',
      feature: 'loading tables',
      tests: ['that suppress rows are reported'],
    },
    {
      reason: 'foreign keys that were not checked during the load are never checked',
      feature: 'export',
      tests: ['is SQL that checks foreign keys at the end'],
    },
  ],
  kinds: { uuid: 'text' },
  storageEngines: Object.fromEntries(
    engines.map((engine) => [engine, (table) => `ALTER TABLE ${table} ENGINE = ${engine}`]),
  ),
  binaryLiteral: (hex) => `X'${hex}'`,
  exactText: (name) => `CAST(${name} AS CHAR)`,
  client: (url) => {
    const { hostname, port, username, password, pathname } = new URL(url);
    const login = [`-h${hostname}`, `-P${port}`, `-u${username}`, `--password=${password}`];
    return ['mariadb', '--protocol=tcp', ...login, pathname.slice(1)];
  },
  ignoreWrites: () => {
    throw new Error('No trigger of MySQL keeps a row from being written without an error.');
  },
};

async function makeDatabase(): Promise<KitDatabase> {
  const server = await createTestDatabase();
  return {
    url: server.url,
    run: async (sql) => void (await server.query(sql)),
    query: async (sql) => (await server.query(sql)).map(Object.values),
    runsReadOnly: (sql) => runsReadOnly(server, sql),
    fingerprint: () => fingerprint(server),
    drop: () => server.drop(),
  };
}

async function runsReadOnly(server: TestDatabase, sql: string): Promise<boolean> {
  try {
    await server.query(`SET SESSION TRANSACTION READ ONLY; ${sql}`);
    return true;
  } catch {
    return false;
  }
}

async function fingerprint(server: TestDatabase): Promise<string> {
  const tables = await server.query(
    'SELECT table_name AS name FROM information_schema.tables WHERE table_schema = database() ORDER BY 1',
  );
  const names = tables.map(({ name }) => String(name));
  const definitions = [];
  for (const name of names) definitions.push(await server.query(`SHOW CREATE TABLE \`${name}\``));
  const rows =
    names.length === 0
      ? []
      : await server.query(
          `CHECKSUM TABLE ${names.map((name) => `\`${name}\``).join(', ')} EXTENDED`,
        );
  const others = [];
  for (const text of otherObjects) others.push(await server.query(text));
  return JSON.stringify({ definitions, rows, others });
}

const otherObjects = [
  'SELECT trigger_name, action_statement FROM information_schema.triggers WHERE trigger_schema = database()',
  'SELECT routine_name, routine_definition FROM information_schema.routines WHERE routine_schema = database()',
  'SELECT event_name FROM information_schema.events WHERE event_schema = database()',
  "SHOW GLOBAL VARIABLES WHERE variable_name IN ('MAX_CONNECTIONS', 'SQL_MODE', 'READ_ONLY', 'GENERAL_LOG')",
  `SELECT user, host FROM mysql.user WHERE ${usersOutsideTests} ORDER BY 1, 2`,
];
