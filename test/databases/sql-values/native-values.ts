/** Evaluates literals and expressions in the database itself, to compare with the reader of scripts. */
import Database from 'better-sqlite3';
import mysql from 'mysql2/promise';
import { Client } from 'pg';
import { readSql } from '../../../src/formats/sql/read.ts';
import * as mariadb from '../../servers/mariadb.ts';
import * as postgres from '../../servers/postgres.ts';
import { readAll, column, sourceOf, table } from '../../formats/run-reader.ts';
import type { QueryResult } from 'pg';
import type { ColumnType } from '../../../src/model/schema.ts';
import type { Value } from '../../../src/model/values.ts';
import { databaseKinds } from '../registered-databases.ts';

export type ColumnName = 'text' | 'int' | 'bin';

const columnTypes: Readonly<Record<ColumnName, ColumnType>> = {
  text: { kind: 'text' },
  int: { kind: 'integer', bits: 64 },
  bin: { kind: 'binary' },
};

export interface NativeValues {
  readonly dialect: string;
  /** The stored value after `INSERT … VALUES (expression)`. Fails if the database rejects it. */
  ofExpression(column: ColumnName, expression: string): Promise<string>;
  /** The stored value after a value was inserted as a parameter. */
  ofValue(column: ColumnName, value: Value): Promise<string>;
  close(): Promise<void>;
}

const names: readonly ColumnName[] = ['text', 'int', 'bin'];

function createTables(types: Readonly<Record<ColumnName, string>>): readonly string[] {
  return names.map((name) => `CREATE TABLE t_${name} (v ${types[name]})`);
}

function shown(value: unknown): string {
  if (value instanceof Uint8Array) return `bytes ${Buffer.from(value).toString('hex')}`;
  return value === null ? 'NULL' : JSON.stringify(String(value));
}

export function openSqlite(): Promise<NativeValues> {
  const db = new Database(':memory:');
  for (const statement of createTables({ text: 'TEXT', int: 'BIGINT', bin: 'BLOB' }))
    db.exec(statement);
  const last = (name: string): string => {
    const row = db
      .prepare(`SELECT typeof(v) AS kind, v FROM t_${name} ORDER BY rowid DESC LIMIT 1`)
      .safeIntegers()
      .get() as { kind: string; v: unknown };
    return `${row.kind} ${shown(row.v)}`;
  };
  return Promise.resolve({
    dialect: 'sqlite',
    ofExpression: async (name, expression) => {
      db.prepare(`INSERT INTO t_${name} (v) VALUES (${expression})`).run();
      return Promise.resolve(last(name));
    },
    ofValue: async (name, value) => {
      db.prepare(`INSERT INTO t_${name} (v) VALUES (?)`).run(
        typeof value === 'boolean' ? Number(value) : value,
      );
      return Promise.resolve(last(name));
    },
    close: () => Promise.resolve(void db.close()),
  });
}

export async function openPostgres(): Promise<NativeValues> {
  const database = await postgres.createTestDatabase();
  const client = new Client({ connectionString: database.url });
  await client.connect();
  for (const statement of createTables({ text: 'TEXT', int: 'BIGINT', bin: 'BYTEA' }))
    await client.query(statement);
  const first = ({ rows }: QueryResult<{ v: unknown }>): string => shown(rows[0]?.v);
  return {
    dialect: 'postgres',
    ofExpression: async (name, expression) =>
      first(await client.query(`INSERT INTO t_${name} (v) VALUES (${expression}) RETURNING v`)),
    ofValue: async (name, value) =>
      first(await client.query(`INSERT INTO t_${name} (v) VALUES ($1) RETURNING v`, [value])),
    close: async () => {
      await client.end();
      await database.drop();
    },
  };
}

export async function openMariadb(): Promise<NativeValues> {
  const database = await mariadb.createTestDatabase();
  const { hostname, port, username, password, pathname } = new URL(database.url);
  const client = await mysql.createConnection({
    host: hostname,
    port: Number(port || 3306),
    user: decodeURIComponent(username),
    password: decodeURIComponent(password),
    database: pathname.slice(1),
    charset: 'utf8mb4',
    supportBigNumbers: true,
    bigNumberStrings: true,
  });
  const types = { text: 'LONGTEXT CHARACTER SET utf8mb4', int: 'BIGINT', bin: 'LONGBLOB' };
  for (const statement of createTables(types)) await client.query(statement);
  const take = async (name: string): Promise<string> => {
    const [rows] = await client.query<({ v: unknown } & mysql.RowDataPacket)[]>(
      `SELECT v FROM t_${name}`,
    );
    await client.query(`DELETE FROM t_${name}`);
    return shown(rows[0]?.v);
  };
  return {
    dialect: 'mysql',
    ofExpression: async (name, expression) => {
      await client.query({
        sql: `INSERT INTO t_${name} (v) VALUES (${expression})`,
        values: undefined,
      });
      return take(name);
    },
    ofValue: async (name, value) => {
      await client.execute(`INSERT INTO t_${name} (v) VALUES (?)`, [value as string | null]);
      return take(name);
    },
    close: async () => {
      await client.end();
      await database.drop();
    },
  };
}

const choices = databaseKinds.map(({ dialect, language, dataScript }) => ({
  name: dialect.name,
  language,
  dataScript,
}));

interface ImportTarget {
  readonly column: ColumnName;
  /** Whether the column is dynamically typed, as in SQLite. */
  readonly isDynamic?: boolean;
}

/** The value that the reader of scripts returns. Undefined if it rejects the expression. */
export async function importedValue(
  dialect: string,
  { column: name, isDynamic = dialect === 'sqlite' }: ImportTarget,
  expression: string,
): Promise<{ readonly value: Value } | undefined> {
  const more = isDynamic ? { dynamic: true } : {};
  const tables = [table('t', [column('v', columnTypes[name], more)])];
  const source = sourceOf(`INSERT INTO t (v) VALUES (${expression});`, { name: 'f.sql' });
  const { rows, errors, failure } = await readAll(tables, (reading) =>
    readSql(source, reading, { dialect, ownDialect: dialect, choices, ddl: 'refuse' }),
  );
  if (failure !== undefined || errors.length > 0 || rows.length !== 1) return undefined;
  return { value: rows[0]!.values['v']! };
}
