/** The database that is measured: a million events in a SQLite file, the same on every machine. */
import { copyFileSync, constants, existsSync, mkdirSync, renameSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import SqliteDatabase from 'better-sqlite3';
import { createRandom } from '../src/demo/random.ts';
import type { Random } from '../src/demo/random.ts';

export const eventCount = 1_000_000;
export const userCount = 20_000;

/** Part of the file's name. Raise it when the schema or `makeEvent` changes, so that old files are not reused. */
const fileVersion = 1;

/** A folder outside the repository, on the disk whose inserts are measured. */
export const benchFolder =
  process.env['STUDIO_BENCH_DIR'] ?? join(tmpdir(), 'database-studio-bench');

const schema = `
  CREATE TABLE events (
    id INTEGER PRIMARY KEY,
    user_id INTEGER NOT NULL,
    kind TEXT NOT NULL,
    title TEXT NOT NULL,
    amount DECIMAL(10,2) NOT NULL,
    score REAL NOT NULL,
    created_at DATETIME NOT NULL,
    payload JSON NOT NULL,
    note TEXT,
    external_id INTEGER NOT NULL,
    active BOOLEAN NOT NULL,
    tag TEXT
  )`;

const indexes = `
  CREATE INDEX events_user_id ON events (user_id);
  CREATE INDEX events_created_at ON events (created_at)`;

const kinds = ['view', 'click', 'search', 'purchase', 'refund', 'login', 'logout', 'share'];
const tags = ['red', 'green', 'blue', 'amber', 'violet', null];
const words = 'order invoice ticket parcel report message account letter contract basket'.split(
  ' ',
);
const firstMs = Date.UTC(2020, 0, 1);

/** The values of an event by column, without the key, which the database generates. */
export type Event = Readonly<Record<string, string | number | null>>;

export function makeEvent(random: Random, index: number): Event {
  const [kind, word] = [random.pick(kinds), random.pick(words)];
  return {
    user_id: random.int(1, userCount),
    kind,
    title: `${word} ${random.int(1, 99_999)} after ${kind}`,
    amount: random.int(0, 9_999_999) / 100,
    score: random.int(0, 999_999_999) / 7,
    created_at: new Date(firstMs + index * 150_000).toISOString().slice(0, 19).replace('T', ' '),
    payload: `{"ip":"10.${random.int(0, 255)}.${random.int(0, 255)}.7","ms":${random.int(1, 9999)}}`,
    note: random.chance(0.3) ? `said that the ${word} came late, ${random.int(2, 30)} days` : null,
    external_id: random.int(1, 2 ** 31),
    active: random.int(0, 1),
    tag: random.pick(tags),
  };
}

/** Returns the path of the file. Creates it on first use, which takes about ten seconds. */
export function prepareDatabase(): string {
  const file = join(benchFolder, `events-${fileVersion}.db`);
  if (existsSync(file)) return file;
  mkdirSync(benchFolder, { recursive: true });
  const temporaryFile = `${file}.${process.pid}`;
  createFile(temporaryFile);
  renameSync(temporaryFile, file);
  return file;
}

function createFile(file: string): void {
  const database = new SqliteDatabase(file);
  database.exec(`PRAGMA journal_mode = OFF; PRAGMA synchronous = OFF; ${schema}`);
  database.transaction(() => fill(database))();
  database.exec(indexes);
  database.close();
}

function fill(database: SqliteDatabase.Database): void {
  const random = createRandom('events');
  const names = Object.keys(makeEvent(createRandom('names'), 0));
  const insert = database.prepare(
    `INSERT INTO events (${names.join()}) VALUES (${names.map((name) => `@${name}`).join()})`,
  );
  for (let i = 0; i < eventCount; i++) insert.run(makeEvent(random, i));
}

export type JournalMode = 'delete' | 'wal';

/** Creates a copy for one server, in the given journal mode. */
export function copyDatabase(name: string, journalMode: JournalMode): string {
  const file = join(benchFolder, `${name}.db`);
  removeDatabase(file);
  copyFileSync(prepareDatabase(), file, constants.COPYFILE_FICLONE);
  const database = new SqliteDatabase(file);
  database.pragma(`journal_mode = ${journalMode}`);
  database.close();
  return file;
}

export function removeDatabase(file: string): void {
  for (const suffix of ['', '-wal', '-shm', '-journal']) rmSync(file + suffix, { force: true });
}

/** How many events a file holds now. */
export function countEvents(file: string): number {
  const database = new SqliteDatabase(file, { readonly: true });
  try {
    return database.prepare('SELECT count(*) FROM events').pluck().get() as number;
  } finally {
    database.close();
  }
}

export function sqliteVersion(): string {
  const database = new SqliteDatabase(':memory:');
  try {
    return database.prepare('SELECT sqlite_version()').pluck().get() as string;
  } finally {
    database.close();
  }
}
