/** Schema scripts with a random mistake: whatever the database rejects or creates differently is reported. */
import Database from 'better-sqlite3';
import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import * as mariadb from '../servers/mariadb.ts';
import * as postgres from '../servers/postgres.ts';
import { readDdl } from '../sql/ddl/read-ddl.ts';
import type { DdlReadResult } from '../../src/sql/ddl/ddl-reader.ts';

const statements = [
  'CREATE TABLE users (id INTEGER PRIMARY KEY, name TEXT NOT NULL)',
  "CREATE TABLE posts (id INTEGER PRIMARY KEY, title TEXT DEFAULT 'it''s', user_id INTEGER REFERENCES users (id))",
  'CREATE INDEX posts_user ON posts (user_id)',
  'ALTER TABLE posts ADD COLUMN body TEXT',
  'CREATE VIEW titles AS SELECT title FROM posts',
  'DROP VIEW IF EXISTS titles',
  'CREATE TRIGGER touch AFTER INSERT ON posts BEGIN SELECT 1; END',
  '/* a comment */ CREATE TABLE tags (name TEXT UNIQUE)',
];
const script = statements.map((statement) => `${statement};\n`).join('');

type Mutate = (text: string, at: number) => string;

const mutations = fc.constantFrom<Mutate>(
  (text, at) => text.slice(0, at) + text.slice(at + 1),
  (text, at) => text.slice(0, at) + text.charAt(at) + text.slice(at),
  (text, at) => `${text.slice(0, at)} /* ${text.slice(at)}`,
  (text, at) => `${text.slice(0, at)}'${text.slice(at)}`,
  (text, at) => `${text.slice(0, at)} garbage ${text.slice(at)}`,
  (text, at) => `${text.slice(0, at)}; oops here; ${text.slice(at)}`,
);

/** The tables with their columns as SQLite itself creates them; undefined if it rejects a statement. */
function nativeTables(text: string): readonly string[] | undefined {
  const db = new Database(':memory:');
  try {
    db.exec(text);
    return db
      .prepare(
        "SELECT m.name || '.' || c.name FROM sqlite_schema m, pragma_table_xinfo(m.name) c WHERE m.type = 'table' ORDER BY 1",
      )
      .pluck()
      .all() as string[];
  } catch {
    return undefined;
  } finally {
    db.close();
  }
}

test('is an error with its line, or creates everything that SQLite creates', async () => {
  await fc.assert(
    fc.asyncProperty(
      mutations,
      fc.integer({ min: 0, max: script.length - 1 }),
      async (mutate, at) => {
        const text = mutate(script, at);
        const { schema, problems, warnings } = await readDdl('sqlite', text);
        if (problems.length > 0) {
          expect(problems[0]?.line).toBeGreaterThan(0);
          return;
        }
        const created = schema.tables
          .flatMap(({ name, columns }) => columns.map((column) => `${name}.${column.name}`))
          .toSorted();
        // A trigger on a table that the script has not created is left out with a warning.
        const isLeftOut = warnings.some((warning) => warning.includes('has not created'));
        const loaded = isLeftOut ? text.replace(/CREATE TRIGGER.*?END;/s, '') : text;
        expect(created).toEqual(nativeTables(loaded)?.toSorted());
      },
    ),
    { numRuns: 400 },
  );
});

// Servers

const common = [
  'CREATE TABLE users (id INTEGER PRIMARY KEY, name VARCHAR(20) NOT NULL)',
  "CREATE TABLE posts (id INTEGER PRIMARY KEY, title VARCHAR(20) DEFAULT 'it''s', user_id INTEGER REFERENCES users (id))",
  'CREATE INDEX posts_user ON posts (user_id)',
  'ALTER TABLE posts ADD COLUMN body TEXT',
  'ALTER TABLE posts RENAME COLUMN body TO words',
  'CREATE VIEW titles AS SELECT title FROM posts',
  'CREATE VIEW names AS SELECT name FROM users',
  'DROP VIEW titles',
  '/* a /* comment */ CREATE TABLE tags (name VARCHAR(9) UNIQUE) -- */',
];

interface Server {
  readonly name: 'postgres' | 'mysql';
  readonly statements: readonly string[];
  /** Removes all tables and views. */
  readonly reset: string;
  /** The names of columns, views, and indexes that do not belong to a constraint. */
  readonly names: string;
  make(): Promise<NativeServer>;
}

type NativeServer = Pick<postgres.TestDatabase, 'query' | 'drop'>;

const servers: readonly Server[] = [
  {
    name: 'postgres',
    statements: [
      ...common.slice(0, -1),
      'CREATE INDEX gone ON posts (title)',
      'DROP INDEX gone',
      "COMMENT ON TABLE posts IS 'x'",
      '/* a /* comment */ that nests */ CREATE TABLE tags (name VARCHAR(9) UNIQUE) -- */',
      'CREATE SEQUENCE numbers',
    ],
    reset: 'DROP SCHEMA public CASCADE; CREATE SCHEMA public',
    names: `SELECT table_name || '.' || column_name AS name FROM information_schema.columns c JOIN information_schema.tables t USING (table_schema, table_name) WHERE t.table_schema = 'public' AND t.table_type = 'BASE TABLE'
      UNION ALL SELECT viewname FROM pg_views WHERE schemaname = 'public'
      UNION ALL SELECT indexname FROM pg_indexes i WHERE schemaname = 'public' AND NOT EXISTS (SELECT 1 FROM pg_constraint WHERE conname = indexname)`,
    make: postgres.createTestDatabase,
  },
  {
    name: 'mysql',
    statements: [...common, 'CREATE INDEX gone ON posts (title)', 'DROP INDEX gone ON posts'],
    reset: 'DROP TABLE IF EXISTS posts, users, tags; DROP VIEW IF EXISTS titles, names',
    names: `SELECT CONCAT(table_name, '.', column_name) AS name FROM information_schema.columns JOIN information_schema.tables t USING (table_schema, table_name) WHERE table_schema = database() AND t.table_type = 'BASE TABLE'
      UNION ALL SELECT table_name FROM information_schema.views WHERE table_schema = database()
      UNION ALL SELECT DISTINCT index_name FROM information_schema.statistics WHERE table_schema = database() AND non_unique = 1 AND index_name <> 'user_id'`,
    make: mariadb.createTestDatabase,
  },
];

/** The content of the database after its own client has run the script. Undefined if it rejects a statement. */
async function namesCreatedBy(native: NativeServer, { reset, names }: Server, text: string) {
  await native.query(reset);
  const succeeded = await native.query(text).then(
    () => true,
    () => false,
  );
  if (!succeeded) return undefined;
  const rows = await native.query(names);
  return rows.map(({ name }) => String(name)).toSorted();
}

function namesIn({ schema: { tables, views } }: DdlReadResult): readonly string[] {
  const inTable = tables.flatMap(({ name, columns, indexes }) => [
    ...columns.map((column) => `${name}.${column.name}`),
    ...indexes.flatMap((index) => (index.constraint === true ? [] : [index.name])),
  ]);
  return [...inTable, ...views.map(({ name }) => name)].toSorted();
}

test.each(servers.map((server) => [server.name, server] as const))(
  'on %s too, or a warning names what is left out',
  async (name, server) => {
    const native = await server.make();
    const wholeScript = server.statements.map((statement) => `${statement};\n`).join('');
    const check = async (text: string): Promise<void> => {
      const reading = await readDdl(name, text);
      for (const { line } of reading.problems) expect(line).toBeGreaterThan(0);
      if (reading.problems.length > 0) return;
      const created = await namesCreatedBy(native, server, text);
      // Statements that the reader accepts and the server rejects also fail in the import.
      if (created === undefined || reading.warnings.length > 0) return;
      expect(namesIn(reading)).toEqual(created);
    };
    try {
      await check(wholeScript.replace('CREATE SEQUENCE numbers;', ''));
      await fc.assert(
        fc.asyncProperty(mutations, fc.nat(wholeScript.length - 1), (mutate, at) =>
          check(mutate(wholeScript, at)),
        ),
        { numRuns: process.env['STUDIO_TEST_LONG'] ? 2000 : 100 },
      );
    } finally {
      await native.drop();
    }
  },
);
