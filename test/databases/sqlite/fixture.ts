import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import BetterSqlite3 from 'better-sqlite3';
import { onTestFinished } from 'vitest';
import { openDatabase } from '../../../src/databases/sqlite/database.ts';
import type { Query, Result } from '../../../src/model/database.ts';
import type { StudioError } from '../../../src/model/errors.ts';
import type { Table } from '../../../src/model/schema.ts';
import type { Database } from '../registered-databases.ts';

/** A folder that is removed after the test. */
export function makeFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'studio-sqlite-test-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
}

/** A database file, created by the driver itself. */
export function makeFile(sql = '', name = 'test.db'): string {
  const path = join(makeFolder(), name);
  const raw = openRaw(path);
  raw.exec(sql);
  raw.close();
  return path;
}

export function openRaw(path: string): BetterSqlite3.Database {
  const raw = new BetterSqlite3(path);
  onTestFinished(() => void raw.close());
  return raw;
}

export function openFile(
  path: string,
  options: { readOnly?: boolean; busyTimeoutMs?: number } = {},
): Database {
  const database = openDatabase({
    path,
    readOnly: options.readOnly ?? false,
    busyTimeoutMs: options.busyTimeoutMs ?? 5000,
  });
  onTestFinished(() => database.close());
  return database;
}

export function makeDatabase(sql = ''): Database {
  return openFile(makeFile(sql));
}

export function query(text: string, ...params: Query['params']): Query {
  return { text, params };
}

export function run(
  database: Pick<Database, 'run'>,
  text: string,
  ...params: Query['params']
): Promise<Result> {
  return database.run(query(text, ...params));
}

export async function introspectTable(database: Database, name: string): Promise<Table> {
  const { tables, views } = await database.introspect();
  const table = [...tables, ...views].find((candidate) => candidate.name === name);
  if (table === undefined) throw new Error(`no table ${name}`);
  return table;
}

/** The dialect's translation of the error that the work throws. */
export async function failure(
  database: Database,
  work: Promise<unknown>,
): Promise<StudioError | undefined> {
  try {
    await work;
  } catch (error) {
    return database.dialect.translateError(error);
  }
  throw new Error('nothing was thrown');
}
