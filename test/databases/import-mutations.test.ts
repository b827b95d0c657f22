/** Schema scripts with one slip of the pen: what SQLite refuses is never passed over. */
import Database from 'better-sqlite3';
import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { readDdl } from '../sql/ddl/reading.ts';

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

/** The tables with their columns as SQLite itself makes them; undefined where it refuses a statement. */
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

test('is an error with its line, or makes all that SQLite makes', async () => {
  await fc.assert(
    fc.asyncProperty(
      mutations,
      fc.integer({ min: 0, max: script.length - 1 }),
      async (mutate, at) => {
        const text = mutate(script, at);
        const { schema, problems } = await readDdl('sqlite', text);
        if (problems.length > 0) {
          expect(problems[0]?.line).toBeGreaterThan(0);
          return;
        }
        const made = schema.tables
          .flatMap(({ name, columns }) => columns.map((column) => `${name}.${column.name}`))
          .toSorted();
        expect(made).toEqual(nativeTables(text)?.toSorted());
      },
    ),
    { numRuns: 400 },
  );
});
