/** SQLite files that grow in one dimension each. All have a table `events` with the key `id`, for `limit-server.ts`. */
import { existsSync, mkdirSync, renameSync } from 'node:fs';
import { join } from 'node:path';
import SqliteDatabase from 'better-sqlite3';
import { benchFolder, userCount } from './database.ts';

/** Part of the names of the files. Raise it when a function below changes, so that old files are not reused. */
const fileVersion = 1;

/** Creates the file on first use, and returns its path. */
function prepareFile(name: string, fill: (database: SqliteDatabase.Database) => void): string {
  const file = join(benchFolder, `growth-${fileVersion}-${name}.db`);
  if (existsSync(file)) return file;
  mkdirSync(benchFolder, { recursive: true });
  const temporaryFile = `${file}.${process.pid}`;
  const database = new SqliteDatabase(temporaryFile);
  database.pragma('journal_mode = OFF');
  database.pragma('synchronous = OFF');
  database.transaction(() => fill(database))();
  database.pragma('journal_mode = WAL');
  database.close();
  renameSync(temporaryFile, file);
  return file;
}

/** Numbers from 1 to a parameter, for INSERT … SELECT. */
const numbers =
  'WITH RECURSIVE numbers(n) AS (VALUES (1) UNION ALL SELECT n + 1 FROM numbers WHERE n < ?)';

/** About 110 bytes per row, with an index on `user_id`; the number of rows per user does not grow. */
export function fileOfRows(rows: number): string {
  return prepareFile(`${rows}-rows`, (database) => {
    database.exec(`CREATE TABLE events (
      id INTEGER PRIMARY KEY, user_id INTEGER NOT NULL, kind TEXT NOT NULL, title TEXT NOT NULL,
      amount DECIMAL(10,2) NOT NULL, created_at DATETIME NOT NULL, note TEXT)`);
    const users = Math.max(1, Math.round((rows / 1_000_000) * userCount));
    database
      .prepare(
        `${numbers} INSERT INTO events SELECT n, n * 7919 % ${users} + 1, 'kind ' || n % 7, 'order ' || n || ' of a customer',
         n % 100000 / 100.0, datetime(1577836800 + n * 150, 'unixepoch'), iif(n % 3 = 0, NULL, 'a note of some length, number ' || n) FROM numbers`,
      )
      .run(rows);
    database.exec('CREATE INDEX events_user_id ON events (user_id)');
  });
}

/** Tables of ten columns, with a key, an index and a foreign key to another one. */
export function fileOfTables(tables: number): string {
  return prepareFile(`${tables}-tables`, (database) => {
    database.exec('CREATE TABLE events (id INTEGER PRIMARY KEY, title TEXT NOT NULL)');
    database
      .prepare(`${numbers} INSERT INTO events SELECT n, 'event ' || n FROM numbers`)
      .run(1000);
    for (let i = 1; i < tables; i++) {
      const otherColumns = Array.from({ length: 8 }, (_, k) => `value_${k} TEXT`).join();
      database.exec(`CREATE TABLE things_${i} (
        id INTEGER PRIMARY KEY, parent_id INTEGER REFERENCES things_${Math.max(1, i >> 1)} (id), ${otherColumns})`);
      database.exec(`CREATE INDEX things_${i}_parent_id ON things_${i} (parent_id)`);
    }
  });
}

/** Twenty rows whose `note` has the given number of bytes. */
export function fileOfCells(bytes: number): string {
  return prepareFile(`${bytes}-byte-cells`, (database) => {
    database.exec('CREATE TABLE events (id INTEGER PRIMARY KEY, note TEXT NOT NULL)');
    const insert = database.prepare('INSERT INTO events (note) VALUES (?)');
    for (let i = 0; i < 20; i++) insert.run('a note '.repeat(Math.ceil(bytes / 7)).slice(0, bytes));
  });
}

/** A thousand rows of a key and the given number of other columns. */
export function fileOfColumns(columns: number): string {
  return prepareFile(`${columns}-columns`, (database) => {
    const names = Array.from({ length: columns }, (_, k) => `value_${k}`);
    const values = names.map((_, k) => (k % 2 === 0 ? `n * ${k + 1}` : `'text ' || n`));
    database.exec(
      `CREATE TABLE events (id INTEGER PRIMARY KEY, ${names.map((name, k) => `${name} ${k % 2 === 0 ? 'INTEGER' : 'TEXT'}`).join()})`,
    );
    database
      .prepare(`${numbers} INSERT INTO events SELECT n, ${values.join()} FROM numbers`)
      .run(1000);
  });
}
